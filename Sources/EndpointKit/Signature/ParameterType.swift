import JSONText

/// The type of a parameter, as the command line sees it.
package indirect enum ParameterType: Sendable, Equatable {
    case bool
    /// Within the bounds, if its type has fewer than those of 64 bits.
    case integer(ClosedRange<Int>? = nil)
    /// A floating-point or decimal number.
    case number
    case string
    case url
    case uuid
    /// A date, with or without a time of day (ISO 8601).
    case date
    /// One of the texts listed, which stand for numbers in JSON if `areNumbers`.
    case choice([String], areNumbers: Bool = false)
    /// Any number of values of that type.
    case array(ParameterType)
    /// Values of that type under keys that are data.
    case dictionary(ParameterType)
    /// A nested structure; its fields are empty if they can't be told apart from those around it.
    case object([Parameter])
    /// An enum with associated values: its cases, each a structure.
    case variants([Parameter])
    /// A value with a single text, or null.
    case nullable(ParameterType)
    /// Any other type, given as JSON.
    case json

    /// What a value of this type is called in a sentence, with its article.
    package var phrase: String {
        switch self {
        case .bool: "true or false"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "text"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .date: "an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z"
        case .choice(let values, _): "one of " + values.joined(separator: ", ")
        case .array(let element): element.phrase
        case .dictionary: "KEY=VALUE, or a JSON object"
        case .object, .variants: "a JSON object"
        case .nullable(let type): type.phrase + ", or null"
        case .json: "JSON"
        }
    }

    /// What an integer must be: `-128 to 127`; nil if only the bounds of 64 bits are known.
    package var bounds: String? {
        guard case .integer(let range?) = self else { return nil }
        let upper = range.upperBound == .max ? .infinity : Double(range.upperBound)
        return ParameterRule.range("", Double(range.lowerBound)...upper).bounds
    }

    /// Whether a value is given as JSON text, a file or stdin.
    package var isJSON: Bool {
        switch self {
        case .object, .variants, .nullable, .json: true
        case .array(let element): element.isJSON
        default: false
        }
    }

    /// Whether a value may be more than texts.
    package var hasParts: Bool { isJSON || isDictionary }

    /// Whether several values can be given.
    package var isArray: Bool { if case .array = self { true } else { false } }

    /// Whether it is a dictionary, so that several members can be given.
    package var isDictionary: Bool { if case .dictionary = self { true } else { false } }

    /// The type of a single value: for an array, its element type.
    package var element: ParameterType { if case .array(let element) = self { element } else { self } }

    /// The fields of a structure, the cases of an enum with values.
    package var fields: [Parameter] {
        switch self {
        case .object(let fields), .variants(let fields): fields
        default: []
        }
    }

    /// Whether it has fields, which are flags of their own.
    package var hasFields: Bool { !fields.isEmpty }
}

/// Makes parameters of the fields of a shape.
struct ParameterReader {
    /// Fields in structures that become flags, at most, so that models that lead to each other come to an end.
    private static let maxFields = 1000

    let shape: ModelShape
    /// The models around the one that is read.
    private var open: [String] = []
    private var fieldCount = 0

    init(shape: ModelShape) { self.shape = shape }

    /// The fields as parameters, with the texts of the first of `values` that has some.
    mutating func parameters(_ fields: [Shape.Field], _ values: [CallValue]) -> [Parameter] {
        fields.map { field in
            let values = values.compactMap { $0[field.key] }
            let type = type(field.shape, values)
            let example = values.lazy.map { $0.texts(type) }.first { !$0.isEmpty }
            return Parameter(
                name: field.key, type: type, typeName: field.typeName, isOptional: field.isOptional,
                example: example ?? [])
        }
    }

    private mutating func type(_ shape: Shape, _ values: [CallValue]) -> ParameterType {
        switch shape {
        case .scalar(let scalar): return Self.type(scalar)
        case .values(let values):
            return .choice(values.map { $0.string ?? $0.description }, areNumbers: values.first?.string == nil)
        case .array(let element):
            let type = type(element, values.flatMap(\.parts))
            // A list in a list would have no place for its end.
            return .array(type.isArray || type.isDictionary ? .json : type)
        case .dictionary(let value): return .dictionary(type(value, values.flatMap(\.parts)))
        case .object(let fields):
            fieldCount += fields.count
            return .object(fieldCount > Self.maxFields ? [] : parameters(fields, values))
        case .model(let name):
            guard !open.contains(name), let model = self.shape.model(name) else { return .object([]) }
            open.append(name)
            defer { open.removeLast() }
            return type(model.shape, values)
        case .union(let shapes): return union(shapes, values)
        case .null, .any: return .json
        }
    }

    private mutating func union(_ shapes: [Shape], _ values: [CallValue]) -> ParameterType {
        let cases = shapes.compactMap { shape -> Shape.Field? in
            if case .object(let fields) = shape, fields.count == 1, !fields[0].isOptional { fields[0] } else { nil }
        }
        if cases.count == shapes.count {
            return .variants(
                parameters(
                    cases.map { field in
                        // Of a case without values nothing is asked.
                        let shape = field.shape == .any ? .object([]) : field.shape
                        return Shape.Field(key: field.key, shape: shape, isOptional: true)
                    }, values))
        }
        if shapes.contains(.null) {
            let others = shapes.filter { $0 != .null }
            let type = others.count == 1 ? type(others[0], values) : union(others, values)
            return type.isJSON || type.isArray || type.isDictionary ? .json : .nullable(type)
        }
        // A type that reads several kinds of values reads texts too, if it reads any.
        let isText =
            shapes.contains(.scalar(.string))
            && shapes.allSatisfy {
                switch $0 {
                case .scalar, .values: true
                default: false
                }
            }
        return isText ? .string : .json
    }

    private static func type(_ scalar: Shape.Scalar) -> ParameterType {
        switch scalar {
        case .boolean: .bool
        case .integer(let bounds): .integer(bounds)
        case .number: .number
        case .string, .data: .string
        case .url: .url
        case .uuid: .uuid
        case .date: .date
        }
    }
}
