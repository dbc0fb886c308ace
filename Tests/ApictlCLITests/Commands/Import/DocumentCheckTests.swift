import APIImport
import EndpointKit
import JSONText
import TestSupport
import Testing

@testable import ApictlCLI

/// `import openapi --check`: an OpenAPI document against what is compiled.
struct DocumentCheckTests {
    /// A parameter in every place and a shape of every kind.
    enum Mall: API {
        case shops(page: Int?, sort: Sort?, tags: [String]?, ids: [Int]?, near: Point?, language: String?)
        case shop(_ id: Int, day: String)
        case open(_ shop: NewShop)
        case order(_ order: Order, dry: Bool?)
        case close(id: Int)

        enum Sort: String, Codable, CaseIterable, Sendable { case name, age }
        struct Point: Codable, Sendable { var x: Double; var y: Double }
        struct NewShop: Codable, Sendable {
            var name: String; var owner: Person?; var floors: [Floor]; var labels: [String: String]?
        }
        struct Person: Codable, Sendable { var name: String; var age: Int? }
        struct Floor: Codable, Sendable { var level: Int; var kind: Sort? }
        struct Order: Codable, Sendable { var lines: [Line]; var expand: [String]?; var note: String? }
        struct Line: Codable, Sendable { var item: Int; var count: Int? }
        enum State: String, Codable, CaseIterable, Sendable { case open, closed }
        struct Shop: Codable, Sendable {
            var id: Int
            var state: Open<State>
            var sort: Sort
            var rating: Double?
            var owner: Person
            var floors: [Floor]?
            var counts: [String: Int]
            var parent: [Shop]?
            var extra: JSONValue?
        }

        static let name = "mall"
        static let servers = [Server("main", "https://mall.test/v1")]
        static let credentials: [Credential] = [.query("key", variable: "MALL_KEY")]
        static let examples: [Mall] = [
            .shops(page: 1, sort: .name, tags: ["a"], ids: [1], near: Point(x: 1, y: 2), language: "en"),
            .shop(1, day: "monday"),
            .open(
                NewShop(
                    name: "a", owner: Person(name: "b", age: 1), floors: [Floor(level: 1, kind: .age)],
                    labels: ["a": "b"])),
            .order(Order(lines: [Line(item: 1, count: 2)], expand: ["x"], note: "n"), dry: true), .close(id: 1),
        ]

        var endpoint: Endpoint {
            switch self {
            case .shops(let page, let sort, let tags, let ids, let near, let language):
                .get(
                    "/shops",
                    query: [
                        "page": page, "sort": sort, "tag": tags, "ids": ids?.joined(by: ","), "near": near,
                        "kind": "all",
                    ],
                    headers: ["X-Language": language], returns: [Shop].self, summary: "Shops")
            case .shop(let id, let day): .get("/shops/\(id)/\(day)", returns: Shop.self, summary: "A shop")
            case .open(let shop): .post("/shops", body: .json(shop), returns: Shop.self, summary: "Open one")
            case .order(let order, let dry):
                .post(
                    "/orders", query: ["dry": dry], body: .form(.indexed(Endpoint.Query(order))),
                    returns: EmptyResponse.self,
                    summary: "Order")
            case .close(let id): .delete("/shops/\(id)", returns: EmptyResponse.self, summary: "Close one")
            }
        }
    }

    private static let own = Result {
        try OpenAPIWriter.document(Registry(apis: [Mall.self]).description(), tool: "apictl", server: nil)
    }

    private typealias Compared = (name: String, problems: [CheckProblem])

    private static func compare(_ document: JSONValue) throws -> [Compared] {
        let own = try own.get()
        return try OpenAPIComparison(Array(document.written), name: "mall.json", own: own, isStrict: true) { _ in [] }
            .results
    }

    @Test func nothingDiffersFromWhatIsWritten() throws {
        let results = try Self.compare(Self.own.get())
        #expect(results.map(\.name) == ["mall.shops", "mall.open", "mall.shop", "mall.order", "mall.close", ""])
        #expect(results.flatMap(\.problems).map(\.description) == [])
    }

    // MARK: Each kind

