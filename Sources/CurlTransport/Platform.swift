// Where Linux and macOS differ.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

enum Platform {
    /// What libcurl's shared library may be called; the first one found is taken.
    ///
    /// Debian's GnuTLS build has a name of its own. Both have the same interface.
    #if canImport(Darwin)
    static let libraryNames = ["libcurl.4.dylib"]
    static let codecNames = (zlib: "libz.1.dylib", brotli: "libbrotlidec.1.dylib", zstd: "libzstd.1.dylib")
    #else
    static let libraryNames = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    static let codecNames = (zlib: "libz.so.1", brotli: "libbrotlidec.so.1", zstd: "libzstd.so.1")
    #endif

    /// The system's words for an error number, such as `connection refused`.
    static func describe(errno number: Int32) -> String {
        guard let words = strerror(number) else { return "error \(number)" }
        let text = String(cString: words)
        // Only an ordinary word's first letter: "Connection refused", but not "RPC …".
        guard let second = text.dropFirst().first, second.isLowercase || second == " " else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    static func open(readOnly path: [UInt8]) -> Int32 {
        (path + [0]).withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
            #if canImport(Darwin)
            return Darwin.open(start, O_RDONLY | O_CLOEXEC)
            #elseif canImport(Glibc)
            return Glibc.open(start, O_RDONLY | O_CLOEXEC)
            #else
            return Musl.open(start, O_RDONLY | O_CLOEXEC)
            #endif
        }
    }

    /// Why the file can't be read, or nil where it can; `path` ends with a zero byte.
    static func unreadability(_ path: [UInt8]) -> String? {
        path.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return "no path" }
            guard access(start, R_OK) == 0 else { return describe(errno: errno) }
            var status = stat()
            return stat(start, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : nil
        }
    }
}
