import EndpointKit
import EndpointTools
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ParameterPlacesTests {
    enum Map: API {
        case video(id: Int)
        case page(id: Int, page: Int?)
        case issues(owner: String, repository: String, state: String?)
        case range(from: Int, to: Int)
        case swapped(from: Int, to: Int)
        case nearby(latitude: Double, longitude: Double)
        case shifted(id: Int)
        case types(genre: Everything.Genre, since: Date, key: UUID, flag: Bool, scale: Decimal, link: URL)
        case unlabelled(Int, Int)
        case lonely(String)
        case file(name: String)
        case twice(id: Int)
        case header(language: String)
        case create(box: Crate, draft: Bool)
        case createFull(product: Everything.Product)
        case createSmall(product: Everything.Product)
        case createSized(sized: Sized)
        case form(a: String, b: [Int])
        case maybe(id: Int?)
        case unused(id: Int)
        case several(id: Int, text: String)
        case collectionID(collectionID: Int)
        case lists(ids: [Int])
        case tiny(id: UInt8)
        case data(text: String)
        case constant
        case coincidence(id: Int)
        case priced(price__gt: Double?)
        case clamped(limit: Int, page: Int, name: String)
        case exampleless(id: Int, box: Crate, since: Date?)

        struct Crate: Codable, Sendable {
            var title: String
            var width: Double?
            var tags: [String]
            var lid: Lid
        }

        struct Lid: Codable, Sendable { var open: Bool }
        struct Sized: Codable, Sendable { var size: Everything.Size }

        static let api = APIInfo(name: "map", servers: [Server("main", url: "https://h.test")])
        static let examples: [Map] = [
            .video(id: 550), .page(id: 1, page: 1), .issues(owner: "apple", repository: "swift", state: nil),
            .range(from: 1, to: 1), .swapped(from: 1, to: 1), .nearby(latitude: 1.5, longitude: 2.5), .shifted(id: 7),
            .types(
                genre: .drama, since: Everything.day, key: Everything.uuid, flag: true, scale: 2, link: Everything.url),
            .unlabelled(1, 2), .lonely("x"), .file(name: "a"), .twice(id: 3), .header(language: "de"),
            .create(box: Crate(title: "a", tags: ["b"], lid: Lid(open: true)), draft: true),
            .createFull(product: Everything.full), .createSmall(product: Everything.small),
            .createSized(sized: Sized(size: .small)), .form(a: "1", b: [1]), .maybe(id: nil), .unused(id: 1),
            .several(id: 1, text: "t"), .collectionID(collectionID: 1), .lists(ids: [1, 2]), .tiny(id: 255),
            .data(text: "x"), .constant, .coincidence(id: 1),
            .priced(price__gt: 1), .clamped(limit: 1, page: 1, name: "a"),
        ]

        var endpoint: Endpoint {
            let model = EmptyResponse.self
            return switch self {
            case .video(let id): .get("/movie/\(id)/videos", returns: model, summary: "")
            case .page(let id, let page): .get("/movie/\(id)", query: ["page": page], returns: model, summary: "")
            case .issues(let owner, let repository, let state):
                .get("/repos/\(owner)/\(repository)/issues", query: ["state": state], returns: model, summary: "")
            case .range(let from, let to): .get("/\(from)/\(to)", returns: model, summary: "")
            case .swapped(let from, let to): .get("/\(to)/\(from)", returns: model, summary: "")
            case .nearby(let latitude, let longitude):
                .get("/at/\("\(latitude),\(longitude)")", returns: model, summary: "")
            case .shifted(let id): .get("/\(id - 1)", returns: model, summary: "")
            case .types(let genre, let since, let key, let flag, let scale, let link):
                .get("/\(genre)/\(since)/\(key)/\(flag)/\(scale)/\(link)", returns: model, summary: "")
            case .unlabelled(let first, let second): .get("/\(first)/\(second)", returns: model, summary: "")
            case .lonely(let text): .get("/\(text)", returns: model, summary: "")
            case .file(let name): .get("/files/\(name).json", returns: model, summary: "")
            case .twice(let id): .get("/\(id)/\(id)", returns: model, summary: "")
            case .header(let language): .get("/", headers: ["Accept-Language": language], returns: model, summary: "")
            case .create(let crate, let draft):
                .post("/", query: ["draft": draft], body: .json(crate), returns: model, summary: "")
            case .createFull(let product), .createSmall(let product):
                .post("/", body: .json(product), returns: model, summary: "")
            case .createSized(let sized): .post("/", body: .json(sized), returns: model, summary: "")
            case .form(let a, let b): .post("/", body: .form(["a": a, "b": b]), returns: model, summary: "")
            case .maybe(let id): .get("/", query: ["id": id], returns: model, summary: "")
            case .unused: .get("/", returns: model, summary: "")
            case .several(let id, let text):
                .post(
                    "/\(id)", query: ["id": id], headers: ["X-Id": "\(id)"],
                    body: .multipart([.field("id", "\(id)"), .file("f", path: text)]), returns: model, summary: "")
            case .collectionID(let id): .get("/collections/\(id)", returns: model, summary: "")
            case .lists(let ids):
                .get("/", query: ["ids": ids.map(String.init).joined(separator: ",")], returns: model, summary: "")
            case .tiny(let id): .get("/\(id)", returns: model, summary: "")
            case .data(let text):
                .post("/", body: .data(text.bytes, contentType: "text/plain"), returns: model, summary: "")
            case .coincidence(let id): .get("/\(1)/\(id)", returns: model, summary: "")
            case .priced(let price): .get("/", query: ["price__gt": price], returns: model, summary: "")
            case .clamped(let limit, let page, let name):
                .get(
                    "/",
                    query: ["limit": max(limit, 100), "page": page == 71 ? 1 : page, "letter": name.prefix(1) + ""],
                    returns: model, summary: "")
            case .exampleless(let id, let crate, let since):
                .put("/\(id)", query: ["since": since], body: .json(crate), returns: model, summary: "")
            case .constant: .get("/a/\("b")", returns: model, summary: "")
            }
        }
    }

    /// The template of a path, and the locations of each parameter.
    struct Expected: Sendable {
        let template: String
        let places: [String: [ParameterLocation]]

        init(_ template: String, _ places: [String: [ParameterLocation]]) {
            self.template = template
            self.places = places
        }
    }

    static let endpoints: [Row<String, Expected>] = [
        ("video", "/movie/{id}/videos", ["id": [.path]]),
        ("page", "/movie/{id}", ["id": [.path], "page": [.query]]),
        (
            "issues", "/repos/{owner}/{repository}/issues",
            ["owner": [.path], "repository": [.path], "state": [.query]]
        ),
        ("range", "/{from}/{to}", ["from": [.path], "to": [.path]]),
        ("swapped", "/{to}/{from}", ["from": [.path], "to": [.path]]),
        ("nearby", "/at/{latitude,longitude}", ["latitude": [.path], "longitude": [.path]]),
        ("shifted", "/{id}", ["id": [.path]]),
        (
            "types", "/{genre}/{since}/{key}/{flag}/{scale}/{link}",
            ["genre": [.path], "since": [.path], "key": [.path], "flag": [.path], "scale": [.path], "link": [.path]]
        ),
        ("unlabelled", "/{value1}/{value2}", ["_0": [.path], "_1": [.path]]),
        ("lonely", "/{value}", ["_0": [.path]]),
        ("file", "/files/{name}.json", ["name": [.path]]),
        ("twice", "/{id}/{id}", ["id": [.path]]),
        ("header", "/", ["language": [.header]]),
        ("create", "/", ["box": [.body], "draft": [.query]]),
        ("createFull", "/", ["product": [.body]]),
        ("form", "/", ["a": [.body], "b": [.body]]),
        ("maybe", "/", ["id": [.query]]),
        ("unused", "/", ["id": []]),
        ("several", "/{id}", ["id": [.path, .query, .header, .body], "text": [.body]]),
        ("collectionID", "/collections/{collection-id}", ["collectionID": [.path]]),
        ("lists", "/", ["ids": [.query]]),
        ("tiny", "/{id}", ["id": [.path]]),
        ("data", "/", ["text": [.body]]),
        ("constant", "/a/{}", [:]),
        ("coincidence", "/{}/{id}", ["id": [.path]]),
        ("priced", "/", ["price__gt": [.query]]),
        ("clamped", "/", ["limit": [.query], "page": [.query], "name": [.query]]),
        ("exampleless", "/{id}", ["id": [.path], "box": [.body], "since": [.query]]),
    ].map { Row($0, $0, Expected($1, $2)) }

    @Test("A call's parameters are found in the path, query, headers and body of its request", arguments: endpoints)
    func finds(_ row: Row<String, Expected>) throws {
        let all = try CatalogueAPI(Map.self).declarations()
        let declaration = try #require(all.first { $0.signature.caseName == row.input })
        let places = ParameterPlaces(of: declaration)
        #expect(places.template == row.expected.template)
        #expect(places.places == row.expected.places)
        #expect(ParameterPlaces.template(of: declaration) == row.expected.template)
    }

    @Test("A list of endpoints has the same path templates")
    func listingsShowTheSamePaths() throws {
        let shown = try CatalogueAPI(Map.self).summaries().map(\.path)
        #expect(shown == (try CatalogueAPI(Map.self).declarations().map { ParameterPlaces(of: $0).template }))
    }

    /// A structure whose optional values are all absent, and one whose only value is an enum.
    static let structuresHardToChange: [Row<String, Expected>] = [
        Row("createSmall", "createSmall", Expected("/", ["product": [.body]])),
        Row("createSized", "createSized", Expected("/", ["sized": [.body]])),
    ]

    @Test(
        "A structure is found in the body even if few of its values can be changed", arguments: structuresHardToChange)
    func findsStructuresThatAreHardToChange(_ row: Row<String, Expected>) throws {
        let all = try CatalogueAPI(Map.self).declarations()
        let declaration = try #require(all.first { $0.signature.caseName == row.input })
        #expect(ParameterPlaces(of: declaration).places == row.expected.places)
    }

    @Test("Every endpoint of the API is in one of the tables")
    func everyEndpointIsInATable() throws {
        let names = try CatalogueAPI(Map.self).declarations().map(\.signature.caseName)
        #expect(names.sorted() == (Self.endpoints + Self.structuresHardToChange).map(\.id).sorted())
    }
}

