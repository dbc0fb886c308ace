import JSONText

extension ModelShape {
    /// The shape in words, line by line: the type of the whole, and under it the fields.
    ///
    ///     MoviePage
    ///       page           integer
    ///       results        [Movie]
    ///         id           integer
    ///         release_date string, optional
    ///
    /// A model's fields are shown at its first mention only.
    package var outline: String {
        var outline = ShapeOutline(models)
        outline.append(root)
        return outline.text
    }
}

/// Lines of fields and their types.
struct ShapeOutline {
    private static let maxValues = 20

    private let models: [String: ModelShape.Model]
    private var shown: Set<String> = []
    private var rows: [(key: String, type: String)] = []
    private var title = ""

    init(_ models: [ModelShape.Model]) {
        self.models = Dictionary(models.map { ($0.name, $0) }) { first, _ in first }
    }

    var text: String {
        let width = rows.map(\.key.count).max() ?? 0
        let lines = rows.map { row in
            row.key + String(repeating: " ", count: width - row.key.count + 2) + row.type
        }
        return ([title] + lines).map { $0 + "\n" }.joined()
    }

    mutating func append(_ root: Shape) {
        title = Self.name(of: root)
        appendFields(of: root, depth: 1)
    }

    private mutating func appendFields(of shape: Shape, depth: Int, isCase: Bool = false) {
        switch shape {
        case .array(let element), .dictionary(let element): appendFields(of: element, depth: depth)
        case .union(let shapes):
            // Of an enum with values, one case is there.
            let areCases = shapes.allSatisfy { if case .object = $0 { true } else { false } }
            for shape in shapes { appendFields(of: shape, depth: depth, isCase: areCases) }
        case .model(let name):
            if shown.insert(name).inserted, let model = models[name] { appendFields(of: model.shape, depth: depth) }
        case .object(let fields):
            for field in fields {
                let key = String(repeating: " ", count: depth * 2) + TerminalText.escaped(field.key)
                rows.append((key, Self.name(of: field.shape) + (field.isOptional || isCase ? ", optional" : "")))
                appendFields(of: field.shape, depth: depth + 1)
            }
        case .scalar, .values, .null, .any: break
        }
    }

    static func name(of shape: Shape) -> String {
        switch shape {
        case .scalar(.url): "URL"
        case .scalar(.uuid): "UUID"
        case .scalar(.data): "Base64 string"
        case .scalar(let scalar): scalar.name
        case .values(let values):
            values.prefix(maxValues).map(\.plainText).joined(separator: " | ")
                + (values.count > maxValues ? " | …" : "")
        case .array(let element): "[" + name(of: element) + "]"
        case .dictionary(let element): "[string: " + name(of: element) + "]"
        case .object: "object"
        case .model(let name): name
        case .union(let shapes): shapes.map(name).joined(separator: " or ")
        case .null: "null"
        case .any: "any JSON"
        }
    }
}

extension JSONValue {
    /// A text without its quotes, as it is shown at a terminal.
    fileprivate var plainText: String { TerminalText.escaped(string ?? description) }
}
