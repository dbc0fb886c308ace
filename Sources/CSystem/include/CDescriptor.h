// File descriptors that are closed on `exec`: Swift does not see the Linux calls that set this while they open.

#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Makes a pipe: what is written to `ends[1]` can be read from `ends[0]`. Returns -1 and sets `errno` if it can't.
int cdescriptor_pipe(int *ends);

/// Returns a non-blocking TCP socket of an address family, or -1.
int cdescriptor_socket(int family);

/// Returns the non-blocking socket of the next connection to `listener`, or -1.
int cdescriptor_accept(int listener);

/// Sends like `send`, but without SIGPIPE if the other end has closed the connection.
ssize_t cdescriptor_send(int descriptor, const void *bytes, size_t count);

/// The most descriptors that this process may have open (`ulimit -n`); `UINT64_MAX` without a limit, and if the system does not
/// tell.
uint64_t cdescriptor_limit(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
