import CSystem

/// Reading and writing file descriptors, whatever interrupts the calls.
package enum Descriptor {
    /// Reads bytes into the start of `buffer`, waiting if the descriptor is non-blocking.
    ///
    /// - Parameters:
    ///   - descriptor: A file, a pipe or a socket.
    ///   - buffer: The memory to fill; it may be filled in part.
    ///   - offset: Where in a file to read; nil: where the last read ended.
    /// - Returns: The number of bytes; 0 is the end of the file.
    /// - Throws: ``SystemError``.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64? = nil
    ) throws(SystemError) -> Int {
        while true {
            let count =
                if let offset {
                    pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                } else {
                    SystemCalls.read(descriptor, buffer.baseAddress, buffer.count)
                }
            let errorNumber = errno
            if count >= 0 { return count }
            switch errorNumber {
            case EINTR: break  // A signal came first: the call is repeated.
            case EAGAIN: wait([(descriptor, .readable)])
            default: throw SystemError(number: errorNumber)
            }
        }
    }

    /// Reads bytes into the start of `buffer`, without waiting. The descriptor must be non-blocking.
    ///
    /// - Returns: The number of bytes; 0 is the end, also of a pipe that no program has opened for writing. Nil if there
    ///   are no bytes yet.
    /// - Throws: ``SystemError``.
    package static func readAvailable(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int? {
        let count = SystemCalls.read(descriptor, buffer.baseAddress, buffer.count)
        let errorNumber = errno
        if count >= 0 { return count }
        guard [EAGAIN, EINTR].contains(errorNumber) else { throw SystemError(number: errorNumber) }
        return nil
    }

    /// The reason why a write ended early.
    package enum WriteFailure: Error {
        /// The reader of the pipe or socket has gone.
        case closed
        case failed(SystemError)
    }

    /// Writes all of `bytes`, waiting if the descriptor is non-blocking.
    ///
    /// - Throws: ``WriteFailure``.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(WriteFailure) {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: remaining)
            let written = SystemCalls.write(descriptor, part.baseAddress, part.count)
            let errorNumber = errno
            if written >= 0 {
                remaining = remaining.dropFirst(written)
                continue
            }
            switch errorNumber {
            case EINTR: break  // A signal came first: the call is repeated.
            case EAGAIN: wait([(descriptor, .writable)])
            case EPIPE: throw .closed
            default: throw .failed(SystemError(number: errorNumber))
            }
        }
    }

    /// A condition to wait for.
    package enum Event { case readable, writable }

    /// Waits until at least one of several descriptors is ready or has failed. A signal may end the wait early, with
    /// none ready.
    ///
    /// - Parameters:
    ///   - waits: The descriptors, each with the event that makes it ready.
    ///   - milliseconds: The longest time to wait; a negative one has no limit.
    /// - Returns: For each of `waits` whether it is ready.
    @discardableResult
    package static func wait(_ waits: [(descriptor: Int32, event: Event)], milliseconds: Int32 = -1) -> [Bool] {
        var polls = waits.map { wait in
            let flag = wait.event == .readable ? POLLIN : POLLOUT
            return pollfd(fd: wait.descriptor, events: Int16(flag), revents: 0)
        }
        // The number of descriptors with an event, also an error; negative after a signal.
        let readyCount = poll(&polls, nfds_t(polls.count), milliseconds)
        return polls.map { readyCount > 0 && $0.revents != 0 }
    }

    /// Waits until `descriptor` is ready or has failed.
    ///
    /// - Returns: False if `deadline` has passed before.
    package static func wait(for event: Event, of descriptor: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
        while let remaining = milliseconds(until: deadline) {
            if wait([(descriptor, event)], milliseconds: remaining)[0] { return true }
        }
        return false
    }

    /// Returns the time until `deadline` for `poll`, rounded up and at most an hour.
    ///
    /// - Returns: Nil if the deadline has passed, -1 (no limit) if there is none.
    package static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32? {
        guard let deadline else { return -1 }
        let remaining = deadline - .now
        guard remaining > .zero else { return nil }
        return Int32(min(remaining, .seconds(3600)) / .milliseconds(1)) + 1
    }

    /// Makes a pipe: what is written to `writing` can be read from `reading`. Programs that this one starts do not
    /// inherit it.
    ///
    /// - Throws: ``SystemError``.
    package static func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        let result = cdescriptor_pipe(&ends)
        let errorNumber = errno
        guard result == 0 else { throw SystemError(number: errorNumber) }
        return (reading: ends[0], writing: ends[1])
    }

    /// Opens /dev/null for each of stdin, stdout and stderr that is closed, so that no file opened later gets its
    /// number.
    package static func fillStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // Opened with the wrong mode, so that using a closed stdin or stdout still fails. Messages are dropped.
            let flags = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY
            // Not closed on `exec`, as programs that this one starts expect the three to be open.
            _ = SystemCalls.open("/dev/null", flags)
        }
    }
}
