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
    private var foundNothing = true
    /// Formats a stream so that each document stands on a line of its own, which tells where it ends.
    private var streamFormatter = JSONFormatter(style: .compact)
    /// The formatted beginning of the document of the stream that has not ended yet. It has no line feed.
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

    /// Prints the shown part of each document that ends in the next bytes of a stream.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes; nil at the end of the stream.
    ///   - limit: The greatest number of bytes of a document.
    ///   - check: A function that fails once the time for the call is over; nil for no time limit.
    /// - Throws: `BodyTooLarge` for a document that is too long, `JSONSyntaxError` after everything before the error is
    ///   printed, and the errors of ``add(_:check:)``.
    mutating func add(_ chunk: [UInt8]?, limit: Int, check: (() throws -> Void)?) throws {
        // The bytes before this index were searched for the end of a document when they came.
        let searchStart = unfinished.count
        var syntaxError: JSONSyntaxError?
        do {
            if let chunk {
                try streamFormatter.feed(chunk, into: &unfinished)
            } else {
                try streamFormatter.finish(into: &unfinished)
            }
        } catch {
            syntaxError = error
        }
        try printEndedDocuments(searchingFrom: searchStart, check: check)
        // The error is thrown only after the documents before it are printed.
        if let syntaxError { throw syntaxError }
        if unfinished.count > limit { throw BodyTooLarge(limit: limit) }
    }

    /// Prints the shown part of the documents in ``unfinished`` that have ended, and removes these documents.
    ///
    /// - Parameters:
    ///   - start: The index in ``unfinished`` at which the search for ends begins. No document ends before it.
    ///   - check: A function that fails once the time for the call is over; nil for no time limit.
    private mutating func printEndedDocuments(searchingFrom start: Int, check: (() throws -> Void)?) throws {
        // The formatter ends each document with a line feed, and writes none inside a document.
        let lineFeed = UInt8(ascii: "\n")
        guard let lastEnd = unfinished[start...].lastIndex(of: lineFeed) else { return }
        for line in unfinished[..<lastEnd].split(separator: lineFeed) {
            try add(JSONDocument(Array(line), check: check), check: check)
        }
        unfinished.removeFirst(lastEnd + 1)
    }

    /// Prints the shown part of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - check: A function that fails once the time for the call is over; nil for no time limit.
    /// - Throws: `JSONPathLimit`, ``UsageError`` for rows of a document with several lists, and the errors of `check`
    ///   and of the output.
    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        if rows != nil {
            // Unwrapping `rows` would make a copy. This changes it in place.
            if try rows?.add(document, check: check) == true { foundNothing = false }
            return
        }
        try view.forEachSelectedValue(in: document, check: check) { value in
            try write(value)
            foundNothing = false
        }
    }

    /// Prints a selected value: with `--array` as an element of the array, with `--raw-strings` a string without
    /// quotes, and otherwise as JSON.
    private mutating func write(_ value: JSONValue) throws {
        if view.options.array {
            // The bracket or comma is written together with the value, so that what a reader has so far never ends with
            // a comma.
            let textBefore = UInt8(ascii: foundNothing ? "[" : ",")
            try json.write([textBefore] + value.written)
        } else if view.options.rawStrings, let text = value.string?.exactBytes {
            let shownText = json.output.isTerminal ? TerminalFilter.escaped(text[...]) : text
            try json.output.write(shownText + [UInt8(ascii: "\n")])
        } else {
            try json.printJSON(Array(value.written))
        }
    }

    /// Ends the output: writes the table or the end of the array.
    ///
    /// - Returns: The exit code, which is a failure if nothing was found and `--exit-status` is given.
    /// - Throws: The errors of the output. If nothing was found and `--exit-status` is not given, also ``UsageError``
    ///   for a path that ends with a function of jq.
    mutating func finish() throws -> ExitCode {
        let mustFind = view.options.mustFind
        // With `--exit-status`, a script only wants the exit code.
        if foundNothing && !mustFind { try view.refuseJQFunctions() }
        try rows?.finish()
        if view.options.array {
            let endOfArray = foundNothing ? "[]" : "]"
            try json.write(Array(endOfArray.utf8))
            try json.finish()
        }
        return foundNothing && mustFind ? .failure : .success
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
