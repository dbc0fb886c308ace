/// The examples of one endpoint of an API, whose parameters have not been examined yet.
package struct ExampleGroup {
    let api: any API.Type
    let caseName: String
    private(set) var examples: [any API]

    /// The endpoint's own name on the command line: `new-movies`.
    package var endpointName: String { KebabCase.text(caseName) }
    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }

    /// The endpoints of `api` in the order of their first examples. Throws ``Signature/NotACase``.
    package static func all(of api: any API.Type) throws -> [ExampleGroup] {
        try groups(of: api)
    }

    private static func groups<A: API>(of api: A.Type) throws -> [ExampleGroup] {
        var groups: [ExampleGroup] = []
        var places: [String: Int] = [:]
        for example in api.examples {
            let name = try example.caseName
            if let place = places[name] {
                groups[place].examples.append(example)
            } else {
                places[name] = groups.count
                groups.append(ExampleGroup(api: api, caseName: name, examples: [example]))
            }
        }
        return groups
    }

    /// The endpoint, with a signature derived from all examples. Throws ``Signature/NotACase``.
    package func declaration() throws -> EndpointDeclaration {
        var signature = Signature(caseName: caseName, parameters: [])
        for (number, example) in examples.enumerated() {
            let own = try Signature(of: example)
            if number == 0 { signature = own } else { signature.merge(own) }
        }
        return EndpointDeclaration(api: api, signature: signature, examples: examples)
    }
}
