#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// System calls whose Swift names differ between platforms or collide with methods.
enum SystemCall {
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.read(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// All that can be read from `descriptor`. Throws ``FileError`` that names `name`.
    static func readAll(_ descriptor: Int32, name: String) throws -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0) }
            if count > 0 {
                result += chunk[..<count]
            } else if count == 0 {
                return result
            } else if errno != EINTR {
                throw FileError(.read, name, reason: errorText(errno))
            }
        }
    }

    /// The system's words for an error number.
    static func errorText(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