/// Parameters that hold credentials, by their names or by where their values are sent.
struct CredentialParameterTests {
    private enum Door: API {
        case opened(apiKey: String, id: Int)
        case knocked(header: String, item: String, declared: String, language: String, page: Int)
        case locked(lock: Lock)

        struct Lock: Codable, Sendable { var name: String }

        static let api = APIInfo(
            name: "door",
            servers: [Server("main", url: "https://h.test")],
            credentials: [.query("number", variable: "DOOR_NUMBER").optional])
        static let examples: [Door] = [
            .opened(apiKey: "k", id: 1), .knocked(header: "a", item: "b", declared: "c", language: "de", page: 1),
            .locked(lock: Lock(name: "n")),
        ]

        var endpoint: Endpoint {
            switch self {
            case .opened(let apiKey, let id):
                .post("/\(id)", body: .json(["k": apiKey]), returns: EmptyResponse.self, summary: "Open")
            case .knocked(let header, let item, let declared, let language, let page):
                .get(
                    "/", query: ["session_id": item, "number": declared, "page": page],
                    headers: ["X-Auth": "Door \(header)", "Accept-Language": language], returns: EmptyResponse.self,
                    summary: "Knock")
            case .locked(let lock): .post("/", body: .json(lock), returns: EmptyResponse.self, summary: "Lock")
            }
        }
    }

