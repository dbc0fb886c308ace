import CSystem

/// TCP sockets of a server. Every socket made here is non-blocking, closed on `exec`, and raises no SIGPIPE.
package enum Socket {
    /// The outcome of a read or a write.
    package enum Transfer {
        case bytes(Int)
        case wouldBlock
        /// The other end has closed the connection, or it failed.
        case ended
    }

    /// The outcome of waiting for a connection.
    package enum Acceptance {
        case connection(Int32)
        /// No connection is waiting, or it was given up meanwhile.
        case none
        /// There is no descriptor or no memory for the connection that waits: another attempt would fail at once.
        case outOfResources
    }

    /// Makes a socket that listens for connections.
    ///
    /// - Parameters:
    ///   - host: A name or an address of this machine.
    ///   - port: The port; 0 picks a free one.
    /// - Returns: The socket, which the caller closes, and its port.
    /// - Throws: ``SystemError``.
    package static func listen(host: String, port: UInt16) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = SystemCall.streamSocket
        hints.ai_flags = AI_PASSIVE
        var addresses: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &addresses)
        guard failure == 0, let first = addresses else {
            throw SystemError(reason: String(cString: gai_strerror(failure)))
        }
        defer { freeaddrinfo(addresses) }
        // The first of several addresses is the one that the system prefers.
        let descriptor = cdescriptor_socket(first.pointee.ai_family)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        // A port whose former connections have not timed out yet can be used again.
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
        let isListening =
            bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0
            && SystemCalls.listen(descriptor, SOMAXCONN) == 0
        guard isListening else {
            let error = SystemError(number: errno)
            SystemCall.close(descriptor)
            throw error
        }
        return (descriptor, boundPort(descriptor))
    }

    /// Accepts the next connection, without Nagle's delay.
    package static func accept(_ listener: Int32) -> Acceptance {
        let descriptor = cdescriptor_accept(listener)
        if descriptor >= 0 {
            set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
            return .connection(descriptor)
        }
        switch errno {
        case EAGAIN, EINTR, ECONNABORTED: return .none
        default: return .outOfResources
        }
    }

    /// Reads what has arrived, as far as it fits into `buffer`.
    package static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return transfer(count, errorNumber: errno)
    }

    /// Sends as many of `bytes`, which must not be empty, as there is room for.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
        guard let start = bytes.baseAddress else { return .ended }
        let count = cdescriptor_send(descriptor, start, bytes.count)
        return transfer(count, errorNumber: errno)
    }

    /// Returns the outcome of a call that returned `count`, with `errno` as the call left it.
    private static func transfer(_ count: Int, errorNumber: Int32) -> Transfer {
        if count > 0 { return .bytes(count) }
        let isTemporary = count < 0 && (errorNumber == EAGAIN || errorNumber == EINTR)
        return isTemporary ? .wouldBlock : .ended
    }

    /// Tells the other end that nothing more follows; it can still be read from.
    package static func endSending(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes closing the socket reset the TCP connection instead of ending it.
    package static func resetOnClose(_ descriptor: Int32) {
        set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    /// The greatest number of bytes in the path of a unix socket.
    package static var maxUnixPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// Returns the port that a socket is bound to; 0 if the system does not tell.
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

    /// Sets an option of a socket. A failure is ignored: the connection works without the option.
    private static func set<Value: BitwiseCopyable>(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value
    ) {
        _ = withUnsafeBytes(of: value) { bytes in
            setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
        }
    }
}
