import EndpointKit
import Foundation
import JSONText
import Testing

@testable import EndpointTools

@Suite struct ResponseComparisonTests {
    struct Page: Decodable {
        var page: Int
        var results: [Item]
        var byName: [String: Item]?
        var anything: JSONValue?
    }

    struct Item: Decodable {
        var id: Int
        var kind: Kind?
        var note: String?
        var made: Date?
    }

    enum Kind: String, Decodable, CaseIterable { case small, large }

    /// A model that tries to decode a number, then a text, then an item.
    enum Either: Decodable {
        case number(Int)
        case text(String)
        case item(Item)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .item(try container.decode(Item.self))
            }
        }
    }

    /// A model that refuses odd numbers with a message of its own.
    struct Even: Decodable {
        let number: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            number = try container.decode(Int.self)
            guard number.isMultiple(of: 2) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not even")
            }
        }
    }

    struct Node: Decodable {
        var name: String
        var child: [Node]?
    }

    /// Returns the problems and notes of a comparison, one line for each.
    private func lines<Model: Decodable>(
        _ text: String, _ model: Model.Type, _ coding: Coding = Coding()
    ) throws -> [String] {
        let survey = try ResponseComparison.compare(JSONDocument(Array(text.utf8)), as: model, coding: coding)
        return (survey.problems + survey.places.notes).map(Self.line)
    }

    /// Returns `KIND PATH COUNT/TOTAL at LINE:COLUMN`, then the first place, what was expected and what was found.
    private static func line(_ problem: CheckProblem) -> String {
        let counts = "\(problem.count ?? 0)/\(problem.total ?? 0)"
        let place = "\(problem.line ?? 0)" + (problem.column.map { ":\($0)" } ?? "")
        let first = problem.first == problem.path ? nil : problem.first.map { "first \($0)" }
        return [
            "\(problem.kind.rawValue) \(problem.path ?? "") \(counts) at \(place)", first,
            problem.expected.map { "expected \($0)" }, problem.found.map { "found \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    @Test("Every kind of problem has its path, counts, position, expectation and finding")
    func everyKindOfFinding() throws {
        let text = """
            {"page": "1", "+1": 0, "results": [
              {"id": 1.5, "kind": "huge", "extra": {"a": 1, "b": 2}},
              {"kind": null, "made": "yesterday", "extra": 5},
              7
            ], "byName": {"x": {"id": "a"}, "y": {"id": 2, "other": 1}}, "anything": {"z": 1}}
            """
        #expect(
            try lines(text, Page.self) == [
                #"wrong-type $.page 1/1 at 1:10, expected integer, found string "1""#,
                "unexpected-key $['+1'] 1/1 at 1:15, found number 0",
                "wrong-value $.results[*].id 1/1 at 2:10, first $.results[0].id, expected integer, found number 1.5",
                #"""
                wrong-value $.results[*].kind 1/2 at 2:23, first $.results[0].kind, \#
                expected one of small, large, found string "huge"
                """#,
                "unexpected-key $.results[*].extra 2/2 at 2:31, first $.results[0].extra, found object",
                "missing-key $.results[*].id 1/2 at 3:3, first $.results[1].id",
                #"""
                wrong-value $.results[*].made 1/1 at 3:26, first $.results[1].made, \#
                expected an ISO 8601 date, found string "yesterday"
                """#,
                "wrong-type $.results[*] 1/3 at 4:3, first $.results[2], expected object, found number 7",
                #"wrong-type $.byName.*.id 1/2 at 5:27, first $.byName.x.id, expected integer, found string "a""#,
                "unexpected-key $.byName.*.other 1/2 at 5:48, first $.byName.y.other, found number 1",
                "absent-key $.results[*].note 2/2 at 0", "absent-key $.byName.*.kind 2/2 at 0",
                "absent-key $.byName.*.note 2/2 at 0", "absent-key $.byName.*.made 2/2 at 0",
            ])
    }

    @Test(
        "A value is compared with the first form that fits, or with the last one",
        arguments: [
            (
                #"[1, "a", {"id": 1}]"#,
                [
                    "absent-key $[*].kind 1/1 at 0", "absent-key $[*].note 1/1 at 0", "absent-key $[*].made 1/1 at 0",
                ]
            ),
            (#"[1, []]"#, ["wrong-type $[*] 1/2 at 1:5, first $[1], expected object, found array"]),
        ])
    func formsTriedInTurn(_ text: String, _ expected: [String]) throws {
        #expect(try lines(text, [Either].self) == expected)
    }

    struct Ticket: Codable, Equatable {
        enum State: String, Codable, CaseIterable { case open, closed }
        enum Level: Int, Codable, CaseIterable { case low = 1, high }

        var state: OpenEnum<State>
        var level: OpenEnum<Level>?
        var size: Int?
    }

    /// A model that tries to decode a ticket, and accepts anything else as a text.
    enum Loose: Decodable {
        case ticket(Ticket), text

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let ticket = try? container.decode(Ticket.self) { self = .ticket(ticket) } else { self = .text }
        }
    }

    /// Three tickets, two of them with values that the enums do not list.
    private static let tickets =
        #"[{"state":"open","level":2},{"state":"merged","level":3},{"state":"void"}]"#

    @Test("A value that an open enum does not list is an unexpected value")
    func valuesThatAnEnumDoesNotList() throws {
        let notes = ["absent-key $[*].size 3/3 at 0"]
        #expect(
            try lines(Self.tickets, [Ticket].self) == [
                #"""
                unexpected-value $[*].state 2/3 at 1:38, first $[1].state, \#
                expected one of open, closed, found string "merged"
                """#,
                "unexpected-value $[*].level 1/2 at 1:55, first $[1].level, expected one of 1, 2, found number 3",
            ] + notes)
    }

    @Test("An unexpected value is reported once beside values of the wrong type")
    func unlistedValuesBesideWrongTypes() throws {
        #expect(
            try lines(#"[{"state":"void","size":"x"},{"state":1}]"#, [Ticket].self).prefix(3) == [
                #"""
                unexpected-value $[*].state 1/2 at 1:11, first $[0].state, \#
                expected one of open, closed, found string "void"
                """#,
                #"wrong-type $[*].size 1/1 at 1:25, first $[0].size, expected integer, found string "x""#,
                "wrong-type $[*].state 1/2 at 1:39, first $[1].state, expected string, found number 1",
            ])
    }

    @Test("A form that was tried and given up leaves no unexpected value")
    func unlistedValuesOfAbandonedForms() throws {
        #expect(try lines(#"{"state":"void","size":"x"}"#, Loose.self) == [])
    }

    @Test("An open enum keeps a value that it does not list")
    func unlistedValuesAreKept() throws {
        let tickets = try Coding().decode([Ticket].self, from: Array(Self.tickets.utf8))
        #expect(tickets[0].state == .known(.open) && tickets[1].state == .other("merged"))
        #expect(try Coding().encode(tickets) == Array(Self.tickets.utf8))
    }

    @Test("The shape of an open enum is any text or one of the listed ones")
    func shapeOfAnOpenEnum() {
        let shape = ModelShape.of(Ticket.self)
        let state = shape.directFields(of: shape.root).first { $0.key == "state" }
        #expect(state?.shape == .alternatives([.scalar(.string), .values(["open", "closed"])]))
    }

    @Test("An error that the model throws is a wrong value with the model's message")
    func errorsOfTheModelItself() throws {
        #expect(
            try lines(#"{"a": [2, 3], "b": [5, 6]}"#, [String: [Even]].self) == [
                "wrong-value $.*[*] 2/4 at 1:11, first $.a[1], expected not even, found number 3"
            ])
    }

    @Test("A list that is empty everywhere is noted")
    func emptyLists() throws {
        #expect(
            try lines(
                #"[{"name": "a", "child": []}, {"name": "b", "child": []}, {"name": "c", "child": null}]"#, [Node].self)
                == ["empty-list $[*].child 2/2 at 0"])
        #expect(try lines(#"[{"name": "a", "child": [{"name": "b", "child": []}]}]"#, [Node].self).count == 1)
        #expect(
            try lines(#"{"page": 1, "results": [], "anything": []}"#, Page.self).contains(
                "empty-list $.results 1/1 at 0"))
    }

    @Test("A key that only an abandoned form reads is unexpected")
    func formsOnOneDecoder() throws {
        enum Choice: Decodable {
            case node(Node), item(Item)

            init(from decoder: any Decoder) throws {
                if let node = try? Node(from: decoder) {
                    self = .node(node)
                } else {
                    self = .item(try Item(from: decoder))
                }
            }
        }
        #expect(
            try lines(
                #"""
                {"child": [{"name": "a", "child": null}], "name": 5, "id": 1, "note": "n", "kind": null, \#
                "made": null}
                """#,
                Choice.self)
                == [
                    "unexpected-key $.child 1/1 at 1:2, found array",
                    "unexpected-key $.name 1/1 at 1:43, found number 5",
                ])
    }

    @Test("Of several members with one key, the first one is counted")
    func laterDuplicatesAreNotCounted() throws {
        #expect(
            try lines(#"{"a": 1, "b": "x", "a": 2}"#, [String: Int].self) == [
                #"wrong-type $.* 1/2 at 1:15, first $.b, expected integer, found string "x""#
            ])
    }

    @Test("A later member with the same key is not unexpected")
    func laterDuplicatesAreNotUnexpected() throws {
        let text = #"{"name": "a", "name": 5, "child": [{"name": "b", "child": null}]}"#
        #expect(try lines(text, Node.self) == [])
    }

    @Test("Paths have the keys of the response, whatever the key strategy")
    func keysByStrategy() throws {
        struct Movie: Decodable {
            var posterPath: String
            var voteCount: Int?
        }
        #expect(
            try lines(#"{"poster_path": 1, "page_count": 2}"#, Movie.self, Coding(keys: .convertFromSnakeCase)) == [
                "wrong-type $.poster_path 1/1 at 1:17, expected string, found number 1",
                "unexpected-key $.page_count 1/1 at 1:20, found number 2", "absent-key $.vote_count 1/1 at 0",
            ])
    }

    @Test("A key or an element that one of several responses has is not noted")
    func severalResponses() throws {
        var places: ComparisonPlaces?
        for text in [#"[{"id": 1, "note": "x"}]"#, #"[{"id": 2, "made": null}, {"id": 3}]"#, "[]"] {
            let survey = try ResponseComparison.compare(JSONDocument(Array(text.utf8)), as: [Item].self)
            if places == nil { places = survey.places } else { places?.merge(survey.places) }
        }
        #expect(places?.notes.map(Self.line) == ["absent-key $[*].kind 3/3 at 0"])
    }

    @Test("Control characters of a key are escaped in its path")
    func namesAreSafeToPrint() throws {
        #expect(
            try lines("{\"name\": \"\", \"child\":null, \"a'\\\\\\u001b[1m\": 1}", Node.self) == [
                #"unexpected-key $['a\'\\\u001b[1m'] 1/1 at 1:28, found number 1"#
            ])
    }

    @Test("A response with more than 10,000 problems is reported as incomplete, and does not fit")
    func problemsAreBounded() throws {
        let keys = (0..<20_000).map { "\"key\($0)\":0" }.joined(separator: ",")
        let survey = try ResponseComparison.compare(JSONDocument(Array("{\"name\":\"a\",\(keys)}".utf8)), as: Node.self)
        #expect(survey.problems.count == 10_001 && !survey.fits)
        #expect(survey.problems.last?.kind == .incomplete)
        #expect(survey.problems.last?.expected == "at most 10000 different problems and places")
    }

    private final class Tree: Decodable {
        var a: Tree?
        var b: Tree?
        var leaf: Int?
        var state: OpenEnum<Ticket.State>?
        var names: [String: Int]?
    }

    /// Returns a tree with more than 10,000 places, the most that are compared. Its last node is `last`.
    private static func tree(depth: Int, last: String) -> String {
        let node = #"{"leaf": 1, "state": "open", "names": {"x": 1}"#
        guard depth > 0 else { return last }
        let first = tree(depth: depth - 1, last: node + "}")
        return node + #", "a": \#(first), "b": \#(tree(depth: depth - 1, last: last))}"#
    }

    @Test(
        "A problem beyond the limit of compared places is reported as incomplete",
        arguments: [
            (#"{"leaf": 1}"#, []), (#"{"names": {"x": 1, "y": 2}}"#, []), (#"{"leaf": "x"}"#, [.incomplete]),
            (#"{"extra": 1}"#, [.incomplete]), (#"{"state": "merged"}"#, [.incomplete]),
            (#"{"names": {"x": null}}"#, [.incomplete]), ("7", [.incomplete]),
        ] as [(String, [CheckProblem.Kind])])
    func problemsBeyondThePlacesAreNoted(_ last: String, _ kinds: [CheckProblem.Kind]) throws {
        let text = Self.tree(depth: 12, last: last)
        let survey = try ResponseComparison.compare(JSONDocument(Array(text.utf8)), as: Tree.self)
        #expect(survey.problems.map(\.kind) == kinds)
        #expect(!survey.places.isComplete)
        var merged = ComparisonPlaces()
        #expect(merged.isComplete)
        merged.merge(survey.places)
        #expect(!merged.isComplete)
    }

    @Test("All unexpected values are counted, also those whose text is not kept")
    func manyUnlistedValues() throws {
        let text = "[" + Array(repeating: #"{"state":"void"}"#, count: 20_000).joined(separator: ",") + "]"
        let problems = try ResponseComparison.compare(JSONDocument(Array(text.utf8)), as: [Ticket].self).problems
        #expect(problems.map(\.kind) == [.unexpectedValue])
        #expect(problems.map(\.count) == [20_000])
    }

    @Test(.timeLimit(.minutes(1))) func deepTextsTakeLinearTime() throws {
        // Each level has an error after its child, so that no level can be decoded as a whole.
        let levels = 250
        let start = String(repeating: #"{"child":[{"name":"x"},"#, count: levels)
        let text = start + "7" + String(repeating: #"],"name":5}"#, count: levels)
        let survey = try ResponseComparison.compare(JSONDocument(Array(text.utf8)), as: Node.self)
        #expect(survey.problems.filter { $0.kind == .wrongType }.count == levels + 1)
    }

    @Test(.timeLimit(.minutes(1))) func manyWrongValuesTakeLinearTime() throws {
        let text = "[" + Array(repeating: #"{"id":"x"}"#, count: 50_000).joined(separator: ",\n") + "]"
        let survey = try ResponseComparison.compare(JSONDocument(Array(text.utf8)), as: [Item].self)
        let wrong = survey.problems.filter { $0.kind.verdict == .failed }
        #expect(wrong.map(\.count) == [50_000] && wrong.map(\.total) == [50_000])
    }

    /// The thread has a stack of 512 KiB, as secondary threads have on Apple's systems.
    /// The innermost value does not fit.
    @Test func deepTextsDoNotOverflowASmallStack() async {
        let start = String(repeating: #"{"name":"x","child":["#, count: 254)
        let text = start + "7" + String(repeating: "]}", count: 254)
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
            let thread = Thread {
                do {
                    _ = try ResponseComparison.compare(JSONDocument(Array(text.utf8)), as: Node.self)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(error == nil || error is JSONSyntaxError)
    }
}
