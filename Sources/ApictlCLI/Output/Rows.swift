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
    /// The most columns that the note on omitted ones names.
    private static let maxNames = 5

    let view: ResultView
    let style: RowStyle
    let output: any ByteOutput
    let palette: JSONPalette?
    /// Where to say which columns are omitted; nil says nothing.
    let notes: (any ByteOutput)?
    var text: BufferedText
    var layout: RowLayout?
    var table = RowTable(columns: [])
    var isEmpty = true

    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        let (rows, layout) = try rows(of: document, check)
        if self.layout == nil {
            self.layout = layout
            table = RowTable(columns: layout.columns.map(\.name))
            if style != .table { try write(layout.columns.map(\.name)) }
        }
        for (index, row) in rows.enumerated() {
            if index % 1024 == 0 { try check?() }
            let cells = try layout.columns.cells(of: row)
            if style == .table { table.add(cells) } else { try write(cells.map(\.text)) }
            isEmpty = false
        }
        try text.flush()
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

    private func rows(
        of document: JSONDocument, _ check: (() throws -> Void)?
    ) throws -> (rows: [JSONValue], layout: RowLayout) {
        let root = JSONValue(document)
        guard !view.paths.isEmpty else {
            let layout = try known ?? shown(RowLayout(of: root, columns: view.columns))
            var isList = false
            return (Self.rows(in: root.values(at: layout.path[...], isList: &isList)), layout)
        }
        var found: [JSONValue] = []
        for path in view.paths {
            try path.select(in: document, check: check) { slot in
                found.append(JSONValue(document, slot: slot))
                return true
            }
        }
        let rows = Self.rows(in: found)
        return (rows, known ?? shown(RowLayout(rows: rows, columns: view.columns, title: view.title)))
    }

    /// The layout, if the model or an earlier document tells.
    private var known: RowLayout? { layout ?? view.layout.map(shown) }

    /// The order of a table's columns, unless they were asked for.
    private func shown(_ layout: RowLayout) -> RowLayout {
        style == .table && view.columns == nil
            ? RowLayout(path: layout.path, columns: layout.columns.mostTellingFirst) : layout
    }

    /// The elements of lists, and everything that is not a list.
    private static func rows(in values: [JSONValue]) -> [JSONValue] {
        values.flatMap { value in value.elements.map(Array.init) ?? (value.isNull ? [] : [value]) }
    }

    /// Writes one row of tab-separated or comma-separated values.
    private mutating func write(_ cells: [String]) throws {
        let (isCSV, isTerminal) = (style == .csv, output.isTerminal)
        try text.append { text in
            for (index, cell) in cells.enumerated() {
                if index > 0 { text.append(UInt8(ascii: isCSV ? "," : "\t")) }
                let shown = isTerminal ? TerminalText.escaped(cell) : cell
                text += isCSV ? Self.quoted(shown.utf8) : Self.escaped(shown.utf8)
            }
            // RFC 4180, section 2: lines end with CRLF.
            text += isCSV && !isTerminal ? [0x0D, 0x0A] : [0x0A]
        }
    }

    /// In quotes if it holds a comma, quote or line break (RFC 4180, section 2).
    private static func quoted(_ cell: String.UTF8View) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard cell.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }) else {
            return Array(cell)
        }
        return [quote] + cell.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// With `\t`, `\n`, `\r` and `\\` for the characters that would end a cell or a row.
    private static func escaped(_ cell: String.UTF8View) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        guard cell.contains(where: { $0 < 0x20 || $0 == backslash }) else { return Array(cell) }
        let letters: [UInt8: UInt8] = [
            0x09: UInt8(ascii: "t"), 0x0A: UInt8(ascii: "n"), 0x0D: UInt8(ascii: "r"), backslash: backslash,
        ]
        return cell.flatMap { byte in letters[byte].map { [backslash, $0] } ?? [byte] }
    }
}
