import EndpointKit
import JSONText

/// How rows are written.
enum RowStyle: Sendable {
    case table, tsv, csv
}

/// The list in a result as rows of cells: `--table`, `--tsv`, `--csv`.
struct RowView: Sendable {
    /// The most columns that the note on omitted ones names.
    private static let mostNames = 5

    let style: RowStyle
    /// The paths of `--select`, whose results are the rows; without any, the list is searched for.
    let paths: [(word: Word, path: JSONPath)]
    /// The columns that were asked for; nil is all.
    let columns: [RowColumn]?
    /// The position of `--columns` on the command line.
    let columnsPosition: Int
    let mustFind: Bool
    /// Where the list is and what its columns are, if the model tells; otherwise the document does.
    var layout: RowLayout?

    /// Throws ``UsageError`` for a path or a column's name that is none.
    init(_ options: some SelectionOptions, style: RowStyle) throws(UsageError) {
        self.style = style
        var paths: [(Word, JSONPath)] = []
        for word in options.selects { paths.append((word, try JSONPath(word, option: "--select"))) }
        self.paths = paths
        columns = try options.columns.map(RowColumn.list)
        columnsPosition = options.columns?.position ?? 0
        mustFind = options.mustFind
    }

    /// Prints the rows of `document` and returns the exit code. Throws as ``ResultView`` does, and ``UsageError`` if there are several lists.
    func print(
        _ document: JSONDocument, to output: any ByteOutput, palette: JSONPalette?, notes: (any ByteOutput)?,
        check: (() throws -> Void)?
    ) throws -> ExitCode {
        let root = JSONValue(document)
        let rows: [JSONValue]
        let layout: RowLayout
        if paths.isEmpty {
            layout = try self.layout ?? RowLayout(of: .describing(root), columns: columns)
            var isList = false
            rows = Self.rows(in: root.values(at: layout.path[...], isList: &isList))
        } else {
            var found: [JSONValue] = []
            for (_, path) in paths {
                try path.select(in: document, check: check) { slot in
                    found.append(JSONValue(document, slot: slot))
                    return true
                }
            }
            rows = Self.rows(in: found)
            layout = self.layout ?? RowLayout(rows: .describing(rows), columns: columns, title: title)
        }
        try write(rows, layout.columns, to: output, palette, notes, check)
        return rows.isEmpty && mustFind ? .failure : .success
    }

    /// The elements of lists, and everything that is not a list.
    private static func rows(in values: [JSONValue]) -> [JSONValue] {
        values.flatMap { value in value.elements.map(Array.init) ?? (value.isNull ? [] : [value]) }
    }

    /// The name of a column of values that are no objects: the last one of the selection.
    var title: String? { paths.last?.path.names?.last { Int($0) == nil } }

    private func write(
        _ rows: [JSONValue], _ columns: [RowColumn], to output: any ByteOutput, _ palette: JSONPalette?,
        _ notes: (any ByteOutput)?, _ check: (() throws -> Void)?
    ) throws {
        guard style == .table else {
            var lines = SeparatedRows(style: style, output: output)
            try lines.write(columns.map(\.name))
            for (index, row) in rows.enumerated() {
                if index % 1024 == 0 { try check?() }
                try lines.write(columns.cells(of: row).map(\.text))
            }
            return try lines.finish()
        }
        // Columns that were asked for are all shown, in that order.
        let columns = self.columns ?? columns.mostTellingFirst
        var table = RowTable(columns: columns.map(\.name))
        for (index, row) in rows.enumerated() {
            if index % 1024 == 0 { try check?() }
            table.add(columns.cells(of: row))
        }
        let omitted = table.fit(output.columns, mayOmit: self.columns == nil)
        try table.write(to: output, palette)
        if !omitted.isEmpty {
            let more = omitted.count > Self.mostNames ? " and \(omitted.count - Self.mostNames) more" : ""
            let names = omitted.prefix(Self.mostNames).joined(separator: ", ").safeToShow
            let note = "note: too narrow for \(names)\(more); --columns chooses"
            try notes?.write(TextWrap.text(note, width: notes?.columns ?? 80) + "\n")
        }
    }
}

extension JSONValue {
    /// The values at a path of names and positions; names walk through lists, which sets `isList`.
    func values(at names: ArraySlice<String>, isList: inout Bool) -> [JSONValue] {
        guard let name = names.first else { return [self] }
        if let value = self[name] { return value.values(at: names.dropFirst(), isList: &isList) }
        guard let elements else { return [] }
        if let index = Int(name) {
            for element in elements.dropFirst(max(index, 0)) {
                return element.values(at: names.dropFirst(), isList: &isList)
            }
            return []
        }
        isList = true
        return elements.flatMap { $0.values(at: names, isList: &isList) }
    }
}
