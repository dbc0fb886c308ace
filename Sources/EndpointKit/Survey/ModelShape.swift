import JSONText

/// What JSON a response model reads: its fields, their types, which may be absent, and allowed values.
///
/// It is learned by decoding made-up values and, if there is one, the endpoint's sample; see ``of(_:sample:coding:)``.
package struct ModelShape: Sendable, Equatable {
    /// The whole document.
    package let root: Shape
    /// The models that ``Shape/model(_:)`` names, in the order in which they are first named.
    package let models: [Model]
    /// Whether it is an object made of parameters, in which unknown keys are ignored, and null is what is absent.
    package var isOfParameters = false

    package init(root: Shape, models: [Model]) {
        self.root = root
        self.models = models
    }

    /// A type of the app that is an object in the text, or holds itself.
    package struct Model: Sendable, Equatable {
        /// Unique in the shape: `Movie`; with the type around it, `Geometry.Viewport`, if another has the same name.
        package let name: String
        package let shape: Shape
    }

    /// The model called `name`.
    package func model(_ name: String) -> Model? { models.first { $0.name == name } }
}

/// The values that a place in a JSON text may have.
package indirect enum Shape: Sendable, Equatable {
    case scalar(Scalar)
    /// One of these values.
    case values([JSONValue])
    case array(Shape)
    /// An object whose keys are data.
    case dictionary(Shape)
    /// An object with the fields of the model, in the order in which it asks for them.
    case object([Field])
    /// What the model of that name reads.
    case model(String)
    /// Any of these.
    case union([Shape])
    case null
    /// Any JSON.
    case any

    /// A value that is one token, by what it means.
    package enum Scalar: Sendable, Equatable {
        case boolean
        /// Within these bounds, of which one counts unless it is the least or the greatest; nil if only those of 64 bits are known.
        case integer(ClosedRange<Int>?)
        /// Within these bounds, of which one may be infinite.
        case number(ClosedRange<Double>?)
        case string
        /// A string that is a URL.
        case url
        /// A string that is a UUID.
        case uuid
        /// A string that is a date in ISO 8601.
        case date
        /// A string that is bytes in Base64.
        case data

        var isInteger: Bool { if case .integer = self { true } else { false } }
        /// The type's name: that of JSON Schema, or else what a string means.
        var name: String {
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
    package struct Field: Sendable, Equatable {
        /// As it is in the text.
        package let key: String
        package let shape: Shape
        /// Whether it may be absent or null.
        package let isOptional: Bool
        /// The Swift name of the type of a value without a label, whose key is `_0`, `_1` and so on; nil if the type is not the app's own.
        package let typeName: String?

        package init(key: String, shape: Shape, isOptional: Bool, typeName: String? = nil) {
            self.key = key
            self.shape = shape
            self.isOptional = isOptional
            self.typeName = typeName
        }

        /// The same field with another shape.
        func with(_ shape: Shape) -> Field {
            Field(key: key, shape: shape, isOptional: isOptional, typeName: typeName)
        }
    }
}
