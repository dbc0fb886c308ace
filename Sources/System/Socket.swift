/// TCP sockets of a server. Every socket made here is non-blocking, closed on `exec`, and raises no SIGPIPE.
package enum Socket {
    /// The outcome of a read or a write.
    package enum Transfer {
        case bytes(Int)
        case wouldBlock
        /// The other end has closed the connection, or it failed.
        case ended
    }

    /// A listening socket and its port; port 0 picks a free one. Throws ``SystemError``.
    package static func listen(host: String, port: UInt16) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = SystemCall.streamSocket
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &list)
        guard failure == 0, let list else { throw SystemError(reason: String(cString: gai_strerror(failure))) }
        defer { freeaddrinfo(list) }
        let address = list.pointee
        let descriptor = socket(address.ai_family, SystemCall.streamSocket, 0)
        guard descriptor >= 0 else { throw .last }
        setUp(descriptor)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
            SystemCalls.listen(descriptor, SOMAXCONN) == 0
        else {
            let error = SystemError.last
            SystemCall.close(descriptor)
            throw error
        }
        return (descriptor, boundPort(descriptor))
    }

    /// The next connection, without Nagle's delay; nil if there is none.
    package static func accept(_ listener: Int32) -> Int32? {
        let descriptor = SystemCalls.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        setUp(descriptor)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        return descriptor
    }

    /// Whether the last ``accept(_:)`` failed for lack of descriptors or memory, so that it would fail again at once.
    package static var isOutOfResources: Bool { errno != EAGAIN && errno != EINTR && errno != ECONNABORTED }

    package static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        transfer(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
        // Linux suppresses SIGPIPE in each `send`, macOS once for the socket.
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        return transfer(SystemCalls.send(descriptor, bytes.baseAddress, bytes.count, flags))
    }

    /// Tells the other end that nothing more follows; it can still be read from.
    package static func endSending(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes closing the socket reset the TCP connection instead of ending it.
    package static func resetOnClose(_ descriptor: Int32) {
        set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    /// The most bytes that the path of a unix socket may have.
    package static var maxUnixPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes -> UInt16 in
            // The buffer is as long as `length` says, and every socket address fits it.
            guard let base = bytes.baseAddress,
                getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return 0 }
            // IPv4 and IPv6 addresses both hold the port, in network order, at offset 2.
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

    private static func set<Value: BitwiseCopyable>(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value
    ) {
        _ = withUnsafeBytes(of: value) { bytes in
            setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    private static func transfer(_ count: Int) -> Transfer {
        if count > 0 { return .bytes(count) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .ended
    }
}
