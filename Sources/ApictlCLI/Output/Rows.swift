import EndpointKit
import EndpointTools
import JSONText

/// Where the list of a result is, and the columns of its rows.
struct RowLayout: Sendable {
    /// The names that lead from the result to the list; none if the result itself is the list, or the only row.
    let path: [String]
    let columns: [RowColumn]

    /// The layout of the outermost list in a result of that shape. Throws ``UsageError`` if there are several.
    init(of shape: ModelShape) throws(UsageError) {
        let (path, rows) = try Self.list(in: shape)
        self.init(path, of: rows, shape, title: path.last)
    }

    /// The layout of rows of these shapes.
    fileprivate init(_ path: [String], of rows: [Shape], _ shape: ModelShape, title: String?) {
        self.path = path
        let fields = rows.flatMap(shape.directFields)
        columns = RowColumn.of(fields.lazy.map { ($0.key, shape.isSingle($0.shape)) }, title: title)
    }

    /// The path to the list in a document without a model. Throws ``UsageError`` if there are several lists.
    static func path(in document: JSONValue) throws(UsageError) -> [String] {
        try list(in: ModelShape(root: Shape(of: document, depth: 0), models: [])).path
    }

    /// The path to the outermost list in a result, of objects if there is one, and the shapes of its elements.
    ///
    /// Among several, one that is always there is preferred.
    fileprivate static func list(in shape: ModelShape) throws(UsageError) -> (path: [String], rows: [Shape]) {
        for mustHoldObjects in [true, false] {
            var level: [(path: [String], shape: Shape, isOptional: Bool)] = [([], shape.root, false)]
            // Deeper lists belong to a detail of the result.
            for _ in 0..<4 {
                let lists = level.filter { _, list, _ in
                    let holdsObjects = shape.elements(of: list).contains { !shape.directFields(of: $0).isEmpty }
                    return shape.isList(list) && (holdsObjects || !mustHoldObjects)
                }
                let required = lists.filter { !$0.isOptional }
                if lists.count > 1, required.count != 1 {
                    let paths = lists.map { $0.path.joined(separator: ".") }.joined(separator: ", ")
                    throw UsageError("the result has several lists: \(paths); choose one with --select")
                }
                if let list = required.first ?? lists.first { return (list.path, shape.elements(of: list.shape)) }
                level = level.flatMap { path, value, isOptional in
                    shape.directFields(of: value).map { (path + [$0.key], $0.shape, isOptional || $0.isOptional) }
                }
            }
        }
        return ([], shape.elements(of: shape.root))
    }
}

extension Shape {
    /// The shape of `value`, in which all objects of a list are like the first that is not empty.
    fileprivate init(of value: JSONValue, depth: Int) {
        switch value.content {
        // Deeper lists are not looked for.
        case _ where depth > 4: self = .any
        case .object(let members):
            self = .object(
                members.map { key, value in
                    Field(key: key, shape: Shape(of: value, depth: depth + 1), isOptional: true)
                })
        case .array(let elements):
            let object = elements.first { $0.members.map { $0.count > 0 } ?? false }
            self = .array(object.map { Shape(of: $0, depth: depth + 1) } ?? .any)
        case .null: self = .null
        case .bool, .number, .string: self = .scalar(.string)
        }
    }
}

/// The text of one column in one row.
typealias RowCell = (text: String, isNumber: Bool)

/// A column of rows: the path to its value in each row.
struct RowColumn: Sendable {
    /// The heading.
    let name: String
    /// The names that lead to the value; none is the row itself.
    let names: [String]

