import EndpointKit
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
        let fields = root.fieldsInside { shown.insert($0).inserted ? model($0)?.shape : nil }
        let rows = fields.map { field in
            let key = String(repeating: "  ", count: field.path.count) + TerminalText.escaped(field.path.last ?? "")
            return (key: key, type: field.shape.name + (field.isOptional ? ", optional" : ""))
        }
        let width = rows.map(\.key.count).max() ?? 0
        let lines = rows.map { $0.key + String(repeating: " ", count: width - $0.key.count + 2) + $0.type }
        return ([root.name] + lines).map { $0 + "\n" }.joined()
    }
}

extension Shape {
    /// A field, with the keys that lead to it through lists and objects.
    package typealias InnerField = (path: [String], shape: Shape, isOptional: Bool)

    /// The fields in values of the shape, each before those in it.
    ///
    /// - Parameter model: The shape of a model whose fields are to be among them; nil if they are not.
    package func fieldsInside(
        _ path: [String] = [], model: (String) -> Shape? = { _ in nil }
    ) -> [InnerField] {
        switch self {
        case .array(let element), .dictionary(let element): return element.fieldsInside(path, model: model)
        case .nullable(let shape): return shape.fieldsInside(path, model: model)
        case .alternatives(let shapes): return shapes.flatMap { $0.fieldsInside(path, model: model) }
        case .model(let name): return model(name)?.fieldsInside(path, model: model) ?? []
        case .object(let fields), .variants(let fields):
            return fields.flatMap { field -> [InnerField] in
                let inner = path + [field.key]
                return [(inner, field.shape, field.isOptional)]
                    + field.shape.fieldsInside(inner, model: model)
            }
        case .scalar, .values, .null, .any: return []
        }
    }
}

extension Shape {
    private static let maxValues = 20

    package var name: String { words.map(\.text).joined() }

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
        case .object, .variants: text = "object"
        case .model(let name): return [(name, true)]
        case .nullable(let shape): return shape.words + [(" or null", false)]
        case .alternatives(let shapes): return Array(shapes.map(\.words).joined(separator: [(" or ", false)]))
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
