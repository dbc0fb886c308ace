import EndpointKit
import JSONText

/// An API as tools know it, whether an enum declares it or a document describes it.
///
/// The endpoints are found by name without examining all others; see ``entries()``.
package struct CatalogueAPI: Sendable {
    /// The declaration of the API in Swift, or its description in a document.
    package let source: any CatalogueSource

    package init(_ source: some CatalogueSource) { self.source = source }

    /// Returns the API that an enum declares.
    package init<A: API>(_ api: A.Type) { self.init(EnumCatalogue<A>()) }

    /// The name before the dot on the command line.
    package var name: String { source.name }
    /// A few words about the API.
    package var summary: String { source.summary }
    /// The builder of requests for the API's endpoints.
    package var requestBuilder: RequestBuilder { source.requestBuilder }
    /// The servers, the default one first.
    package var servers: [Server] { requestBuilder.servers }
    /// The credentials of every request; a server or an endpoint can replace them.
    package var credentials: [Credential] { requestBuilder.credentials }
    /// Ways to get the values of the credentials' variables by logging in.
    package var logins: [Login] { source.logins }
    /// How values are written in paths, queries and JSON.
    package var coding: Coding { requestBuilder.coding }

    /// Finds the API's own message about a failure in the body of a failed response.
    ///
    /// - Returns: The message; nil if there is none.
    package func failureMessage(in body: [UInt8]) -> String? { source.failureMessage(in: body) }

    /// Returns the endpoints in the order in which they are listed. None of them is examined.
    ///
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    package func entries() throws -> [EndpointEntry] { try source.entries(of: self) }

    /// Returns the endpoints as a listing shows them.
    ///
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    package func summaries() throws -> [EndpointSummary] { try source.summaries(of: self) }

    /// Examines the endpoints that can be called.
    ///
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    package func declarations() throws -> [EndpointDeclaration] { try source.declarations(of: self) }

    /// Returns the shapes of the responses of several endpoints, in which a model has the same name everywhere.
    ///
    /// - Parameter declarations: Endpoints of this API.
    package func responseShapes(of declarations: [EndpointDeclaration]) -> ResponseShapes {
        source.responseShapes(of: declarations)
    }

    /// Returns the shape of an object with the parameters of an endpoint as its fields, for each of the endpoints.
    ///
    /// The values are as the API writes them, and within the bounds of the endpoints' rules.
    ///
    /// - Parameter declarations: Endpoints of this API.
    package func parameterShapes(of declarations: [EndpointDeclaration]) throws -> [ModelShape] {
        try source.parameterShapes(of: declarations)
    }

    /// Returns the lines of places in the text of a document.
    ///
    /// - Parameter offsets: Offsets from `EndpointDeclaration.offsets(of:)`.
    /// - Returns: The line of each offset, from 1.
    package func lines(of offsets: Set<Int>) -> [Int: Int] { source.lines(of: offsets) }

    /// Returns all examples in the order in which the API declares them.
    package func exampleOrder() throws -> [ExampleNumber] { try source.exampleOrder() }

    /// Returns sentences about servers, credentials and endpoints of the API that can't be used.
    package func omissions() -> [String] { source.omissions() }

    /// Returns the probable mistakes in the API's declaration; nothing is sent.
    package func lint() -> [LintFinding] { source.lint() }
}

extension CatalogueSource {
    /// An enum has no text.
    package func lines(of offsets: Set<Int>) -> [Int: Int] { [:] }
}

/// The shapes of responses of an API. A model has the same name in all of them.
package struct ResponseShapes: Sendable {
    /// The shape of each endpoint's successful response; nil for one that is not JSON.
    package let responses: [ModelShape?]
    /// The shape of the body of a failed response; nil if the API does not tell.
    package let error: ModelShape?

    package init(responses: [ModelShape?], error: ModelShape?) {
        self.responses = responses
        self.error = error
    }
}

/// An example by its endpoint and its number among the examples of that endpoint.
package struct ExampleNumber: Hashable, Sendable {
    /// The endpoint's own name: `new-movies`.
    package let endpointName: String
    /// The number, from 1.
    package let number: Int

    package init(endpointName: String, number: Int) {
        self.endpointName = endpointName
        self.number = number
    }
}

/// The declaration or description of an API that a ``CatalogueAPI`` is made of: an enum, or a document.
///
/// Functions that take the API get the ``CatalogueAPI`` that belongs to this source.
package protocol CatalogueSource: Sendable {
    /// The name before the dot on the command line.
    var name: String { get }
    /// A few words about the API.
    var summary: String { get }
    /// The builder of requests for the API's endpoints.
    var requestBuilder: RequestBuilder { get }
    /// Ways to get the values of the credentials' variables by logging in.
    var logins: [Login] { get }

    /// Finds the API's own message about a failure in the body of a failed response.
    func failureMessage(in body: [UInt8]) -> String?
    /// Returns the endpoints in the order in which they are listed, without examining them.
    func entries(of api: CatalogueAPI) throws -> [EndpointEntry]
    /// Returns the endpoints as a listing shows them.
    func summaries(of api: CatalogueAPI) throws -> [EndpointSummary]
    /// Examines the endpoints that can be called.
    func declarations(of api: CatalogueAPI) throws -> [EndpointDeclaration]
    /// Returns the shapes of the endpoints' responses.
    func responseShapes(of declarations: [EndpointDeclaration]) -> ResponseShapes
    /// Returns the shape of an object with the parameters of each endpoint.
    func parameterShapes(of declarations: [EndpointDeclaration]) throws -> [ModelShape]
    /// Returns the line of each offset in the text of a document.
    func lines(of offsets: Set<Int>) -> [Int: Int]
    /// Returns the examples in the order of their declaration.
    func exampleOrder() throws -> [ExampleNumber]
    /// Returns sentences about parts that can't be used, and that no endpoint tells of.
    func omissions() -> [String]
    /// Returns the probable mistakes in the declaration.
    func lint() -> [LintFinding]
}

/// An endpoint whose parameters have not been examined yet. Listings need no more than that, and it is found fast.
package struct EndpointEntry: Sendable {
    package let api: CatalogueAPI
    /// The endpoint's own name on the command line: `new-movies`.
    package let endpointName: String
    private let examine: @Sendable () throws -> EndpointDeclaration?

    /// Makes the entry of an endpoint.
    ///
    /// - Parameters:
    ///   - api: The API of the endpoint.
    ///   - endpointName: The endpoint's own name.
    ///   - examine: Examines the endpoint, as ``declaration()`` does.
    package init(
        _ api: CatalogueAPI, endpointName: String, examine: @escaping @Sendable () throws -> EndpointDeclaration?
    ) {
        self.api = api
        self.endpointName = endpointName
        self.examine = examine
    }

    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }

    /// Examines the endpoint's parameters.
    ///
    /// - Returns: The endpoint; nil if it can't be called, because no example shows values that its parameters accept.
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    package func declaration() throws -> EndpointDeclaration? { try examine() }
}

/// An endpoint as a listing shows it.
package struct EndpointSummary: Sendable, Encodable {
    /// The full name on the command line: `movies.new-movies`.
    package let name: String
    /// The method, such as `GET`; empty if the endpoint can't be called.
    package let method: String
    /// The path with `{name}` in place of parameters; empty if the endpoint can't be called.
    package let path: String
    /// A few words about the endpoint.
    package let summary: String

    package init(name: String, method: String, path: String, summary: String) {
        self.name = name
        self.method = method
        self.path = path
        self.summary = summary
    }
}
