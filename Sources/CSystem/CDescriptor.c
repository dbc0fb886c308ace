// Declares accept4 and pipe2.
#define _GNU_SOURCE
#include "CDescriptor.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#if defined(__APPLE__)
// macOS can't set the flags in the call that opens: another thread that starts a program meanwhile may pass the descriptor on.
static int close_on_exec(int descriptor) {
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

static int set_up_socket(int descriptor) {
    if (descriptor < 0) return descriptor;
    close_on_exec(descriptor);
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    // Linux suppresses SIGPIPE in each `send`, macOS once for the socket.
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    return descriptor;
}

int cdescriptor_pipe(int *ends) {
    if (pipe(ends) < 0) return -1;
    close_on_exec(ends[0]);
    close_on_exec(ends[1]);
    return 0;
}

int cdescriptor_socket(int family) { return set_up_socket(socket(family, SOCK_STREAM, 0)); }

int cdescriptor_accept(int listener) { return set_up_socket(accept(listener, NULL, NULL)); }

ssize_t cdescriptor_send(int descriptor, const void *bytes, size_t count) { return send(descriptor, bytes, count, 0); }
#else
int cdescriptor_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int cdescriptor_socket(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

int cdescriptor_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

ssize_t cdescriptor_send(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_NOSIGNAL);
}
#endif

uint64_t cdescriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    return limit.rlim_cur;
}
