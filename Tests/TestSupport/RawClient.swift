#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A TCP connection to this machine that sends and receives bytes as they are.
public final class RawClient {
    /// A connection that could not be made, with its `errno`.
    public struct Failure: Error { let number: Int32 }

    /// How a connection ended.
    public enum End: Equatable {
        /// The server closed the connection.
        case closed
        /// The server reset the connection.
        case reset
        /// The connection did not end while the client waited.
        case nothing
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a numeric address.
    ///
    /// - Parameter seconds: How long a read waits for bytes before it gives up.
    public init(host: String = "127.0.0.1", port: UInt16, patience seconds: Int = 5) throws {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = stream
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let address = list?.pointee else {
            throw Failure(number: EINVAL)
        }
        defer { freeaddrinfo(list) }
        descriptor = socket(address.ai_family, stream, 0)
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // `deinit` closes the descriptor, because all properties are set.
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else { throw Failure(number: errno) }
    }

    deinit { close(descriptor) }

    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends all of `bytes`.
    ///
    /// - Returns: Whether the server took all of them.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
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

    /// Tells the server that no more bytes follow.
    public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads the next `count` bytes as text. There are fewer if the connection ends before.
    public func read(_ count: Int) -> String {
        while buffer.count < count, receive() > 0 {}
        let result = String(decoding: buffer.prefix(count), as: UTF8.self)
        buffer.removeFirst(min(count, buffer.count))
        return result
    }

    /// Reads up to the next empty line, which is part of the result.
    public func readHead() -> String {
        var result = ""
        while !result.hasSuffix("\r\n\r\n") {
            let byte = read(1)
            if byte.isEmpty { break }
            result.unicodeScalars.append(contentsOf: byte.unicodeScalars)
        }
        return result
    }

    /// Reads until the connection ends.
    public func readToEnd() -> String {
        while receive() > 0 {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads until the connection ends, and returns only the number of bytes.
    public func countToEnd() -> Int {
        var total = 0
        while true {
            let count = receive()
            guard count > 0 else { return total }
            total += count
            buffer = []
        }
    }

    /// Reads until the connection ends, and returns how it ended.
    public func end() -> End {
        while true {
            let count = receive()
            if count == 0 { return .closed }
            if count < 0 { return errno == ECONNRESET ? .reset : .nothing }
        }
    }

    /// Receives the next bytes into the buffer and returns their number: 0 at the end, -1 for an error.
    private func receive() -> Int {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &block, block.count, 0)
        if count > 0 { buffer += block[..<count] }
        return count
    }
}
