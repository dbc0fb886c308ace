import EndpointKit
import JSONText

/// The values that a place in a JSON text may have.
package indirect enum Shape: Sendable, Hashable {
    case scalar(Scalar)
    /// One of these values.
    case values([JSONValue])
    case array(Shape)
    /// An object whose keys are data.
    case dictionary(Shape)
    /// An object with the fields of a model, in the order in which the model asks for them.
    case object([Field])
    /// An object with fields, whose other keys are data with values of one shape: `additionalProperties` beside
    /// `properties` in JSON Schema. There is at least one field; an object without any is a ``dictionary(_:)``.
    case open([Field], others: Shape)
    /// The shape of the model with that name in ``ModelShape/models``.
    case model(String)
    /// Null, or a value of this shape. The shape inside is neither ``null``, nor ``any``, nor nullable itself.
    case nullable(Shape)
    /// An enum with associated values, of at least two cases: an object that has exactly one of these members. They
    /// are all optional.
    case variants([Field])
    /// A value of at least one of these shapes. There are at least two, and none of them is nullable or has
    /// alternatives itself.
    case alternatives([Shape])
    case null
    /// Any JSON.
    case any

    /// A value that is one token of JSON, by its meaning.
    package enum Scalar: Sendable, Hashable {
        case boolean
        /// An integer within these bounds, where `Int.min` and `Int.max` mean unbounded. The bounds are nil if only
        /// those of 64 bits are known.
        case integer(ClosedRange<Int>?)
        /// A number within these bounds, of which one may be infinite.
        case number(ClosedRange<Double>?)
        case string
        /// A string that is a URL.
        case url
        /// A string that is a UUID.
        case uuid
        /// A string that is a date in ISO 8601.
        case date
        /// A string that holds bytes in Base64.
        case data

        var isInteger: Bool { if case .integer = self { true } else { false } }

        /// The name of the type in JSON Schema, or the name of the format of a string.
        package var name: String {
            switch self {
            case .boolean: "boolean"
            case .integer: "integer"
            case .number: "number"
            case .string: "string"
            case .url: "url"
            case .uuid: "uuid"
            case .date: "date"
            case .data: "data"
            }
        }
    }

    /// A member of an object.
    package struct Field: Sendable, Hashable {
        /// The key as it is in the text.
        package let key: String
        package let shape: Shape
        /// Whether the member may be absent or null.
        package let isOptional: Bool
        /// The Swift name of the type of a value without a label, whose key is `_0`, `_1` and so on. Nil if the type
        /// is not the app's own.
        package let typeName: String?

        package init(key: String, shape: Shape, isOptional: Bool, typeName: String? = nil) {
            self.key = key
            self.shape = shape
            self.isOptional = isOptional
            self.typeName = typeName
        }

        /// Returns the same field with another shape.
        func replacingShape(with newShape: Shape) -> Field {
            Field(key: key, shape: newShape, isOptional: isOptional, typeName: typeName)
        }
    }
}

// MARK: Parts

extension Shape {
    /// Whether the shape is an array, so that a parameter can be given several times.
    package var isArray: Bool { if case .array = self { true } else { false } }

    /// Whether the shape is a dictionary, so that a parameter can be given several members.
    package var isDictionary: Bool { if case .dictionary = self { true } else { false } }

    /// The shape of a single value: for an array, the shape of its elements.
    package var element: Shape { if case .array(let element) = self { element } else { self } }

    /// The shape of a nullable value that is not null; nil if the shape is not nullable.
    package var nonNull: Shape? { if case .nullable(let shape) = self { shape } else { nil } }

    /// The fields of an object, or the cases of an enum with associated values, which are all optional. Empty for other
    /// shapes.
    package var fields: [Field] {
        switch self {
        case .object(let fields), .open(let fields, _), .variants(let fields): fields
        default: []
        }
    }

    /// The cases of an enum with associated values; nil if the shape is something else.
    var cases: [Field]? { if case .variants(let fields) = self { fields } else { nil } }

    /// Returns the shape that one component of a path such as `pets.0.name` leads to from this shape.
    ///
    /// - Parameter component: The key of a field. For an array it is an index, which does not matter, because all
    ///   elements have the same shape.
    /// - Returns: The shape of the element or field; nil if there is no such field.
    func shape(atPathComponent component: String) -> Shape? {
        if case .array(let element) = self { return element }
        let field = fields.first { $0.key == component }
        return field?.shape
    }
}

// MARK: Parameters

extension Shape {
    /// Whether the value of a parameter with this shape is given as JSON on the command line: as text, `@file` or `-`.
    ///
    /// An array is given as JSON if its elements are. A dictionary is not, because `KEY=VALUE` gives one member.
    package var isJSON: Bool {
        switch self {
        case .object, .open, .nullable, .variants, .alternatives, .any: true
        case .array(let element): element.isJSON
        case .scalar, .values, .dictionary, .model, .null: false
        }
    }

    /// Whether the value of a parameter may have values inside it, so that JSON is one of the ways to give it.
    package var hasParts: Bool { isJSON || isDictionary }
}
