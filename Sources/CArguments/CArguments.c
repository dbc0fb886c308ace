#include "CArguments.h"

#include <stddef.h>

static int count;
static char **vector;

#if defined(__linux__)
#include <features.h>
#endif

// Swift reads the arguments from /proc, which a container need not have. glibc and macOS hand them to every initialiser too.
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
    count = argc;
    vector = argv;
}
#endif

int carguments_count(void) { return count; }

char **carguments_vector(void) { return vector; }

#if defined(__APPLE__)
#include <crt_externs.h>
char **carguments_environment(void) { return *_NSGetEnviron(); }
#else
extern char **environ;
char **carguments_environment(void) { return environ; }
#endif
