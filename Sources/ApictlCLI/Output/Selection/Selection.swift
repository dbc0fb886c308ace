import JSONText

/// What `--select` takes out of a JSON document, and how that is printed.
struct Selection: Sendable {
    let path: JSONPath
    /// One array instead of one result per line.
    var isArray = false
    /// Strings without quotes.
    var hasRawStrings = false
    /// Whether finding nothing is a failure.
    var mustFind = false

    /// Throws ``UsageError`` if `word` is not a path.
    init(_ word: Word) throws(UsageError) { path = try JSONPath(word, option: "--select") }
}

/// Prints what a selection finds.
struct SelectionPrinter: ResultPrinter {
    let selection: Selection
    let output: any ByteOutput
    let palette: JSONPalette?
    private var isEmpty = true
    private var array: FormattedOutput

    init(_ selection: Selection, output: any ByteOutput, palette: JSONPalette?) {
        self.selection = selection
        self.output = output
        self.palette = palette
        array = FormattedOutput(output: output, style: .compact, palette: palette)
    }

    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        try selection.path.select(in: document, check: check) { slot in
            let value = JSONValue(document, slot: slot)
            if selection.isArray {
                try array.write([UInt8(ascii: isEmpty ? "[" : ",")] + value.written)
            } else if selection.hasRawStrings, let string = value.string {
                var filter = TerminalFilter()
                let bytes = string.exactBytes
                let shown = output.isTerminal ? (filter.feed(bytes) ?? []) + filter.finish() : bytes
                try output.write(shown + [UInt8(ascii: "\n")])
            } else {
                var line = FormattedOutput(output: output, style: .compact, palette: palette)
                try line.write(Array(value.written))
                try line.finish()
            }
            isEmpty = false
            return true
        }
    }

    mutating func finish() throws -> ExitCode {
        if selection.isArray {
            try array.write(Array((isEmpty ? "[]" : "]").utf8))
            try array.finish()
        }
        return isEmpty && selection.mustFind ? .failure : .success
    }
}

extension JSONPath {
    /// The path that `word` gives as the value of `option`. Throws ``UsageError``.
    init(_ word: Word, option: String) throws(UsageError) {
        do {
            try self.init(word.text)
        } catch {
            throw .unusableValue(option: option, problem: error.description, position: word.position)
        }
    }
}
