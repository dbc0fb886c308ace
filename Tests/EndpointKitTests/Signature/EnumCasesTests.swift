import Testing

@testable import EndpointKit

struct EnumCasesTests {
    enum Lone { case only }
    enum LoneWithValue { case only(text: String) }
    enum Plain { case first, second, third }
    enum Mixed { case none, number(Int), text(String, then: Int?), last, object(Node) }
    final class Node {}
    indirect enum Tree { case leaf, branch(Tree, Tree), label(String) }
    enum Wrapped { case some(String?), none }
    struct NoEnum {}

    @Test func namesEveryCase() {
        #expect(EnumCases(of: Lone.self)?.names == ["only"])
        #expect(EnumCases(of: Mixed.self)?.names == ["number", "text", "object", "none", "last"])
        #expect(EnumCases(of: NoEnum.self) == nil)
        #expect(EnumCases(of: Node.self) == nil)
    }

    @Test func namesTheCaseOfAValue() {
        #expect(name(Lone.only) == "only")
        #expect(name(LoneWithValue.only(text: "a")) == "only")
        #expect([Plain.first, .second, .third].map(name) == ["first", "second", "third"])
        #expect(
            [Mixed.none, .number(1), .text("a", then: nil), .last, .object(Node())].map(name)
                == ["none", "number", "text", "last", "object"])
        #expect([Tree.leaf, .branch(.leaf, .label("a")), .label("")].map(name) == ["leaf", "branch", "label"])
        #expect([Wrapped.some("a"), .some(nil), .none].map(name) == ["some", "some", "none"])
    }

    private func name<Value>(_ value: Value) -> String? { EnumCases(of: Value.self)?.name(of: value) }
}
