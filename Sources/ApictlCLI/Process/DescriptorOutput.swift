#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file descriptor that bytes are written to.
struct DescriptorOutput: ByteOutput {
    let descriptor: Int32
    /// What a message calls it.
    let name: String
    let isTerminal: Bool

    init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isTerminal = isatty(descriptor) == 1
    }

    var columns: Int? {
        var size = winsize()
        guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = SystemCall.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if written >= 0 {
                    rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    // Somebody made the terminal or pipe non-blocking: wait until it takes more.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&ready, 1, -1)
                } else if errno == EPIPE {
                    throw OutputClosed()
                } else if errno != EINTR {
                    throw FileError(.write, name, reason: SystemCall.errorText(errno))
                }
            }
        }
    }
}
