import EndpointKit

/// The JSON that a response model reads: its fields, their types, which of them may be absent, and allowed values.
///
/// A shape is learned by decoding made-up values and, if there is one, the endpoint's sample; see
/// ``of(_:sample:coding:)``.
package struct ModelShape: Sendable, Equatable {
    /// The shape of the whole document.
    package let root: Shape
    /// The models that ``Shape/model(_:)`` names, in the order in which they are first named.
    package let models: [Model]
    /// Whether the root is an object made of parameters. In such an object, unknown keys are ignored, and null counts
    /// as absent.
    package var isOfParameters = false

    package init(root: Shape, models: [Model]) {
        self.root = root
        self.models = models
    }

    /// A type of the app whose values are objects, or that holds itself. In an OpenAPI document, a schema that a `$ref`
    /// names.
    package struct Model: Sendable, Equatable {
        /// A name that is unique in the shape: `Movie`, or `Geometry.Viewport` if another type is called `Viewport`
        /// too.
        package let name: String
        package let shape: Shape

        package init(name: String, shape: Shape) {
            self.name = name
            self.shape = shape
        }
    }

    /// Returns the model called `name`, or nil if the shape names none.
    package func model(_ name: String) -> Model? { models.first { $0.name == name } }
}
