// The decompression interfaces of zlib, Brotli and Zstandard.
//
// The libraries are loaded at run time, and their headers need not be installed: every number below is part of their
// stable ABIs (soname 1 each), as are the layouts of the types.

#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// The state of a zlib stream (`z_stream`). The library stores its address.
typedef struct CZlibStream {
    const uint8_t *_Nullable next_in;
    uint32_t avail_in;
    unsigned long total_in;
    uint8_t *_Nullable next_out;
    uint32_t avail_out;
    unsigned long total_out;
    const char *_Nullable msg;
    void *_Nullable state;
    void *_Nullable (*_Nullable zalloc)(void *_Nullable, uint32_t, uint32_t);
    void (*_Nullable zfree)(void *_Nullable, void *_Nullable);
    void *_Nullable opaque;
    int32_t data_type;
    unsigned long adler;
    unsigned long reserved;
} CZlibStream;

typedef struct CZlibFunctions {
    const char *_Nonnull (*_Nonnull zlibVersion)(void);
    int32_t (*inflateInit2_)(CZlibStream *, int32_t windowBits, const char *version, int32_t streamSize);
    int32_t (*inflate)(CZlibStream *, int32_t flush);
    int32_t (*inflateReset)(CZlibStream *);
    int32_t (*inflateEnd)(CZlibStream *);
} CZlibFunctions;

typedef struct CBrotliDecoder CBrotliDecoder;

typedef struct CBrotliFunctions {
    CBrotliDecoder *_Nullable (*_Nonnull CreateInstance)(void *_Nullable allocate, void *_Nullable release,
                                                         void *_Nullable opaque);
    int32_t (*DecompressStream)(CBrotliDecoder *, size_t *available_in, const uint8_t *_Nullable *_Nonnull next_in,
                                size_t *available_out, uint8_t *_Nullable *_Nonnull next_out,
                                size_t *_Nullable total_out);
    void (*DestroyInstance)(CBrotliDecoder *);
} CBrotliFunctions;

typedef struct CZstdStream CZstdStream;

/// `ZSTD_inBuffer`.
typedef struct CZstdInput {
    const void *_Nullable src;
    size_t size;
    size_t pos;
} CZstdInput;

/// `ZSTD_outBuffer`.
typedef struct CZstdOutput {
    void *_Nullable dst;
    size_t size;
    size_t pos;
} CZstdOutput;

typedef struct CZstdFunctions {
    CZstdStream *_Nullable (*_Nonnull createDStream)(void);
    size_t (*DCtx_setParameter)(CZstdStream *, int32_t parameter, int32_t value);
    size_t (*decompressStream)(CZstdStream *, CZstdOutput *, CZstdInput *);
    size_t (*freeDStream)(CZstdStream *);
    uint32_t (*isError)(size_t code);
    const char *_Nonnull (*_Nonnull getErrorName)(size_t code);
} CZstdFunctions;

// Each fills its table from the library that the loader finds under `name`; 0 if there is none, or an unsuitable one.
int32_t ccodecs_load_zlib(const char *name, CZlibFunctions *);
int32_t ccodecs_load_brotli(const char *name, CBrotliFunctions *);
int32_t ccodecs_load_zstd(const char *name, CZstdFunctions *);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#define CZLIB_NO_FLUSH 0
#define CZLIB_OK 0
#define CZLIB_STREAM_END 1
#define CZLIB_NEED_DICT 2
#define CZLIB_MEM_ERROR (-4)
#define CZLIB_BUF_ERROR (-5)
#define CZLIB_WINDOW_BITS 15
// Added to the window's bits: only gzip's format.
#define CZLIB_GZIP 16

#define CBROTLI_ERROR 0
#define CBROTLI_SUCCESS 1

#define CZSTD_WINDOW_LOG_MAX 100
