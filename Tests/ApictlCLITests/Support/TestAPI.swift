import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
#endif

/// An API with a key in the query, or else a bearer token.
enum Movies: API {
    case popular(page: Int?)
    case newMovies(page: Int?, region: String?)
    case details(_ id: String, language: String?)
    case search(query: String, adult: Bool?, sort: Sort?, genres: [Int]?, since: Date?)
    case rate(_ id: Int, rating: Rating)
    case forget(_ id: Int)
    case poster(_ id: Int)

    enum Sort: String, Codable, CaseIterable, ScalarParameter {
        case title
        case releaseDate = "release-date"
    }

    static let api = APIInfo(
        name: "movies",
        servers: [
            Server("production", url: "https://api.movies.test/3"),
            Server("staging", url: "https://staging.movies.test/3"),
        ],
        credentials: [
            .query("api_key", variable: "MOVIES_KEY").or(.bearer(variable: "MOVIES_TOKEN"))
        ],
        headers: ["X-Client": "tests"])
    static let examples: [Movies] = [
        .popular(page: 1), .newMovies(page: 2, region: "NZ"), .details("550", language: nil),
        .search(
            query: "blade runner", adult: false, sort: .title, genres: [12, 878], since: Date(timeIntervalSince1970: 0)),
        .rate(
            550, rating: Rating(value: 8.5, comment: "good", by: Person(name: "Ann", age: 30), tags: ["dark", "long"])),
        .forget(550), .poster(550),
    ]

    var endpoint: Endpoint {
        switch self {
        case .popular(let page):
            .get(
                "/movie/popular", query: ["page": page], returns: MoviePage.self, summary: "Popular right now",
                notes: ["page": "1 to 500"],
                pages: .number("page", last: "total_pages", items: "results"),
                sample: .json(Array(MoviePage.sample.utf8)))
        case .newMovies(let page, let region):
            .get(
                "/movie/now_playing", query: ["page": page, "region": region], returns: MoviePage.self,
                summary: "In cinemas now", pages: .cursor("after", from: "next", items: "results"))
        case .details(let id, let language):
            .get("/movie/\(id)", query: ["language": language], returns: Movie.self, summary: "One movie")
        case .search(let query, let adult, let sort, let genres, let since):
            .get(
                "/search", query: ["query": query, "adult": adult, "sort": sort, "genre": genres, "since": since],
                returns: MoviePage.self, summary: "Movies by title")
        case .rate(let id, let rating):
            .post("/movie/\(id)/rating", body: .json(rating), returns: Receipt.self, summary: "Rate a movie")
        case .forget(let id):
            .delete("/movie/\(id)/rating", returns: EmptyResponse.self, summary: "Take a rating back", sample: .empty)
        case .poster(let id):
            .get(
                "/movie/\(id)/poster", returns: RawResponse.self, summary: "The poster as an image",
                sample: Sample("image/png", [0x89, 0x50, 0x4E, 0x47, 0, 1]))
        }
    }
}

struct MoviePage: Codable, Sendable {
    var page: Int
    var results: [Movie]
    var totalPages: Int

    enum CodingKeys: String, CodingKey {
        case page, results
        case totalPages = "total_pages"
    }

    /// The sample as it is printed.
    static let indentedSample = """
        {
          "total_pages": 7,
          "page": 1,
          "extra": true,
          "results": [
            {
              "title": "Alien",
              "id": 348,
              "score": 8.10
            },
            {
              "id": 78,
              "title": "Blade Runner",
              "released": null
            }
          ]
        }
        """

    /// The sample as the model has it, on one line.
    static let compactSample =
        #"{"total_pages":7,"page":1,"results":[{"title":"Alien","id":348,"score":8.10},{"id":78,"title":"Blade Runner","released":null}]}"#
        + "\n"

    static let sample = """
        {"total_pages": 7, "page": 1, "extra": true, "results": [
          {"title": "Alien", "id": 348, "score": 8.10}, {"id": 78, "title": "Blade Runner", "released": null}]}
        """
}

struct Movie: Codable, Sendable {
    var id: Int
    var title: String
    var released: String?
    var score: Decimal?
}

struct Rating: Codable, Sendable {
    var value: Double
    var comment: String?
    var by: Person?
    var tags: [String]?
}

struct Person: Codable, Sendable {
    var name: String
    var age: Int?
}