    /// The columns that `word` names, separated by commas. Throws ``UsageError``.
    static func list(_ word: SourcedText) throws(UsageError) -> [RowColumn] {
        var columns: [RowColumn] = []
        for name in word.text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            let path = try JSONPath(word.with(name), option: "--columns")
            guard let names = path.names else {
                throw .unusableValue(
                    option: "--columns", problem: "expected names separated by commas, such as id,owner.name",
                    source: word.source)
            }
            columns.append(RowColumn(name: name, names: names))
        }
        return columns
    }

    /// The columns of rows with these members, of which one may be a list or an object: single values first; one column, called `title`, if
    /// there are none.
    static func of(_ members: some Sequence<(String, Bool)>, title: String?) -> [RowColumn] {
        var (keys, areSingle): ([String], [String: Bool]) = ([], [:])
        for (key, isSingle) in members {
            if areSingle[key] == nil { keys.append(key) }
            areSingle[key] = isSingle && areSingle[key] != false
        }
        let ordered = keys.filter { areSingle[$0] == true } + keys.filter { areSingle[$0] == false }
        return ordered.isEmpty
            ? [RowColumn(name: title ?? "value", names: [])] : ordered.map { RowColumn(name: $0, names: [$0]) }
    }

    /// The cell of the value at `names` in `row`: a string as it is, a number or boolean as written, nothing for null, anything else as
    /// compact JSON.
    ///
    /// If the path walks through a list, the values are one JSON array, however many there are.
    fileprivate static func cell(of row: JSONValue, at names: [String]) throws -> RowCell {
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
    /// The cells of `row`; a value among objects is shown in the column for it, or else in the first one.
    fileprivate func cells(of row: JSONValue) throws -> [RowCell] {
        let none = RowCell("", false)
        let cells = try map { $0.names.isEmpty && count > 1 ? none : try RowColumn.cell(of: row, at: $0.names) }
        // Names walk through a list.
        if row.members != nil || !cells.allSatisfy({ ["", "[]"].contains($0.text) }) { return cells }
        let place = firstIndex { $0.names.isEmpty } ?? 0
        return try indices.map { $0 == place ? try RowColumn.cell(of: row, at: []) : none }
    }

    /// The columns that tell rows apart, then the others.
    fileprivate var mostTellingFirst: [RowColumn] {
        let telling = ["id", "number", "key", "name", "full_name", "title", "login"]
        return telling.compactMap { name in first { $0.name == name } } + filter { !telling.contains($0.name) }
    }
}

extension JSONValue {
    /// The value on one line, without white space.
    var compact: String { get throws { String(decoding: try Coding().encode(self), as: UTF8.self) } }

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
struct RowPrinter {
    /// Columns that are shown unless others are asked for: without a limit, objects that have no key in common would take a column each.
    private static let maxColumns = 200
    /// Columns that the note on omitted ones names.
    private static let maxNames = 5

    let view: ResultView
    let style: RowStyle
    let output: any ByteOutput
    let isColored: Bool
    /// Where to say which columns are omitted; nil says nothing.
    let notes: (any ByteOutput)?
    private(set) var text: BufferedOutput
    /// Known from the model or from the first document.
    private(set) var path: [String]?
    private(set) var columns: [RowColumn]?
    private(set) var table = RowTable(columns: [])
    private(set) var check: (() throws -> Void)?

    /// Adds the rows in `document`; false if there are none.
    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws -> Bool {
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
        // Without a model, the first rows tell the columns.
        if rows.isEmpty, columns == nil, view.columns == nil, view.layout == nil { return false }
        let columns = try columns ?? begin(rows)
        for row in rows {
            try check?()
            let cells = try columns.cells(of: row)
            if style == .table { table.add(cells) } else { try write(cells.map(\.text)) }
        }
        try text.flush()
        return !rows.isEmpty
    }

    /// The columns of all rows, which begin with these; their headings are written.
    private mutating func begin(_ rows: [JSONValue]) throws -> [RowColumn] {
        let title = view.paths.isEmpty ? path?.last : view.title
        var columns = view.columns ?? view.layout?.columns ?? []
        if columns.isEmpty {
            // No model is known.
            let members = rows.lazy.flatMap { $0.members ?? [] }
            columns = RowColumn.of(members.map { ($0, $1.members == nil && $1.elements == nil) }, title: title)
            let isMixed = columns[0].names != [] && rows.contains { $0.members == nil && !$0.isNull }
            if isMixed { columns.insert(RowColumn(name: title ?? "value", names: []), at: 0) }
        }
        if view.columns == nil {
            if style == .table { columns = columns.mostTellingFirst }
            try note(
                "only \(Self.maxColumns) columns are shown, not", columns.dropFirst(Self.maxColumns).map(\.name))
            columns = Array(columns.prefix(Self.maxColumns))
        }
        if style == .table { table = RowTable(columns: columns.map(\.name)) } else { try write(columns.map(\.name)) }
        self.columns = columns
        return columns
    }

