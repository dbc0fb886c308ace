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
