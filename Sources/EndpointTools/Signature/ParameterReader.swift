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
