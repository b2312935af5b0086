// Command shmkv is the reference program of a shared page of key-value slots: it
// serves one, watches one, and measures what waking a watcher costs.
package main

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"github.com/shmkv/shmkv/internal/cli"
)

const program = "shmkv"

const description = `One page in a file that every process maps: one writer, many readers.

Try it: in one terminal "shmkv serve kv.shm", in another "shmkv watch kv.shm".

Exit codes: 0 done, 1 failed with one line on standard error, 2 wrong usage.`

type commands struct {
	Serve serveCmd `cmd:"" help:"Publish updates into the page in FILE."`
	Watch watchCmd `cmd:"" help:"Print every update of the page in FILE."`
	Bench benchCmd `cmd:"" help:"Measure how long it takes to wake a process, channel by channel."`

	Consume consumeCmd `cmd:"" name:"bench-consumer" hidden:"" help:"The other half of bench."`

	Version kong.VersionFlag `help:"Print the version."`
}

// The main goroutine stays on the main thread, so that what an observer sees of
// the process (its state, its context switches) is what the command does.
func init() { runtime.LockOSThread() }

func main() {
	cli.Main(program, description, &commands{}, kong.Vars{"version": version()},
		kong.WithHyphenPrefixedParameters(true)) // so that "--updates -5" is told what is wrong with -5
}

// version is the module's, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return program + " (unknown version)"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	v := program + " " + cmp.Or(info.Main.Version, "(devel)")
	if commit := settings["vcs.revision"]; commit != "" {
		v += " " + commit
	}
	return v + " " + info.GoVersion
}
