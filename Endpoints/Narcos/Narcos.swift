import EndpointKit

/// The API of a networking tutorial. The server does not exist; use the samples or a mock server.
public enum Narcos: API {
    case narcs(id: String)
    case police

    public static let api = APIInfo(
        name: "narcos",
        summary: "A tutorial's API; sample and mock only",
        servers: [Server("production", url: "https://api.narcos.org")],
        samples: Samples(PackageResources.narcos_json))
    public static let examples: [Narcos] = [.narcs(id: "Pablo"), .police]

    public var endpoint: Endpoint {
        switch self {
        case .narcs(let id):
            .post(
                "/3/narcs", body: .json(NarcRequest(id: id)), returns: Narc.self, summary: "Look up a trafficker",
                notes: ["id": "a name, such as Pablo"])
        case .police:
            .get("/3/police", returns: PolicePage.self, summary: "All officers on the case")
        }
    }

    private struct NarcRequest: Encodable, Sendable {
        let id: String
    }
}
