import EndpointKit
import JSONText

/// The part of a result that is shown: the values that `--select` finds, or a list as rows.
struct ResultView: Sendable {
    let options: SelectionOptions
    /// The paths of `--select`. It is empty without `--select`: then the rows are the elements of the list in the
    /// result.
    let paths: [JSONPath]
    /// The columns of `--columns`; nil for all columns.
    let columns: [RowColumn]?
    /// The place of the list and its columns; nil if the response model does not tell them, so that the first document
    /// has to.
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

    /// The heading of a column of values that are not objects: the last name of the paths, such as `title` for
    /// `results.title`.
    ///
    /// It is nil if a path has no name, or if several paths end with different names.
    var title: String? {
        guard let firstPath = paths.first, let title = Self.lastName(of: firstPath) else { return nil }
        let haveSameName = paths.allSatisfy { Self.lastName(of: $0) == title }
        return haveSameName ? title : nil
    }

    /// Returns the last name of a path that is not an index: `title` for `results.title.0`.
    private static func lastName(of path: JSONPath) -> String? {
        path.names?.last { Int($0) == nil }
    }

    /// The functions of jq that are seldom names of members. Others, such as `type` and `first`, often are.
    private static let jqFunctions: Set<String> = [
        "length", "keys", "keys_unsorted", "to_entries", "tostring", "tonumber", "add", "flatten", "reverse", "sort",
        "unique",
    ]

    /// Checks that no dotted path of `--select` ends with a function of jq, such as `items.length`.
    ///
    /// It must only be called if nothing was found, because a member may have the name of a function.
    ///
    /// - Throws: ``UsageError`` for a path that ends with a function of jq.
    func refuseJQFunctions() throws(UsageError) {
        for word in options.selects {
            // All names in JSONPath are those of members.
            let isJSONPath = word.text.hasPrefix("$")
            if isJSONPath { continue }
            // A name in quotes is that of a member too. Its quotes make it differ from the functions.
            let lastName = word.text.split(separator: ".").last.map(String.init) ?? ""
            guard Self.jqFunctions.contains(lastName) else { continue }
            let problem =
                "found nothing called '\(lastName)', and there are no functions of jq; a member: \"\(lastName)\""
            throw .unusableValue(option: "--select", problem: problem, source: word.source)
        }
    }

    /// Whether the shown part of a document can be printed before the next document is known.
    ///
    /// Rows and an array can't, because all documents together are one table or one array.
    var isStreamed: Bool { options.rowStyle == nil && !options.array }

    /// Reads the documents in a text, which may have one after the other.
    ///
    /// If rows are shown without `--select`, several documents become one list whose elements are the rows. So a text
    /// with a JSON object on each line is a table of these objects.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - check: A function that fails once the time for the call is over; nil for no time limit.
    /// - Throws: `JSONSyntaxError`, and the error of `check`.
    func documents(in text: [UInt8], check: (() throws -> Void)? = nil) throws -> [JSONDocument] {
        let documents = try JSONDocument.all(in: text, check: check)
        let areDocumentsRows = options.rowStyle != nil && paths.isEmpty
        guard areDocumentsRows, documents.count > 1 else { return documents }
        return [try JSONDocument.list(of: text, check: check)]
    }

    /// Makes a printer that prints the shown part of a result to stdout.
    ///
    /// - Parameters:
    ///   - environment: The process, with the outputs.
    ///   - common: The options that decide on colours and notes.
    ///   - isQuiet: Whether nothing is printed.
    ///   - style: The style of JSON; nil for indented JSON on a terminal, and for one line elsewhere.
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

    /// Calls `body` with each value that the paths of `--select` find, path by path.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - check: A function that fails once the time for the call is over; nil for no time limit.
    ///   - body: Receives a value.
    /// - Throws: `JSONPathLimit`, and the errors of `check` and `body`.
    func forEachSelectedValue(
        in document: JSONDocument, check: (() throws -> Void)?, _ body: (JSONValue) throws -> Void
    ) throws {
        for path in paths {
            try path.select(in: document, check: check) { slot in
                try body(JSONValue(document, slot: slot))
                // True goes on to the next value.
                return true
            }
        }
    }
}

extension JSONPath {
    /// Reads the value of an option as a path.
    ///
    /// - Parameters:
    ///   - word: The value.
    ///   - option: The name of the option, such as `--select`, for messages.
    /// - Throws: ``UsageError`` if the value is not a path.
    init(_ word: SourcedText, option: String) throws(UsageError) {
        do {
            try self.init(word.text)
        } catch {
            throw .unusableValue(option: option, problem: error.description, source: word.source)
        }
    }
}
