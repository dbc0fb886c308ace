import EndpointKit
import SystemCalls
import Testing

@testable import CurlTransport

/// How many file descriptors are open in this process, or nil where that can't be told.
func openDescriptors() -> Int? {
    guard let folder = opendir("/dev/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}

/// A file that goes away with this value.
final class TemporaryFile {
    let path: String

    init(_ bytes: [UInt8]) throws {
        let descriptor: Int32
        (path, descriptor) = try Self.make()
        defer { close(descriptor) }
        try #require(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
    }

    /// A file of zeros that takes no memory.
    init(zeros count: Int) throws {
        let descriptor: Int32
        (path, descriptor) = try Self.make()
        defer { close(descriptor) }
        try #require(ftruncate(descriptor, off_t(count)) == 0)
    }

    private init(path: String) { self.path = path }

    /// A named pipe that no program has opened.
    static func namedPipe() throws -> TemporaryFile {
        let (path, descriptor) = try make()
        close(descriptor)
        try #require(unlink(path) == 0)
        try #require(mkfifo(path, 0o600) == 0)
        return TemporaryFile(path: path)
    }

    private static func make() throws -> (path: String, descriptor: Int32) {
        var template = Array("/tmp/curl-transport-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        return (template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? "", descriptor)
    }

    deinit { unlink(path) }
}

/// Takes a file away, if it is there.
func removeFile(_ path: String) { unlink(path) }

/// A socket of this machine that is bound to a port of its own, so that nobody else is given it, or to a unix socket.
private final class BoundSocket: Sendable {
    let descriptor: Int32
    /// 0 for a unix socket.
    let port: UInt16

    init(unixSocket: String? = nil) throws {
        descriptor = socket(unixSocket == nil ? AF_INET : AF_UNIX, SystemCall.streamSocket, 0)
        try #require(descriptor >= 0)
        if let unixSocket {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(unixSocket.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: unixSocket.utf8) }
            try #require(Self.bind(descriptor, &address))
            port = 0
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try #require(Self.bind(descriptor, &address))
            port = UInt16(bigEndian: address.sin_port)
        }
    }

    deinit { close(descriptor) }

    /// Ends the wait of a thread for connections.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
        var length = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                SystemCalls.bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
    }
}

/// A port on this machine that refuses connections.
final class RefusingPort {
    private let socket: BoundSocket

    init() throws { socket = try BoundSocket() }

    var port: UInt16 { socket.port }
}

/// A port on this machine that takes connections and never says anything.
final class SilentListener {
    private let socket: BoundSocket

    init() throws {
        socket = try BoundSocket()
        try #require(listen(socket.descriptor, 8) == 0)
    }

    var port: UInt16 { socket.port }
}

/// A server that does with each connection what it is told, one after the other; over TCP, or over a unix socket.
final class RawServer {
    private let socket: BoundSocket

    /// Listens on a free port of this machine, or at `unixSocket`.
    ///
    /// - Parameter serve: Is called with the descriptor of each connection, which is closed afterwards.
    init(unixSocket: String? = nil, serve: @escaping @Sendable (Int32) -> Void) throws {
        socket = try BoundSocket(unixSocket: unixSocket)
        try #require(listen(socket.descriptor, 8) == 0)
        // The thread keeps the socket open, because the number of a closed descriptor may soon be another server's.
        try SystemThread.start { [socket] in
            while true {
                let connection = accept(socket.descriptor, nil, nil)
                guard connection >= 0 else { return }
                serve(connection)
                close(connection)
            }
        }
    }

    deinit { socket.stop() }

    /// The port, or 0 for a unix socket.
    var port: UInt16 { socket.port }

    /// Takes at most `count` bytes from a connection.
    static func receive(_ connection: Int32, _ count: Int = 65_536) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(connection, &buffer, count, 0)
        return Array(buffer.prefix(max(0, received)))
    }

    /// Takes bytes until a head is whole; `rest` is how many came behind it.
    static func receiveHead(_ connection: Int32) -> (text: String, rest: Int) {
        var bytes: [UInt8] = []
        while true {
            let end = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
            if let end { return (String(decoding: bytes[..<end], as: UTF8.self), bytes.count - end - 4) }
            let more = receive(connection, 4096)
            if more.isEmpty { return (String(decoding: bytes, as: UTF8.self), 0) }
            bytes += more
        }
    }

    /// Sends all of a text; false where the other end is gone.
    @discardableResult static func send(_ connection: Int32, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let sent = bytes.withUnsafeBytes { Socket.send(connection, $0) }
        return if case .bytes(bytes.count) = sent { true } else { false }
    }
}
