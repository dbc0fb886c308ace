#include "CCodecs.h"
#include "CLibrary.h"

#define FUNCTION(prefix, type, member) {prefix #member, offsetof(type, member)}
#define LOAD(name, wanted, functions) !clibrary_load(name, wanted, sizeof wanted / sizeof wanted[0], functions)

int32_t ccodecs_load_zlib(const char *name, CZlibFunctions *functions) {
    static const CLibraryFunction wanted[] = {
        FUNCTION("", CZlibFunctions, zlibVersion),
        FUNCTION("", CZlibFunctions, inflateInit2_),
        FUNCTION("", CZlibFunctions, inflate),
        FUNCTION("", CZlibFunctions, inflateReset),
        FUNCTION("", CZlibFunctions, inflateEnd),
    };
    return LOAD(name, wanted, functions);
}

int32_t ccodecs_load_brotli(const char *name, CBrotliFunctions *functions) {
    static const CLibraryFunction wanted[] = {
        FUNCTION("BrotliDecoder", CBrotliFunctions, CreateInstance),
        FUNCTION("BrotliDecoder", CBrotliFunctions, DecompressStream),
        FUNCTION("BrotliDecoder", CBrotliFunctions, DestroyInstance),
    };
    return LOAD(name, wanted, functions);
}

int32_t ccodecs_load_zstd(const char *name, CZstdFunctions *functions) {
    static const CLibraryFunction wanted[] = {
        FUNCTION("ZSTD_", CZstdFunctions, createDStream),
        FUNCTION("ZSTD_", CZstdFunctions, DCtx_setParameter),
        FUNCTION("ZSTD_", CZstdFunctions, decompressStream),
        FUNCTION("ZSTD_", CZstdFunctions, freeDStream),
        FUNCTION("ZSTD_", CZstdFunctions, isError),
        FUNCTION("ZSTD_", CZstdFunctions, getErrorName),
    };
    return LOAD(name, wanted, functions);
}
