import FoundationEssentials
import EndpointKit
public enum Catalogue { public static let apis: [any API.Type] = [M.self] }
struct Pg: Codable { var page: Int; var results: [R]; struct R: Codable { var id: Int; var title: String? } }
enum M: API {
  case popular(page: Int?), recommended(id: Int, page: Int?), ch(_ name: String), post(product: P?, when: Date?)
  struct P: Codable { var title: String; var price: Decimal; var tags: [String]? }
  static let name = "movies"
  static let environments = [Environment("production", "https://api.themoviedb.org/3")]
  static let credentials: [Credential] = [.query("api_key", variable: "TMDB_API_KEY").or(.bearer(variable: "TMDB_ACCESS_TOKEN"))]
  static let examples: [M] = [.popular(page: 1), .recommended(id: 550, page: 1), .ch("a"), .post(product: P(title: "x", price: 1, tags: ["a"]), when: nil)]
  var endpoint: Endpoint {
    switch self {
    case .popular(let page): .get("/movie/popular", query: ["page": page], returns: Pg.self, "Popular", sample: .json(Array(#"{"page":1,"results":[{"id":3,"title":"a"}]}"#.utf8)))
    case .recommended(let id, let page): .get("/movie/\(id)/rec", query: ["page": page], returns: Pg.self, "Rec")
    case .ch(let n): .get("/ch/\(n)", returns: RawResponse.self, "Ch")
    case .post(let p, let w): .post("/post", query: ["when": w], body: p.map { .json($0) }, returns: JSONValue.self, "Post")
    }
  }
}
