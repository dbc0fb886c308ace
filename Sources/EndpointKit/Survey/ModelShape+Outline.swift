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
        var shown: Set<String> = []
        var rows: [(key: String, type: String)] = []
        func append(_ shape: Shape, depth: Int, isCase: Bool = false) {
            switch shape {
            case .array(let element), .dictionary(let element): append(element, depth: depth)
            case .union(let shapes):
                // Of an enum with values, one case is there.
                let areCases = shapes.allSatisfy { if case .object = $0 { true } else { false } }
                for shape in shapes { append(shape, depth: depth, isCase: areCases) }
            case .model(let name):
                if shown.insert(name).inserted, let model = model(name) { append(model.shape, depth: depth) }
            case .object(let fields):
                for field in fields {
                    let key = String(repeating: " ", count: depth * 2) + TerminalText.escaped(field.key)
                    rows.append((key, field.shape.name + (field.isOptional || isCase ? ", optional" : "")))
                    append(field.shape, depth: depth + 1)
                }
            case .scalar, .values, .null, .any: break
            }
        }
        append(root, depth: 1)
        let width = rows.map(\.key.count).max() ?? 0
        let lines = rows.map { $0.key + String(repeating: " ", count: width - $0.key.count + 2) + $0.type }
        return ([root.name] + lines).map { $0 + "\n" }.joined()
    }
}

extension Shape {
    private static let maxValues = 20

    var name: String { words.map(\.text).joined() }

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
