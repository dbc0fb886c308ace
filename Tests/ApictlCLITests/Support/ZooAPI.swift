import EndpointKit

@testable import ApictlCLI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
#endif

/// An API with parameters and bodies of every shape.
enum Zoo: API {
    case add(_ pet: Pet)
    case find(_ kind: Kind, limit: Int?)
    case filter(filters: [String: String])
    case limits(limits: [String: Int]?)
    case label(_ labels: [String: String])
    case records(records: [Record])
    case log(event: Event)
    case store(value: JSONValue)
    case change(nickname: Nullable<String>?, age: Nullable<Int>?)
    case mixed(name: String, age: Int?, tags: [String]?)
    case since(_ date: Date)
    case everySince(since: Date, dates: [Date])
    case file(path: String)
    case joined(ids: [Int]?, dates: [Date]?)
    case tell(text: String)
    case page(page: Int?, size: Int?, cursor: String?, id: [Int]?)
    case open
    case read
    case lines
    case wrong
    case vet(owner: Owner)
    case spot(_ marks: Marks)
    case hidden(id: Int)

    enum Kind: String, Codable, CaseIterable, ScalarParameter { case cat, dog }

    struct Pet: Codable, Sendable {
        var name: String
        var kind: Kind?
        var tags: [String]?
        var home: Home?
        var sizes: [String: Int]?

        struct Home: Codable, Sendable { var city: String }
    }

    struct Record: Codable, Sendable {
        var name: String
        var ttl: Int?
    }

    enum Event: Codable, Sendable {
        case created(id: Int, by: String?)
        case moved(Pet.Home)
        case renamed(String)
        case closed
    }

    struct Marks: Codable, Sendable {
        var colour: String?
        var count: Int?
    }

    struct Owner: Codable, Sendable { var pets: [Pet] }

