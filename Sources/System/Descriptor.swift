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
    }

    /// Writes all of `bytes`, waiting if the descriptor is non-blocking.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(WriteFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = SystemCall.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
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
            // Opened the other way round: to read or write what was closed is an error, as it would have been.
            let flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            _ = SystemCall.open(Array("/dev/null".utf8CString), flags)
        }
    }
}
