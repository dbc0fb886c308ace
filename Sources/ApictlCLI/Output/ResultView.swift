import EndpointKit
import JSONText

/// The part of a result that is shown: the values that `--select` finds, or a list as rows.
struct ResultView: Sendable {
    let options: SelectionOptions
    /// The paths of `--select`. Without any, the rows are the elements of the list in the result.
    let paths: [JSONPath]
    /// The columns of `--columns`; nil for all columns.
    let columns: [RowColumn]?
    /// The place of the list and its columns; nil if the response model does not tell them. Then the first document
    /// does.
    var layout: RowLayout?

    /// Reads the paths and columns of the options.
    ///
    /// - Throws: ``UsageError`` for a path or column that can't be read, and for several paths without rows.
    init(_ options: SelectionOptions) throws(UsageError) {
        if options.rowStyle == nil, options.selects.count > 1, let last = options.selects.last {
            throw UsageError("a second --select\(last.source.suffix) needs --table, --tsv or --csv")
        }
        var paths: [JSONPath] = []
        for word in options.selects { paths.append(try JSONPath(word, option: "--select")) }
        self.options = options
        self.paths = paths
        columns = try options.columns.map(RowColumn.parse)
    }

    /// The heading of a column of values that are not objects: the last name of the selection, such as `title` for
    /// `results.title`.
    ///
    /// It is nil if there is no such name, or if several selections end with different names.
    var title: String? {
        let titles = Set(paths.map(Self.lastName))
        // `first` is optional, and a path without a name is nil in the set.
        return titles.count == 1 ? titles.first ?? nil : nil
    }

    /// Returns the last name of a path that is not an index: `title` for `results.title.0`.
    private static func lastName(of path: JSONPath) -> String? {
        path.names?.last { Int($0) == nil }
    }

    /// Functions of jq that are seldom names of members. Others, such as `type` and `first`, often are.
    private static let functions: Set<String> = [
        "length", "keys", "keys_unsorted", "to_entries", "tostring", "tonumber", "add", "flatten", "reverse", "sort",
        "unique",
    ]

    /// Checks that no dotted path of `--select` ends with the name of a function of jq. It is only called if nothing was
    /// found, because a member may have this name.
    ///
    /// - Throws: ``UsageError``.
    func checkNoFunction() throws(UsageError) {
        for word in options.selects {
            // A name in quotes is that of a member for certain, and so are all names of JSONPath.
            guard let name = word.text.split(separator: ".").last.map(String.init), !word.text.hasPrefix("$"),
                Self.functions.contains(name)
            else { continue }
            throw .unusableValue(
                option: "--select",
                problem: "found nothing called '\(name)', and there are no functions of jq; a member: \"\(name)\"",
                source: word.source)
        }
    }

    /// Whether the shown part of a document can be printed before the next document is known. Rows and an array can't.
    var isStreamed: Bool { options.rowStyle == nil && !options.array }

    /// Returns the documents in a text.
    ///
    /// If rows are shown without a selection, several documents become one list, whose elements are the rows: a text
    /// with a JSON object on each line is a table of these objects.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - check: Throws if the time for the call is over.
    func documents(in text: [UInt8], check: (() throws -> Void)? = nil) throws -> [JSONDocument] {
        let documents = try JSONDocument.all(in: text, check: check)
        let areRows = options.rowStyle != nil && paths.isEmpty
        guard areRows, documents.count > 1 else { return documents }
        return [try JSONDocument.list(of: text, check: check)]
    }

    /// Returns a printer to stdout.
    ///
    /// - Parameters:
    ///   - environment: The process, with the outputs.
    ///   - common: The options that decide on colours and notes.
    ///   - isQuiet: Whether nothing is printed.
    ///   - style: The style of JSON. By default, it is indented on a terminal and one line elsewhere.
    func printer(
        _ environment: ProcessEnvironment, _ common: CommonOptions, isQuiet: Bool = false, style: JSONStyle? = nil
    ) -> ResultPrinter {
        let output: any ByteOutput = isQuiet ? NoOutput() : environment.stdout
        let isColored = environment.isColored(common.color, output)
        let style = style ?? (output.isTerminal ? .pretty(indent: .spaces(2)) : .compact)
        let notes = isQuiet || common.reportsJSON ? nil : environment.stderr
        let rows = options.rowStyle.map { rowStyle in
            RowPrinter(view: self, style: rowStyle, output: output, isColored: isColored, notes: notes)
        }
        return ResultPrinter(
            view: self, json: BodyPrinter(output: output, style: style, isColored: isColored), rows: rows)
    }

    /// Calls `body` with each value that the paths select, path by path.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - check: Throws if the time for the call is over.
    ///   - body: Receives a value.
    /// - Throws: `JSONPathLimit`, and the errors of `check` and `body`.
    func select(in document: JSONDocument, _ check: (() throws -> Void)?, _ body: (JSONValue) throws -> Void) throws {
        for path in paths {
            try path.select(in: document, check: check) { slot in
                try body(JSONValue(document, slot: slot))
                // Goes on to the next value.
                return true
            }
        }
    }
}

extension JSONPath {
    /// Reads the path in the value of an option.
    ///
    /// - Throws: ``UsageError`` if `word` is not a path.
    init(_ word: SourcedText, option: String) throws(UsageError) {
        do {
            try self.init(word.text)
        } catch {
            throw .unusableValue(option: option, problem: error.description, source: word.source)
        }
    }
}
