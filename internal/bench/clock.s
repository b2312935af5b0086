// This file lets the compiler accept a function whose body is the runtime's.
