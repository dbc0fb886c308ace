#pragma once
#include <stdint.h>

/// The lowest address of this thread's stack; 0 if the system does not tell.
uintptr_t cstack_end(void);

/// The most bytes that the stack of this process may have (`ulimit -s`); `UINT64_MAX` without a limit, and if the system does
/// not tell.
uint64_t cstack_limit(void);
