import EndpointKit
import JSONText

/// Simplifies the shapes of parameters to those that a command line has a form for.
///
/// For example, a parameter `pet` of a structure `Pet` is given as `--pet.name Rex --pet.age 3`. So its shape, which
/// only names the model `Pet`, becomes an object with the fields `name` and `age`. After that, these shapes remain:
///
/// - scalars, values, any JSON
/// - lists whose elements are neither lists nor dictionaries
/// - dictionaries
/// - objects, which have no fields if these can't become flags. An open object is one with the fields that it names;
///   its other keys are given with JSON for the whole object.
/// - variants
/// - nullable values that are a single text
///
/// Everything else becomes ``Shape/any``, which is given as JSON.
struct ParameterReader {
    /// The number of fields in structures that can become flags. Models that hold each other could otherwise multiply
    /// without end.
    private static let maxFields = 1000

    /// The shape of the case, which has the models that its parameters name.
    private let caseShape: ModelShape
    /// The names of the models around the shape that is simplified.
    private var outerModels: [String] = []
    /// The number of fields in the structures that have been simplified.
    private var fieldCount = 0

    /// Prepares to simplify parameters.
    ///
    /// - Parameter caseShape: The shape of the enum's case, which has the models that the parameters name.
    init(_ caseShape: ModelShape) { self.caseShape = caseShape }

    /// Returns the same fields with shapes that a command line has a form for, and counts the fields in them.
    mutating func simplifyFields(_ fields: [Shape.Field]) -> [Shape.Field] {
        fields.map { $0.replacingShape(with: simplify($0.shape)) }
    }

    /// Simplifies the shape of a parameter, or of a part of one, to what a command line can give, and counts its
    /// fields.
    ///
    /// For example, a model becomes an object, whose fields can be flags. Bytes become a text, which is their Base64.
    private mutating func simplify(_ shape: Shape) -> Shape {
        switch shape {
        case .scalar(.data): return .scalar(.string)
        case .scalar, .values: return shape
        case .array(let element): return Self.list(of: simplify(element))
        case .dictionary(let value): return .dictionary(simplify(value))
        case .object(let fields), .open(let fields, _): return simplifyObject(with: fields)
        case .model(let name): return simplifyModel(named: name)
        case .nullable(let wrapped): return Self.nullable(simplify(wrapped))
        case .variants(let cases): return .variants(cases.map { simplifyCase($0) })
        case .alternatives(let shapes): return Self.textOrJSON(shapes)
        case .null, .any: return .any
        }
    }

    /// Returns an object with simplified fields, and counts them. Beyond ``maxFields`` the object has no fields, so
    /// that it is given as JSON.
    private mutating func simplifyObject(with fields: [Shape.Field]) -> Shape {
        fieldCount += fields.count
        if fieldCount > Self.maxFields { return .object([]) }
        return .object(simplifyFields(fields))
    }

    /// Returns a list of elements that are simplified already.
    private static func list(of element: Shape) -> Shape {
        // A list of lists can't be typed as repeated flags: nothing would end one of the inner lists.
        if element.isArray || element.isDictionary { return .array(.any) }
        return .array(element)
    }

    /// Returns the simplified shape of the model with that name.
    ///
    /// A model within itself would have flags without end. So it becomes an object without fields, which is given as
    /// JSON.
    private mutating func simplifyModel(named name: String) -> Shape {
        if outerModels.contains(name) { return .object([]) }
        // A model that is not known is given as JSON too.
        guard let model = caseShape.model(name) else { return .object([]) }
        // The model is around everything inside it, but not around what follows it.
        outerModels.append(name)
        defer { outerModels.removeLast() }
        return simplify(model.shape)
    }

    /// Returns the shape of null or a value that is simplified already. On a command line, only a single text can be
    /// null: `--size null`.
    private static func nullable(_ wrapped: Shape) -> Shape {
        if wrapped.hasParts || wrapped.isArray { return .any }
        return .nullable(wrapped)
    }

    /// Returns a case of an enum with associated values, in which those are simplified.
    private mutating func simplifyCase(_ enumCase: Shape.Field) -> Shape.Field {
        // The decoder of a case without values asks for nothing, so its shape is any JSON. An object without fields
        // makes the case a switch: `--event.deleted`.
        if enumCase.shape == .any { return enumCase.replacingShape(with: .object([])) }
        return enumCase.replacingShape(with: simplify(enumCase.shape))
    }

    /// Returns the shape in which a command line takes a value of several possible shapes: text if all of them are
    /// single texts and any string is one of them, or else any JSON.
    ///
    /// For example, an ID that is a number or a string can be typed as text: `--id 7` and `--id x7`. A value that is a
    /// string or a list must be JSON.
    private static func textOrJSON(_ alternatives: [Shape]) -> Shape {
        // A type that reads one of several kinds of values reads every text, if strings are among them.
        guard alternatives.contains(.scalar(.string)) else { return .any }
        for shape in alternatives {
            switch shape {
            case .scalar, .values: continue
            default: return .any
            }
        }
        return .scalar(.string)
    }
}
