import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A port on this machine that never sends anything, open until this value is released.
final class LoopbackPort {
    let number: UInt16
    private var descriptors: [Int32] = []

    /// Not `listening`: it refuses connections. `full`: it accepts no more of them, so that clients wait.
    init(listening: Bool, full: Bool = false) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let listener = try Self.socket()
        descriptors.append(listener)
        try #require(Self.with(&address) { bind(listener, $0, $1.pointee) } == 0)
        try #require(Self.with(&address) { getsockname(listener, $0, $1) } == 0)
        number = UInt16(bigEndian: address.sin_port)
        if listening { try #require(listen(listener, full ? 0 : 8) == 0) }
        guard full else { return }
        // A queue of none still takes one or two: these are they, and wait for ever.
        for _ in 0..<4 {
            let client = try Self.socket()
            descriptors.append(client)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            _ = Self.with(&address) { connect(client, $0, $1.pointee) }
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func socket() throws -> Int32 {
        #if canImport(Darwin)
        let descriptor = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        try #require(descriptor >= 0)
        return descriptor
    }

    /// Calls `body` with the address as the system takes it, and its length.
    private static func with(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            // Every address of a socket starts with what a sockaddr has.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}
