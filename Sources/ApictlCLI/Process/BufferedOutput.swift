/// Collects text and writes it in large chunks, so that long output needs neither much memory nor many system calls.
struct BufferedOutput {
    /// The number of bytes that are written at a time.
    private static let chunkSize = 64 * 1024

    private let output: any ByteOutput
    private var bytes: [UInt8] = []
    /// Whether the bytes that have been written so far end with a line break. An empty output counts as ended.
    private var endsLine = true

    /// Makes a buffer without bytes.
    ///
    /// - Parameter output: The output to which full buffers are written.
    init(_ output: any ByteOutput) { self.output = output }

    /// Adds the UTF-8 of a text. A full buffer is written to the output.
    ///
    /// - Throws: The error of the output.
    mutating func write(_ text: String) throws { try write(text.utf8) }

    /// Adds bytes. A full buffer is written to the output.
    ///
    /// - Throws: The error of the output.
    mutating func write(_ bytes: some Sequence<UInt8>) throws { try append { $0.append(contentsOf: bytes) } }

    /// Adds the bytes that a function appends. A full buffer is written to the output.
    ///
    /// - Parameter body: Appends bytes to the buffer. If it throws an error, what it has appended until then stays.
    /// - Throws: The errors of `body` and of the output.
    mutating func append(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&bytes)
        if bytes.count >= Self.chunkSize { try flush() }
    }

    /// Writes the bytes that have been collected to the output.
    ///
    /// - Parameter endingLine: Whether a line break is added if the text so far does not end with one.
    /// - Throws: The error of the output.
    mutating func flush(endingLine: Bool = false) throws {
        if let last = bytes.last { endsLine = last == UInt8(ascii: "\n") }
        if endingLine, !endsLine { bytes.append(UInt8(ascii: "\n")) }
        if !bytes.isEmpty { try output.write(bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}
