import CCodecs

/// The system's libraries that unpack, as far as they are there.
///
/// `@unchecked Sendable`: the tables are filled before anyone else can see them, and never changed or freed.
struct CodecLibraries: @unchecked Sendable {
    let zlib: UnsafePointer<CZlibFunctions>?
    let brotli: UnsafePointer<CBrotliFunctions>?
    let zstd: UnsafePointer<CZstdFunctions>?
    /// The value of `Accept-Encoding`, in the order of the curl tool's; nil where nothing can be unpacked.
    let acceptEncoding: String?

    /// Looked up when this is first asked for. Where libcurl is loaded and stands on them, that takes no time worth mentioning.
    static let shared = CodecLibraries(names: Platform.codecNames)

    /// What each library may be called; the first one found is taken.
    init(names: (zlib: String, brotli: String, zstd: String)) {
        zlib = Self.table { ccodecs_load_zlib(names.zlib, $0) }
        brotli = Self.table { ccodecs_load_brotli(names.brotli, $0) }
        zstd = Self.table { ccodecs_load_zstd(names.zstd, $0) }
        let codings =
            (zlib == nil ? [] : [Coding.deflate, .gzip]) + (brotli == nil ? [] : [.brotli])
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

    /// Nil where the library or memory is missing.
    func decoder(for coding: Coding) -> (any Decoder)? {
        switch coding {
        case .gzip: zlib.flatMap(GzipDecoder.init)
        case .deflate: zlib.map(DeflateDecoder.init)
        case .brotli: brotli.flatMap(BrotliDecoder.init)
        case .zstd: zstd.flatMap(ZstdDecoder.init)
        }
    }
}
