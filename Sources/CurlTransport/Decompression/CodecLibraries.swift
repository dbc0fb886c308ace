import CCodecs

/// The system's decompression libraries, as far as they are installed.
///
/// `@unchecked Sendable`: the tables are filled before anyone else can see them, and never changed or freed.
struct CodecLibraries: @unchecked Sendable {
    let zlib: UnsafePointer<CZlibFunctions>?
    let brotli: UnsafePointer<CBrotliFunctions>?
    let zstd: UnsafePointer<CZstdFunctions>?
    /// The value of `Accept-Encoding`, in the curl tool's order; nil if nothing can be decompressed.
    let acceptEncoding: String?

    /// Loaded at the first use, which takes almost no time: libcurl usually depends on them and has loaded them.
    static let shared = CodecLibraries(names: Platform.codecNames)

    /// Loads the library of each name.
    init(names: (zlib: String, brotli: String, zstd: String)) {
        zlib = Self.table { ccodecs_load_zlib(names.zlib, $0) }
        brotli = Self.table { ccodecs_load_brotli(names.brotli, $0) }
        zstd = Self.table { ccodecs_load_zstd(names.zstd, $0) }
        let codings =
            (zlib == nil ? [] : [ContentCoding.deflate, .gzip]) + (brotli == nil ? [] : [.brotli])
            + (zstd == nil ? [] : [.zstd])
        acceptEncoding = codings.isEmpty ? nil : codings.map(\.rawValue).joined(separator: ", ")
    }

    private static func table<Table>(_ load: (UnsafeMutablePointer<Table>) -> Int32) -> UnsafePointer<Table>? {
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        guard load(table) != 0 else {
            table.deallocate()
            return nil
        }
        return UnsafePointer(table)
    }

    /// Nil if the library is missing or memory is short.
    func decoder(for coding: ContentCoding) -> (any ContentDecoder)? {
        switch coding {
        case .gzip: zlib.flatMap(GzipDecoder.init)
        case .deflate: zlib.map(DeflateDecoder.init)
        case .brotli: brotli.flatMap(BrotliDecoder.init)
        case .zstd: zstd.flatMap(ZstdDecoder.init)
        }
    }
}
