import EndpointKit
import JSONText

/// The name and parameters of a case of an API enum.
package struct Signature: Sendable {
    package let caseName: String
    /// That of the enum, as far as it is this case.
    let shape: ModelShape
    /// The associated values in declaration order, as the fields of an object.
    let root: Shape
    /// The values of the examples.
    private var values: [CallValue]

    /// The associated values in declaration order.
    package var parameters: [Parameter] { root.fields.map { Parameter($0, in: nil, values) } }

    /// All parameters and fields, each before its own fields.
    package var fields: [Parameter] { parameters.flatMap(\.withFields) }

    /// The signature of a case: its parameters are what the enum's decoder asks for under the name of the case, `values` are those of examples.
    ///
    /// Throws ``NotACase`` if that is not the synthesised decoder with the cases' own names.
    init(_ shape: ModelShape, caseName: String, of type: Any.Type, values: [CallValue]) throws(NotACase) {
        guard let field = shape.directFields(of: shape.root).first(where: { $0.key == caseName }) else {
            throw NotACase(type)
        }
        var reader = ParameterReader(shape)
        self.caseName = caseName
        self.shape = shape
        root = .object(reader.fields(shape.directFields(of: field.shape)))
        self.values = values
    }

    /// The names of the models in the parameters.
    package var modelNames: [String] { shape.models.map(\.name) }

    /// The same parameters with the values of `call`, which is of this case.
    package func filled(from call: some API) throws -> Signature { filled(with: try CallValue(call, caseName)) }

    /// The same parameters with these values.
    func filled(with value: CallValue) -> Signature {
        var copy = self
        copy.values = [value]
        return copy
    }
}

/// A parameter of an endpoint, or a field in one.
package struct Parameter: Sendable {
    /// The Swift names that lead to it, with ``Signature/anyPosition`` for the elements of a list; `_0`, `_1` and so on for values without a label.
    package let path: [String]
    private let field: Shape.Field
    private let values: [CallValue]
    /// Whether it is a case of an enum with values.
    package let isCase: Bool
    /// Whether it is one of several cases, or in one.
    package let isInCase: Bool
    /// The way to the innermost optional parameter or field around it; nil if there is none.
    package let enclosingOptional: [String]?

    /// `values` are those of examples of what it is in.
    fileprivate init(_ field: Shape.Field, in outer: Parameter?, _ values: [CallValue]) {
        let isInList = outer?.type.isArray == true
        path = (outer?.path ?? []) + (isInList ? [Signature.anyPosition] : []) + [field.key]
        self.field = field
        self.values = (isInList ? values.flatMap(\.parts) : values).compactMap { $0[field.key] }
        isCase = outer?.type.element.cases != nil
        isInCase = isCase || outer?.isInCase == true
        enclosingOptional = outer.flatMap { $0.isOptional ? $0.path : $0.enclosingOptional }
    }

    /// Its own fields; of a list, those of its elements.
    package var fields: [Parameter] { type.element.fields.map { Parameter($0, in: self, values) } }

    fileprivate var withFields: [Parameter] { [self] + fields.flatMap(\.withFields) }

    /// The Swift name; `_0`, `_1` and so on for values without a label.
    package var name: String { field.key }
    /// The type, as ``ParameterReader`` writes it; for an optional parameter, the wrapped type.
    package var type: Shape { field.shape }
    package var isOptional: Bool { field.isOptional }
    /// Whether it need not be given: it is optional, or a structure without a label, all of whose fields are.
    package var mayBeLeftOut: Bool { field.mayBeLeftOut }
    /// The index among values without a label, from 0; nil for a labelled one.
    package var position: Int? { field.position }

    /// The texts of the example's value: none if it is nil, one per element for an array, `KEY=VALUE` for a dictionary.
    package var example: [String] { values.lazy.map { $0.texts(type) }.first { !$0.isEmpty } ?? [] }

    /// ``example`` as it is typed: text that may be null needs no quotes, unless it would be read as something else.
    package var typedExample: [String] {
        guard type.nonNull != nil else { return example }
        return example.map { json in
            guard let text = (try? JSONValue(text: json.exactBytes))?.string, let first = text.first,
                text != "null", !"\"@-".contains(first)
            else { return json }
            return text
        }
    }

    /// The example's value as arguments.
    package var exampleArguments: [Argument] {
        // A list that is not nil may be empty.
        if example.isEmpty, type.isArray, !isOptional {
            return [Argument([name], .json(Array("[]".utf8), source: "example"))]
        }
        return example.map { text in
            if type.isDictionary, let member = MemberText(text) { return Argument([name, member.key], member.value) }
            return Argument([name], type.hasParts ? .json(text.exactBytes, source: "example") : .text(text))
        }
    }
}

extension Shape.Field {
    /// The index among values without a label, from 0; nil for a labelled one.
    var position: Int? { key.hasPrefix("_") ? Int(key.dropFirst()) : nil }
}
