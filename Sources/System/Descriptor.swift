import CSystem

/// Reading and writing file descriptors, whatever interrupts the calls.
package enum Descriptor {
    /// Reads bytes into the start of a buffer. If there are none yet, it waits, also with a non-blocking descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: A file, a pipe or a socket.
    ///   - buffer: The memory to fill. It may be filled in part.
    ///   - offset: The offset in a file at which to read. Unless given, reading continues where the last read ended.
    /// - Returns: The number of bytes, which is 0 at the end of the file.
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

    /// Reads the bytes that are available into the start of a buffer, without waiting for more.
    ///
    /// - Parameters:
    ///   - descriptor: A non-blocking descriptor.
    ///   - buffer: The memory to fill. It may be filled in part.
    /// - Returns: The number of bytes, or nil if there are none yet. It is 0 at the end, and for a pipe that no program
    ///   has opened for writing.
    /// - Throws: ``SystemError``.
    package static func readAvailable(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int? {
        let count = SystemCalls.read(descriptor, buffer.baseAddress, buffer.count)
        let errorNumber = errno
        if count >= 0 { return count }
        // No bytes have arrived yet, or a signal came first.
        let isTemporary = errorNumber == EAGAIN || errorNumber == EINTR
        guard isTemporary else { throw SystemError(number: errorNumber) }
        return nil
    }

    /// The reason why a write ended early.
    package enum WriteFailure: Error {
        /// The reader of the pipe or socket has gone.
        case closed
        case failed(SystemError)
    }

    /// Writes all bytes of a buffer. If there is no room for them yet, it waits, also with a non-blocking descriptor.
    ///
    /// - Throws: ``WriteFailure`` if the reader has gone, or if the system refuses the write.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(WriteFailure) {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: remaining)
            let writtenCount = SystemCalls.write(descriptor, part.baseAddress, part.count)
            let errorNumber = errno
            if writtenCount >= 0 {
                remaining = remaining.dropFirst(writtenCount)
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

    /// Waits until at least one of several descriptors is ready or has failed.
    ///
    /// A signal may end the wait early, when none of them is ready.
    ///
    /// - Parameters:
    ///   - waits: The descriptors, each with the event that makes it ready.
    ///   - milliseconds: The longest time to wait. A negative one means no limit.
    /// - Returns: Whether each descriptor is ready, in the order of `waits`.
    @discardableResult
    package static func wait(_ waits: [(descriptor: Int32, event: Event)], milliseconds: Int32 = -1) -> [Bool] {
        var polls = waits.map { wait in
            let flag = wait.event == .readable ? POLLIN : POLLOUT
            return pollfd(fd: wait.descriptor, events: Int16(flag), revents: 0)
        }
        // The number of descriptors with an event or an error. It is negative after a signal.
        let readyCount = poll(&polls, nfds_t(polls.count), milliseconds)
        return polls.map { readyCount > 0 && $0.revents != 0 }
    }

    /// Waits until a descriptor is ready or has failed.
    ///
    /// - Returns: Whether it is. It is false if the deadline has passed first.
    package static func wait(for event: Event, of descriptor: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
        while let remaining = milliseconds(until: deadline) {
            if wait([(descriptor, event)], milliseconds: remaining)[0] { return true }
        }
        return false
    }

    /// Returns the milliseconds until a deadline, as `poll` takes them: rounded up, and at most an hour.
    ///
    /// - Returns: The milliseconds, or nil if the deadline has passed. Without a deadline it is -1, which means no
    ///   limit.
    package static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32? {
        guard let deadline else { return -1 }
        let remaining = deadline - .now
        guard remaining > .zero else { return nil }
        return Int32(min(remaining, .seconds(3600)) / .milliseconds(1)) + 1
    }

    /// Makes a pipe, which programs that this one starts do not inherit.
    ///
    /// - Returns: The descriptors of both ends: what is written to `writing` can be read from `reading`.
    /// - Throws: ``SystemError``.
    package static func makePipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        let result = cdescriptor_pipe(&ends)
        let errorNumber = errno
        guard result == 0 else { throw SystemError(number: errorNumber) }
        return (reading: ends[0], writing: ends[1])
    }

    /// Opens /dev/null for each of stdin, stdout and stderr that is closed. Otherwise a file that is opened later would
    /// get its number, and messages would be written to that file.
    package static func fillStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // With these modes, reading stdin and writing to stdout still fail. What is written to stderr is dropped.
            let flags = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY
            // Without O_CLOEXEC, because programs that this one starts expect the three to be open.
            _ = SystemCalls.open("/dev/null", flags)
        }
    }
}
