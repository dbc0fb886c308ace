// Declares pthread_getattr_np.
#define _GNU_SOURCE
#include "CStack.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

uintptr_t cstack_end(void) {
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#else
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes)) return 0;
    void *end = NULL;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &end, &size)) end = NULL;
    pthread_attr_destroy(&attributes);
    return (uintptr_t)end;
#endif
}

uint64_t cstack_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    return limit.rlim_cur;
}
