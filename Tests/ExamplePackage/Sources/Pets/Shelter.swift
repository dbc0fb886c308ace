import EndpointKit

/// An API with one endpoint for each feature that Pets and Clinic do not use.
public enum Shelter: API {
    case animals(page: Int?)
    case find(filters: [String: String])
    case notes(cursor: String?)
    case visits(page: Int?)
    case donations(page: Int?, since: Int?)
    case admit(_ animal: Animal)
    case weigh(records: [Weighing])
    case log(event: Event)
    case photo(id: Int, title: String, path: String)
    case describe(id: Int, text: String)
    case importAll(rows: String)
    case replace(id: Int, document: JSONValue)
    case adopt(id: Int)
    case open
    case purge

    public struct Animal: Codable, Sendable {
        public var name: String
        public var owner: Owner?

        public struct Owner: Codable, Sendable { public var city: String }
    }

    public struct Weighing: Codable, Sendable {
        public var animal: Int
        public var grams: Int?
    }

    public enum Event: Codable, Sendable {
        case moved(cage: Int, by: String?)
        case renamed(String)
        case closed
    }

    public static let api = APIInfo(
        name: "shelter",
        summary: "An animal shelter",
        servers: [Server("production", url: "https://shelter.example.com")])
    public static let examples: [Shelter] = [
        .animals(page: 1), .find(filters: ["kind": "dog"]), .notes(cursor: nil), .visits(page: nil),
        .donations(page: 1, since: nil), .admit(Animal(name: "Rex", owner: .init(city: "Oslo"))),
        .weigh(records: [Weighing(animal: 1, grams: 900)]), .log(event: .moved(cage: 3, by: nil)),
        .log(event: .renamed("Max")), .log(event: .closed), .photo(id: 1, title: "Rex", path: "rex.jpg"),
        .describe(id: 1, text: "shy"), .importAll(rows: "1,Rex"), .replace(id: 1, document: ["name": "Max"]),
        .adopt(id: 1), .open, .purge,
    ]

    public var endpoint: Endpoint {
        switch self {
        case .animals(let page):
            .get(
                "/animals", query: ["page": page], returns: AnimalPage.self, summary: "Animals, page by page",
                pages: .number("page", last: "total_pages", items: "results"))
        case .find(let filters):
            .get("/find", query: Endpoint.Query(filters), returns: [Animal].self, summary: "Animals of some kind")
        case .notes(let cursor):
            .get(
                "/notes", query: ["cursor": cursor], returns: NotePage.self, summary: "Notes",
                pages: .cursor("cursor", from: "next", items: "notes"))
        case .visits(let page):
            .get("/visits", query: ["page": page], returns: [JSONValue].self, summary: "Visits", pages: .link())
        case .donations(let page, let since):
            .get(
                "/donations", query: ["page": page, "since": since], returns: [JSONValue].self, summary: "Donations",
                rules: [.mutuallyExclusive("page", "since")], pages: .header("X-Next-Page"))
        case .admit(let animal):
            .post(
                "/animals", body: .json(animal), returns: EmptyResponse.self, summary: "Admit an animal",
                notes: ["name": "what it is called", "owner.city": "where the owner lives"])
        case .weigh(let records):
            .put("/weights", body: .json(records), returns: EmptyResponse.self, summary: "Weights of several animals")
        case .log(let event):
            .post("/log", body: .json(event), returns: EmptyResponse.self, summary: "Log an event")
        case .photo(let id, let title, let path):
            .post(
                "/animals/\(id)/photos",
                body: .multipart([.field("title", title), .file("photo", path: path, contentType: "image/jpeg")]),
                returns: EmptyResponse.self, summary: "Upload a photo", notes: ["path": "the file to send"])
        case .describe(let id, let text):
            .put("/animals/\(id)/text", body: .text(text), returns: EmptyResponse.self, summary: "Describe an animal")
        case .importAll(let rows):
            .post(
                "/import", body: .data(Array(rows.utf8), contentType: "text/csv"), returns: Receipt.self,
                summary: "Import a table")
        case .replace(let id, let document):
            .put("/animals/\(id)", body: .json(document), returns: EmptyResponse.self, summary: "Replace an animal")
        case .adopt(let id):
            .post(
                "/animals/\(id)/adopt", headers: ["Prefer": "return=minimal"], body: .json(["visible": false]),
                returns: EmptyResponse.self, summary: "Take an animal home")
        case .open: .head("/open", summary: "Whether the shelter is open")
        case .purge:
            Endpoint(
                "PURGE", "/cache", returns: Receipt.self, summary: "Empty the cache",
                sample: .json(Array(#"{"status": "ok"}"#.utf8)))
        }
    }
}

public struct AnimalPage: Codable, Sendable {
    public var results: [Shelter.Animal]
    public var totalPages: Int

    private enum CodingKeys: String, CodingKey {
        case results
        case totalPages = "total_pages"
    }
}

public struct NotePage: Codable, Sendable {
    public var notes: [String]
    public var next: String?
}

public struct Receipt: Codable, Sendable, Validated {
    public var status: String
    public var reason: String?

    public func validate() throws(ReportedFailure) {
        if status != "ok" { throw ReportedFailure(reason ?? status) }
    }
}
