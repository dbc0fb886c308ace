import EndpointKit
import TestSupport
import Testing

struct ParameterRuleTests {
    enum Ruled: API {
        case list(page: Int?, ratio: Double?, sizes: [Int], box: Box?, id: Int?)
        case nested(_ box: Box)

        struct Box: Codable, Sendable { var width: Int }

        static let api = APIInfo(name: "ruled", servers: [Server("main", url: "https://h.test")])
        static let examples: [Ruled] = [
            .list(page: 1, ratio: nil, sizes: [], box: Box(width: 1), id: nil), .nested(Box(width: 1)),
        ]

        var endpoint: Endpoint {
            switch self {
            case .list(let page, let ratio, let sizes, let box, let id):
                .get(
                    "/", query: ["page": page, "ratio": ratio, "sizes": sizes, "width": box?.width, "id": id],
                    returns: EmptyResponse.self, summary: "",
                    rules: [
                        .range("page", 1...500), .range("ratio", -0.5...0.5), .range("sizes", ...9),
                        .range("box.width", 2...), .mutuallyExclusive("page", "id", "ratio"),
                    ])
            case .nested(let box):
                .post(
                    "/", body: .json(box), returns: EmptyResponse.self, summary: "", rules: [.range("width", 2...)])
            }
        }
    }

    static func list(
        page: Int? = nil, ratio: Double? = nil, sizes: [Int] = [], box: Ruled.Box? = nil, id: Int? = nil
    ) -> Ruled {
        .list(page: page, ratio: ratio, sizes: sizes, box: box, id: id)
    }

    static let kept: [Ruled] = [
        list(), list(page: 1), list(page: 500), list(ratio: -0.5), list(sizes: [9, -100]), list(box: .init(width: 2)),
        .nested(.init(width: 2)),
    ]

    @Test(arguments: kept)
    func `A call that keeps the rules is made`(_ call: Ruled) throws { _ = try call.request() }

    static let broken: [Row<Ruled, RuleViolation>] = [
        Row("below", list(page: 0), .outOfBounds(parameter: "page", value: "0", bounds: "1 to 500")),
        Row("above", list(page: 501), .outOfBounds(parameter: "page", value: "501", bounds: "1 to 500")),
        Row("fraction", list(ratio: 0.75), .outOfBounds(parameter: "ratio", value: "0.75", bounds: "-0.5 to 0.5")),
        Row("an element", list(sizes: [1, 10]), .outOfBounds(parameter: "sizes", value: "10", bounds: "at most 9")),
        Row(
            "a field", list(box: .init(width: 1)),
            .outOfBounds(parameter: "box.width", value: "1", bounds: "at least 2")),
        Row(
            "a field of a structure without a label", .nested(.init(width: 1)),
            .outOfBounds(parameter: "width", value: "1", bounds: "at least 2")),
        Row("two of three", list(ratio: 0, id: 1), .mutuallyExclusive("id", "ratio")),
    ]

    @Test(arguments: broken)
    func `A call that breaks a rule is an error`(_ row: Row<Ruled, RuleViolation>) {
        #expect(throws: RequestError.ruleViolation(row.expected)) { try row.input.request() }
    }

    @Test func `An empty range allows no number`() throws {
        enum Closed: API {
            case list(page: Double?)
            static let api = APIInfo(name: "closed", servers: [Server("main", url: "https://h.test")])
            static let examples: [Closed] = []
            var endpoint: Endpoint {
                switch self {
                case .list(let page):
                    .get(
                        "/", query: ["page": page], returns: EmptyResponse.self, summary: "",
                        rules: [.range("page", 0.0..<0.0)])
                }
            }
        }
        _ = try Closed.list(page: nil).request()
        let violation = RuleViolation.outOfBounds(parameter: "page", value: "0", bounds: "no number")
        #expect(throws: RequestError.ruleViolation(violation)) { try Closed.list(page: 0).request() }
    }

    enum Uploads: API {
        case replace(id: Int?, limit: Int128, _ file: File)

        /// A value that can't be written as JSON.
        struct File: Codable, Sendable {
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "It is too large."))
            }
        }

        static let api = APIInfo(name: "uploads", servers: [Server("main", url: "https://h.test")])
        static let examples: [Uploads] = []

        var endpoint: Endpoint {
            .put(
                "/", body: .text(""), returns: EmptyResponse.self, summary: "",
                rules: [.range("limit", 1...)])
        }
    }

    @Test("A parameter that no rule names is not encoded")
    func encodesOnlyNamedParameters() throws {
        _ = try Uploads.replace(id: nil, limit: 1, Uploads.File()).request()
        let violation = RuleViolation.outOfBounds(parameter: "limit", value: "0", bounds: "at least 1")
        #expect(throws: RequestError.ruleViolation(violation)) {
            try Uploads.replace(id: 1, limit: 0, Uploads.File()).request()
        }
    }

    @Test func `A call that breaks a rule is not sent`() async {
        let stub = StubTransport()
        await #expect(throws: RequestError.self) {
            try await Client(transport: stub, variables: [:]).send(Self.list(page: 0), as: EmptyResponse.self)
        }
        #expect(stub.done().isEmpty)
    }
}
