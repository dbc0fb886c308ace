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
    ///   - port: The port, or 0 for a free one.
    /// - Returns: The socket, which the caller closes, and its port.
    /// - Throws: ``SystemError``.
    package static func listen(host: String, port: UInt16) throws(SystemError) -> (descriptor: Int32, port: UInt16) {
        let addresses = try addresses(of: host, port: port)
        defer { freeaddrinfo(addresses) }
        // The first of several addresses is the one that the system prefers.
        let address = addresses.pointee
        let descriptor = cdescriptor_socket(address.ai_family)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        // A port whose former connections have not timed out yet can be used again.
        setOption(SO_REUSEADDR, level: SOL_SOCKET, of: descriptor, to: Int32(1))
        let isListening =
            bind(descriptor, address.ai_addr, address.ai_addrlen) == 0
            && SystemCalls.listen(descriptor, SOMAXCONN) == 0
        guard isListening else {
            let error = SystemError(number: errno)
            SystemCall.close(descriptor)
            throw error
        }
        return (descriptor, boundPort(descriptor))
    }

    /// Looks up the addresses of this machine at which a TCP server can listen.
    ///
    /// - Parameters:
    ///   - host: A name or an address of this machine.
    ///   - port: The port, which becomes a part of each address.
    /// - Returns: A linked list of one address or more, which the caller frees with `freeaddrinfo`.
    /// - Throws: ``SystemError`` if the name is not known.
    private static func addresses(
        of host: String, port: UInt16
    ) throws(SystemError) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = SystemCall.streamSocket
        hints.ai_flags = AI_PASSIVE
        var addresses: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &addresses)
        guard failure == 0, let addresses else {
            throw SystemError(reason: String(cString: gai_strerror(failure)))
        }
        return addresses
    }

    /// Accepts the next connection, if one is waiting. Small writes to it are sent at once, without Nagle's delay.
    ///
    /// - Parameter listener: A socket that listens for connections.
    /// - Returns: The connection, which the caller closes, or the reason why there is none.
    package static func accept(_ listener: Int32) -> Acceptance {
        let descriptor = cdescriptor_accept(listener)
        if descriptor >= 0 {
            setOption(TCP_NODELAY, level: Int32(IPPROTO_TCP), of: descriptor, to: Int32(1))
            return .connection(descriptor)
        }
        switch errno {
        case EAGAIN: return .none
        // A signal came first, or the client has given up. The caller waits for the next connection.
        case EINTR, ECONNABORTED: return .none
        default: return .outOfResources
        }
    }

    /// Reads the bytes that have arrived, as far as they fit into a buffer.
    package static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return transferOutcome(count: count, errorNumber: errno)
    }

    /// Sends as many bytes as the system has room for now.
    ///
    /// - Parameters:
    ///   - descriptor: The socket of a connection.
    ///   - bytes: The bytes, at least one.
    /// - Returns: The number of bytes that were sent, or the reason why none was.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
        guard let start = bytes.baseAddress else { return .ended }
        let count = cdescriptor_send(descriptor, start, bytes.count)
        return transferOutcome(count: count, errorNumber: errno)
    }

    /// Returns the outcome of a read or a write.
    ///
    /// - Parameters:
    ///   - count: The result of the system's call: a number of bytes, or -1 for an error.
    ///   - errorNumber: `errno` as the call has left it.
    private static func transferOutcome(count: Int, errorNumber: Int32) -> Transfer {
        if count > 0 { return .bytes(count) }
        let isTemporary = count < 0 && (errorNumber == EAGAIN || errorNumber == EINTR)
        return isTemporary ? .wouldBlock : .ended
    }

    /// Tells the other end of a connection that nothing more follows. What it sends can still be read.
    package static func endSending(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Changes what closing a socket means: it resets the TCP connection, as a crashed server does, and does not end it
    /// properly.
    package static func resetOnClose(_ descriptor: Int32) {
        // To wait for zero seconds until all data is sent means to reset the connection.
        setOption(SO_LINGER, level: SOL_SOCKET, of: descriptor, to: linger(l_onoff: 1, l_linger: 0))
    }

    /// The greatest number of bytes in the path of a unix socket.
    package static var maxUnixPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// Returns the port that a socket is bound to, or 0 if the system does not tell.
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
    private static func setOption<Value: BitwiseCopyable>(
        _ option: Int32, level: Int32, of descriptor: Int32, to value: Value
    ) {
        _ = withUnsafeBytes(of: value) { bytes in
            setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }
}
