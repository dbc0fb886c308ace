import JSONText

/// Prints the items of all pages as one JSON array, or with `--compact` one item a line.
struct ItemPrinter: ResultPrinter {
    private var output: FormattedOutput
    private let isCompact: Bool
    private var isEmpty = true

    init(_ options: CallOptions, _ environment: ProcessEnvironment) {
        let stdout: any ByteOutput = options.quiet ? BufferOutput() : environment.stdout
        output = BodyPrinter(options, environment, stdout).stream
        isCompact = options.compact
    }

    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        var text: [UInt8] = []
        guard let items = JSONValue(document).elements else { return }
        for item in items {
            if isCompact {
                text += item.written + [UInt8(ascii: "\n")]
            } else {
                text += [UInt8(ascii: isEmpty ? "[" : ",")] + item.written
            }
            isEmpty = false
        }
        try output.write(text)
    }

    mutating func finish() throws -> ExitCode {
        if !isCompact { try output.write(Array((isEmpty ? "[]" : "]").utf8)) }
        try output.finish()
        return .success
    }
}
