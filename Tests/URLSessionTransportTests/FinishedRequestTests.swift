import EndpointKit
import EndpointTools
import Foundation
import TestSupport
import Testing
import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Endpoints that an app makes from its `URLRequest`s.
struct FinishedRequestTests {
    enum Shop: API {
        case list(status: String?, page: Int)
        case get(id: String)
        case add(name: String)
        case elsewhere

        static let api = APIInfo(
            name: "shop",
            servers: [
                Server("production", url: "https://shop.example.com/v1"),
                Server("staging", url: "https://staging.example.com"),
            ])
        static let examples: [Shop] = [.list(status: "a b", page: 1), .get(id: "7"), .add(name: "Rex")]

        var urlRequest: URLRequest {
            let production = "https://shop.example.com/v1"
            switch self {
            case .list(let status, let page):
                let items =
                    [URLQueryItem(name: "page", value: "\(page)")]
                    + (status.map { [URLQueryItem(name: "status", value: $0)] } ?? [])
                return URLRequest(url: address(production + "/pets").appending(queryItems: items))
            case .get(let id):
                return URLRequest(url: address("https://staging.example.com/v1/pets/\(id)#top"))
            case .add(let name):
                var request = URLRequest(url: address(production + "/pets"))
                request.httpMethod = "POST"
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                request.setValue("fr", forHTTPHeaderField: "Accept-Language")
                request.httpBody = Data(#"{"name": "\#(name)"}"#.utf8)
                return request
            case .elsewhere: return URLRequest(url: address("https://shop.example.com/v10/pets"))
            }
        }

        var endpoint: Endpoint { Endpoint(urlRequest, returns: JSONValue.self) }
    }

    @Test(
        "The server's base URL is removed from the URL, and the rest is sent",
        arguments: [
            (Shop.list(status: "a b", page: 1), "GET http://127.0.0.1/pets?page=1&status=a%20b"),
            (Shop.list(status: nil, page: 2), "GET http://127.0.0.1/pets?page=2"),
            // `URLQueryItem` does not encode a plus sign, and servers read it as a space.
            (Shop.list(status: "a+b", page: 1), "GET http://127.0.0.1/pets?page=1&status=a%20b"),
            (Shop.get(id: "a/b"), "GET http://127.0.0.1/v1/pets/a/b"),
            (Shop.add(name: "Rex"), "POST http://127.0.0.1/pets"),
        ])
    func sent(_ call: Shop, _ line: String) throws {
        let request = try call.request(RequestOptions(base: BaseURL("http://127.0.0.1")))
        #expect("\(request.method) \(request.redactedURL)" == line)
    }

    @Test("The headers and the body of the URLRequest are sent")
    func headersAndBodyAreThoseOfTheRequest() throws {
        let request = try Shop.add(name: "Rex").request()
        #expect(
            request.headers.map(\.description) == [
                "Accept-Language: fr", "Content-Type: application/json", "Accept: application/json",
            ])
        #expect(request.body?.bytes == Array(#"{"name": "Rex"}"#.utf8))
    }

    @Test("A body stream is sent, and a stream that was read before is an error")
    func bodyStreamsAreRead() async throws {
        var urlRequest = URLRequest(url: address("https://shop.example.com/v1/pets"))
        urlRequest.httpMethod = "POST"
        urlRequest.setValue("text/csv", forHTTPHeaderField: "Content-Type")
        let content = [UInt8](repeating: 9, count: 100_000)
        urlRequest.httpBodyStream = InputStream(data: Data(content))
        let stream = try #require(Self.bodyStream(urlRequest, contentType: "text/csv"))
        var bytes: [UInt8] = []
        try await stream.readChunks { bytes += $0 }
        #expect(bytes == content)
        await #expect(throws: TransportError.self) { try await stream.readChunks { _ in } }
        let secondStream = try #require(Self.bodyStream(urlRequest, contentType: "text/csv"))
        await #expect(throws: TransportError.self) { try await secondStream.readChunks { _ in } }
    }

    /// Returns the body stream of the endpoint that is made from a request, or nil if its body is no such stream.
    private static func bodyStream(_ request: URLRequest, contentType: String) -> BodyStream? {
        guard case .stream(let stream, contentType: contentType)? = Endpoint(request, returns: EmptyResponse.self).body
        else {
            return nil
        }
        return stream
    }

    @Test("Parameters are found in the URL and the body of the URLRequest")
    func parametersAreFoundInTheRequest() throws {
        let summaries = try CatalogueAPI(Shop.self).summaries().prefix(3).map { "\($0.method) \($0.path)" }
        #expect(summaries == ["GET /pets", "GET /v1/pets/{id}", "POST /pets"])
        let places = try CatalogueAPI(Shop.self).declarations().prefix(3).map { ParameterPlaces(of: $0).places }
        #expect(places == [["status": [.query], "page": [.query]], ["id": [.path]], ["name": [.body]]])
    }

    @Test("Lint refuses a credential in a URLRequest with the declaration to use, and it is never shown")
    func literalCredentials() throws {
        enum Signed: API {
            case bearer, basic, key, query
            static let api = APIInfo(name: "shop", servers: Shop.api.servers)
            static let examples = [Signed.bearer, .basic, .key, .query]

            var endpoint: Endpoint {
                var request = URLRequest(
                    url: address("https://shop.example.com/v1/a" + (self == .query ? "?api_key=s3cret" : "")))
                switch self {
                case .bearer: request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
                case .basic: request.setValue("Basic s3cret", forHTTPHeaderField: "Authorization")
                case .key: request.setValue("s3cret", forHTTPHeaderField: "X-Api-Key")
                case .query: request.setValue("text/html", forHTTPHeaderField: "Accept")
                }
                return Endpoint(request, returns: RawResponse.self)
            }
        }
        let advice = "holds a credential: leave it out, and declare"
        #expect(
            Signed.lint().map(\.description) == [
                #"shop.bearer: the header 'Authorization' \#(advice) .bearer(variable: "SHOP_TOKEN") in 'credentials'"#,
                #"shop.basic: the header 'Authorization' \#(advice) .basic(userVariable: "SHOP_USER", "#
                    + #"passwordVariable: "SHOP_PASSWORD") in 'credentials'"#,
                #"shop.key: the header 'X-Api-Key' \#(advice) .header("X-Api-Key", variable: "SHOP_X_API_KEY") in "#
                    + "'credentials'",
                #"shop.query: the query item 'api_key' \#(advice) .query("api_key", variable: "SHOP_API_KEY") in "#
                    + "'credentials'",
            ])
        for call in Signed.examples {
            let request = try call.request()
            #expect(try request.revealedURL().contains("s3cret") == (call == .query))
            #expect(!Redactor(request).redact("\(request.redactedURL) \(request.headers)").contains("s3cret"))
        }
    }

    @Test("A URL outside the API's servers is refused")
    func aURLOfNoServerIsRefused() throws {
        #expect(throws: RequestError.urlOutsideServers(url: "https://shop.example.com/v10/pets")) {
            try Shop.elsewhere.request()
        }
        enum Lost: API {
            case get
            static let api = APIInfo(name: "lost", servers: Shop.api.servers)
            static let examples = [Lost.get]
            var endpoint: Endpoint { Shop.elsewhere.endpoint }
        }
        #expect(
            Lost.lint().map(\.problem) == [
                "its URL, https://shop.example.com/v10/pets, is at none of the API's servers"
            ])
    }
}

private func address(_ text: String) -> URL { URL(string: text) ?? URL(filePath: text) }
