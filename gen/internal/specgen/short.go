package specgen

import (
	"flag"
	"strconv"
)

// Short bounds a property test that runs real compilers to a few draws, always
// the same ones, so that a change is judged by what it changed. Asked for more
// with -rapid.checks, the test draws at random. It returns what undoes it.
func Short(checks int) (undo func()) {
	number, seed := flag.Lookup("rapid.checks"), flag.Lookup("rapid.seed")
	if number.Value.String() != number.DefValue || seed.Value.String() != seed.DefValue {
		return func() {}
	}
	set := func(f *flag.Flag, value string) {
		if err := flag.Set(f.Name, value); err != nil {
			panic(err) // rapid's own flags take numbers
		}
	}
	set(number, strconv.Itoa(checks))
	set(seed, "1")
	return func() {
		set(number, number.DefValue)
		set(seed, seed.DefValue)
	}
}
