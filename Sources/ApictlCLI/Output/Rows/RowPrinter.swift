import JSONText

/// Prints rows: a table once all are known, anything else as they come.
struct RowPrinter: ResultPrinter {
    /// The most columns that the note on omitted ones names.
    private static let mostNames = 5

    private let view: RowView
    private let output: any ByteOutput
    private let palette: JSONPalette?
    /// Where to say which columns are omitted; nil says nothing.
    private let notes: (any ByteOutput)?
    private var layout: RowLayout?
    private var table = RowTable(columns: [])
    private var lines: SeparatedRows
    private var isEmpty = true

    init(_ view: RowView, output: any ByteOutput, palette: JSONPalette?, notes: (any ByteOutput)?) {
        self.view = view
        self.output = output
        self.palette = palette
        self.notes = notes
        lines = SeparatedRows(style: view.style, output: output)
    }

    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws {
        let (rows, layout) = try rows(of: document, check)
        let isFirst = self.layout == nil
        self.layout = layout
        if !rows.isEmpty { isEmpty = false }
        if isFirst {
            table = RowTable(columns: layout.columns.map(\.name))
            if view.style != .table { try lines.write(layout.columns.map(\.name)) }
        }
        for (index, row) in rows.enumerated() {
            if index % 1024 == 0 { try check?() }
            let cells = try layout.columns.cells(of: row)
            if view.style == .table { table.add(cells) } else { try lines.write(cells.map(\.text)) }
        }
        if view.style != .table { try lines.flush() }
    }

    mutating func finish() throws -> ExitCode {
        if view.style == .table {
            let omitted = table.fit(output.columns, mayOmit: view.columns == nil)
            try table.write(to: output, palette)
            try note(omitted)
        }
        return isEmpty && view.mustFind ? .failure : .success
    }

    private func note(_ omitted: [String]) throws {
        guard let notes, !omitted.isEmpty else { return }
        let more = omitted.count > Self.mostNames ? " and \(omitted.count - Self.mostNames) more" : ""
        let names = omitted.prefix(Self.mostNames).joined(separator: ", ").safeToShow
        let note = "note: too narrow for \(names)\(more); --columns chooses"
        try notes.write(TextWrap.text(note, width: notes.columns ?? 80) + "\n")
    }

    private func rows(
        of document: JSONDocument, _ check: (() throws -> Void)?
    ) throws -> (rows: [JSONValue], layout: RowLayout) {
        let root = JSONValue(document)
        guard !view.paths.isEmpty else {
            let layout = try known ?? shown(RowLayout(of: .describing(root), columns: view.columns))
            var isList = false
            return (Self.rows(in: root.values(at: layout.path[...], isList: &isList)), layout)
        }
        var found: [JSONValue] = []
        for (_, path) in view.paths {
            try path.select(in: document, check: check) { slot in
                found.append(JSONValue(document, slot: slot))
                return true
            }
        }
        let rows = Self.rows(in: found)
        return (rows, known ?? shown(RowLayout(rows: .describing(rows), columns: view.columns, title: view.title)))
    }

    /// The layout, if the model or an earlier document tells.
    private var known: RowLayout? { layout ?? view.layout.map(shown) }

    /// The order of a table's columns, unless they were asked for.
    private func shown(_ layout: RowLayout) -> RowLayout {
        view.style == .table && view.columns == nil
            ? RowLayout(path: layout.path, columns: layout.columns.mostTellingFirst) : layout
    }

    /// The elements of lists, and everything that is not a list.
    private static func rows(in values: [JSONValue]) -> [JSONValue] {
        values.flatMap { value in value.elements.map(Array.init) ?? (value.isNull ? [] : [value]) }
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
