import Testing

@testable import EndpointKit

struct CaseNamesTests {
    enum Lone: API, Equatable {
        case only(text: String)
        static let name = "lone"
        static let servers: [Server] = []
        static let examples: [Lone] = []
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    enum Mixed: API {
        case none, number(Int), text(String, then: Int?), last, inner(Lone)
        static let name = "mixed"
        static let servers: [Server] = []
        static let examples: [Mixed] = [.none, .number(1), .text("a", then: nil), .last, .inner(.only(text: ""))]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    indirect enum Tree: API {
        case leaf, branch(Tree, Tree), label(String)
        static let name = "tree"
        static let servers: [Server] = []
        static let examples: [Tree] = [.leaf, .branch(.leaf, .label("a")), .label("")]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    struct Structure: API {
        var text: String
        static let name = "structure"
        static let servers: [Server] = []
        static let examples: [Structure] = []
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    @Test func namesEveryCaseInOrder() {
        #expect(Lone.caseNames == ["only"])
        #expect(Mixed.caseNames == ["none", "number", "text", "last", "inner"])
        #expect(Tree.caseNames == ["leaf", "branch", "label"])
        #expect(Everything.caseNames.count == 16)
        #expect(SignatureTests.Handwritten.caseNames == [])
    }

    @Test func namesTheCaseOfAValue() throws {
        #expect(try Lone.only(text: "a").caseName == "only")
        #expect(try Mixed.examples.map { try $0.caseName } == ["none", "number", "text", "last", "inner"])
        #expect(try Tree.examples.map { try $0.caseName } == ["leaf", "branch", "label"])
        #expect(throws: Signature.NotACase(Structure.self)) { try Structure(text: "").caseName }
    }
}