    static let api = APIInfo(
        name: "zoo",
        servers: [
            Server("main", url: "https://zoo.test"),
            Server("test", url: "https://test.zoo.test", credentials: [.bearer(variable: "ZOO_TEST")]),
        ],
        credentials: [
            .query("key", variable: "ZOO_KEY", helpURL: "https://zoo.test/keys")
                .or(.bearer(variable: "ZOO_TOKEN", helpURL: "https://zoo.test/tokens")).optional
        ],
        samples: Samples(Array(#"{"read": {"a": 1,  "b": [2]}, "every-since": {"n": 1.0}}"#.utf8)),
        errorModel: Problem.self)

    struct Problem: ErrorModel {
        var code: Int
        var reason: String
        var message: String { "\(reason) (\(code))" }
    }

    /// A model that can only be read.
    struct Reading: Decodable, Sendable { var a: Int }

    private static let rex = Pet(
        name: "Rex", kind: .dog, tags: ["a"], home: Pet.Home(city: "Oslo"), sizes: ["tail": 3])

    static let examples: [Zoo] = [
        .add(rex), .find(.cat, limit: 5), .filter(filters: ["colour": "red", "size": "big"]), .limits(limits: ["a": 1]),
        .label(["a": "1"]), .records(records: [Record(name: "x", ttl: nil), Record(name: "y", ttl: 5)]),
        .log(event: .created(id: 3, by: nil)), .log(event: .moved(Pet.Home(city: "Rome"))),
        .log(event: .renamed("Max")),
        .log(event: .closed), .store(value: ["a": 1]), .change(nickname: .null, age: nil),
        .mixed(name: "n", age: 3, tags: nil), .since(Date(timeIntervalSince1970: 0)),
        .everySince(since: Date(timeIntervalSince1970: 0), dates: []), .file(path: "a/b.txt"),
        .joined(ids: [1, 2], dates: nil), .tell(text: "hi"), .page(page: 1, size: nil, cursor: nil, id: nil), .open,
        .read,
        .lines, .wrong, .vet(owner: Owner(pets: [rex])), .spot(Marks(colour: "red")),
    ]

    var endpoint: Endpoint {
        switch self {
        case .add(let pet):
            .post(
                "/pets", body: .json(pet), returns: EmptyResponse.self, summary: "Add a pet",
                notes: ["name": "what it is called", "home.city": "where it lives"], rules: [.range("sizes", 1...9)])
        case .find(let kind, let limit):
            .get("/pets/\(kind)", query: ["limit": limit ?? 20], returns: JSONValue.self, summary: "Find pets")
        case .filter(let filters):
            .get("/filter", query: ["filter": filters], returns: JSONValue.self, summary: "A dictionary in a query")
        case .limits(let limits):
            .get(
                "/limits", query: ["page": 1] + Endpoint.Query(limits), returns: JSONValue.self,
                summary: "Keys as names")
        case .label(let labels): .put("/labels", body: .json(labels), returns: EmptyResponse.self, summary: "Labels")
        case .records(let records):
            .put(
                "/records", body: .json(records), returns: EmptyResponse.self, summary: "Records",
                notes: ["records.ttl": "in seconds"])
        case .log(let event): .post("/log", body: .json(event), returns: EmptyResponse.self, summary: "Log an event")
        case .store(let value): .put("/store", body: .json(value), returns: EmptyResponse.self, summary: "Store JSON")
        case .change(let nickname, let age):
            .patch(
                "/me", body: .object(["nickname": nickname, "age": age]), returns: EmptyResponse.self,
                summary: "Change oneself")
        case .mixed(let name, let age, let tags):
            .post(
                "/mixed", body: .object(["name": name, "age": age, "tags": tags, "version": 2, "on": true]),
                returns: EmptyResponse.self, summary: "A body of several types")
        case .since(let date): .get("/since/\(date)", returns: JSONValue.self, summary: "A date in the path")
        case .everySince(let since, let dates):
            .post(
                "/since/\(since)", query: ["since": since, "all": dates.joined(by: " "), "in": ["a": since]],
                body: .object(["since": since]), returns: JSONValue.self, summary: "A date everywhere")
        case .file(let path): .get("/files/\(segments: path)/raw", returns: RawResponse.self, summary: "A file")
        case .joined(let ids, let dates):
            .get(
                "/joined", query: ["ids": ids?.joined(by: ","), "dates": dates?.joined(by: "|")],
                returns: JSONValue.self,
                summary: "Joined values")
        case .tell(let text): .post("/tell", body: .text(text), returns: EmptyResponse.self, summary: "A text body")
        case .page(let page, let size, let cursor, let id):
            .get(
                "/page", query: ["page": page, "size": size, "cursor": cursor, "id": id], returns: JSONValue.self,
                summary: "A page",
                rules: [
                    .range("page", 1...500), .range("size", 1...), .range("id", ...9),
                    .mutuallyExclusive("page", "cursor"),
                ])
        case .open: .get("/open", returns: JSONValue.self, summary: "Needs no key", credentials: [])
        case .read: .get("/read", returns: Reading.self, summary: "A model that can only be read")
        case .lines: .get("/lines", returns: [Record].self, summary: "One record a line")
        case .wrong: .get("/wrong", returns: JSONValue.self, summary: "Fails")
        case .vet(let owner):
            .put("/vet", body: .json(owner), returns: EmptyResponse.self, summary: "Lists in structures")
        case .spot(let marks):
            .get("/spots", query: Endpoint.Query(marks), returns: JSONValue.self, summary: "Optional fields alone")
        case .hidden(let id): .get("/hidden/\(id)", returns: JSONValue.self, summary: "Has no example")
        }
    }
}

/// An API with keys in snake case, not all of which survive the way to camel case and back.
enum Snake: API {
    case get
    case since(since: Date)

    struct Model: Codable, Sendable {
        var id: String
        var userName: String
        var dbSize: Int

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case userName, dbSize
        }
    }

    static let api = APIInfo(
        name: "snake",
        servers: [Server("main", url: "https://snake.test")],
        coding: Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970),
        // With the variable of `Movies`.
        credentials: [.query("key", variable: "MOVIES_KEY").optional])
    static let examples: [Snake] = [.get, .since(since: Date(timeIntervalSince1970: 0))]

    var endpoint: Endpoint {
        switch self {
        case .get: .get("/", returns: Model.self, summary: "")
        case .since(let since):
            .post(
                "/\(since)", query: ["since": since], body: .object(["since": since]), returns: EmptyResponse.self,
                summary: "")
        }
    }
}