/// A response that may say that the call failed, whatever the status.
struct Receipt: Codable, Sendable, Validated {
    var status: String
    var reason: String?

    func validate() throws(ReportedFailure) {
        if status != "OK" { throw ReportedFailure([status, reason].compactMap(\.self).joined(separator: ": ")) }
    }
}

/// An API without credentials of its own, with one endpoint for each thing a request can hold.
enum Echo: API {
    case path(_ word: String)
    case header(value: String)
    case query(name: String?, list: [String]?)
    case form(name: String, tags: [String]?)
    case upload(title: String, file: String)
    case note(note: Note)
    case notes(notes: [Note])
    case store(data: String)
    case ping
    case head
    case login
    case limits(verbose: Bool?)
    case types(small: Int8?, ratio: Double?, price: Decimal?, link: URL?, id: UUID?, level: Level?)
    case raw(raw: Bool)
    case all(_ word: String, name: String, note: Note)

    enum Level: Int, Codable, CaseIterable, ScalarParameter {
        case low = 1
        case high = 9
    }

    static let api = APIInfo(name: "echo", servers: [Server("local", url: "http://127.0.0.1:9/")])
    static let examples: [Echo] = [
        .path("a b"), .header(value: "x"), .query(name: "n", list: ["a", "b"]), .form(name: "n", tags: ["t"]),
        .upload(title: "t", file: "a.txt"), .note(note: Note(title: "t", text: nil)),
        .notes(notes: [Note(title: "t", text: nil)]), .store(data: "x"), .ping, .head, .login, .limits(verbose: true),
        .types(small: 1, ratio: 0.5, price: 9.99, link: nil, id: nil, level: .high), .raw(raw: true),
        .all("a b", name: "n", note: Note(title: "t", text: nil)),
    ]

    var endpoint: Endpoint {
        switch self {
        case .path(let word):
            .get(
                "/path/\(word)/end", returns: RawResponse.self, summary: "A path",
                sample: Sample("text/plain", Array("hello".utf8)))
        case .header(let value):
            .get("/header", headers: ["X-Value": value], returns: RawResponse.self, summary: "A header field")
        case .query(let name, let list):
            .get("/query", query: ["name": name, "list[]": list], returns: JSONValue.self, summary: "A query")
        case .form(let name, let tags):
            .post("/form", body: .form(["name": name, "tag": tags]), returns: JSONValue.self, summary: "A form")
        case .upload(let title, let file):
            .post(
                "/upload",
                body: .multipart([.field("title", title), .file("file", path: file, contentType: "text/plain")]),
                returns: JSONValue.self, summary: "A file in a form")
        case .note(let note):
            .post("/note", body: .json(note), returns: Note.self, summary: "A JSON body")
        case .notes(let notes):
            .put("/notes", body: .json(notes), returns: JSONValue.self, summary: "A list as a JSON body")
        case .store(let data):
            .put(
                "/store", body: .data(data.exactBytes, contentType: "text/plain"), returns: EmptyResponse.self,
                summary: "A body of any type")
        case .ping:
            .post("/ping", returns: EmptyResponse.self, summary: "A POST without a body")
        case .head:
            Endpoint(.head, "/head", returns: EmptyResponse.self, summary: "Header fields alone")
        case .login:
            .get(
                "/login", returns: Person.self, summary: "Basic authentication",
                credentials: [.basic(userVariable: "ECHO_USER", passwordVariable: "ECHO_PASSWORD")])
        case .limits(let verbose):
            .get(
                "/limits", query: ["verbose": verbose], returns: JSONValue.self, summary: "An optional token",
                credentials: [.bearer(variable: "ECHO_TOKEN").optional])
        case .types(let small, let ratio, let price, let link, let id, let level):
            .get(
                "/types",
                query: ["small": small, "ratio": ratio, "price": price, "link": link, "id": id, "level": level],
                returns: JSONValue.self, summary: "A parameter of each type")
        case .raw(let raw):
            .get(
                "/raw", query: ["raw": raw], returns: JSONValue.self, summary: "A parameter with the name of an option")
        case .all(let word, let name, let note):
            .put(
                "/all/\(word)", query: ["name": name], body: .json(note), returns: JSONValue.self,
                summary: "Path, query and body at once")
        }
    }
}

struct Note: Codable, Sendable {
    var title: String
    var text: String?
}
