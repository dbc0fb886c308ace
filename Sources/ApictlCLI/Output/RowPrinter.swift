import EndpointKit
import JSONText

/// Prints the rows of a result. A table is printed once all rows are known, and tab-separated or comma-separated values
/// are printed as they come.
struct RowPrinter {
    /// The most columns that are shown unless `--columns` chooses them.
    ///
    /// Without a limit, objects that have no key in common would take a column each.
    private static let maxColumns = 200
    /// The most omitted columns that a note names, so that it stays short.
    private static let maxNotedColumns = 5

    private let view: ResultView
    private let style: RowStyle
    private let output: any ByteOutput
    private let isColored: Bool
    /// Receives the note on omitted columns; nil if there should be none.
    private let notes: (any ByteOutput)?
    private var text: BufferedOutput
    /// The path from the result to the list whose elements are the rows; nil until the model or the first document has
    /// told it. It is not used with `--select`.
    private var listPath: [String]?
    /// The columns; nil until they are chosen, when the first rows come.
    private var columns: [RowColumn]?
    /// The rows of a table so far. The empty table is replaced once the columns are known.
    private var table = RowTable(columns: [])
    /// A function that fails once the time for the call is over; nil for no time limit.
    private var check: (() throws -> Void)?

    /// Makes a printer, which prints nothing before the first rows come.
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

    /// Whether the columns can be chosen without looking at rows, because `--columns` or the model tells them.
    private var areColumnsDeclared: Bool { view.columns != nil || view.layout != nil }

