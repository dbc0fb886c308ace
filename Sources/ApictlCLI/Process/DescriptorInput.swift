#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file descriptor that bytes are read from; an open file is closed with its last reader.
final class DescriptorInput: ByteInput {
    private static let pieceSize = 128 * 1024

    let isTerminal: Bool
    let mayWait: Bool
    private let descriptor: Int32
    /// What a message calls it.
    private let name: String
    private let closes: Bool

    init(_ descriptor: Int32, name: String, closes: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.closes = closes
        isTerminal = isatty(descriptor) == 1
        var status = stat()
        mayWait = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    deinit { if closes { close(descriptor) } }

    func read() throws -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                let size = SystemCall.read(descriptor, UnsafeMutableRawBufferPointer(buffer))
                count = max(size, 0)
                failure = size < 0 ? errno : 0
            }
            switch failure {
            case 0: return piece
            case EINTR: continue
            case EAGAIN:
                // Somebody made the terminal or pipe non-blocking: wait until there is more.
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&ready, 1, -1)
            default: throw FileError(.read, name, reason: SystemCall.errorText(failure))
            }
        }
    }
}
