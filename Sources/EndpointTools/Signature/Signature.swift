import EndpointKit
import JSONText

/// The name and parameters of a case of an API enum, such as `movie` with `id` and `language`.
package struct Signature: Sendable {
    package let caseName: String
    /// The part of the enum's shape that describes the case.
    let shape: ModelShape
    /// The associated values in declaration order, as the fields of an object.
    let root: Shape
    /// The values of the examples.
    private var values: [CallValue]

    /// The associated values in declaration order.
    package var parameters: [Parameter] { root.fields.map { Parameter($0, calls: values) } }

    /// All parameters and fields, each before its own fields.
    package var fields: [Parameter] { parameters.flatMap(\.withFields) }

    /// Describes a case of an API's enum by the shape that was learned from the enum's decoder.
    ///
    /// - Parameters:
    ///   - shape: The part of the enum's shape that describes the case.
    ///   - type: The enum, for the error.
    ///   - values: The values of the case's examples.
    /// - Throws: ``NotAnEnumCase`` if the shape has no case called `caseName`, because the enum has a `Codable`
    ///   conformance of its own.
    init(_ shape: ModelShape, caseName: String, of type: Any.Type, values: [CallValue]) throws(NotAnEnumCase) {
        let enumCases = shape.directFields(of: shape.root)
        guard let enumCase = enumCases.first(where: { $0.key == caseName }) else { throw NotAnEnumCase(type) }
        var reader = ParameterReader(shape)
        self.caseName = caseName
        self.shape = shape
        root = .object(reader.simplifyFields(shape.directFields(of: enumCase.shape)))
        self.values = values
    }

    /// Describes the parameters of an endpoint that no enum declares.
    ///
    /// - Parameters:
    ///   - name: The name of the endpoint, as an enum's case would have it.
    ///   - parameters: An object with the parameters as its fields, and the models that they name.
    ///   - values: The values of the endpoint's examples.
    package init(name: String, parameters: ModelShape, values: [CallValue]) {
        let fields = parameters.directFields(of: parameters.root)
        // The shape of a signature is an enum with a single case. Here the endpoint takes the place of the case.
        let call = Shape.Field(key: name, shape: .object(fields), isOptional: false)
        let shape = ModelShape(root: .object([call]), models: parameters.models)
        var reader = ParameterReader(shape)
        caseName = name
        self.shape = shape
        root = .object(reader.simplifyFields(fields))
        self.values = values
    }

    /// The names of the models in the parameters.
    package var modelNames: [String] { shape.models.map(\.name) }

    /// Returns this signature with the values of `call`, which is of this case, in place of the examples'.
    ///
    /// - Throws: The error of encoding the values of `call`.
    package func filled(from call: EndpointCall) throws -> Signature { filled(with: try call.values()) }

    /// Returns this signature with the given values in place of the examples'.
    func filled(with value: CallValue) -> Signature {
        var copy = self
        copy.values = [value]
        return copy
    }
}
