// The arguments and the environment that the system started the process with.

#pragma once

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// How many arguments there are, the program's name included; 0 if the C library does not tell.
int carguments_count(void);

/// The arguments, each a text that ends with a zero byte; NULL if the C library does not tell.
char *_Nonnull *_Nullable carguments_vector(void);

/// The environment, each entry a text that ends with a zero byte, and NULL after the last one.
char *_Nullable *_Nonnull carguments_environment(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
