#include "CLibrary.h"

#include <dlfcn.h>
#include <string.h>

const char *clibrary_load(const char *name, const CLibraryFunction *functions, size_t count, void *table) {
    // Lazy binding: of the library's many dependencies only what is used gets resolved.
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library) return "";
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            dlclose(library);
            return functions[i].name;
        }
        // POSIX guarantees that a data pointer holds a function's address; ISO C has no cast for it.
        memcpy((char *)table + functions[i].offset, &function, sizeof function);
    }
    return NULL;
}

const char *clibrary_failure(void) { return dlerror(); }
