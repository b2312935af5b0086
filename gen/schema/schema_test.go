package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/shmkv/shmkv/gen/schema"
)

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.JSON))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("layout.schema.json", doc))
	s, err := c.Compile("layout.schema.json")
	require.NoError(t, err)
	return s
}

// instance reads a layout file the way an editor's schema checker does.
func instance(t *testing.T, path string) any {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var doc yaml.Node
	require.NoError(t, yaml.Unmarshal(data, &doc))
	stringKeys(&doc)
	var v any
	require.NoError(t, doc.Decode(&v))
	text, err := json.Marshal(v)
	require.NoError(t, err)
	inst, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return inst
}

// stringKeys makes every key a string, as in JSON: NULL and 1 are names there.
func stringKeys(n *yaml.Node) {
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			c.Tag, c.Style = "!!str", yaml.DoubleQuotedStyle
		}
		stringKeys(c)
	}
}

// TestEditorsAcceptGoodLayouts: what the parser takes the schema takes, too,
// or editors would mark sound files.
func TestEditorsAcceptGoodLayouts(t *testing.T) {
	s := compile(t)
	paths, err := filepath.Glob("../testdata/ok/*/layout.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range append(paths, "../../layout.yaml") {
		require.NoError(t, s.Validate(instance(t, path)), path)
	}
}

// TestEditorsMarkGrammarFaults: faults of keys, names, roles and numbers are
// marked while typing; those that need arithmetic are the generator's alone.
func TestEditorsMarkGrammarFaults(t *testing.T) {
	s := compile(t)
	for _, name := range []string{"unknown_keys", "missing", "names", "roles", "endian", "enums"} {
		require.Error(t, s.Validate(instance(t, "../testdata/bad/"+name+"/layout.yaml")), name)
	}
}

// TestEveryKeyOfAFieldIsDocumented keeps schema and reference page together.
func TestEveryKeyOfAFieldIsDocumented(t *testing.T) {
	var doc struct {
		Properties map[string]any
		Defs       struct {
			Field struct{ Properties map[string]any }
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(schema.JSON, &doc))
	page, err := os.ReadFile("../../docs/layout-reference.md")
	require.NoError(t, err)
	require.NotEmpty(t, doc.Properties)
	require.NotEmpty(t, doc.Defs.Field.Properties)
	for key := range doc.Properties {
		require.Contains(t, string(page), "`"+key+"`")
	}
	for key := range doc.Defs.Field.Properties {
		require.Contains(t, string(page), "| `"+key+"` |")
	}
}
