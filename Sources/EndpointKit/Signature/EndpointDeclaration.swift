/// An endpoint as declared: its API, its signature and its examples.
package struct EndpointDeclaration: Sendable {
    /// The API it belongs to.
    package let api: any API.Type
    /// The name of the case and its parameters, derived from all examples.
    package let signature: Signature
    /// The API's examples of this endpoint.
    package let examples: [any API]

    /// The endpoint's own name on the command line: `new-movies`.
    package var endpointName: String { KebabCase.text(signature.caseName) }
    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }
    /// The endpoint of the first example: method, model, summary, notes, sample.
    package var endpoint: Endpoint { examples[0].resolvedEndpoint }

    /// The endpoints of `api` in the order of their first examples. Throws ``Signature/NotACase``.
    package static func all(of api: any API.Type) throws -> [EndpointDeclaration] {
        try ExampleGroup.all(of: api).map { try $0.declaration() }
    }

    /// The call that `arguments` describe.
    ///
    /// Throws ``ArgumentError``: all missing parameters at once, or the first value that does not fit.
    package func call(_ arguments: [Argument]) throws -> any API {
        let missing = signature.parameters.flatMap { $0.missing(in: arguments.map(\.path), under: []) }
        guard missing.isEmpty else { throw ArgumentError.missing(missing) }
        return try api.decode(case: signature.caseName, from: arguments)
    }
}

extension Parameter {
    /// The required parameters missing from `given`: this one, or, if some of its fields are given, its other required fields.
    fileprivate func missing(in given: [[String]], under parents: [String]) -> [[String]] {
        let path = parents + [name]
        let own = given.filter { $0.starts(with: path) }
        guard !own.isEmpty else {
            if isOptional { return [] }
            // A structure without a label has no flag: its fields are missing.
            let fields = position == nil ? [] : type.objectFields.flatMap { $0.missing(in: own, under: path) }
            return fields.isEmpty ? [path] : fields
        }
        guard !own.contains(path) else { return [] }
        return type.objectFields.flatMap { $0.missing(in: own, under: path) }
            + type.variantFields.filter { variant in own.contains { $0.starts(with: path + [variant.name]) } }
            .flatMap { $0.missing(in: own, under: path) }
    }
}

extension ParameterType {
    fileprivate var objectFields: [Parameter] { if case .object(let fields) = self { fields } else { [] } }
    fileprivate var variantFields: [Parameter] { if case .variants(let cases) = self { cases } else { [] } }
}
