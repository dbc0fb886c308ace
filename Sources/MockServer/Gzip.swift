import CCodecs

/// Compresses with the system's zlib, which is loaded at the first use.
///
/// `@unchecked Sendable`: the table is filled before anyone else can see it, and never changed or freed.
package struct Gzip: @unchecked Sendable {
    private let functions: UnsafePointer<CZlibCompressFunctions>

    #if canImport(Darwin)
    private static let libraryName = "libz.1.dylib"
    #else
    private static let libraryName = "libz.so.1"
    #endif

    /// Nil if there is no zlib on this machine.
    package init?() {
        let table = UnsafeMutablePointer<CZlibCompressFunctions>.allocate(capacity: 1)
        guard ccodecs_load_zlib_compress(Self.libraryName, table) != 0 else {
            table.deallocate()
            return nil
        }
        functions = UnsafePointer(table)
    }

    /// `bytes` in gzip's format (RFC 1952); nil if memory is short.
    package func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let length = UInt(bytes.count)
        guard let short = UInt32(exactly: length) else { return nil }
        var count = functions.pointee.compressBound(length)
        var packed = [UInt8](repeating: 0, count: Int(count))
        guard functions.pointee.compress(&packed, &count, bytes, length) == CZLIB_OK else { return nil }
        // In place of zlib's own header of 2 bytes and checksum of 4.
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let numbers = [functions.pointee.crc32(0, bytes, short), length]
        let tail = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        return head + packed[2..<(Int(count) - 4)] + tail
    }
}
