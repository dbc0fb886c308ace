import EndpointKit
import JSONText

/// Simplifies the shapes of parameters to those that a command line has a form for.
///
/// Models are replaced by their fields. These shapes remain:
///
/// - scalars, values, any JSON
/// - lists whose elements are neither lists nor dictionaries
/// - dictionaries
/// - objects, which have no fields if these can't become flags
/// - unions of an enum's cases with values
/// - unions of null with a value that is a single text
///
/// Everything else becomes ``Shape/any``, which is given as JSON.
struct ParameterReader {
    /// The number of fields in structures that can become flags. Models that hold each other could otherwise multiply
    /// without end.
    private static let maxFields = 1000

    /// The shape of the case, which has the models that its parameters name.
    private let shape: ModelShape
    /// The names of the models around the shape that is read.
    private var openModels: [String] = []
    private var fieldCount = 0

    init(_ shape: ModelShape) { self.shape = shape }

    /// Returns the same fields with simplified shapes.
    mutating func fields(_ fields: [Shape.Field]) -> [Shape.Field] { fields.map { $0.with(read($0.shape)) } }

    /// Returns the simplified shape, which has no models.
    private mutating func read(_ shape: Shape) -> Shape {
        switch shape {
        case .scalar(let scalar): return .scalar(scalar == .data ? .string : scalar)
        case .values: return shape
        case .array(let element):
            let element = read(element)
            // A list of lists can't be typed as repeated flags: nothing would end one of the inner lists.
            return .array(element.isArray || element.isDictionary ? .any : element)
        case .dictionary(let value): return .dictionary(read(value))
        case .object(let fields):
            fieldCount += fields.count
            return .object(fieldCount > Self.maxFields ? [] : self.fields(fields))
        case .model(let name):
            // A model within itself would have flags without end.
            guard !openModels.contains(name), let model = self.shape.model(name) else { return .object([]) }
            openModels.append(name)
            defer { openModels.removeLast() }
            return read(model.shape)
        case .union(let shapes): return union(shapes)
        case .null, .any: return .any
        }
    }

    private mutating func union(_ shapes: [Shape]) -> Shape {
        if let cases = Shape.union(shapes).cases {
            // Of a case without values nothing is asked.
            return .union(cases.map { .object([$0.with($0.shape == .any ? .object([]) : read($0.shape))]) })
        }
        if shapes.contains(.null) {
            let others = shapes.filter { $0 != .null }
            let type = others.count == 1 ? read(others[0]) : union(others)
            return type.hasParts || type.isArray ? .any : .union([type, .null])
        }
        // A type that reads several kinds of values reads texts too, if it reads any.
        let areSingle = shapes.allSatisfy { if case .scalar = $0 { true } else { $0.choices != nil } }
        return areSingle && shapes.contains(.scalar(.string)) ? .scalar(.string) : .any
    }
}

extension Shape {
    /// What a value of a parameter is called in a sentence, with its article.
    package var phrase: String {
        if let other = nonNull { return other.phrase + ", or null" }
        return switch self {
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
        case .object, .union: "a JSON object"
        case .model, .null, .any: "JSON"
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
        if case .union(let shapes) = self, shapes.count == 2, shapes[1] == .null { shapes[0] } else { nil }
    }

    /// Whether a value is given as JSON text, a file or stdin.
    package var isJSON: Bool {
        switch self {
        case .object, .union, .any: true
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
        if case .object(let fields) = self { return fields }
        return (cases ?? []).map { Field(key: $0.key, shape: $0.shape, isOptional: true) }
    }

    /// The cases of an enum with values; nil if it is something else.
    var cases: [Field]? {
        guard case .union(let shapes) = self else { return nil }
        let cases = shapes.compactMap { shape in
            if case .object(let fields) = shape, fields.count == 1, !fields[0].isOptional { fields[0] } else { nil }
        }
        return cases.count == shapes.count ? cases : nil
    }

    /// The shape of an element, or of the field of that name; nil if there is none.
    func part(_ name: String) -> Shape? {
        if case .array(let element) = self { element } else { fields.first { $0.key == name }?.shape }
    }
}
