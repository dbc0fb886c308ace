/// An endpoint as a listing shows it.
package struct EndpointSummary: Sendable, Encodable {
    /// The full name on the command line: `movies.new-movies`.
    package let name: String
    /// The method as it is sent: `GET`.
    package let method: String
    /// The path with `{name}` in place of parameters.
    package let path: String
    /// What it does, in a few words, from the first example.
    package let summary: String

    /// The endpoints of `api` in the order of their first examples. Throws ``Signature/NotACase``.
    ///
    /// Parameters are examined only if a path needs their names, because that is most of the work.
    package static func all(of api: any API.Type) throws -> [EndpointSummary] {
        try ExampleGroup.all(of: api).map { group in
            let endpoint = group.examples[0].endpoint
            return EndpointSummary(
                name: group.name, method: endpoint.method.rawValue,
                path: try ParameterPlaces.template(of: endpoint.path.resolved(api.coding), in: group),
                summary: endpoint.summary)
        }
    }
}