    mutating func finish() throws {
        if columns == nil { _ = try begin([]) }
        guard style == .table else { return try text.flush() }
        let omitted = try table.write(
            to: &text, width: output.columns, mayOmit: view.columns == nil,
            headColor: isColored ? JSONPalette.key : nil, check: check)
        try text.flush()
        try note("no space for", omitted)
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

extension ResultView {
    /// The view with the columns of rows as the response of a call has them.
    ///
    /// `endpoint` is that of the call.
    ///
    /// Throws ``UsageError`` if `--select` or `--columns` names a field that the model does not have, or if it has several lists.
    func checked(
        _ declaration: EndpointDeclaration, _ endpoint: Endpoint, followsPages: Bool
    ) throws(UsageError) -> ResultView {
        guard let shape = declaration.responseShape(of: endpoint) else { return self }
        var model = ModelFields(
            shape: shape, coding: declaration.api.coding, name: declaration.responseName(of: endpoint), hint: "")
        if followsPages, let items = endpoint.pages?.items {
            // The view is of the items of all pages.
            let names = items.split(separator: ".").map { [JSONPath.Step.walk(String($0))] }
            let list = try model.shapes(at: names, from: [shape.root], "--all-pages", .preset)
            model.shape = ModelShape(root: list.map { .alternatives($0) } ?? .any, models: shape.models)
            model.hint = "; with --all-pages, paths begin at an item"
        }
        var selected: [Shape] = []
        var isKnown = options.rowStyle != nil
        for (path, word) in zip(paths, options.selects) {
            let found = try model.shapes(at: path.steps, from: [model.shape.root], "--select", word.source)
            selected += found ?? []
            if found == nil || path.names == nil { isKnown = false }
        }
        guard isKnown else { return self }
        var (path, rows, title) = ([String](), selected.flatMap(model.shape.elements), title)
        if paths.isEmpty {
            (path, rows) = try RowLayout.list(in: model.shape)
            title = path.last
        }
        // The keys of an object without declared fields are in the document only.
        guard !rows.isEmpty, rows.allSatisfy({ model.shape.fields(of: $0) != nil }) else { return self }
        for column in columns ?? [] {
            let steps = column.names.map { [JSONPath.Step.walk($0)] }
            _ = try model.shapes(at: steps, from: rows, "--columns", options.columns?.source ?? .preset)
        }
        var view = self
        view.layout = RowLayout(path, of: rows, model.shape, title: title)
        return view
    }
}

/// The lookup of fields in a response model.
private struct ModelFields {
    var shape: ModelShape
    let coding: Coding
    let name: String
    /// What a wrong name may come from, at the end of the message.
    var hint: String

    /// The shapes of the values that the steps lead to; nil if any name may be on the way. Throws ``UsageError`` for what the model can't
    /// have.
    func shapes(
        at steps: [[JSONPath.Step]], from start: [Shape], _ option: String, _ source: ValueSource
    ) throws(UsageError) -> [Shape]? {
        var shapes = start
        for (index, selectors) in steps.enumerated() {
            let before = steps[..<index].joined().compactMap(\.name)
            var found: [Shape] = []
            for step in selectors {
                guard let inner = try self.shapes(at: step, from: shapes, before, option, source) else { return nil }
                found += inner
            }
            shapes = found
        }
        return shapes
    }

    private func shapes(
        at step: JSONPath.Step, from shapes: [Shape], _ before: [String], _ option: String, _ source: ValueSource
    ) throws(UsageError) -> [Shape]? {
        guard let inner = shape.fields(of: .alternatives(shapes)) else { return nil }
        let models = Set(shapes.flatMap(\.modelNames))
        let isInside = models.isEmpty && before.contains { Int($0) == nil }
        let place = isInside ? before.joined(separator: ".") : self.name
        let owner = models.count == 1 ? models.first ?? "" : place
        func misfit(_ problem: String) -> UsageError {
            .unusableValue(option: option, problem: problem + hint, source: source)
        }
        let elements = shapes.flatMap(shape.elements)
        let (name, isKey): (String, Bool)
        switch step {
        case .every:
            // Every member of an object.
            if shapes.contains(where: { !shape.isList($0) }) { return nil }
            return elements
        case .element:
            if !shapes.contains(where: shape.isList) { throw misfit("\(owner) is no list") }
            return elements
        case .key(let text): (name, isKey) = (text, true)
        case .walk(let text): (name, isKey) = (text, false)
        }
        // Which of several spellings the server uses is not known without a sample.
        func named(_ fields: [Shape.Field]) -> [Shape] {
            fields.filter { coding.modelKey($0.key) == coding.modelKey(name) }.map(\.shape)
        }
        let found = named(isKey ? shape.directFields(of: .alternatives(shapes)) : inner)
        if !found.isEmpty { return found }
        if !isKey, Int(name) != nil { return elements }
        if !named(inner).isEmpty {
            throw misfit("a list has no '\(name)', its elements have: [*]\(JSONPathComponent.key(name).text)")
        }
        let question = NearestWord.question(name, in: inner.map(\.key))
        throw misfit("\(owner) has no '\(name)'\(question)")
    }
}
