import EndpointKit

/// The Marvel Comics API (developer.marvel.com).
public enum Marvel: API {
    case characters(name: String)
    case character(_ identifier: String)

    public static let api = APIInfo(
        name: "marvel",
        summary: "Marvel Comics",
        servers: [Server("production", url: "https://gateway.marvel.com:443")],
        credentials: [
            .query("apikey", variable: "MARVEL_API_KEY", helpURL: "https://developer.marvel.com/account"),
            .signed(by: MarvelSignature(), helpURL: "https://developer.marvel.com/account").optional,
        ],
        samples: Samples(PackageResources.marvel_json))
    public static let examples: [Marvel] = [.characters(name: "Spider-Man"), .character("1011334")]

    public var endpoint: Endpoint {
        switch self {
        case .characters(let name):
            .get(
                "/v1/public/characters", query: ["name": name], returns: CharacterResponse.self,
                summary: "Characters with a name", notes: ["name": "the full name, such as Spider-Man"],
                pages: .offset("offset", limit: "limit", total: "data.total", items: "data.results"))
        case .character(let identifier):
            .get(
                "/v1/public/characters/\(identifier)", returns: CharacterResponse.self, summary: "One character",
                notes: [0: "a character's id"])
        }
    }
}
