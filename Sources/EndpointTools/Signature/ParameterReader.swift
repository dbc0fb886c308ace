import EndpointKit
import JSONText

/// Writes the shapes of parameters as a command line has them: without models, and with any JSON in place of what it has no form for.
///
/// There remain scalars, values, lists of what is no list, dictionaries, objects, unions of cases with values, unions of a value with a single
/// text and null, and any JSON. The fields of an object are empty if they can't be told apart from those around it.
struct ParameterReader {
    /// Fields in structures that become flags, at most, so that models that lead to each other come to an end.
    private static let maxFields = 1000

    private let shape: ModelShape
    /// The models around the one that is read.
    private var open: [String] = []
    private var fieldCount = 0

    init(_ shape: ModelShape) { self.shape = shape }

    mutating func fields(_ fields: [Shape.Field]) -> [Shape.Field] { fields.map { $0.with(read($0.shape)) } }

    private mutating func read(_ shape: Shape) -> Shape {
        switch shape {
        case .scalar(let scalar): return .scalar(scalar == .data ? .string : scalar)
        case .values: return shape
        case .array(let element):
            let element = read(element)
            // A list in a list would have no place for its end.
            return .array(element.isArray || element.isDictionary ? .any : element)
        case .dictionary(let value): return .dictionary(read(value))
        case .object(let fields):
            fieldCount += fields.count
            return .object(fieldCount > Self.maxFields ? [] : self.fields(fields))
        case .model(let name):
            guard !open.contains(name), let model = self.shape.model(name) else { return .object([]) }
            open.append(name)
            defer { open.removeLast() }
            return read(model.shape)
        case .nullable(let shape):
            let type = read(shape)
            return type.hasParts || type.isArray ? .any : .nullable(type)
        case .variants(let variants):
            // Of a case without values nothing is asked.
            return .variants(variants.map { $0.with($0.shape == .any ? .object([]) : read($0.shape)) })
        case .alternatives(let shapes):
            // A type that reads several kinds of values reads texts too, if it reads any.
            let areSingle = shapes.allSatisfy { if case .scalar = $0 { true } else { $0.choices != nil } }
            return areSingle && shapes.contains(.scalar(.string)) ? .scalar(.string) : .any
        case .null, .any: return .any
        }
    }
}

extension Shape {
    /// What a value of a parameter is called in a sentence, with its article.
    package var phrase: String {
        switch self {
        case .scalar(.boolean): "true or false"
        case .scalar(.integer): "an integer"
        case .scalar(.number): "a number"
        case .scalar(.string): "text"
        case .scalar(.data): "Base64"
        case .scalar(.url): "a URL"
        case .scalar(.uuid): "a UUID"
        case .scalar(.date): "an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z"
        case .values: "one of " + (choices ?? []).joined(separator: ", ")
        case .array(let element): element.phrase
        case .dictionary: "KEY=VALUE, or a JSON object"
        case .object, .variants: "a JSON object"
        case .nullable(let shape): shape.phrase + ", or null"
        case .alternatives, .model, .null, .any: "JSON"
        }
    }

    /// What an integer must be: `-128 to 127`; nil if only the bounds of 64 bits are known.
    package var bounds: String? {
        guard case .scalar(.integer(let range?)) = self else { return nil }
        let upper = range.upperBound == .max ? .infinity : Double(range.upperBound)
        return ParameterRule.range("", Double(range.lowerBound)...upper).bounds
    }

    /// The texts of the values of a list of them.
    package var choices: [String]? { if case .values(let values) = self { values.map(\.text) } else { nil } }

    /// What a value that may be null is otherwise; nil if it may not.
    package var nonNull: Shape? {
        if case .nullable(let shape) = self { shape } else { nil }
    }

    /// Whether a value is given as JSON text, a file or stdin.
    package var isJSON: Bool {
        switch self {
        case .object, .nullable, .variants, .alternatives, .any: true
        case .array(let element): element.isJSON
        default: false
        }
    }

    /// Whether a value may be more than texts, and so be given as JSON.
    package var hasParts: Bool { isJSON || isDictionary }

    /// Whether several values can be given.
    package var isArray: Bool { if case .array = self { true } else { false } }

    /// Whether it is a dictionary, so that several members can be given.
    package var isDictionary: Bool { if case .dictionary = self { true } else { false } }

    /// The shape of a single value: for an array, that of its elements.
    package var element: Shape { if case .array(let element) = self { element } else { self } }

    /// The fields of an object; the cases of an enum with values, of which one is there.
    package var fields: [Field] {
        switch self {
        case .object(let fields), .variants(let fields): fields
        default: []
        }
    }

    /// The cases of an enum with values; nil if it is something else.
    var cases: [Field]? { if case .variants(let fields) = self { fields } else { nil } }

    /// The shape of an element, or of the field of that name; nil if there is none.
    func part(_ name: String) -> Shape? {
        if case .array(let element) = self { element } else { fields.first { $0.key == name }?.shape }
    }
}
