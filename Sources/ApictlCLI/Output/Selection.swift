import EndpointKit
import JSONText

/// How rows are written.
enum RowStyle: Sendable {
    case table, tsv, csv
}

/// Options for showing a part of a result, or its list as rows; `call` and `format` have them.
struct SelectionOptions: Sendable, Equatable {
    /// The paths of `--select`; only rows take more than one.
    var selects: [SourcedText] = []
    var array = false
    var rawStrings = false
    var mustFind = false
    /// `--table`, `--tsv` or `--csv`; nil is JSON.
    var rowStyle: RowStyle?
    var columns: SourcedText?

    /// The options; `excluded` are those of the command that they can't be used with.
    static func group(excluding excluded: [String]) -> OptionGroup<SelectionOptions> {
        // About JSON.
        let otherForms = ["array", "raw-strings", "compact"]
        let rows = ["table", "tsv", "csv"]
        return OptionGroup(
            title: "Selection and rows",
            options: [
                Option(
                    "select", .word("PATH", completion: .fields),
                    "a part of the result, one per line: results.title (walks through lists), or JSONPath: $..title"
                ) { $0.selects.append($1) }.excluding(excluded),
                Option("array", \.array, "with --select: one array").needing("select"),
                Option(
                    "raw-strings", short: "r", \.rawStrings, "with --select: strings without quotes"
                ).needing("select"),
                Option(
                    "exit-status", short: "e", \.mustFind, "with --select or rows: exit 1 if nothing is found"
                ).needing(["select"] + rows),
                Option(
                    "table", \.rowStyle, is: .table,
                    "the list in the result, or what --select finds (several: one after the other), as a table"
                ).excluding(excluded + ["tsv", "csv"] + otherForms),
                Option(
                    "tsv", \.rowStyle, is: .tsv, "the same as tab-separated values"
                ).excluding(excluded + ["csv"] + otherForms),
                Option(
                    "csv", \.rowStyle, is: .csv, "the same as comma-separated values (RFC 4180)"
                ).excluding(excluded + otherForms),
                Option(
                    "columns", .word("A,B.C", completion: .columns), \.columns,
                    "the columns of --table, --tsv and --csv"
                ).needing(rows),
            ])
    }

    /// What is to be shown; nil is the whole result as JSON. Throws ``UsageError``.
    func view() throws(UsageError) -> ResultView? {
        rowStyle == nil && selects.isEmpty ? nil : try ResultView(self)
    }
}

/// What is shown of a result that is not printed whole: what `--select` finds, or a list as rows.
struct ResultView: Sendable {
    let options: SelectionOptions
    /// The paths of `--select`. Rows without any are those of the list in the result.
    let paths: [JSONPath]
    /// The columns that were asked for; nil is all.
    let columns: [RowColumn]?
    /// Where the list is and what its columns are, if the model tells; otherwise the document does.
    var layout: RowLayout?

    /// Throws ``UsageError`` for a path or a column's name that is none.
    init(_ options: SelectionOptions) throws(UsageError) {
        if options.rowStyle == nil, options.selects.count > 1, let last = options.selects.last {
            let text = "a second --select\(last.source.suffix) needs --table, --tsv or --csv"
            throw UsageError(text)
        }
        self.options = options
        var paths: [JSONPath] = []
        for word in options.selects { paths.append(try JSONPath(word, option: "--select")) }
        self.paths = paths
        columns = try options.columns.map(RowColumn.list)
    }

    /// The name of a column of values that are no objects: the last one of the selection; nil if several selections have other names.
    var title: String? {
        let titles = Set(paths.map { $0.names?.last { Int($0) == nil } })
        return titles.count == 1 ? titles.first ?? nil : nil
    }

    /// Whether what is shown of a document can be printed before the next one is known.
    var isStreamed: Bool { options.rowStyle == nil && !options.array }

    /// The documents of a text that are shown; several are the list whose rows are shown, unless a selection finds them in each.
    func documents(in text: [UInt8], check: (() throws -> Void)? = nil) throws -> [JSONDocument] {
        let documents = try JSONDocument.all(in: text, check: check)
        if options.rowStyle == nil || !paths.isEmpty || documents.count < 2 { return documents }
        return [try JSONDocument.list(of: text, check: check)]
    }

