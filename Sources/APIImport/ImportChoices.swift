import JSONText

/// Names and choices for what is made of samples, requests or a document.
package struct ImportChoices: Sendable {
    /// The name of the API. If it is nil, the API is named after the host, or after the document's title.
    package var api: String?
    /// The name of the API's enum, if it exists. The name also goes before names of models that are taken, as in
    /// `MarvelCharacter`.
    package var type: String?
    /// The name of the endpoint, if there is only one.
    package var endpoint: String?
    /// The template of the paths that fit it: `/users/{login}`.
    package var path: String?
    /// Whether requests whose paths have a segment in common are of one endpoint.
    package var isOneEndpoint = false
    /// Names of endpoints by those that they would have, by the identifiers of operations, or by method and path.
    package var operationNames: [String: String] = [:]
    /// Whether an endpoint with these names is kept: method and path, path, name, identifier, `tag:…`; nil keeps all.
    package var isKept: (@Sendable (_ names: [String]) -> Bool)?
    /// Whether the samples become files that the declaration names.
    package var keepsSamples = false
    /// The origin of the URL that a document came from.
    package var origin: String?

    // MARK: Models

    /// The coding of JSON that the API declares. It is nil for a new API, whose coding is ``InferredModels/coding``.
    package var coding: Coding?
    /// Queries for objects that are dictionaries, whatever their keys look like: JSONPath, or names with dots.
    package var maps: [String] = []
    /// Queries for objects that are structures.
    package var structs: [String] = []
    /// Names of types by the names that they would have.
    package var typeNames: [String: String] = [:]
    /// Names of properties by their keys in JSON, or by type and key: `Movie.vote_average`.
    package var fieldNames: [String: String] = [:]
    /// Names of types that exist where the models will stand.
    package var taken: Set<String> = []
    /// The names of the files among which samples will stand.
    package var sampleFiles: Set<String> = []

    package init() {}
}
