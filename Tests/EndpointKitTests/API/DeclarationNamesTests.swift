import EndpointKit
import TestSupport
import Testing

/// The names that cases may have, the methods of endpoints, and the names of parameters.
struct DeclarationNamesTests {
    /// Each case has the name of a part of ``APIInfo``.
    enum Named: API, Equatable {
        case name, summary, servers, coding, credentials, logins, headers, samples, errorModel
        case item(_ id: Int, page: Int?)

        static let api = APIInfo(name: "named", servers: [Server("main", url: "https://h.test")], headers: ["X": "1"])
        static let examples: [Named] = [.name, .item(1, page: nil)]

        var endpoint: Endpoint {
            switch self {
            case .name: .get("/", returns: EmptyResponse.self, summary: "")
            case .summary: .head("/", summary: "")
            case .servers: .post("/", returns: EmptyResponse.self, summary: "")
            case .coding: .put("/", returns: EmptyResponse.self, summary: "")
            case .credentials: .patch("/", returns: EmptyResponse.self, summary: "")
            case .logins: .delete("/", returns: EmptyResponse.self, summary: "")
            case .headers: .options("/", returns: EmptyResponse.self, summary: "")
            case .samples: Endpoint("PURGE", "/", returns: EmptyResponse.self)
            case .errorModel: Endpoint(.get, "/", body: .text("x"), returns: EmptyResponse.self)
            case .item(let id, let page):
                .get(
                    "/\(id)", query: ["page": page], returns: EmptyResponse.self, summary: "",
                    notes: [0: "an id", "page": "from 1"], rules: [.range(0, 1...9), .mutuallyExclusive(0, "other")])
            }
        }
    }

    static let methods: [(Named, String)] = [
        (.name, "GET"), (.summary, "HEAD"), (.servers, "POST"), (.coding, "PUT"), (.credentials, "PATCH"),
        (.logins, "DELETE"), (.headers, "OPTIONS"), (.samples, "PURGE"), (.errorModel, "GET"),
    ]

    @Test(arguments: methods)
    func `Cases may have the names of the properties of APIInfo`(call: Named, method: String) throws {
        let request = try call.request()
        #expect(request.method.rawValue == method)
        #expect(request.headers.contains { $0.description == "X: 1" })
    }

    @Test func `Notes and rules name parameters by label or position`() throws {
        let call = Named.item(1, page: 2)
        #expect(call.endpoint.notes == ["_0": "an id", "page": "from 1"])
        #expect(call.endpoint.rules.flatMap(\.parameters) == ["_0", "_0", "other"])
        #expect(throws: RequestError.ruleViolation(.outOfBounds(parameter: "_0", value: "10", bounds: "1 to 9"))) {
            try Named.item(10, page: nil).request()
        }
    }
}
