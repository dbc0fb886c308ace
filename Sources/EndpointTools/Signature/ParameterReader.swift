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
