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

    /// The cell of the value at `names` in `row`: a string as it is, a number or boolean as written, nothing for null, anything else as
    /// compact JSON.
    ///
    /// If the path walks through a list, the values are one JSON array, however many there are.
    fileprivate static func cell(of row: JSONValue, at names: ArraySlice<String>) throws -> RowCell {
        var isList = false
        let values = row.values(at: names, isList: &isList)
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

/// Columns, and which of them begin with a key.
private struct RowColumns {
    private let columns: [RowColumn]
    private let places: [String?: [Int]]

    init(_ columns: [RowColumn]) {
        self.columns = columns
        places = Dictionary(grouping: columns.indices) { columns[$0].names.first }
    }

    /// The cells of `row`, in one pass over its members. A value among objects is shown in the first column.
    func cells(of row: JSONValue) throws -> [RowCell] {
        guard let members = row.members, places[nil] == nil else {
            var cells = try columns.map { try RowColumn.cell(of: row, at: $0.names[...]) }
            if !row.isNull, cells.allSatisfy(\.text.isEmpty) { cells[0] = try RowColumn.cell(of: row, at: []) }
            return cells
        }
        var cells = Array(repeating: RowCell("", false), count: columns.count)
        var open = places
        for (key, value) in members {
            // Of several members with the same key the first counts.
            for index in open.removeValue(forKey: key) ?? [] {
                cells[index] = try RowColumn.cell(of: value, at: columns[index].names.dropFirst())
            }
        }
        return cells
    }
}

extension [RowColumn] {
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
    /// Columns that are shown unless others are asked for: without a limit, objects that have no key in common would take a column each.
    private static let maxColumns = 200
    /// How many rows are made between two checks.
    private static let rowsBetweenChecks = 64
    /// Columns that the note on omitted ones names.
    private static let maxNames = 5

    private let view: ResultView
    private let style: RowStyle
    private let output: any ByteOutput
    private let palette: JSONPalette?
    /// Where to say which columns are omitted; nil says nothing.
    private let notes: (any ByteOutput)?
    private var text: BufferedText
    /// Known from the model or from the first document.
    private var path: [String]?
    private var columns: RowColumns?
    private var table = RowTable(columns: [])
    private var check: (() throws -> Void)?
    private var isEmpty = true

    init(
        _ view: ResultView, _ style: RowStyle, _ output: any ByteOutput, palette: JSONPalette?,
        notes: (any ByteOutput)?
    ) {
        (self.view, self.style, self.output) = (view, style, output)
        (self.palette, self.notes, text) = (palette, notes, BufferedText(output))
    }

    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        self.check = check
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
        try Self.each(rows, check) { row in
            let cells = try columns.cells(of: row)
            if style == .table { table.add(cells) } else { try write(cells.map(\.text)) }
            isEmpty = false
        }
        try text.flush()
    }

    private static func each(
        _ rows: [JSONValue], _ check: (() throws -> Void)?, _ body: (JSONValue) throws -> Void
    ) throws {
        for (index, row) in rows.enumerated() {
            if index % rowsBetweenChecks == 0 { try check?() }
            try body(row)
        }
    }

    /// The columns of all rows, which begin with these; their headings are written.
    private mutating func begin(_ rows: [JSONValue]) throws -> RowColumns {
        let title = view.paths.isEmpty ? path?.last : view.title
        var columns = view.columns ?? view.layout?.columns ?? []
        if columns.isEmpty {
            // No model is known.
            var fields = RowFields()
            try Self.each(rows, check) { row in
                guard let members = row.members else { return }
                for (key, value) in members {
                    fields.add(key, isSingle: value.members == nil && value.elements == nil)
                }
            }
            columns = fields.columns(title: title)
        }
        if view.columns == nil {
            if style == .table { columns = columns.mostTellingFirst }
            try note(
                "only \(Self.maxColumns) columns are shown, not", columns.dropFirst(Self.maxColumns).map(\.name))
            columns = Array(columns.prefix(Self.maxColumns))
        }
        if style == .table { table = RowTable(columns: columns.map(\.name)) } else { try write(columns.map(\.name)) }
        let shown = RowColumns(columns)
        self.columns = shown
        return shown
    }

    mutating func finish() throws -> ExitCode {
        if style == .table {
            let omitted = try table.write(
                to: &text, width: output.columns, mayOmit: view.columns == nil, headColor: palette?.key, check: check)
            try text.flush()
            try note("no space for", omitted)
        }
        return isEmpty && view.options.mustFind ? .failure : .success
    }

    private func note(_ reason: String, _ omitted: [String]) throws {
        guard let notes, !omitted.isEmpty else { return }
        let more = omitted.count > Self.maxNames ? " and \(omitted.count - Self.maxNames) more" : ""
        let names = omitted.prefix(Self.maxNames).joined(separator: ", ").safeToShow
        let note = "note: \(reason) \(names)\(more); choose columns with --columns"
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
