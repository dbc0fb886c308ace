import EndpointKit
import JSONText

/// The text of one column in one row.
typealias RowCell = (text: String, isNumber: Bool)

/// A column of rows: the path to its value in each row.
struct RowColumn: Sendable {
    /// The heading.
    let name: String
    /// The names that lead to the value; none is the row itself.
    let names: [String]

    /// The columns that `word` names, separated by commas. Throws ``UsageError``.
    static func list(_ word: Word) throws(UsageError) -> [RowColumn] {
        var columns: [RowColumn] = []
        for name in word.text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            let path = try JSONPath(Word(text: name, position: word.position), option: "--columns")
            guard let names = path.names else {
                throw .unusableValue(
                    option: "--columns", problem: "expected names separated by commas, such as id,owner.name",
                    position: word.position)
            }
            columns.append(RowColumn(name: name, names: names))
        }
        return columns
    }

    /// The cell of `row`: a string as it is, a number or boolean as written, nothing for null, anything else as compact JSON.
    ///
    /// If the path walks through a list, the values are one JSON array, however many there are.
    fileprivate func cell(of row: JSONValue) throws -> RowCell {
        var isList = false
        let values = row.values(at: names[...], isList: &isList)
        if isList { return ("[" + (try values.map { try $0.compact }).joined(separator: ",") + "]", false) }
        guard let first = values.first else { return ("", false) }
        return switch first.content {
        case .null: ("", false)
        case .string(let text): (text, false)
        case .number(let text): (text, true)
        case .bool, .array, .object: (try first.compact, false)
        }
    }
}

extension [RowColumn] {
    /// The cells of `row`. A value among objects is shown in the first column.
    fileprivate func cells(of row: JSONValue) throws -> [RowCell] {
        var cells = try map { try $0.cell(of: row) }
        if row.members == nil, !row.isNull, let first, cells.allSatisfy(\.text.isEmpty) {
            cells[0] = try RowColumn(name: first.name, names: []).cell(of: row)
        }
        return cells
    }

    /// The columns that tell rows apart, then the others.
    fileprivate var mostTellingFirst: [RowColumn] {
        let telling = ["id", "number", "key", "name", "full_name", "title", "login"]
        return telling.compactMap { name in first { $0.name == name } } + filter { !telling.contains($0.name) }
    }
}

extension JSONValue {
    /// The value on one line, without white space.
    fileprivate var compact: String { get throws { String(decoding: try Coding().encode(self), as: UTF8.self) } }

    /// The values at a path of names and positions; names walk through lists, which sets `isList`.
    fileprivate func values(at names: ArraySlice<String>, isList: inout Bool) -> [JSONValue] {
        guard let name = names.first else { return [self] }
        if let value = self[name] { return value.values(at: names.dropFirst(), isList: &isList) }
        guard let elements else { return [] }
        if let index = Int(name) {
            let element = elements.dropFirst(max(index, 0)).first { _ in true }
            return element?.values(at: names.dropFirst(), isList: &isList) ?? []
        }
        isList = true
        return elements.flatMap { $0.values(at: names, isList: &isList) }
    }
}

/// Prints rows: a table once all are known, tab-separated or comma-separated values as they come.
struct RowPrinter: ResultPrinter {
    /// Columns that the note on omitted ones names.
    private static let maxNames = 5

    let view: ResultView
    let style: RowStyle
    let output: any ByteOutput
    let palette: JSONPalette?
    /// Where to say which columns are omitted; nil says nothing.
    let notes: (any ByteOutput)?
    var text: BufferedText
    /// Known from the model or from the first document.
    var path: [String]?
    var columns: [RowColumn]?
    var table = RowTable(columns: [])
    var isEmpty = true

    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        var values: [JSONValue] = []
        if view.paths.isEmpty {
            let root = JSONValue(document)
            let path = try path ?? view.layout?.path ?? RowLayout.path(in: root)
            self.path = path
            var isList = false
            values = root.values(at: path[...], isList: &isList)
        } else {
            try view.select(in: document, check) { values.append($0) }
        }
        // The elements of lists, and everything that is not a list.
        let rows = values.flatMap { value in value.elements.map(Array.init) ?? (value.isNull ? [] : [value]) }
        let columns = try columns ?? begin(rows)
        for (index, row) in rows.enumerated() {
            if index % 1024 == 0 { try check?() }
            let cells = try columns.cells(of: row)
            if style == .table { table.add(cells) } else { try write(cells.map(\.text)) }
            isEmpty = false
        }
        try text.flush()
    }

    /// The columns of all rows, which begin with these; their headings are written.
    private mutating func begin(_ rows: [JSONValue]) throws -> [RowColumn] {
        let title = view.paths.isEmpty ? path?.last : view.title
        var columns = view.columns ?? view.layout?.columns ?? RowLayout.columns(of: rows, title: title)
        if style == .table {
            if view.columns == nil { columns = columns.mostTellingFirst }
            table = RowTable(columns: columns.map(\.name))
        } else {
            try write(columns.map(\.name))
        }
        self.columns = columns
        return columns
    }

    mutating func finish() throws -> ExitCode {
        if style == .table {
            let omitted = try table.write(
                to: &text, width: output.columns, mayOmit: view.columns == nil, headColor: palette?.key)
            try text.flush()
            try note(omitted)
        }
        return isEmpty && view.options.mustFind ? .failure : .success
    }

    private func note(_ omitted: [String]) throws {
        guard let notes, !omitted.isEmpty else { return }
        let more = omitted.count > Self.maxNames ? " and \(omitted.count - Self.maxNames) more" : ""
        let names = omitted.prefix(Self.maxNames).joined(separator: ", ").safeToShow
        let note = "note: too narrow for \(names)\(more); --columns chooses"
        try notes.write(TextWrap.text(note, width: notes.columns ?? 80) + "\n")
    }

    /// Writes one row of tab-separated or comma-separated values.
    private mutating func write(_ cells: [String]) throws {
        let isTerminal = output.isTerminal
        let shown = cells.map { cell in
            let cell = isTerminal ? TerminalText.escaped(cell) : cell
            return style == .csv ? Self.quoted(cell) : Self.escaped(cell)
        }
        // RFC 4180, section 2: lines end with CRLF.
        let end = style == .csv && !isTerminal ? "\r\n" : "\n"
        try text.write(shown.joined(separator: style == .csv ? "," : "\t") + end)
    }

    /// In quotes if it holds a comma, quote or line break (RFC 4180, section 2).
    private static func quoted(_ cell: String) -> String {
        let mustBeQuoted = cell.utf8.contains { "\",\r\n".utf8.contains($0) }
        return mustBeQuoted ? "\"" + cell.replacingBytes(of: "\"", with: "\"\"") + "\"" : cell
    }

    /// With `\t`, `\n`, `\r` and `\\` for the characters that would end a cell or a row.
    private static func escaped(_ cell: String) -> String {
        guard cell.utf8.contains(where: { "\\\t\n\r".utf8.contains($0) }) else { return cell }
        return [("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")].reduce(cell) { text, replacement in
            text.replacingBytes(of: replacement.0, with: replacement.1)
        }
    }
}
