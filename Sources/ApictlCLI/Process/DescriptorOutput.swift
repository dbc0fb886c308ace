import SystemCalls

/// Writes to a file descriptor.
struct DescriptorOutput: ByteOutput {
    let descriptor: Int32
    /// Its name in messages.
    let name: String
    let isTerminal: Bool
    /// When a reader must have taken what is written; nil is no limit.
    private let deadline: ContinuousClock.Instant?

    init(_ descriptor: Int32, name: String, deadline: ContinuousClock.Instant? = nil) {
        self.descriptor = descriptor
        self.name = name
        self.deadline = deadline
        isTerminal = isatty(descriptor) == 1
    }

    var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

    /// The terminal's current height in lines; nil if it is not a terminal or the height is unknown.
    var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private var size: winsize? {
        var size = winsize()
        return isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try bytes.withUnsafeBytes { try Descriptor.write(descriptor, $0, until: deadline) }
        } catch Descriptor.WriteFailure.closed {
            throw OutputClosed()
        } catch Descriptor.WriteFailure.timedOut {
            throw FileError(.write, name, reason: "it was not read in time", isTimeout: true)
        } catch Descriptor.WriteFailure.failed(let error) {
            throw FileError(.write, name, reason: error.reason)
        }
    }
}
