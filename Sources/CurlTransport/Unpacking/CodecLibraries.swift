import CCodecs

/// The system's libraries that unpack, as far as they are there.
///
/// `@unchecked Sendable`: the tables are filled before anyone else can see them, and never changed or freed.
struct CodecLibraries: @unchecked Sendable {
    let zlib: UnsafePointer<CZlibFunctions>?
    let brotli: UnsafePointer<CBrotliFunctions>?
    let zstd: UnsafePointer<CZstdFunctions>?

    /// Looked up when this is first asked for. Where libcurl is loaded and stands on them, that takes no time worth mentioning.
    static let shared = CodecLibraries(names: Platform.codecNames)

    /// What each library may be called; the first one found is taken.
    init(names: (zlib: String, brotli: String, zstd: String)) {
        zlib = Self.table { ccodecs_load_zlib(names.zlib, $0) }
        brotli = Self.table { ccodecs_load_brotli(names.brotli, $0) }
        zstd = Self.table { ccodecs_load_zstd(names.zstd, $0) }
    }

    private static func table<Functions>(_ load: (UnsafeMutablePointer<Functions>) -> Int32) -> UnsafePointer<
        Functions
    >? {
        let table = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
        guard load(table) != 0 else {
            table.deallocate()
            return nil
        }
        return UnsafePointer(table)
    }

    /// The value of `Accept-Encoding`, in the order of the curl tool's; nil where nothing can be unpacked.
    var acceptEncoding: String? {
        let codings = Coding.allCases.filter(has)
        return codings.isEmpty ? nil : codings.map(\.rawValue).joined(separator: ", ")
    }

    private func has(_ coding: Coding) -> Bool {
        switch coding {
        case .deflate, .gzip: zlib != nil
        case .brotli: brotli != nil
        case .zstd: zstd != nil
        }
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
