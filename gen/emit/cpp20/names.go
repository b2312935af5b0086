package cpp20

import "strings"

// globals are functions, objects and structs that the headers of the C library
// put into the global namespace, where a namespace can not have their name. A
// layout called like one gets a namespace with an underscore behind it.
var globals = set(`abort abs accept access acct alarm atan atan2 atexit atof atoi basename bind brk
	calloc ceil chdir chmod chown chroot clock clone close confstr connect cos creat crypt ctime
	daemon daylight dirname div dup encrypt environ erf error exit exp fabs fcntl fdopen fflush
	floor flock fma fmod fopen fork free fsync ftime ftw gamma getc getenv getline getpid gets
	getopt glob gmtime group hypot iconv index ioctl iovec isatty itimerval j0 j1 jn kill labs
	ldexp lgamma link listen locale_t localtime lockf log log10 log2 logb lseek lstat madvise
	malloc mincore mkdir mknod mktime mlock mmap modf mount mprotect mremap msync munlock munmap
	nan nanosleep nice obstack open openat optarg opterr optind option optopt passwd pause pipe
	poll pollfd popen pow ppoll printf profil psignal putc putenv puts qsort raise rand random
	read readlink readv realloc recv regex remainder remove rename rewind rindex rint rmdir round
	rusage sbrk scalb scanf select send setenv setjmp shutdown sigaction sigevent siginfo signal
	sigset sigstack sigwait sin sleep socket splice sqrt srand stat statfs statx strlen swab swapon
	symlink sync syscall sysconf sysinfo system tan tee time timer timespec timeval timegm times
	timex timezone tm trunc truncate ttyname tzname tzset ulimit umask umount uname ungetc unlink
	unshare usleep ustat utime valloc vfork vhangup wait waitid waitpid write writev y0 y1 yn`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		m[name] = true
	}
	return m
}
