import EndpointKit
import EndpointTools
import TestSupport
import Testing

struct LintTests {
    /// An API with each mistake that lint can find.
    enum Sloppy: API {
        case firstID(page: Int?)
        case firstId
        case unused(id: Int, name: String?)
        case noted(_ pet: Pet)
        case contents(path: String?, ref: String?)
        case rules(page: Int?)
        case same(userId: Int, userID: Int)
        case forgotten(id: Int)
        case empty

        struct Pet: Codable, Sendable { var name: String }
        struct Page: Codable, Sendable { var page: Int }

        static let api = APIInfo(
            name: "sloppy",
            servers: [Server("main", url: "https://h.test")],
            // A sample that does not fit its model is not the fault of the declaration.
            samples: Samples(Array(#"{"contents": {}, "no": 1}"#.utf8)))
        static let examples: [Sloppy] = [
            .firstID(page: 1), .firstId, .unused(id: 1, name: "n"), .noted(Pet(name: "a")),
            .contents(path: "a", ref: "main"), .rules(page: 900), .same(userId: 1, userID: 2),
        ]

        var endpoint: Endpoint {
            switch self {
            case .firstID(let page): .get("/first", query: ["page": page], returns: EmptyResponse.self, summary: "")
            case .firstId: .get("/other", returns: EmptyResponse.self, summary: "")
            case .unused(let id, _): .get("/\(id)", returns: EmptyResponse.self, summary: "")
            case .noted(let pet):
                .post(
                    "/", body: .json(pet), returns: EmptyResponse.self, summary: "",
                    notes: ["name": "its name", "pet": "none"], rules: [.range("age", 1...)])
            case .contents(let path, let ref):
                .get("/contents/\(path ?? "")/\(ref ?? "HEAD")", returns: Page.self, summary: "")
            case .same(let one, let other):
                .get("/", query: ["a": one, "b": other], returns: EmptyResponse.self, summary: "")
            case .rules(let page):
                .get(
                    "/", query: ["page": page], returns: EmptyResponse.self, summary: "",
                    rules: [.range("page", 1...500)])
            case .forgotten, .empty: .get("/", returns: EmptyResponse.self, summary: "")
            }
        }
    }

    @Test("Lint finds every mistake of a declaration")
    func findsEverything() {
        #expect(
            Sloppy.lint().map(\.description) == [
                "sloppy.forgotten: no example shows it", "sloppy.empty: no example shows it",
                "sloppy.first-id: two endpoints have this name",
                "sloppy.unused: the parameter 'name' changes nothing in the request",
                "sloppy.noted: there is a note for 'pet', which is not a parameter",
                "sloppy.noted: there is a rule for 'age', which is not a parameter",
                "sloppy.contents: the parameter 'path' may be left out, but a segment of the path would then be empty",
                "sloppy.rules: example 1 breaks a rule: page: expected 1 to 500, got '900'",
                "sloppy.same: 2 parameters are called --user-id",
                "sloppy.forgotten: the parameter 'id' changes nothing in the request",
                "sloppy: there is a sample for 'no', which is not an endpoint",
            ])
    }

    /// An API with placeholders, as an import writes it. A call that writes belongs to them, not to the examples.
    private enum Imported: API {
        case list
        case add
        case remove(id: Int)

        static let api = APIInfo(name: "imported", servers: [Server("main", url: "https://h.test")])
        static let examples: [Imported] = [.list, .add]
        static let placeholders: [Imported] = [.remove(id: 1)]

        var endpoint: Endpoint {
            switch self {
            case .list: .get("/", returns: EmptyResponse.self, summary: "List")
            case .add: .post("/", returns: EmptyResponse.self, summary: "Add")
            case .remove(let id): .delete("/\(id)", returns: EmptyResponse.self, summary: "Remove")
            }
        }
    }

    @Test("Lint finds an example that writes in an API with placeholders")
    func findsExamplesThatWrite() {
        #expect(
            Imported.lint().map(\.description) == [
                "imported.add: example 1 is a POST, which check --unsafe sends: move it to 'placeholders'"
            ])
    }

    @Test("Lint finds nothing in an API without mistakes")
    func findsNothingInAGoodAPI() { #expect(Shop.lint() == []) }
}