    /// Swagger 2, in which shops are described in another way.
    private static let document = """
        {"swagger": "2.0", "basePath": "/v1", "paths": {
        "/shops": {"get": {"parameters": [
        {"name": "page", "in": "query", "type": "string", "required": true},
        {"name": "sort", "in": "query", "type": "string", "enum": ["name", "size"]},
        {"name": "tag", "in": "query", "type": "array", "items": {"type": "string"}},
        {"name": "near", "in": "query", "type": "object"},
        {"name": "size", "in": "query", "type": "integer"}, {"name": "city", "in": "query", "type": "string", "required": true},
        {"name": "key", "in": "query", "type": "string", "required": true},
        {"name": "X-Language", "in": "header", "type": "string"}],
        "responses": {"200": {"schema": {"type": "array", "items": {"$ref": "#/definitions/Shop"}}}}}},
        "/shops/{number}/{day}": {"get": {"parameters": [
        {"name": "number", "in": "path", "type": "string", "required": true}],
        "responses": {"204": {}}}},
        "/owners": {"get": {"responses": {}}}},
        "definitions": {"Shop": {"type": "object", "required": ["id", "owner", "sort", "state"], "properties": {
        "id": {"type": "string"}, "state": {"type": "string", "enum": ["open", "closed", "sold"]},
        "sort": {"type": "string", "enum": ["name", "size"]}, "rating": {"type": "number"},
        "owner": {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}},
        "floors": {"type": "array", "items": {"type": "object"}}, "parent": {"type": "array", "items": {"$ref": "#/definitions/Shop"}},
        "tel": {"type": "string"}, "counts": {"type": "object", "additionalProperties": {"type": "integer"}}}}}}
        """

    private static let differences = """
        ✗ mall.shops
            parameter-type: query.page: expected integer, found string (line 3)
            parameter-type: query.sort: expected one of name, age, found one of name, size (line 4)
            missing-parameter: query.size (line 7)
            parameter-required: query.city: expected no parameter, found a required parameter (line 7)
            extra-parameter: query.ids (line 2)
            wrong-type: $[*].id: expected integer, found string (line 16)
            wrong-value: $[*].sort: expected one of name, age, found one of name, size (line 17)
            unexpected-key: $[*].tel: found string (line 20)
            missing-key: $[*].counts: expected a required key, found a key that may be absent (line 20)
            missing-key: $[*].extra (line 10)
        ✗ mall.shop
            parameter-type: path.number: expected integer, found string (line 12)
            wrong-type: $: expected object, found no JSON (line 11)
        ✗ mall.open
            extra-endpoint: POST /shops
        ✗ mall.order
            extra-endpoint: POST /orders
        ✗ mall.close
            extra-endpoint: DELETE /shops/{id}
        ~ mall the rest of the document
            missing-endpoint: GET /owners (line 14)

        6 checks: 0 passed, 1 drifted, 5 failed, 0 skipped

        """

    private func check(_ words: String, _ files: MemoryFiles) async -> Outcome {
        await run(
            ["import", "openapi"] + words.words, files: files, apis: [Mall.self])
    }

