// Loads shared libraries at run time into tables of function pointers.

#pragma once
#include <stddef.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// A function of a library, and the offset of its pointer in the table.
typedef struct CLibraryFunction {
    const char *name;
    size_t offset;
} CLibraryFunction;

/// Fills `table` with the addresses of `count` functions of the library that the loader finds under `name`.
///
/// Returns NULL, or the name of a function that the library lacks, or an empty text if there is no such library. The
/// texts are constants or those of `functions`.
const char *_Nullable clibrary_load(const char *name, const CLibraryFunction *functions, size_t count, void *table);

/// Why the library that this thread asked for last could not be loaded, in the loader's words; NULL if it was. To be asked once.
const char *_Nullable clibrary_failure(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