    /// `style` is that of JSON; nil is indented on a terminal and one line elsewhere.
    func printer(
        _ environment: ProcessEnvironment, _ common: CommonOptions, isQuiet: Bool = false, style: JSONStyle? = nil
    ) -> ResultPrinter {
        let output: any ByteOutput = isQuiet ? NoOutput() : environment.stdout
        let isColored = environment.isColored(common.color, output)
        let style = style ?? (output.isTerminal ? .pretty(indent: .spaces(2)) : .compact)
        let notes = isQuiet || common.reportsJSON ? nil : environment.stderr
        return ResultPrinter(
            view: self, json: BodyPrinter(output: output, style: style, isColored: isColored),
            rows: options.rowStyle.map {
                RowPrinter(
                    view: self, style: $0, output: output, isColored: isColored, notes: notes,
                    text: BufferedOutput(output))
            })
    }

    /// Calls `body` with each value that the paths find. Throws as ``ResultPrinter/add(_:check:)`` does.
    func select(in document: JSONDocument, _ check: (() throws -> Void)?, _ body: (JSONValue) throws -> Void) throws {
        for path in paths {
            try path.select(in: document, check: check) { slot in
                try body(JSONValue(document, slot: slot))
                return true
            }
        }
    }
}

/// Prints what is to be shown of a result that may come in several documents: what a selection finds as JSON, one value per line or one
/// array, or rows.
struct ResultPrinter {
    let view: ResultView
    var json: BodyPrinter
    /// Nil is JSON.
    var rows: RowPrinter?
    var isEmpty = true
    /// A stream of documents, one a line.
    fileprivate var stream = JSONFormatter(style: .compact)
    /// Of the stream, the start of the document that has not ended.
    fileprivate var unfinished: [UInt8] = []

    /// Prints what there is to show of the documents that end in the next bytes of a stream; nil is its end. Throws `BodyTooLarge` for a
    /// document of more than `limit` bytes, `JSONSyntaxError` after what is before the error, and what ``add(_:check:)`` throws.
    mutating func add(_ chunk: [UInt8]?, limit: Int, check: (() throws -> Void)?) throws {
        let start = unfinished.count
        let result = Result { () throws(JSONSyntaxError) in
            if let chunk { try stream.feed(chunk, into: &unfinished) } else { try stream.finish(into: &unfinished) }
        }
        let lineFeed = UInt8(ascii: "\n")
        if let last = unfinished[start...].lastIndex(of: lineFeed) {
            for text in unfinished[..<last].split(separator: lineFeed) {
                try add(JSONDocument(Array(text), check: check), check: check)
            }
            unfinished.removeFirst(last + 1)
        }
        try result.get()
        if unfinished.count > limit { throw BodyTooLarge(limit: limit) }
    }

    /// Prints what there is to show of `document`. Throws `JSONPathLimit`, ``UsageError`` for rows of a document with several lists, and
    /// what `check` and the output throw.
    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        if rows != nil {
            if try rows?.add(document, check: check) == true { isEmpty = false }
            return
        }
        try view.select(in: document, check) { value in
            if view.options.array {
                try json.write([UInt8(ascii: isEmpty ? "[" : ",")] + value.written)
            } else if view.options.rawStrings, let text = value.string?.exactBytes {
                let isTerminal = json.output.isTerminal
                try json.output.write((isTerminal ? TerminalFilter.escaped(text[...]) : text) + [UInt8(ascii: "\n")])
            } else {
                try json.printJSON(Array(value.written))
            }
            isEmpty = false
        }
    }

    /// Ends the output and returns the exit code. Throws what the output throws.
    mutating func finish() throws -> ExitCode {
        try rows?.finish()
        if view.options.array {
            try json.write(Array((isEmpty ? "[]" : "]").utf8))
            try json.finish()
        }
        return isEmpty && view.options.mustFind ? .failure : .success
    }

    /// Prints what there is to show of all documents. Throws as ``add(_:check:)`` and ``finish()`` do.
    mutating func print(_ documents: [JSONDocument], check: (() throws -> Void)? = nil) throws -> ExitCode {
        for document in documents { try add(document, check: check) }
        return try finish()
    }
}

extension JSONPath {
    /// The path that `word` gives as the value of `option`. Throws ``UsageError``.
    init(_ word: SourcedText, option: String) throws(UsageError) {
        do {
            try self.init(word.text)
        } catch {
            throw .unusableValue(option: option, problem: error.description, source: word.source)
        }
    }
}