    /// Prints the rows of a document, or adds them to the table. The columns are chosen and the headings written first,
    /// if that has not been done.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - check: A function that fails once the time for the call is over; nil for no time limit.
    /// - Returns: Whether the document has rows.
    /// - Throws: ``UsageError`` for a document with several lists, and the errors of `check` and of the output.
    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws -> Bool {
        self.check = check
        let rows = try findRows(in: document)
        // If nothing else tells the columns, the first rows do. A document without rows can't tell them.
        let areColumnsUnknown = columns == nil && !areColumnsDeclared
        if rows.isEmpty && areColumnsUnknown { return false }
        let columns = try columns ?? beginOutput(firstRows: rows)
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

    /// Finds the rows of a document.
    ///
    /// Each element of a list that the view shows is a row. Any other shown value is a row itself, except null.
    private mutating func findRows(in document: JSONDocument) throws -> [JSONValue] {
        var rows: [JSONValue] = []
        for value in try findShownValues(in: document) {
            if let elements = value.elements {
                rows += elements
            } else if !value.isNull {
                rows.append(value)
            }
        }
        return rows
    }

    /// Finds the values that `--select` chooses or, without `--select`, the list of the result.
    ///
    /// Without a model, the first document tells where the list is. The path to it is kept for the documents after it.
    private mutating func findShownValues(in document: JSONDocument) throws -> [JSONValue] {
        if view.paths.isEmpty {
            let root = JSONValue(document)
            let path = try listPath ?? view.layout?.path ?? RowList.path(in: root)
            listPath = path
            return root.values(at: path[...]).values
        }
        var values: [JSONValue] = []
        try view.forEachSelectedValue(in: document, check: check) { values.append($0) }
        return values
    }

    // MARK: Columns

    /// Chooses the columns, keeps them, and writes the headings or begins the table.
    ///
    /// - Parameter firstRows: The first rows, whose keys become the columns if nothing else tells them.
    /// - Returns: The columns.
    private mutating func beginOutput(firstRows: [JSONValue]) throws -> [RowColumn] {
        let columns = try view.columns ?? chooseColumns(of: firstRows)
        let headings = columns.map(\.name)
        if style == .table {
            table = RowTable(columns: headings)
        } else {
            try write(headings)
        }
        self.columns = columns
        return columns
    }

    /// Chooses the columns when `--columns` does not: those of the model, or else those of the first rows.
    ///
    /// Columns beyond the limit of ``maxColumns`` are omitted, and a note names some of them.
    private func chooseColumns(of firstRows: [JSONValue]) throws -> [RowColumn] {
        var columns = view.layout?.columns ?? columnsWithoutModel(of: firstRows)
        if style == .table { columns = columns.identifyingFirst }
        let omittedNames = columns.dropFirst(Self.maxColumns).map(\.name)
        try noteOmitted(omittedNames, reason: "only \(Self.maxColumns) columns are shown, not")
        return Array(columns.prefix(Self.maxColumns))
    }

    /// Returns a column for each key of the rows. If some rows are not objects, a column for these rows comes first.
    private func columnsWithoutModel(of rows: [JSONValue]) -> [RowColumn] {
        let title = view.paths.isEmpty ? listPath?.last : view.title
        let members = rows.lazy.flatMap { $0.members ?? [] }.map { key, value in
            RowColumn.Member(key: key, isScalar: value.members == nil && value.elements == nil)
        }
        let columns = RowColumn.columns(of: members, title: title)
        let hasRowColumn = columns.contains(where: \.isOfRow)
        let needsRowColumn = rows.contains { $0.members == nil && !$0.isNull }
        return needsRowColumn && !hasRowColumn ? [.row(title: title)] + columns : columns
    }

    // MARK: Output

    /// Ends the output: writes the table, or the text of other rows that is not written yet.
    ///
    /// Without any rows, only the headings are written, or nothing if neither the model nor `--columns` tells them.
    mutating func finish() throws {
        if columns == nil {
            guard areColumnsDeclared else { return }
            _ = try beginOutput(firstRows: [])
        }
        guard style == .table else { return try text.flush() }
        let omittedNames = try table.write(
            to: &text, width: output.columns, mayOmit: view.columns == nil,
            headColor: isColored ? JSONPalette.key : nil, check: check)
        try text.flush()
        try noteOmitted(omittedNames, reason: "no space for")
    }

    /// Writes a note about omitted columns, such as `note: no space for a, b; choose columns with --columns`.
    ///
    /// - Parameters:
    ///   - columnNames: The names of the columns. Without any, nothing is written.
    ///   - reason: The beginning of the note, before the names.
    private func noteOmitted(_ columnNames: [String], reason: String) throws {
        guard let notes, !columnNames.isEmpty else { return }
        let unnamedCount = columnNames.count - Self.maxNotedColumns
        let more = unnamedCount > 0 ? " and \(unnamedCount) more" : ""
        let names = columnNames.prefix(Self.maxNotedColumns).joined(separator: ", ").safeToShow
        let note = "note: \(reason) \(names)\(more); choose columns with --columns"
        try notes.write(TextWrap.text(note, width: notes.columns ?? 80) + "\n")
    }

    /// Writes a row of tab-separated or comma-separated values.
    ///
    /// On a terminal, control characters in the cells are escaped. A file or another program gets the cells as they
    /// are.
    private mutating func write(_ cells: [String]) throws {
        let shownCells = output.isTerminal ? cells.map(TerminalText.escaped) : cells
        if style == .csv {
            // RFC 4180, section 2: lines end with CRLF.
            let lineEnd = output.isTerminal ? "\n" : "\r\n"
            try text.write(shownCells.map(Self.quoted).joined(separator: ",") + lineEnd)
        } else {
            try text.write(shownCells.map(Self.escaped).joined(separator: "\t") + "\n")
        }
    }

    /// Returns a cell of comma-separated values: in quotes if it contains a comma, quote or line break (RFC 4180,
    /// section 2).
    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains { "\",\r\n".utf8.contains($0) }
        guard needsQuotes else { return cell }
        return "\"" + cell.replacingBytes(of: "\"", with: "\"\"") + "\""
    }

    /// Returns a cell of tab-separated values. The characters that would end a cell or a row are written as `\t`, `\n`
    /// and `\r`, and the backslash as `\\`.
    private static func escaped(_ cell: String) -> String {
        let needsEscapes = cell.utf8.contains { "\\\t\n\r".utf8.contains($0) }
        guard needsEscapes else { return cell }
        // The backslash comes first, so that those of the other escapes are not doubled.
        return cell.replacingBytes(of: #"\"#, with: #"\\"#)
            .replacingBytes(of: "\t", with: #"\t"#)
            .replacingBytes(of: "\n", with: #"\n"#)
            .replacingBytes(of: "\r", with: #"\r"#)
    }
}
