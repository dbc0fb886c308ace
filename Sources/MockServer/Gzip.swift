import CCodecs

/// Compresses with the system's zlib, which is loaded at the first use.
///
/// `@unchecked Sendable`: the table is filled before anyone else can see it, and never changed or freed.
package struct Gzip: @unchecked Sendable {
    private let functions: UnsafePointer<CZlibDeflateFunctions>

    #if canImport(Darwin)
    private static let libraryName = "libz.1.dylib"
    #else
    private static let libraryName = "libz.so.1"
    #endif

    /// Nil if there is no zlib on this machine.
    package init?() {
        let table = UnsafeMutablePointer<CZlibDeflateFunctions>.allocate(capacity: 1)
        guard ccodecs_load_zlib_deflate(Self.libraryName, table) != 0 else {
            table.deallocate()
            return nil
        }
        functions = UnsafePointer(table)
    }

    /// `bytes` in gzip's format (RFC 1952); nil if memory is short.
    package func compress(_ bytes: [UInt8]) -> [UInt8]? {
        // At a fixed address, which the library stores.
        let stream = UnsafeMutablePointer<CZlibStream>.allocate(capacity: 1)
        stream.initialize(to: CZlibStream())
        defer { stream.deallocate() }
        let (size, version) = (Int32(MemoryLayout<CZlibStream>.size), functions.pointee.zlibVersion())
        guard
            functions.pointee.deflateInit2_(
                stream, CZLIB_DEFAULT_COMPRESSION, CZLIB_DEFLATED, CZLIB_WINDOW_BITS + CZLIB_GZIP, CZLIB_MEM_LEVEL,
                CZLIB_DEFAULT_STRATEGY, version, size) == CZLIB_OK,
            bytes.count <= UInt32.max / 2
        else { return nil }
        defer { _ = functions.pointee.deflateEnd(stream) }
        // With room for all that the library may write, one call is enough.
        let room = Int(functions.pointee.deflateBound(stream, UInt(bytes.count)))
        var isWhole = false
        let result = bytes.withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: room) { output, count in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(room)
                isWhole = functions.pointee.deflate(stream, CZLIB_FINISH) == CZLIB_STREAM_END
                // Exactly so many bytes have been written.
                count = room - Int(stream.pointee.avail_out)
            }
        }
        return isWhole ? result : nil
    }
}
