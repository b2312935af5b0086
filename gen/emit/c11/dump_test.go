package c11_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen/emit/c11"
	"github.com/shmkv/shmkv/gen/emit/c11/ctest"
	"github.com/shmkv/shmkv/gen/layout"
)

func TestDump(t *testing.T) {
	files, err := c11.Emit([]*layout.Layout{ctest.Shkv2(t)})
	require.NoError(t, err)
	ctest.Write(t, os.Getenv("DUMP"), files)
}
