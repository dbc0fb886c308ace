import SystemCalls

/// Writes to a file descriptor.
struct DescriptorOutput: ByteOutput {
    let descriptor: Int32
    /// Its name in messages.
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
        do {
            try bytes.withUnsafeBytes { try Descriptor.write(descriptor, $0) }
        } catch Descriptor.WriteFailure.closed {
            throw OutputClosed()
        } catch Descriptor.WriteFailure.failed(let error) {
            throw FileError(.write, name, reason: error.reason)
        }
    }
}
