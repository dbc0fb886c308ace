import EndpointKit
import EndpointTools
import Endpoints
import TestSupport
import Testing

/// The text of a request that an example is expected to send, or sends.
struct RequestRow: Equatable, Sendable, CustomTestStringConvertible {
    /// The endpoint's name on the command line.
    let id: String
    let method: String
    /// The text with `(redacted)` in place of secrets.
    let url: String
    let headers: [String]
    let body: String

    var testDescription: String { id }

    init(
        _ id: String, _ url: String, method: String = "GET", headers: [String] = ["Accept: application/json"],
        body: String = ""
    ) {
        self.id = id
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Returns the request that the endpoint's first example sends.
    func actual() throws -> RequestRow {
        let options = RequestOptions(variables: { "value of \($0)" }, missingCredential: .fail, boundary: "b")
        let request = try Catalogue.firstRequest(id, options)
        return RequestRow(
            id, request.redactedURL, method: request.method.rawValue, headers: request.headers.map(\.description),
            body: String(decoding: try #require((request.body ?? RequestBody(bytes: [])).bytes), as: UTF8.self))
    }

    /// The names of the endpoints of `apis`, each once for every example.
    static func exampleNames(of apis: [any API.Type]) -> [String] {
        apis.flatMap { api in
            ((try? CatalogueAPI(api).declarations()) ?? []).flatMap { declaration in
                declaration.examples.map { _ in declaration.name }
            }
        }
    }
}
