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

    static func name(of shape: Shape) -> String { shape.words.map(\.text).joined() }
}

extension Shape {
    private static let maxValues = 20

    /// The name of the shape in parts, of which some are names of models.
    package var words: [(text: String, isModel: Bool)] {
        let text: String
        switch self {
        case .scalar(.url): text = "URL"
        case .scalar(.uuid): text = "UUID"
        case .scalar(.data): text = "Base64 string"
        case .scalar(let scalar): text = scalar.name
        case .values(let values):
            text =
                values.prefix(Self.maxValues).map(\.plainText).joined(separator: " | ")
                + (values.count > Self.maxValues ? " | …" : "")
        case .array(let element): return [("[", false)] + element.words + [("]", false)]
        case .dictionary(let element): return [("[string: ", false)] + element.words + [("]", false)]
        case .object: text = "object"
        case .model(let name): return [(name, true)]
        case .union(let shapes): return Array(shapes.map(\.words).joined(separator: [(" or ", false)]))
        case .null: text = "null"
        case .any: text = "any JSON"
        }
        return [(text, false)]
    }
}

extension JSONValue {
    /// A text without its quotes, as it is shown at a terminal.
    fileprivate var plainText: String { TerminalText.escaped(string ?? description) }
}
