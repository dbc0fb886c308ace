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
    private let shape: ModelShape
    /// The names of the models around the shape that is simplified.
    private var openModels: [String] = []
    private var fieldCount = 0

    init(_ shape: ModelShape) { self.shape = shape }

    /// Returns the same fields with shapes that a command line has a form for.
    mutating func simplified(_ fields: [Shape.Field]) -> [Shape.Field] {
        fields.map { $0.replacingShape(with: simplified($0.shape)) }
    }

    /// Returns the shape of a parameter, or of a part of one, as a command line can give it.
    ///
    /// For example, a model becomes an object, whose fields can be flags. Bytes become a text, which is their Base64.
    private mutating func simplified(_ shape: Shape) -> Shape {
        switch shape {
        case .scalar(.data): return .scalar(.string)
        case .scalar, .values: return shape
        case .array(let element): return list(of: simplified(element))
        case .dictionary(let value): return .dictionary(simplified(value))
        case .object(let fields), .open(let fields, _): return object(fields)
        case .model(let name): return model(name)
        case .nullable(let wrapped): return nullable(simplified(wrapped))
        case .variants(let cases): return .variants(cases.map { variant($0) })
        case .alternatives(let shapes): return alternatives(shapes)
        case .null, .any: return .any
        }
    }

    /// Returns an object with simplified fields. Beyond ``maxFields`` it has no fields, so that it is given as JSON.
    private mutating func object(_ fields: [Shape.Field]) -> Shape {
        fieldCount += fields.count
        if fieldCount > Self.maxFields { return .object([]) }
        return .object(simplified(fields))
    }

    /// Returns a list of simplified elements.
    private func list(of element: Shape) -> Shape {
        // A list of lists can't be typed as repeated flags: nothing would end one of the inner lists.
        if element.isArray || element.isDictionary { return .array(.any) }
        return .array(element)
    }

    /// Returns the simplified shape of the model with that name.
    private mutating func model(_ name: String) -> Shape {
        // A model within itself would have flags without end.
        guard !openModels.contains(name), let model = shape.model(name) else { return .object([]) }
        openModels.append(name)
        defer { openModels.removeLast() }
        return simplified(model.shape)
    }

    /// Returns the shape of a simplified value or null. On a command line, only a single text can be null:
    /// `--size null`.
    private func nullable(_ wrapped: Shape) -> Shape {
        if wrapped.hasParts || wrapped.isArray { return .any }
        return .nullable(wrapped)
    }

    /// Returns a case of an enum with associated values, in which those are simplified.
    private mutating func variant(_ enumCase: Shape.Field) -> Shape.Field {
        // The decoder of a case without values asks for nothing, so any JSON would do. The case is a switch.
        if enumCase.shape == .any { return enumCase.replacingShape(with: .object([])) }
        return enumCase.replacingShape(with: simplified(enumCase.shape))
    }

    /// Returns the shape of a value that may have one of several shapes: text if each of them is a single text, or else
    /// any JSON.
    ///
    /// For example, an ID that is a number or a string can be typed as text: `--id 7` and `--id x7`. A value that is a
    /// string or a list must be JSON.
    private func alternatives(_ shapes: [Shape]) -> Shape {
        // A type that reads one of several kinds of values reads every text, if strings are among them.
        guard shapes.contains(.scalar(.string)) else { return .any }
        for shape in shapes {
            switch shape {
            case .scalar, .values: continue
            default: return .any
            }
        }
        return .scalar(.string)
    }
}
