#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Compresses with the system's zlib.
public enum Gzip {
    private typealias Bound = @convention(c) (CUnsignedLong) -> CUnsignedLong
    private typealias Compress =
        @convention(c) (
            UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<CUnsignedLong>, UnsafePointer<UInt8>, CUnsignedLong
        ) -> CInt
    private typealias Checksum = @convention(c) (CUnsignedLong, UnsafePointer<UInt8>, CUnsignedInt) -> CUnsignedLong

    /// Returns `bytes` in gzip's format (RFC 1952); nil if there is no zlib on this machine.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        #if canImport(Glibc)
        let library = dlopen("libz.so.1", RTLD_NOW)
        #else
        let library = dlopen("libz.1.dylib", RTLD_NOW)
        #endif
        guard let bound = dlsym(library, "compressBound"), let compress = dlsym(library, "compress"),
            let checksum = dlsym(library, "crc32")
        else { return nil }
        let length = CUnsignedLong(bytes.count)
        var count = unsafeBitCast(bound, to: Bound.self)(length)
        var compressed = [UInt8](repeating: 0, count: Int(count))
        guard unsafeBitCast(compress, to: Compress.self)(&compressed, &count, bytes, length) == 0 else { return nil }
        // gzip's head, checksum and length replace zlib's own head of 2 bytes and checksum of 4 bytes.
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let crc = unsafeBitCast(checksum, to: Checksum.self)(0, bytes, CUnsignedInt(length))
        let tail = [crc, length].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        return head + compressed[2..<(Int(count) - 4)] + tail
    }
}
