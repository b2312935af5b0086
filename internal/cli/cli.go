// Package cli gives every command of the project the same manners: exit codes
// 0 (done), 1 (runtime failure, told on standard error behind the program's
// name) and 2 (usage error), and the only call of os.Exit.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/alecthomas/kong"
)

// The exit codes.
const (
	OK      = 0
	Failure = 1
	Usage   = 2
)

// Reporter is an error that prints itself instead of the one usual line, as a
// list of diagnostics does.
type Reporter interface {
	error
	Report(w io.Writer, program string)
}

// UsageError is a fault of the command line that only the command could see.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...)}
}

// Main runs the program with the process's arguments and exits.
func Main(program, description string, grammar any, options ...kong.Option) {
	os.Exit(Run(program, description, grammar, os.Args[1:], os.Stdout, os.Stderr, options...))
}

// exited carries the code of a --help through the parser.
type exited int

// Run parses args into the grammar, runs the command they choose and returns
// the exit code. Parse errors and run errors never mix: the first are 2, the
// second 1.
func Run(program, description string, grammar any, args []string,
	stdout, stderr io.Writer, options ...kong.Option,
) (code int) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(exited)
			if !ok {
				panic(p)
			}
			code = int(e)
		}
	}()
	options = append([]kong.Option{
		kong.Name(program), kong.Description(description), kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exited(code)) }), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	}, options...)
	parser, err := kong.New(grammar, options...)
	if err != nil {
		panic(err) // the grammar is a part of the program
	}
	ctx, err := parse(parser, args)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", program, err)
		fmt.Fprintf(stderr, "Run \"%s --help\" for the commands and their flags.\n", program)
		return Usage
	}
	return report(ctx.Run(), program, stderr)
}

// parse refuses a repeated flag: of two values, nobody can tell which was meant.
func parse(parser *kong.Kong, args []string) (*kong.Context, error) {
	ctx, err := parser.Parse(args)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, element := range ctx.Path {
		flag := element.Flag
		if flag == nil || flag.IsCumulative() {
			continue
		}
		if seen[flag.Name] {
			return nil, fmt.Errorf("--%s is given twice", flag.Name)
		}
		seen[flag.Name] = true
	}
	return ctx, nil
}

func report(err error, program string, stderr io.Writer) int {
	var usage *UsageError
	var reporter Reporter
	switch {
	case err == nil:
		return OK
	case errors.Is(err, syscall.EPIPE):
		return Failure // whoever read the output has left: nobody is told
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %v\n", program, err)
		return Usage
	case errors.As(err, &reporter):
		reporter.Report(stderr, program)
		return Failure
	default:
		fmt.Fprintf(stderr, "%s: %v\n", program, err)
		return Failure
	}
}
