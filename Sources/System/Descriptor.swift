/// Reading and writing file descriptors, whatever interrupts the calls.
package enum Descriptor {
    /// Reads at most `buffer.count` bytes into the start of `buffer` and returns how many; 0 is the end of the file.
    ///
    /// Waits if the descriptor is non-blocking. Throws ``SystemError``.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        while true {
            let count = SystemCall.read(descriptor, buffer)
            if count >= 0 { return count }
            switch errno {
            case EINTR: break
            case EAGAIN: wait([(descriptor, .readable)])
            default: throw .last
            }
        }
    }

    /// What ended a write early.
    package enum WriteFailure: Error {
        /// The reader of the pipe or socket has gone.
        case closed
        case failed(SystemError)
        /// The deadline passed before all was written.
        case timedOut
    }

    /// Writes all of `bytes`, waiting if the descriptor is non-blocking, and at most until `deadline`; nil is no limit.
    package static func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, until deadline: ContinuousClock.Instant? = nil
    ) throws(WriteFailure) {
        // A pipe that is ready takes this much without waiting (POSIX).
        let most = deadline == nil ? Int.max : Int(PIPE_BUF)
        var rest = bytes[...]
        while !rest.isEmpty {
            if let deadline, !wait(for: .writable, of: descriptor, until: deadline) { throw .timedOut }
            let written = SystemCall.write(descriptor, UnsafeRawBufferPointer(rebasing: rest.prefix(most)))
            if written >= 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: break
            case EAGAIN: if deadline == nil { wait([(descriptor, .writable)]) }
            case EPIPE: throw .closed
            default: throw .failed(.last)
            }
        }
    }

    /// Reads up to `buffer.count` bytes at `offset` of a file. Throws ``SystemError``.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last }
        }
    }

    package enum Event {
        case readable, writable
    }

    /// Waits until one of the descriptors is ready or has failed, at most `milliseconds` (negative: no limit); returns which are.
    ///
    /// A signal may end the wait early, with none ready.
    @discardableResult
    package static func wait(_ waits: [(descriptor: Int32, event: Event)], milliseconds: Int32 = -1) -> [Bool] {
        var polls = waits.map { wait in
            pollfd(fd: wait.descriptor, events: Int16(wait.event == .readable ? POLLIN : POLLOUT), revents: 0)
        }
        let count = poll(&polls, nfds_t(polls.count), milliseconds)
        return polls.map { count > 0 && $0.revents != 0 }
    }

    /// Waits until `descriptor` is ready or has failed; false if `deadline` has passed before.
    package static func wait(
        for event: Event, of descriptor: Int32, until deadline: ContinuousClock.Instant
    ) -> Bool {
        while let rest = milliseconds(until: deadline) {
            if wait([(descriptor, event)], milliseconds: rest)[0] { return true }
        }
        return false
    }

    /// The time to `deadline`, rounded up and at most an hour; nil if it has passed.
    package static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32? {
        let rest = deadline - .now
        guard rest > .zero else { return nil }
        guard rest < .seconds(3600) else { return 3_600_000 }
        return Int32(rest / .milliseconds(1)) + 1
    }

    /// A pipe: what is written to `writing` can be read from `reading`. Throws ``SystemError``.
    package static func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Opens /dev/null for each of stdin, stdout and stderr that is closed, so that no file opened later gets its number.
    package static func fillStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // Stdin and stdout the other way round: to use what was closed is an error, as it would have been. Messages that nobody wants are
            // none.
            let flags = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY
            _ = SystemCall.open(Array("/dev/null".utf8CString), flags)
        }
    }
}
