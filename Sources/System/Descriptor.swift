/// Reading and writing file descriptors, whatever interrupts the calls.
package enum Descriptor {
    /// Reads at most `buffer.count` bytes into the start of `buffer` and returns how many; 0 is the end of the file.
    ///
    /// Reads from `offset` on if there is one, otherwise where the last read ended. Waits if the descriptor is non-blocking.
    /// Throws ``SystemError``.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64? = nil
    ) throws(SystemError) -> Int {
        while true {
            let count =
                offset.map { pread(descriptor, buffer.baseAddress, buffer.count, off_t($0)) }
                ?? SystemCalls.read(descriptor, buffer.baseAddress, buffer.count)
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
    }

    /// Writes all of `bytes`, waiting if the descriptor is non-blocking.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(WriteFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = SystemCalls.write(descriptor, part.baseAddress, part.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: break
            case EAGAIN: wait([(descriptor, .writable)])
            case EPIPE: throw .closed
            default: throw .failed(.last)
            }
        }
    }

    package enum Event { case readable, writable }

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
    package static func wait(for event: Event, of descriptor: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
        while let rest = milliseconds(until: deadline) {
            if wait([(descriptor, event)], milliseconds: rest)[0] { return true }
        }
        return false
    }

    /// The time to `deadline`, rounded up and at most an hour; nil if it has passed, -1 if there is none.
    package static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32? {
        guard let deadline else { return -1 }
        let rest = deadline - .now
        guard rest > .zero else { return nil }
        return Int32(min(rest, .seconds(3600)) / .milliseconds(1)) + 1
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
            // Opened with the wrong mode, so that using a closed stdin or stdout still fails. Messages are dropped.
            let flags = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY
            _ = SystemCalls.open(Array("/dev/null".utf8CString), flags)
        }
    }
}

/// A regular file open for reading, closed with the last reference to it.
package final class RegularFile: Sendable {
    /// Its size in bytes when it was opened.
    package let count: Int64
    private let descriptor: Int32

    /// Opens the file whose path is `path`, without a zero byte. Throws ``SystemError``, also for a directory, a device or a pipe.
    package init(_ path: [UInt8]) throws(SystemError) {
        let descriptor = SystemCalls.open((path + [0]).map { CChar(bitPattern: $0) }, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            SystemCall.close(descriptor)
            throw SystemError(reason: isDirectory ? "it is a directory" : "it is not a regular file")
        }
        self.descriptor = descriptor
        count = Int64(status.st_size)
    }

    deinit { SystemCall.close(descriptor) }

    /// Fills the start of `buffer` from `offset` on and returns how many bytes; at least one.
    ///
    /// Throws ``SystemError``, also if the file has become shorter.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        let count = try Descriptor.read(descriptor, into: buffer, at: offset)
        guard count > 0 else { throw SystemError(reason: "it became shorter while it was sent") }
        return count
    }

    /// Why the file at `path`, which ends with a zero byte, can't be read; nil if it can.
    package static func problem(_ path: [UInt8]) -> SystemError? {
        let path = path.map { CChar(bitPattern: $0) }
        guard access(path, R_OK) == 0 else { return .last }
        var status = stat()
        let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return isDirectory ? SystemError(reason: "it is a directory") : nil
    }
}
