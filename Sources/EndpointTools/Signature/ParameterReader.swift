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
        case .array(let element): return list(of: read(element))
        case .dictionary(let value): return .dictionary(read(value))
        case .object(let fields):
            fieldCount += fields.count
            return .object(fieldCount > Self.maxFields ? [] : self.fields(fields))
        case .model(let name): return model(name)
        case .nullable(let shape): return nullable(read(shape))
        case .variants(let cases): return .variants(cases.map { variant($0) })
        case .alternatives(let shapes): return alternatives(shapes)
        case .null, .any: return .any
        }
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
        return read(model.shape)
    }

    /// Returns a simplified value or null. On a command line, only a single text can be null: `--size null`.
    private func nullable(_ type: Shape) -> Shape {
        if type.hasParts || type.isArray { return .any }
        return .nullable(type)
    }

    /// Returns a case of an enum with associated values, in which those are simplified.
    private mutating func variant(_ variant: Shape.Field) -> Shape.Field {
        // The decoder of a case without values asks for nothing, so any JSON would do. The case is a switch.
        if variant.shape == .any { return variant.with(.object([])) }
        return variant.with(read(variant.shape))
    }

    /// Returns text for alternatives that are all single texts, or else any JSON.
    private func alternatives(_ shapes: [Shape]) -> Shape {
        let areSingleTexts = shapes.allSatisfy { shape in
            switch shape {
            case .scalar, .values: true
            default: false
            }
        }
        // A type that reads one of several kinds of values reads every text, if strings are among them.
        return areSingleTexts && shapes.contains(.scalar(.string)) ? .scalar(.string) : .any
    }
}
