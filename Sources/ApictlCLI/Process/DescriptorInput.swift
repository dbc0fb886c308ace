import SystemCalls

/// Reads from a file descriptor, which is closed on deinitialisation if `closes` is true.
final class DescriptorInput: ByteInput {
    private static let chunkSize = 128 * 1024

    let isTerminal: Bool
    let mayWait: Bool
    private let descriptor: Int32
    /// Its name in messages.
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
            // Exactly that many bytes have been initialised.
            if case .success(let size) = result { count = size }
        }
        if case .failure(let error) = result { throw FileError(.read, name, reason: error.reason) }
        return bytes
    }

    func limited(until deadline: ContinuousClock.Instant) -> any ByteInput {
        mayWait ? LimitedInput(input: self, deadline: deadline) : self
    }

    /// Waits for the next bytes no longer than until ``deadline``.
    private struct LimitedInput: ByteInput {
        let input: DescriptorInput
        let deadline: ContinuousClock.Instant
        var isTerminal: Bool { input.isTerminal }
        var mayWait: Bool { input.mayWait }

        func read() throws -> [UInt8] {
            guard Descriptor.wait(for: .readable, of: input.descriptor, until: deadline) else {
                throw FileError(.read, input.name, reason: "it did not end in time", isTimeout: true)
            }
            return try input.read()
        }
    }
}
