import SystemCalls

/// A file descriptor that bytes are read from; an open file is closed with its last reader.
final class DescriptorInput: ByteInput {
    private static let chunkSize = 128 * 1024

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
        var result = Result<Int, SystemError>.success(0)
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            result = Result { () throws(SystemError) in
                try Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
            }
            // Exactly so many bytes have been written.
            if case .success(let size) = result { count = size }
        }
        if case .failure(let error) = result { throw FileError(.read, name, reason: error.reason) }
        return bytes
    }
}
