import MockServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A TCP connection to 127.0.0.1 that sends and receives bytes as they are; a read gives up after five seconds.
final class RawClient {
    struct Failure: Error { let number: Int32 }

    /// How a connection ended.
    enum End: Equatable {
        case closed, reset, nothing
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16) throws {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // `deinit` closes the descriptor, because all properties are set.
        guard result == 0 else { throw Failure(number: errno) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends all of `bytes`; false where the server no longer takes them.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Darwin)
            let count = rest.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
            #else
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            #endif
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next `count` bytes as text, fewer where the connection ends before.
    func read(_ count: Int) -> String {
        while buffer.count < count, receive() > 0 {}
        let result = String(decoding: buffer.prefix(count), as: UTF8.self)
        buffer.removeFirst(min(count, buffer.count))
        return result
    }

    /// The next bytes up to and with the next empty line.
    func readHead() -> String {
        var result = ""
        while !result.hasSuffix("\r\n\r\n") {
            let byte = read(1)
            if byte.isEmpty { break }
            result.unicodeScalars.append(contentsOf: byte.unicodeScalars)
        }
        return result
    }

    /// All that comes until the connection ends.
    func readToEnd() -> String {
        while receive() > 0 {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// How many bytes come until the connection ends, without keeping them.
    func countToEnd() -> Int {
        var total = 0
        while true {
            let count = receive()
            guard count > 0 else { return total }
            total += count
            buffer = []
        }
    }

    /// Reads to the end and tells how it came.
    func end() -> End {
        while true {
            let count = receive()
            if count == 0 { return .closed }
            if count < 0 { return errno == ECONNRESET ? .reset : .nothing }
        }
    }

    private func receive() -> Int {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &block, block.count, 0)
        if count > 0 { buffer += block[..<count] }
        return count
    }
}

extension MockServer {
    /// A connection on which `text` has been sent.
    func sending(_ text: String = "GET / HTTP/1.1\r\nHost: x\r\n\r\n") throws -> RawClient {
        let client = try RawClient(port: port)
        client.send(text)
        return client
    }
}
