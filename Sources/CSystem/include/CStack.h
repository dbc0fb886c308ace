#pragma once
#include <stdint.h>

/// The lowest address of this thread's stack; 0 if the system does not tell.
uintptr_t cstack_end(void);