    enum Months: API {
        case month(number: Int)
        case tilt(by: Tilt, sides: [Int])

        struct Tilt: Codable, Sendable { var angle: Double }

        static let api = APIInfo(name: "months", servers: [Server("main", url: "https://h.test")])
        static let examples = [Months.month(number: 3), .tilt(by: Tilt(angle: 0.5), sides: [])]
        var endpoint: Endpoint {
            switch self {
            case .month(let number):
                .get(
                    "/\(["jan", "feb", "mar"][number - 1])", returns: RawResponse.self, summary: "",
                    rules: [.range("number", 1...3)])
            case .tilt(let by, let sides):
                .get(
                    "/\(["no", "half", "full"][Int(by.angle * 4)])/\(sides.map { ["a", "b"][$0] }.joined())",
                    returns: RawResponse.self, summary: "",
                    rules: [.range("by.angle", 0...0.5), .range("sides", 0...1)])
            }
        }
    }

    @Test("No value beyond the bounds of its rule is tried")
    func noValueBeyondItsBoundsIsTried() throws {
        let trials = try CatalogueAPI(Months.self).declarations().flatMap { ParameterProbe($0).trials }
        #expect(
            trials.map { $0.changedCalls.map { $0.texts.joined(separator: " ") } } == [
                ["2", "1"], [#"{"angle":0}"#], ["0 1", "0"],
            ])
    }

    @Test(
        "A parameter is a credential if its name or its place in the request says so",
        arguments: [("opened", ["apiKey"]), ("knocked", ["declared", "header", "item"]), ("locked", [])])
    func areFound(_ name: String, _ expected: [String]) throws {
        let declaration = try #require(try CatalogueAPI(Door.self).declarations().first { $0.name == "door." + name })
        #expect(ParameterPlaces(of: declaration).credentials.sorted() == expected)
    }
}
