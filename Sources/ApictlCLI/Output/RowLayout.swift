import EndpointKit
import JSONText

/// The members of rows, of which each key becomes a column.
struct RowFields {
    private var keys: [String] = []
    private var areSingle: [String: Bool] = [:]

    /// Adds a member, whose value is neither a list nor an object if it `isSingle`.
    mutating func add(_ key: String, isSingle: Bool) {
        let known = areSingle[key]
        if known == nil { keys.append(key) }
        if known == nil || !isSingle { areSingle[key] = isSingle }
    }

    /// Single values first; one column, called `title`, if there are no fields.
    func columns(title: String?) -> [RowColumn] {
        let ordered = keys.filter { areSingle[$0] == true } + keys.filter { areSingle[$0] == false }
        let found = ordered.map { RowColumn(name: $0, names: [$0]) }
        return found.isEmpty ? [RowColumn(name: title ?? "value", names: [])] : found
    }
}

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
        var fields = RowFields()
        for field in rows.flatMap(shape.directFields) { fields.add(field.key, isSingle: shape.isSingle(field.shape)) }
        self.path = path
        columns = fields.columns(title: title)
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

extension ResultView {
    /// The view with the columns of rows as the response model of `endpoint` has them.
    ///
    /// Throws ``UsageError`` if `--select` or `--columns` names a field that the model does not have, or if it has several lists.
    func checked(_ endpoint: Endpoint, _ coding: Coding, followsPages: Bool) throws(UsageError) -> ResultView {
        guard let shape = endpoint.response.shape(sample: endpoint.sample?.bytes, coding: coding) else { return self }
        var model = ModelFields(shape: shape, coding: coding, name: endpoint.response.name)
        if followsPages, let items = endpoint.pages?.items {
            // The view is of the items of all pages.
            let names = items.split(separator: ".").map(String.init)
            let list = try model.shapes(at: names, from: [shape.root], "--all-pages", 0)
            model.shape = ModelShape(root: list.map { .union($0) } ?? .any, models: shape.models)
        }
        var selected: [Shape] = []
        for (path, word) in zip(paths, options.selects) {
            guard let names = path.names,
                let found = try model.shapes(at: names, from: [model.shape.root], "--select", word.position)
            else { return self }
            selected += found
        }
        guard options.rowStyle != nil else { return self }
        var (path, rows, title) = ([String](), selected.flatMap(model.shape.elements), title)
        if paths.isEmpty {
            (path, rows) = try RowLayout.list(in: model.shape)
            title = path.last
        }
        // The keys of an object without declared fields are in the document only.
        guard !rows.isEmpty, rows.allSatisfy({ model.shape.fields(of: $0) != nil }) else { return self }
        for column in columns ?? [] {
            _ = try model.shapes(at: column.names, from: rows, "--columns", options.columns?.position ?? 0)
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

    /// The shapes of the values at `names`, lists walked through; nil if any name may be there. Throws ``UsageError``.
    func shapes(
        at names: [String], from start: [Shape], _ option: String, _ position: Int
    ) throws(UsageError) -> [Shape]? {
        var shapes = start
        for name in names {
            guard let fields = shape.fields(of: .union(shapes)) else { return nil }
            // Which of several spellings the server uses is not known without a sample.
            let found = fields.filter { coding.modelKey($0.key) == coding.modelKey(name) }.map(\.shape)
            let isPosition = Int(name) != nil && found.isEmpty
            if found.isEmpty, !isPosition {
                let problem = "\(modelName(of: shapes) ?? self.name) has no '\(name)'"
                let question = Nearest.question(name, in: fields.map(\.key))
                throw .unusableValue(option: option, problem: problem + question, position: position)
            }
            shapes = isPosition ? shapes.flatMap(shape.elements) : found
        }
        return shapes
    }

    /// The name of the model that values of these shapes, or the elements of such lists, are of; nil if there is not exactly one.
    private func modelName(of shapes: [Shape]) -> String? {
        var (shapes, names) = (shapes, Set<String>())
        while let shape = shapes.popLast() {
            switch shape {
            case .model(let name): names.insert(name)
            case .array(let element): shapes.append(element)
            case .union(let alternatives): shapes += alternatives
            case .null: break
            default: return nil
            }
        }
        return names.count == 1 ? names.first : nil
    }
}
