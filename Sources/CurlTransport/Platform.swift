// Where Linux and macOS differ.

enum Platform {
    #if canImport(Darwin)
    /// The names of libcurl's shared library; the first one found is used.
    static let libraryNames = ["libcurl.4.dylib"]
    static let codecNames = (zlib: "libz.1.dylib", brotli: "libbrotlidec.1.dylib", zstd: "libzstd.1.dylib")
    #else
    /// The names of libcurl's shared library; the first one found is used. Debian's GnuTLS build has a name of its own and the same
    /// interface.
    static let libraryNames = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    static let codecNames = (zlib: "libz.so.1", brotli: "libbrotlidec.so.1", zstd: "libzstd.so.1")
    #endif
}
