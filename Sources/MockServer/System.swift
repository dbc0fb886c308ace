import EndpointKit

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system calls of the server; every difference between Linux and macOS stands in this file.
enum System {
    /// A thread as the system names it.
    typealias Thread = pthread_t

    /// What a read or a write came to.
    enum Transfer {
        case bytes(Int)
        case wouldBlock
        /// The other side has gone, or an error.
        case ended
    }

    /// A listening, non-blocking socket and the port it got; throws the system's error number.
    static func listen(host: String, port: UInt16) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = stream
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        guard failure == 0, let list else { throw SystemError(reason: String(cString: gai_strerror(failure))) }
        defer { freeaddrinfo(list) }
        let address = list.pointee

        let descriptor = socket(address.ai_family, stream, 0)
        guard descriptor >= 0 else { throw SystemError.last }
        setUp(descriptor)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, Self.listen(descriptor) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        return (descriptor, boundPort(descriptor))
    }

    /// The next connection, non-blocking and without Nagle's delay, or nil.
    static func accept(_ listener: Int32) -> Int32? {
        #if canImport(Darwin)
        let descriptor = Darwin.accept(listener, nil, nil)
        #else
        let descriptor = Glibc.accept(listener, nil, nil)
        #endif
        guard descriptor >= 0 else { return nil }
        setUp(descriptor)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        return descriptor
    }

    /// Whether the last failed ``accept(_:)`` was about the system's means, so that trying again at once is no use.
    static var isOutOfMeans: Bool { errno != EAGAIN && errno != EINTR && errno != ECONNABORTED }

    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return count == 0 ? .ended : transfer(count)
    }

    /// Never raises SIGPIPE.
    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
        #if canImport(Darwin)
        transfer(Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0))
        #else
        transfer(Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        #endif
    }

    /// Tells the other side that nothing more comes; it can still be read from.
    static func endSending(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes ``close(_:)`` break the connection off with a TCP reset instead of ending it.
    static func resetOnClose(_ descriptor: Int32) {
        set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #else
        _ = Glibc.close(descriptor)
        #endif
    }

    /// A pipe: what is written to the second can be read from the first. Throws the system's error number.
    static func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    static func writeByte(_ descriptor: Int32) {
        var byte: UInt8 = 1
        while write(descriptor, &byte, 1) < 0, errno == EINTR {}
    }

    /// What can be waited for.
    enum Event {
        case readable, writable
    }

    /// Waits until one of the descriptors is ready or has failed, at most `milliseconds` (negative: for ever); which are.
    static func wait(_ waits: [(descriptor: Int32, event: Event)], milliseconds: Int32) -> [Bool] {
        var polls = waits.map { wait in
            pollfd(fd: wait.descriptor, events: Int16(wait.event == .readable ? POLLIN : POLLOUT), revents: 0)
        }
        let count = poll(&polls, nfds_t(polls.count), milliseconds)
        return polls.map { count > 0 && $0.revents != 0 }
    }

    /// Runs `body` on a thread of its own that nobody joins; throws the system's error number.
    static func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> Thread {
        do throws(SystemThread.Shortage) {
            return try SystemThread.start(body)
        } catch {
            throw SystemError(number: error.number)
        }
    }

    static func isCurrent(_ thread: Thread) -> Bool { pthread_equal(thread, pthread_self()) != 0 }

    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    private static func listen(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.listen(descriptor, SOMAXCONN)
        #else
        Glibc.listen(descriptor, SOMAXCONN)
        #endif
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes -> UInt16 in
            // The buffer is as long as the length says, and every socket address fits it.
            guard let base = bytes.baseAddress,
                getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return 0 }
            // Both IPv4 and IPv6 addresses hold the port, in network order, behind two bytes.
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    private static func setUp(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
        set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
    }

    private static func set<Value: BitwiseCopyable>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value)
    {
        _ = withUnsafeBytes(of: value) { bytes in
            setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    private static func transfer(_ count: Int) -> Transfer {
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended
    }
}

/// Why the system refused something.
struct SystemError: Error {
    let reason: String

    init(reason: String) { self.reason = reason }
    init(number: Int32) { reason = String(cString: strerror(number)) }

    static var last: SystemError { SystemError(number: errno) }
}
