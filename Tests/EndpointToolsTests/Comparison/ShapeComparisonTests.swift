import EndpointKit
import Foundation
import JSONText
import TestSupport
import Testing

@testable import EndpointTools

@Suite struct ShapeComparisonTests {
    typealias Field = Shape.Field
    /// A shape, and the JSON text that is compared with it.
    typealias ShapedText = (shape: Shape, text: String)

    private static func required(_ key: String, _ shape: Shape) -> Field {
        Field(key: key, shape: shape, isOptional: false)
    }

    private static func optional(_ key: String, _ shape: Shape) -> Field {
        Field(key: key, shape: shape, isOptional: true)
    }

    /// Returns the problems and notes of a comparison, one line for each.
    private static func lines(
        _ text: String, _ root: Shape, _ models: [ModelShape.Model] = []
    ) throws -> [String] {
        let document = try JSONDocument(Array(text.utf8))
        let comparison = try ResponseComparison.compare(document, as: ModelShape(root: root, models: models))
        return (comparison.problems + comparison.places.notes).map(line)
    }

    /// Returns `KIND PATH COUNT/TOTAL`, then the first place, what was expected and what was found.
    private static func line(_ problem: CheckProblem) -> String {
        let counts = "\(problem.count ?? 0)/\(problem.total ?? 0)"
        let first = problem.first == problem.path ? nil : problem.first.map { "first \($0)" }
        let parts = [
            "\(problem.kind.rawValue) \(problem.path ?? "") \(counts)", first,
            problem.expected.map { "expected \($0)" }, problem.found.map { "found \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static let item = ModelShape.Model(
        name: "Item",
        shape: .object([
            required("id", .scalar(.integer(nil))), optional("kind", .values(["small", "large"])),
            optional("note", .nullable(.scalar(.string))), optional("made", .scalar(.date)),
        ]))
    private static let page = Shape.object([
        required("page", .scalar(.integer(nil))), required("results", .array(.model("Item"))),
        optional("byName", .dictionary(.model("Item"))), optional("anything", .any),
    ])

    /// The text is the one that `ResponseComparisonTests` compares with a model.
    @Test("A comparison with a shape has the same findings as one with a model")
    func everyKindOfFinding() throws {
        let text = """
            {"page": "1", "+1": 0, "results": [
              {"id": 1.5, "kind": "huge", "extra": {"a": 1, "b": 2}},
              {"kind": null, "made": "yesterday", "extra": 5},
              7
            ], "byName": {"x": {"id": "a"}, "y": {"id": 2, "other": 1}}, "anything": {"z": 1}}
            """
        #expect(
            try Self.lines(text, Self.page, [Self.item]) == [
                #"wrong-type $.page 1/1, expected integer, found string "1""#,
                "unexpected-key $['+1'] 1/1, found number 0",
                "wrong-value $.results[*].id 1/1, first $.results[0].id, expected integer, found number 1.5",
                "wrong-value $.results[*].kind 1/2, first $.results[0].kind, expected one of small, large, "
                    + #"found string "huge""#,
                "unexpected-key $.results[*].extra 2/2, first $.results[0].extra, found object",
                "missing-key $.results[*].id 1/2, first $.results[1].id",
                // A model's optional may also be null. A schema says whether a member may be null.
                "wrong-type $.results[*].kind 1/2, first $.results[1].kind, expected string, found null",
                "wrong-value $.results[*].made 1/1, first $.results[1].made, expected an ISO 8601 date, "
                    + #"found string "yesterday""#,
                "wrong-type $.results[*] 1/3, first $.results[2], expected object, found number 7",
                #"wrong-type $.byName.*.id 1/2, first $.byName.x.id, expected integer, found string "a""#,
                "unexpected-key $.byName.*.other 1/2, first $.byName.y.other, found number 1",
                "absent-key $.results[*].note 2/2", "absent-key $.byName.*.kind 2/2",
                "absent-key $.byName.*.note 2/2", "absent-key $.byName.*.made 2/2",
            ])
    }

    @Test(
        "A value that does not fit its shape is a problem that says what was expected",
        arguments: [
            Row("a boolean", (Shape.scalar(.boolean), "true"), []),
            Row("no boolean", (.scalar(.boolean), "0"), ["wrong-type $ 1/1, expected boolean, found number 0"]),
            Row("an integer with a fraction of zero", (.scalar(.integer(0...5)), "1.0"), []),
            Row("an integer with an exponent", (.scalar(.integer(100...100)), "1e2"), []),
            Row(
                "an integer with a fraction", (.scalar(.integer(0...5)), "1.5"),
                ["wrong-value $ 1/1, expected integer, found number 1.5"]),
            Row(
                "an integer beyond both bounds", (.scalar(.integer(1...5)), "0"),
                ["wrong-value $ 1/1, expected integer from 1 to 5, found number 0"]),
            Row(
                "an integer below the only bound", (.scalar(.integer(1...(.max))), "0"),
                ["wrong-value $ 1/1, expected integer of at least 1, found number 0"]),
            Row(
                "an integer above the only bound", (.scalar(.integer(.min...5)), "18446744073709551616"),
                ["wrong-value $ 1/1, expected integer of at most 5, found number 18446744073709551616"]),
            Row("an integer of more than 64 bits", (.scalar(.integer(1...(.max))), "18446744073709551616"), []),
            Row("an integer without bounds", (.scalar(.integer(nil)), "-1e400"), []),
            Row("a number", (.scalar(.number(0...1)), "0.5"), []),
            Row("a number beyond doubles", (.scalar(.number(0...(.infinity))), "1e400"), []),
            Row(
                "a number below the only bound", (.scalar(.number(0.5...(.infinity))), "0"),
                ["wrong-value $ 1/1, expected number of at least 0.5, found number 0"]),
            Row(
                "a number beyond both bounds", (.scalar(.number(0...1)), "1.5"),
                ["wrong-value $ 1/1, expected number from 0 to 1, found number 1.5"]),
            Row("no number", (.scalar(.number(nil)), "[]"), ["wrong-type $ 1/1, expected number, found array"]),
            Row("a text", (.scalar(.string), #""a""#), []),
            Row("no text", (.scalar(.string), "{}"), ["wrong-type $ 1/1, expected string, found object"]),
            Row(
                "a text that Swift can't hold", (.scalar(.string), #""\ud800""#),
                [#"wrong-value $ 1/1, expected string without lone surrogates, found string "\ud800""#]),
            Row("a URL", (.scalar(.url), #""https://h.test/a?b#c""#), []),
            Row("no URL", (.scalar(.url), #""""#), [#"wrong-value $ 1/1, expected a URL, found string """#]),
            Row("a UUID", (.scalar(.uuid), #""3FA85F64-5717-4562-b3fc-2c963f66afa6""#), []),
            Row(
                "no UUID", (.scalar(.uuid), #""3fa85f64""#),
                [#"wrong-value $ 1/1, expected a UUID, found string "3fa85f64""#]),
            Row("a number for a UUID", (.scalar(.uuid), "1"), ["wrong-type $ 1/1, expected string, found number 1"]),
            Row("a date", (.scalar(.date), #""2026-02-28""#), []),
            Row("a date with a time", (.scalar(.date), #""2026-02-28t10:00:00.25z""#), []),
            Row(
                "a day that does not exist", (.scalar(.date), #""2026-02-30""#),
                [#"wrong-value $ 1/1, expected an ISO 8601 date, found string "2026-02-30""#]),
            Row("Base64", (.scalar(.data), #""aGk=""#), []),
            Row(
                "no Base64", (.scalar(.data), #""a_k=""#),
                [#"wrong-value $ 1/1, expected Base64 text, found string "a_k=""#]),
            Row("a listed text", (.values(["a", "b"]), #""\u0062""#), []),
            Row(
                "a text that is not listed", (.values(["a", "b"]), #""c""#),
                [#"wrong-value $ 1/1, expected one of a, b, found string "c""#]),
            Row("the only text", (.values(["a"]), #""c""#), [#"wrong-value $ 1/1, expected a, found string "c""#]),
            Row("a listed number", (.values([1, 2]), "2.0"), []),
            Row(
                "a kind that is not listed", (.values([1, 2]), #""2""#),
                [#"wrong-type $ 1/1, expected integer, found string "2""#]),
            Row(
                "a listed object", (.values([["a": [1]], true]), #"[]"#),
                ["wrong-type $ 1/1, expected object or boolean, found array"]),
            Row(
                "another object", (.values([["a": [1]]]), #"{"a":[2]}"#),
                [#"wrong-value $ 1/1, expected {"a":[1]}, found object"#]),
            Row("the listed object", (.values([["a": [1]]]), #"{"a": [1]}"#), []),
            Row("null", (.null, "null"), []),
            Row("no null", (.null, "0"), ["wrong-type $ 1/1, expected null, found number 0"]),
            Row("null for a nullable", (.nullable(.scalar(.string)), "null"), []),
            Row(
                "a number for a nullable", (.nullable(.scalar(.string)), "1"),
                ["wrong-type $ 1/1, expected string, found number 1"]),
            Row("anything", (.any, #"{"a":[null]}"#), []),
            Row("an empty list", (.array(.scalar(.string)), "[]"), ["empty-list $ 1/1"]),
            Row("a model that is not there", (.model("None"), "1"), []),
            Row("no members", (.object([]), #"{"a": 1}"#), ["unexpected-key $.a 1/1, found number 1"]),
        ] as [Row<ShapedText, [String]>])
    func values(_ row: Row<ShapedText, [String]>) throws {
        #expect(try Self.lines(row.input.text, row.input.shape) == row.expected)
    }

    private static let members = Shape.object([
        required("a", .scalar(.integer(nil))), required("b", .nullable(.scalar(.integer(nil)))),
        optional("c", .array(.scalar(.integer(nil)))),
    ])
    private static let event = Shape.variants([
        optional("created", .object([required("id", .scalar(.integer(nil)))])), optional("renamed", .scalar(.string)),
    ])

    @Test(
        "Missing, absent and unexpected members of an object are found",
        arguments: [
            Row("all members", (members, #"{"a": 1, "b": null, "c": [1]}"#), []),
            Row("missing", (members, #"{"c": [1]}"#), ["missing-key $.a 1/1", "missing-key $.b 1/1"]),
            Row(
                "null", (members, #"{"a": null, "b": 1, "c": [1]}"#),
                ["wrong-type $.a 1/1, expected integer, found null"]),
            Row("absent", (members, #"{"a": 1, "b": 1}"#), ["absent-key $.c 1/1"]),
            Row("twice", (members, #"{"a": 1, "b": 1, "a": "", "c": [1]}"#), []),
            Row(
                "a dictionary", (.dictionary(members), #"{"x": {"a": 1}, "y": {"b": 1}, "x": 0}"#),
                [
                    "missing-key $.*.b 1/2, first $.x.b", "missing-key $.*.a 1/2, first $.y.a", "absent-key $.*.c 2/2",
                ]),
            Row(
                "a case", (event, #"{"created": {"id": ""}}"#),
                [#"wrong-type $.created.id 1/1, expected integer, found string """#]),
            Row("a case and more", (event, #"{"renamed": "x", "at": 1}"#), ["unexpected-key $.at 1/1, found number 1"]),
            Row(
                "two cases", (event, #"{"renamed": "x", "created": {"id": 1}}"#),
                [
                    "wrong-type $ 1/1, expected object with exactly one of created, renamed, found object"
                ]),
            Row(
                "no case", (event, "{}"),
                [
                    "wrong-type $ 1/1, expected object with exactly one of created, renamed, found object"
                ]),
        ] as [Row<ShapedText, [String]>])
    func objects(_ row: Row<ShapedText, [String]>) throws {
        #expect(try Self.lines(row.input.text, row.input.shape) == row.expected)
    }

    // MARK: Alternatives

    private static let cat = Shape.object([
        required("type", .values(["cat"])), required("lives", .scalar(.integer(nil))),
        optional("name", .scalar(.string)),
    ])
    private static let dog = Shape.object([
        required("type", .values(["dog"])), required("barks", .scalar(.boolean)),
        required("age", .scalar(.integer(nil))),
        required("name", .scalar(.string)),
    ])
    private static let person = Shape.object([
        required("name", .scalar(.string)), optional("age", .scalar(.integer(nil))),
    ])
    private static let textOrList = Shape.alternatives([
        .scalar(.uuid), .values(["none"]), .array(cat), .array(.scalar(.integer(0...9))),
    ])
    private static let wrappers = Shape.alternatives([
        .object([required("data", cat)]), .object([required("data", dog)]),
    ])

    @Test(
        "A value is compared with the alternative that it fits best",
        arguments: [
            Row(
                "the constant decides", (.alternatives([cat, dog]), #"{"type": "dog", "lives": 9, "name": "x"}"#),
                [
                    "unexpected-key $.lives 1/1, found number 9", "missing-key $.barks 1/1", "missing-key $.age 1/1",
                ]),
            Row(
                "the constant decides for the first too",
                (.alternatives([cat, dog]), #"{"type": "cat", "barks": true, "age": 1, "name": "x"}"#),
                [
                    "missing-key $.lives 1/1", "unexpected-key $.barks 1/1, found boolean true",
                    "unexpected-key $.age 1/1, found number 1",
                ]),
            Row(
                "required keys decide", (.alternatives([cat, dog]), #"{"lives": 9}"#),
                ["missing-key $.type 1/1", "absent-key $.name 1/1"]),
            Row(
                "kinds of members decide",
                (
                    .alternatives([
                        .object([required("a", .scalar(.string))]), .object([required("a", .scalar(.boolean))]),
                    ]), #"{"a": true}"#
                ), []),
            Row(
                "unexpected keys decide",
                (
                    .alternatives([person, .object([required("name", .scalar(.string)), optional("size", .any)])]),
                    #"{"name": "x", "size": 1}"#
                ), []),
            Row(
                "a dictionary of values that fit",
                (.alternatives([person, .dictionary(.scalar(.boolean))]), #"{"x": true}"#), []),
            Row(
                "a level deeper", (wrappers, #"{"data": {"type": "dog", "barks": 1, "age": 1, "name": "x"}}"#),
                ["wrong-type $.data.barks 1/1, expected boolean, found number 1"]),
            Row(
                "in a list",
                (
                    .array(.alternatives([cat, dog, .scalar(.string)])),
                    #"["x", {"type": "cat", "lives": 9, "name": "x"}, 5]"#
                ),
                [
                    "wrong-type $[*] 1/3, first $[2], expected string or object, found number 5"
                ]),
            Row("a text", (textOrList, #""none""#), []),
            Row(
                "a text that fits none", (textOrList, #""some""#),
                [#"wrong-value $ 1/1, expected a UUID, found string "some""#]),
            Row("another kind", (textOrList, "{}"), ["wrong-type $ 1/1, expected string or array, found object"]),
            Row(
                "the elements of a list decide", (textOrList, "[1, 10]"),
                ["wrong-value $[*] 1/2, first $[1], expected integer from 0 to 9, found number 10"]),
            Row("nullable", (.nullable(textOrList), "null"), []),
            Row("not nullable", (textOrList, "null"), ["wrong-type $ 1/1, expected string or array, found null"]),
            Row("anything", (.alternatives([cat, .any]), #"{"type": "cat"}"#), []),
            Row(
                "several texts of a discriminator",
                (
                    .alternatives([
                        .object([required("type", .values(["a", "b"])), optional("x", .any)]),
                        .object([required("type", .values(["c", "d"])), required("y", .any), required("z", .any)]),
                    ]), #"{"type": "d", "x": 1}"#
                ),
                [
                    "unexpected-key $.x 1/1, found number 1", "missing-key $.y 1/1", "missing-key $.z 1/1",
                ]),
        ] as [Row<ShapedText, [String]>])
    func alternatives(_ row: Row<ShapedText, [String]>) throws {
        let lines = try Self.lines(row.input.text, row.input.shape)
        #expect(Set(lines) == Set(row.expected) && lines.count == row.expected.count, "\(lines)")
    }

    // MARK: As with a model

    /// Returns the shape with optional members that may also be null, as a model's optional properties may.
    private static func nullableOptionals(_ shape: ModelShape) -> ModelShape {
        let models = shape.models.map { ModelShape.Model(name: $0.name, shape: nullableOptionals($0.shape)) }
        return ModelShape(root: nullableOptionals(shape.root), models: models)
    }

    private static func nullableOptionals(_ shape: Shape) -> Shape {
        switch shape {
        case .array(let inner): .array(nullableOptionals(inner))
        case .dictionary(let inner): .dictionary(nullableOptionals(inner))
        case .nullable(let inner): .nullable(nullableOptionals(inner))
        case .alternatives(let shapes): .alternatives(shapes.map(nullableOptionals))
        case .object(let fields):
            .object(
                fields.map { field in
                    let shape = nullableOptionals(field.shape)
                    return field.replacingShape(with: field.isOptional ? .nullable(shape) : shape)
                })
        case .scalar, .values, .model, .open, .variants, .null, .any: shape
        }
    }

    private struct Everything: Decodable {
        var flag: Bool
        var count: UInt8
        var ratio: Float
        var price: Decimal
        var text: String?
        var link: URL
        var id: UUID
        var made: Date
        var bytes: Data?
        var size: ResponseComparisonTests.Kind
        var tags: Set<String>
        var grid: [[Int?]]
        var names: [String: [String]]
        var any: JSONValue
        var children: [Everything]?
    }

    struct Sample: Sendable {
        let model: any (Decodable & Sendable).Type
        let text: String

        init(_ model: any (Decodable & Sendable).Type, _ text: String) {
            self.model = model
            self.text = text
        }
    }

    @Test(
        "Changed documents have the same structural findings with a shape as with its model",
        arguments: [
            Sample(
                ResponseComparisonTests.Page.self,
                """
                {"page":1,"results":[{"id":1,"kind":"small"},{"id":2,"note":null}],
                "byName":{"a":{"id":3,"made":"2026-01-01"}},"anything":[1]}
                """
            ),
            Sample(
                [ResponseComparisonTests.Node].self, #"[{"name":"a","child":[{"name":"b","child":[{"name":"c"}]}]}]"#),
            Sample([ResponseComparisonTests.Ticket].self, #"[{"state":"open","level":2},{"state":"merged","size":3}]"#),
            Sample(
                [String: Shop.Product].self,
                #"{"x":{"title":"a","price":{"amount":1,"currency":"EUR"},"tags":["b"]}}"#),
            Sample(
                Everything.self,
                """
                {"flag":true,"count":1,"ratio":0.5,"price":1.5,"link":"https://h.test",
                "id":"3fa85f64-5717-4562-b3fc-2c963f66afa6","made":"2026-01-01","bytes":"aGk=","size":"small",
                "tags":["a"],"grid":[[1,null]],"names":{"x":["y"]},"any":{"z":1}}
                """
            ),
        ])
    func sameFindingsAsOfAModel(_ sample: Sample) throws {
        let shape = Self.nullableOptionals(ModelShape.of(sample.model))
        var mutator = JSONMutator(seed: 1)
        var kindsFound: Set<CheckProblem.Kind> = []
        for _ in 0..<400 {
            let text = try mutator.changed(Array(sample.text.utf8))
            guard !String(decoding: text, as: UTF8.self).contains("ud800"), let document = try? JSONDocument(text)
            else { continue }
            let ofModel = try ResponseComparison.compare(document, as: sample.model)
            let ofShape = try ResponseComparison.compare(document, as: shape)
            #expect(
                Self.structural(ofShape) == Self.structural(ofModel), "\(String(decoding: text, as: UTF8.self))")
            #expect(
                Set(ofShape.places.notes.map(Self.line)) == Set(ofModel.places.notes.map(Self.line)),
                "\(String(decoding: text, as: UTF8.self))")
            kindsFound.formUnion(ofShape.problems.map(\.kind))
        }
        #expect(kindsFound.isSuperset(of: [.unexpectedKey, .missingKey, .wrongType]))
    }

    /// Returns the problems of keys and kinds of values. A shape finds them as exactly as a model.
    private static func structural(_ comparison: ResponseComparison) -> [String] {
        let kinds: Set<CheckProblem.Kind> = [.unexpectedKey, .missingKey, .wrongType]
        return comparison.problems.filter { kinds.contains($0.kind) }.map(line)
    }

    // MARK: Open objects

    @Test(
        "The values of other keys of an open object are compared",
        arguments: [
            // The first of two members with the same key counts.
            (
                #"{"id": 1, "EUR": 2.5, "USD": "3", "USD": 4, "GBP": []}"#, .scalar(.number(nil)),
                [
                    #"wrong-type $.* 2/3, first $.USD, expected number, found string "3""#
                ]
            ),
            (#"{"id": 1}"#, .scalar(.number(nil)), []), (#"{"id": 1, "a": {"b": [null]}}"#, .any, []),
            (#"{"a": 1}"#, .any, ["missing-key $.id 1/1"]),
            (
                #"{"id": "x", "a": {"id": 1}, "b": {"extra": 2}}"#, .model("Item"),
                [
                    #"wrong-type $.id 1/1, expected integer, found string "x""#,
                    "missing-key $.*.id 1/2, first $.b.id",
                    "unexpected-key $.*.extra 1/2, first $.b.extra, found number 2", "absent-key $.*.kind 2/2",
                    "absent-key $.*.note 2/2",
                    "absent-key $.*.made 2/2",
                ]
            ),
        ] as [(String, Shape, [String])])
    func otherKeysOfAnOpenObject(_ text: String, _ others: Shape, _ expected: [String]) throws {
        let shape = Shape.open([Self.required("id", .scalar(.integer(nil)))], others: others)
        #expect(try Self.lines(text, shape, [Self.item]) == expected)
    }

    @Test(
        "A key that only an open form expects is a reason to choose that form",
        arguments: [
            (#"{"id": 1, "n": "x"}"#, []), (#"{"id": 1, "n": 2}"#, ["unexpected-key $.n 1/1, found number 2"]),
        ])
    func openFormsAmongOthers(_ text: String, _ expected: [String]) throws {
        let id = Self.required("id", .scalar(.integer(nil)))
        let shape = Shape.alternatives([.object([id]), .open([id], others: .scalar(.string))])
        #expect(try Self.lines(text, shape) == expected)
    }

    @Test(.timeLimit(.minutes(1))) func manyOtherKeysTakeLinearTime() throws {
        // The fields use up all compared places, so that no place is left for other keys.
        let fields = (0..<20_000).map { Self.optional("f\($0)", .scalar(.string)) }
        let keys = (0..<200_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let document = try JSONDocument(Array("{\(keys)}".utf8))
        let shape = ModelShape(root: .open(fields, others: .scalar(.string)), models: [])
        let comparison = try ResponseComparison.compare(document, as: shape)
        #expect(comparison.problems.map(\.kind) == [.incomplete])
    }

    // MARK: Limits

    private static let node = ModelShape.Model(
        name: "Node", shape: .object([required("name", .scalar(.string)), optional("child", .array(.model("Node")))]))

    @Test("A document of more than 512 levels is compared", .timeLimit(.minutes(1))) func deepDocuments() throws {
        // Only a document that is read from a text is limited to 512 levels.
        var value: JSONValue = 7
        for _ in 0..<700 { value = ["child": [value], "name": "x"] }
        let shape = ModelShape(root: .model("Node"), models: [Self.node])
        let comparison = try ResponseComparison.compare(value.document, as: shape)
        #expect(comparison.problems.map(\.expected) == ["object"])
    }

    /// Each of 60 levels has two alternatives that differ in an optional member only.
    @Test("The time for nested alternatives does not multiply", .timeLimit(.minutes(1)))
    func nestedAlternativesDoNotMultiply() throws {
        let models = (0..<60).map { level in
            let inner = Shape.alternatives([
                .object([Self.required("a", .model("M\(level + 1)"))]),
                .object([Self.required("a", .model("M\(level + 1)")), Self.optional("b", .any)]),
            ])
            return ModelShape.Model(name: "M\(level)", shape: inner)
        }
        let last = ModelShape.Model(name: "M60", shape: .scalar(.string))
        let text = String(repeating: #"{"a":"#, count: 60) + "1" + String(repeating: "}", count: 60)
        let lists = "[" + Array(repeating: text, count: 500).joined(separator: ",") + "]"
        let lines = try Self.lines(lists, .array(.model("M0")), models + [last])
        let wrongTypes = lines.filter { $0.hasPrefix("wrong-type") }
        #expect(wrongTypes.count == 1 && wrongTypes[0].contains("500/500"))
    }

    @Test(.timeLimit(.minutes(1))) func manyValuesTakeLinearTime() throws {
        let text = "[" + Array(repeating: #"{"id":"x"}"#, count: 50_000).joined(separator: ",\n") + "]"
        let lines = try Self.lines(text, .array(.model("Item")), [Self.item])
        #expect(lines.first?.hasPrefix("wrong-type $[*].id 50000/50000") == true)
    }

    @Test("A document with more than 10,000 problems is reported as incomplete, and does not fit")
    func problemsAreBounded() throws {
        let keys = (0..<20_000).map { "\"key\($0)\":0" }.joined(separator: ",")
        let document = try JSONDocument(Array("{\"name\":\"a\",\(keys)}".utf8))
        let shape = ModelShape(root: .model("Node"), models: [Self.node])
        let comparison = try ResponseComparison.compare(document, as: shape)
        #expect(comparison.problems.count == 10_001 && !comparison.fits)
        #expect(comparison.problems.last?.kind == .incomplete)
    }

    /// The wrong value comes after 10,000 fields, which use up all compared places.
    @Test("A problem beyond the limit of compared places is reported as incomplete")
    func problemsBeyondThePlacesAreNoted() throws {
        let fields =
            (0..<10_000).map { Self.optional("f\($0)", .scalar(.string)) } + [Self.optional("g", .scalar(.string))]
        let document = try JSONDocument(Array(#"{"g": 1}"#.utf8))
        let comparison = try ResponseComparison.compare(document, as: ModelShape(root: .object(fields), models: []))
        #expect(comparison.problems.map(\.kind) == [.incomplete])
        #expect(!ModelShape(root: .object(fields), models: []).accepts(["g": 1]))
        let fitting = try JSONDocument(Array(#"{"g": "x"}"#.utf8))
        #expect(try ResponseComparison.compare(fitting, as: ModelShape(root: .object(fields), models: [])).fits)
    }

    @Test("A model that is only another name of itself accepts any value")
    func modelsThatAreOnlyThemselves() throws {
        let models = [
            ModelShape.Model(name: "A", shape: .model("B")),
            ModelShape.Model(name: "B", shape: .alternatives([.model("A"), .scalar(.string)])),
        ]
        #expect(try Self.lines("1", .model("A"), models) == ["wrong-type $ 1/1, expected string, found number 1"])
        let endless = ModelShape.Model(name: "A", shape: .model("A"))
        #expect(try Self.lines("1", .model("A"), [endless]) == [])
    }

    @Test("The check for cancellation is called regularly and can end the comparison")
    func checksRegularly() throws {
        struct Stop: Error {}
        let text = "[" + Array(repeating: "1", count: 10_000).joined(separator: ",") + "]"
        let document = try JSONDocument(Array(text.utf8))
        let shape = ModelShape(root: .array(.scalar(.integer(nil))), models: [])
        var calls = 0
        _ = try ResponseComparison.compare(document, as: shape, check: { calls += 1 })
        #expect(calls == 4)
        #expect(throws: Stop.self) { try ResponseComparison.compare(document, as: shape, check: { throw Stop() }) }
    }

    @Test("A secret is removed from a long key before the key is shortened")
    func longKeysAreRedacted() throws {
        let key = String(repeating: "k", count: 300) + "secret"
        let document = try JSONDocument(Array("{\"\(key)\": 1}".utf8))
        let shape = ModelShape(root: .object([]), models: [])
        let comparison = try ResponseComparison.compare(document, as: shape) {
            $0.replacingOccurrences(of: "secret", with: "")
        }
        #expect(comparison.problems.count == 1 && comparison.problems[0].path?.utf8.count ?? 0 < 250)
    }
}
