package naming

import "strings"

// reserved holds, per language, the names a generated member may not have:
// keywords, predeclared names that generated code uses, and macros that the
// headers a peer includes define in lower case. The generated members whose
// names are fixed (of a view, say) stand here too.
var reserved = map[Lang]map[string]bool{
	// Members are exported in Go, so that no keyword or predeclared name can
	// be met; only generated methods can.
	Go:   set("String Bytes"),
	C:    set(cKeywords, cMacros, cppKeywords, cTypes), // the headers also compile as C++
	CPP:  set(cKeywords, cMacros, cppKeywords, cppMembers),
	Rust: set(rustKeywords, rustMembers),
}

const (
	cKeywords = `auto break case char const continue default do double else enum extern float for
		goto if inline int long register restrict return short signed sizeof static struct switch
		typedef union unsigned void volatile while asm typeof alignas alignof bool constexpr false
		nullptr static_assert thread_local true typeof_unqual`

	// What <complex.h>, <iso646.h>, <errno.h>, <stdio.h>, <assert.h>, <math.h>,
	// <setjmp.h>, <stdatomic.h>, <stdnoreturn.h>, <sys/sysmacros.h>, <signal.h>,
	// <sys/stat.h>, <netinet/in.h> and the compilers' GNU modes may define.
	cMacros = `and and_eq assert bitand bitor compl complex errno fpclassify i386 imaginary isfinite
		isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered
		kill_dependency linux major makedev math_errhandling minor noreturn not not_eq offsetof or
		or_eq setjmp sa_handler sa_sigaction si_addr si_band si_fd si_pid si_status si_timerid si_uid
		si_utime si_stime si_value signbit sigev_notify_attributes sigev_notify_function st_atime
		st_ctime st_mtime s6_addr h_addr stderr stdin stdout unix va_arg va_copy va_end va_start xor
		xor_eq arm mips sun vax sparc alloca strdupa strndupa minix`

	// Types of members. In C++ a member of that name would hide the type from the
	// members behind it.
	cTypes = `uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t size_t`

	cppKeywords = `atomic_cancel atomic_commit atomic_noexcept catch char16_t char32_t char8_t class
		co_await co_return co_yield concept const_cast consteval constinit decltype delete
		dynamic_cast explicit export final friend import module mutable namespace new noexcept
		operator override private protected public reflexpr reinterpret_cast requires static_cast
		synchronized template this throw try typeid typename using virtual wchar_t std shmkv`

	// Names that generated C++ classes use for themselves.
	cppMembers = `at data size`

	rustKeywords = `abstract as async await become box break const continue crate do dyn else enum
		extern false final fn for gen if impl in let loop macro match mod move mut override priv pub
		ref return self Self static struct super trait true try type typeof unsafe unsized use
		virtual where while yield union raw safe macro_rules auto default`

	// Names that generated Rust impls and the traits they derive use.
	rustMembers = `new as_ptr as_bytes clone eq ne fmt default`
)

func set(lists ...string) map[string]bool {
	m := map[string]bool{}
	for _, list := range lists {
		for name := range strings.FieldsSeq(list) {
			m[name] = true
		}
	}
	return m
}
