import EndpointKit
import JSONText

/// Prints the shown part of a result, which may come in several documents: as rows, as one JSON array, or as one JSON
/// value per line.
struct ResultPrinter {
    private let view: ResultView
    private var json: BodyPrinter
    /// Prints rows; nil if the view is JSON.
    private var rows: RowPrinter?
    /// Whether nothing was found yet.
    private var isEmpty = true
    /// Puts each document of a stream on a line of its own.
    private var stream = JSONFormatter(style: .compact)
    /// The beginning of the document of the stream that has not ended yet. It has no line feed.
    private var unfinished: [UInt8] = []

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - view: The part of the result to show.
    ///   - json: Prints JSON.
    ///   - rows: Prints rows; nil if the view is JSON.
    init(view: ResultView, json: BodyPrinter, rows: RowPrinter?) {
        self.view = view
        self.json = json
        self.rows = rows
    }

    /// Prints the shown part of the documents that end in the next bytes of a stream.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes; nil is the end of the stream.
    ///   - limit: The most bytes of a document.
    ///   - check: Throws if the time for the call is over.
    /// - Throws: `BodyTooLarge` for a document that is too long, `JSONSyntaxError` after everything before the error is
    ///   printed, and the errors of ``add(_:check:)``.
    mutating func add(_ chunk: [UInt8]?, limit: Int, check: (() throws -> Void)?) throws {
        let unfinishedCount = unfinished.count
        // An error is thrown only after the documents before it are printed.
        let syntax = Result { () throws(JSONSyntaxError) in
            if let chunk {
                try stream.feed(chunk, into: &unfinished)
            } else {
                try stream.finish(into: &unfinished)
            }
        }
        let lineFeed = UInt8(ascii: "\n")
        // The formatter ends each document with a line feed, and has none inside a document.
        if let last = unfinished[unfinishedCount...].lastIndex(of: lineFeed) {
            for line in unfinished[..<last].split(separator: lineFeed) {
                try add(JSONDocument(Array(line), check: check), check: check)
            }
            unfinished.removeFirst(last + 1)
        }
        try syntax.get()
        if unfinished.count > limit { throw BodyTooLarge(limit: limit) }
    }

    /// Prints the shown part of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - check: Throws if the time for the call is over.
    /// - Throws: `JSONPathLimit`, ``UsageError`` for rows of a document with several lists, and the errors of `check`
    ///   and of the output.
    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        if rows != nil {
            let hasRows = try rows?.add(document, check: check) == true
            if hasRows { isEmpty = false }
            return
        }
        try view.select(in: document, check) { value in
            try write(value)
            isEmpty = false
        }
    }

    /// Prints a selected value: as an element of the array, as a string without quotes, or as JSON.
    private mutating func write(_ value: JSONValue) throws {
        if view.options.array {
            // The bracket or comma is written together with the value, so that the array is valid so far.
            try json.write([UInt8(ascii: isEmpty ? "[" : ",")] + value.written)
        } else if view.options.rawStrings, let text = value.string?.exactBytes {
            let shown = json.output.isTerminal ? TerminalFilter.escaped(text[...]) : text
            try json.output.write(shown + [UInt8(ascii: "\n")])
        } else {
            try json.printJSON(Array(value.written))
        }
    }

    /// Ends the output: writes the table or the end of the array.
    ///
    /// - Returns: The exit code: a failure if nothing was found and `--exit-status` is given.
    /// - Throws: ``UsageError`` if nothing was found and a path ends with a function of jq, and the errors of the output.
    mutating func finish() throws -> ExitCode {
        if isEmpty, !view.options.mustFind { try view.checkNoFunction() }
        try rows?.finish()
        if view.options.array {
            try json.write(Array((isEmpty ? "[]" : "]").utf8))
            try json.finish()
        }
        return isEmpty && view.options.mustFind ? .failure : .success
    }

    /// Prints the shown part of all documents.
    ///
    /// - Returns: The exit code of ``finish()``.
    /// - Throws: The errors of ``add(_:check:)`` and ``finish()``.
    mutating func print(_ documents: [JSONDocument], check: (() throws -> Void)? = nil) throws -> ExitCode {
        for document in documents { try add(document, check: check) }
        return try finish()
    }
}
