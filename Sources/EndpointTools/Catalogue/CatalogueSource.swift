import EndpointKit

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
