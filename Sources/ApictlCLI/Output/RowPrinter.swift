import EndpointKit
import JSONText

/// Prints rows: a table once all rows are known, tab-separated or comma-separated values as they come.
struct RowPrinter {
    /// The most columns that are shown unless `--columns` chooses them.
    ///
    /// Without a limit, objects that have no key in common would take a column each.
    private static let maxColumns = 200
    /// The most columns that the note on omitted ones names.
    private static let maxNames = 5

    private let view: ResultView
    private let style: RowStyle
    private let output: any ByteOutput
    private let isColored: Bool
    /// Receives the note on omitted columns; nil if there should be none.
    private let notes: (any ByteOutput)?
    private var text: BufferedOutput
    /// The path to the list; nil until the model or the first document has told it.
    private var path: [String]?
    /// The columns; nil until the headings are written.
    private var columns: [RowColumn]?
    /// The rows of a table so far. It is replaced once the columns are known.
    private var table = RowTable(columns: [])
    /// Throws if the time for the call is over.
    private var check: (() throws -> Void)?

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - view: The part of the result to show, and its columns if they are chosen.
    ///   - style: The format of rows.
    ///   - output: The output of rows.
    ///   - isColored: Whether the headings of a table are coloured.
    ///   - notes: Receives the note on omitted columns; nil if there should be none.
    init(
        view: ResultView, style: RowStyle, output: any ByteOutput, isColored: Bool, notes: (any ByteOutput)?
    ) {
        self.view = view
        self.style = style
        self.output = output
        self.isColored = isColored
        self.notes = notes
        text = BufferedOutput(output)
    }

    /// Adds the rows of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - check: Throws if the time for the call is over.
    /// - Returns: Whether the document has rows.
    /// - Throws: ``UsageError`` for a document with several lists, and the errors of `check` and of the output.
    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws -> Bool {
        self.check = check
        let rows = try rows(in: document)
        // Without a model and `--columns`, the first rows determine the columns. A document without rows can't.
        if rows.isEmpty, columns == nil, view.columns == nil, view.layout == nil { return false }
        let columns = try columns ?? begin(rows)
        for row in rows {
            try check?()
            let cells = try columns.cells(of: row)
            if style == .table {
                table.add(cells)
            } else {
                try write(cells.map(\.text))
            }
        }
        try text.flush()
        return !rows.isEmpty
    }

    /// Returns the rows of a document: the elements of the lists that the view finds, and other values except null.
    private mutating func rows(in document: JSONDocument) throws -> [JSONValue] {
        try values(in: document).flatMap { value in
            if let elements = value.elements { return Array(elements) }
            return value.isNull ? [] : [value]
        }
    }

    /// Returns the values that `--select` finds or, without it, the list of the result.
    private mutating func values(in document: JSONDocument) throws -> [JSONValue] {
        if view.paths.isEmpty {
            let root = JSONValue(document)
            let path = try path ?? view.layout?.path ?? RowLayout.path(in: root)
            self.path = path
            return root.values(at: path[...]).values
        }
        var values: [JSONValue] = []
        try view.select(in: document, check) { values.append($0) }
        return values
    }

    // MARK: Columns

    /// Chooses the columns and writes the headings, or begins the table.
    ///
    /// - Parameter rows: The first rows, whose keys become the columns if nothing else tells them.
    /// - Returns: The columns.
    private mutating func begin(_ rows: [JSONValue]) throws -> [RowColumn] {
        let columns = try view.columns ?? defaultColumns(of: rows)
        let headings = columns.map(\.name)
        if style == .table {
            table = RowTable(columns: headings)
        } else {
            try write(headings)
        }
        self.columns = columns
        return columns
    }

    /// Returns the columns of the model, or else those of the first rows. If there are more than ``maxColumns``, a note
    /// names some of the omitted ones.
    private func defaultColumns(of rows: [JSONValue]) throws -> [RowColumn] {
        var columns = view.layout?.columns ?? columnsWithoutModel(of: rows)
        if style == .table { columns = columns.identifyingFirst }
        let omitted = columns.dropFirst(Self.maxColumns).map(\.name)
        try note("only \(Self.maxColumns) columns are shown, not", omitted)
        return Array(columns.prefix(Self.maxColumns))
    }

    /// Returns a column for each key of the rows. If some rows are not objects, a column for these comes first.
    private func columnsWithoutModel(of rows: [JSONValue]) -> [RowColumn] {
        let title = view.paths.isEmpty ? path?.last : view.title
        let members = rows.lazy.flatMap { $0.members ?? [] }.map { key, value in
            RowColumn.Member(key: key, isSingle: value.members == nil && value.elements == nil)
        }
        let columns = RowColumn.columns(of: members, title: title)
        let hasOtherRows = rows.contains { $0.members == nil && !$0.isNull }
        return hasOtherRows && !columns[0].isOfRow ? [.row(title: title)] + columns : columns
    }

    // MARK: Output

    /// Ends the output: writes the table, or the text of other rows that is not written yet.
    ///
    /// Without any rows, only the headings are written, or nothing if neither the model nor `--columns` tells them.
    mutating func finish() throws {
        if columns == nil, view.columns == nil, view.layout == nil { return }
        if columns == nil { _ = try begin([]) }
        guard style == .table else { return try text.flush() }
        let omitted = try table.write(
            to: &text, width: output.columns, mayOmit: view.columns == nil,
            headColor: isColored ? JSONPalette.key : nil, check: check)
        try text.flush()
        try note("no space for", omitted)
    }

    /// Writes a note about omitted columns, such as `note: no space for a, b; choose columns with --columns`.
    ///
    /// - Parameters:
    ///   - reason: The beginning of the note, before the names.
    ///   - omitted: The names. Without any, nothing is written.
    private func note(_ reason: String, _ omitted: [String]) throws {
        guard let notes, !omitted.isEmpty else { return }
        let more = omitted.count > Self.maxNames ? " and \(omitted.count - Self.maxNames) more" : ""
        let names = omitted.prefix(Self.maxNames).joined(separator: ", ").safeToShow
        let note = "note: \(reason) \(names)\(more); choose columns with --columns"
        try notes.write(TextWrap.text(note, width: notes.columns ?? 80) + "\n")
    }

    /// Writes one row of tab-separated or comma-separated values.
    private mutating func write(_ cells: [String]) throws {
        // A file or another program gets the values as they are.
        let shown = output.isTerminal ? cells.map(TerminalText.escaped) : cells
        if style == .csv {
            // RFC 4180, section 2: lines end with CRLF.
            let lineEnd = output.isTerminal ? "\n" : "\r\n"
            try text.write(shown.map(Self.quoted).joined(separator: ",") + lineEnd)
        } else {
            try text.write(shown.map(Self.escaped).joined(separator: "\t") + "\n")
        }
    }

    /// Returns a cell of comma-separated values: in quotes if it contains a comma, quote or line break (RFC 4180,
    /// section 2).
    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains { "\",\r\n".utf8.contains($0) }
        return needsQuotes ? "\"" + cell.replacingBytes(of: "\"", with: "\"\"") + "\"" : cell
    }

    /// Returns a cell of tab-separated values: with `\t`, `\n`, `\r` and `\\` for the characters that would end a
    /// cell or a row, and for the backslash.
    private static func escaped(_ cell: String) -> String {
        guard cell.utf8.contains(where: { "\\\t\n\r".utf8.contains($0) }) else { return cell }
        return cell.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\t", with: "\\t")
            .replacingBytes(of: "\n", with: "\\n").replacingBytes(of: "\r", with: "\\r")
    }
}
