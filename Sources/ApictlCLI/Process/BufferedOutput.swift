/// Collects text and writes it in large chunks, so that long output needs neither much memory nor many system calls.
struct BufferedOutput {
    private static let chunkSize = 64 * 1024

    private let output: any ByteOutput
    private var bytes: [UInt8] = []
    /// Whether what has been written ends with a line break.
    private var endsLine = true

    init(_ output: any ByteOutput) { self.output = output }

    mutating func write(_ text: String) throws { try write(text.utf8) }

    mutating func write(_ text: some Sequence<UInt8>) throws { try append { $0.append(contentsOf: text) } }

    /// Adds what `body` appends. What it appended before throwing is kept.
    mutating func append(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&bytes)
        if bytes.count >= Self.chunkSize { try flush() }
    }

    /// Writes what has been collected; `endingLine` adds a line break unless the output ends with one.
    mutating func flush(endingLine: Bool = false) throws {
        if let last = bytes.last { endsLine = last == UInt8(ascii: "\n") }
        if endingLine, !endsLine { bytes.append(UInt8(ascii: "\n")) }
        if !bytes.isEmpty { try output.write(bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}