    @Test func eachKind() async {
        let files = MemoryFiles(["m.json": Array(Self.document.utf8)])
        let found = await check("m.json --check", files)
        #expect(found == Outcome(out: Self.differences, code: 1))
        let close = await check("m.json --check mall.close", files)
        #expect(
            close.out.hasPrefix(
                "✗ mall.close\n    extra-endpoint: DELETE /shops/{id}\n~ mall the rest of the document\n"))
        #expect(close.out.hasSuffix("2 checks: 0 passed, 1 drifted, 1 failed, 0 skipped\n") && close.code == 1)
        // All of it is known, and then less of it is found.
        #expect(await check("m.json --check --baseline b.json --update-baseline", files).code == 1)
        let known = await check("m.json --check --baseline b.json --report-json r.json", files)
        #expect(known.code == 0)
        #expect(known.out.hasSuffix("6 checks: 6 passed, 0 drifted, 0 failed, 0 skipped\n"))
        #expect(files.texts["r.json"]?.contains(#""known":10"#) == true)
    }

    static let wrongWords: [ApictlCLITests.Row] = [
        wrong("import json a.json --check", "--check needs openapi SOURCE"),
        wrong("import openapi a.json --baseline b.json", "--baseline needs --check"),
        wrong("import openapi a.json --report-junit -", "--report-junit needs --check"),
        wrong(
            "import openapi a.json --check --report-har a.har",
            "unknown option '--report-har' (argument 5); did you mean '--report-tap'?"),
        wrong(
            "import openapi a.json --check none", files: ["a.json": #"{"openapi": "3.1.0"}"#],
            "no endpoint matches 'none' (argument 5)", see: "list"),
        wrong(
            "import openapi a.json --check", files: ["a.json": "{"],
            "a.json:1:2: expected a key in quotes or '}', found end of input"),
    ]

    @Test(arguments: wrongWords)
    func wrongCommands(_ row: ApictlCLITests.Row) async { await row.check() }

    // MARK: Changes

    /// A change of the document, and the name that is said to differ.
    private struct Change {
        let name: String
        let kind: String
        let document: () -> JSONValue
    }

    /// Every operation, parameter and key below `value`, at `way`, dropped, renamed, retyped, made required or not.
    private static func changes(
        _ value: JSONValue, at way: [String] = [], in text: String, _ rebuild: @escaping (JSONValue) -> JSONValue
    ) -> [Change] {
        if let elements = value.elements {
            return elements.indices.flatMap { index in
                let with = { (new: JSONValue?) in
                    rebuild(JSONValue(elements[..<index] + [new].compactMap(\.self) + elements[(index + 1)...]))
                }
                let own = way.last == "parameters" ? changes(ofParameter: elements[index], with) : []
                return own + changes(elements[index], at: way + ["\(index)"], in: text, with)
            }
        }
        var all: [Change] = []
        for (key, member) in value.members?.map({ ($0.key, $0.value) }) ?? [] {
            // What is said of failures is not compared, nor are schemas that nothing refers to.
            if key == "default" || way.last == "components" && key != "schemas" { continue }
            if way == ["components", "schemas"], !text.contains("/\(key)\"") { continue }
            all += changes(member, at: way + [key], in: text) { rebuild(with(value, key, $0)) }
            if way.count == 2, way[0] == "paths" {
                let name = "\(key.uppercased()) \(way[1])"
                all.append(Change(name: name, kind: "dropped") { rebuild(with(value, key, nil)) })
            }
        }
        for member in value["properties"]?.members ?? [] {
            all += changes(of: member.key, in: value, rebuild)
        }
        return all
    }

    private static func changes(
        ofParameter parameter: JSONValue, _ rebuild: @escaping (JSONValue?) -> JSONValue
    ) -> [Change] {
        let name = parameter["name"]?.string ?? ""
        let retyped = with(parameter, "schema", retyped(parameter["schema"] ?? [:]))
        let renamed = with(parameter, "name", JSONValue(name + "2"))
        let required = with(parameter, "required", JSONValue(parameter["required"]?.bool != true))
        let others: [(String, JSONValue?)] = [("dropped", nil), ("renamed", renamed), ("required", required)]
        let all = [("retyped", retyped)] + (parameter["in"]?.string == "path" ? [] : others)
        return all.map { kind, new in Change(name: name, kind: kind) { rebuild(new) } }
    }

    private static func changes(
        of key: String, in object: JSONValue, _ rebuild: @escaping (JSONValue) -> JSONValue
    ) -> [Change] {
        let properties = object["properties"] ?? [:]
        let required = object["required"]?.elements?.compactMap(\.string) ?? []
        let others = required.filter { $0 != key }
        let isRequired = others.count < required.count
        let renamed = with(with(properties, key, nil), key + "2", properties[key])
        let all = [
            ("dropped", with(properties, key, nil), others),
            ("renamed", renamed, others + (isRequired ? [key + "2"] : [])),
            ("retyped", with(properties, key, retyped(properties[key] ?? [:])), required),
            ("required", properties, isRequired ? others : required + [key]),
        ]
        return all.map { kind, properties, required in
            Change(name: key, kind: kind) {
                let names = JSONValue(required.map { JSONValue($0) })
                return rebuild(with(with(object, "properties", properties), "required", names))
            }
        }
    }

    private static func with(_ object: JSONValue, _ key: String, _ value: JSONValue?) -> JSONValue {
        let others = (object.members ?? []).filter { $0.key != key }.map { ($0.key, $0.value) }
        return JSONValue(others + (value.map { [(key, $0)] } ?? []))
    }

    /// A schema of another type.
    private static func retyped(_ schema: JSONValue) -> JSONValue {
        schema["type"]?.string == "boolean" || schema["type"]?.elements?.first?.string == "boolean"
            ? ["type": "array", "items": ["type": "object"]] : ["type": "boolean"]
    }

    @Test("Of 200 changes, each is found at its place, and nothing else")
    func changes() throws {
        let own = try Self.own.get()
        let changes = Self.changes(own, in: own.description) { $0 }
        var random = SeededRandom(seed: 27)
        for _ in 0..<200 {
            let change = random.pick(changes)
            let problems = try Self.compare(change.document()).flatMap(\.problems)
            #expect(!problems.isEmpty, "\(change.kind): \(change.name)")
            let names = [change.name, change.name + "2"]
            let others = problems.filter { problem in
                let path = problem.path ?? ""
                return !names.contains { path.hasSuffix($0) || path.contains(".\($0)") || path.contains("'\($0)'") }
            }
            #expect(others.map(\.description) == [], "\(change.kind): \(change.name)")
        }
    }
}
