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

    /// Prints what is found in `document` and returns the exit code.
    ///
    /// Throws `JSONPathLimit`, and what `check` and the output throw.
    func print(
        _ document: JSONDocument, to output: any ByteOutput, palette: JSONPalette?, check: (() throws -> Void)? = nil
    ) throws -> ExitCode {
        var isEmpty = true
        var printer = FormattedOutput(output: output, style: .compact, palette: palette)
        if isArray { try printer.write([UInt8(ascii: "[")]) }
        try path.select(in: document, check: check) { slot in
            let value = JSONValue(document, slot: slot)
            defer { isEmpty = false }
            if isArray {
                if !isEmpty { try printer.write([UInt8(ascii: ",")]) }
                try printer.write(Array(value.written))
            } else if hasRawStrings, let string = value.string {
                var filter = TerminalFilter()
                let bytes = string.exactBytes
                let shown = output.isTerminal ? (filter.feed(bytes) ?? []) + filter.finish() : bytes
                try output.write(shown + [UInt8(ascii: "\n")])
            } else {
                var line = FormattedOutput(output: output, style: .compact, palette: palette)
                try line.write(Array(value.written))
                try line.finish()
            }
            return true
        }
        if isArray {
            try printer.write([UInt8(ascii: "]")])
            try printer.finish()
        }
        return isEmpty && mustFind ? .failure : .success
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
