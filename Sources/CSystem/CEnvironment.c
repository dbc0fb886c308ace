#include "CEnvironment.h"

#if defined(__APPLE__)
#include <crt_externs.h>

char **cenvironment_entries(void) { return *_NSGetEnviron(); }
#else
extern char **environ;

char **cenvironment_entries(void) { return environ; }
#endif
