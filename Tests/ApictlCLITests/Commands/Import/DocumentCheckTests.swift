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
        #expect(
            await check("m.json --check mall.close", files)
                == Outcome(
                    out: """
                        ✗ mall.close
                            extra-endpoint: DELETE /shops/{id}
                        ~ mall the rest of the document
                            missing-endpoint: GET /shops (line 2)
                            missing-endpoint: GET /shops/{number}/{day} (line 11)
                            missing-endpoint: GET /owners (line 14)

                        2 checks: 0 passed, 1 drifted, 1 failed, 0 skipped

                        """, code: 1))
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

    /// A change of a document, and the name that is said to differ.
    private struct Change {
        let document: JSONValue
        let name: String
        let text: String
    }

    /// Every operation, parameter and key that can be changed, as the way to it.
    private static func places(_ value: JSONValue, _ way: [String] = [], in text: String) -> [[String]] {
        let members: [(String, JSONValue)]
        if let elements = value.elements {
            members = elements.enumerated().map { ("\($0)", $1) }
        } else {
            members = value.members?.map { ($0.key, $0.value) } ?? []
        }
        return members.flatMap { key, member -> [[String]] in
            // What is said of failures is not compared.
            if key == "default" || way.last == "components" && key != "schemas" { return [] }
            // Neither are schemas that nothing refers to.
            if way == ["components", "schemas"], !text.contains("/\(key)\"") { return [] }
            let own = way + [key]
            let isPlace = way.last == "parameters" || way.last == "properties" || way.count == 2 && way[0] == "paths"
            return (isPlace ? [own] : []) + places(member, own, in: text)
        }
    }

    private static func edited(_ value: JSONValue, _ way: ArraySlice<String>, _ edit: (JSONValue) -> JSONValue?)
        -> JSONValue?
    {
        guard let step = way.first else { return edit(value) }
        if let elements = value.elements {
            var all: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                let new = "\(index)" == step ? edited(element, way.dropFirst(), edit) : .some(element)
                if let new { all.append(new) }
            }
            return JSONValue(all)
        }
        var all: [(String, JSONValue)] = []
        for (key, member) in value.members ?? [] {
            let new = key == step ? edited(member, way.dropFirst(), edit) : .some(member)
            if let new { all.append((key, new)) }
        }
        return JSONValue(all)
    }

    private static func with(_ object: JSONValue, _ key: String, _ value: JSONValue?) -> JSONValue {
        var members: [(String, JSONValue)] = (object.members ?? []).filter { $0.key != key }.map { ($0.key, $0.value) }
        if let value { members.append((key, value)) }
        return JSONValue(members)
    }

    /// A schema of another type.
    private static func retyped(_ schema: JSONValue) -> JSONValue {
        schema["type"]?.string == "boolean" || schema["type"]?.elements?.first?.string == "boolean"
            ? ["type": "array", "items": ["type": "object"]] : ["type": "boolean"]
    }

    private static func change(_ way: [String], _ random: inout SeededRandom) throws -> Change? {
        let document = try own.get()
        let key = way[way.count - 1]
        let place = way.reduce(document) { value, step in
            if let elements = value.elements { return elements[Int(step) ?? 0] }
            return value[step] ?? value
        }
        let kind = ["dropped", "renamed", "retyped", "required"][random.number(below: 4)]
        let text = "\(kind): \(way.joined(separator: "/"))"
        func made(_ name: String, _ edit: (JSONValue) -> JSONValue?) -> Change? {
            edited(document, way[...], edit).map { Change(document: $0, name: name, text: text) }
        }
        if way[0] == "paths", way.count == 3 {
            let name = "\(key.uppercased()) \(way[1])"
            return kind == "dropped" ? made(name) { _ in nil } : nil
        }
        if way[way.count - 2] == "parameters" {
            let name = place["name"]?.string ?? ""
            let isInPath = place["in"]?.string == "path"
            switch kind {
            case "dropped": return isInPath ? nil : made(name) { _ in nil }
            case "renamed": return isInPath ? nil : made(name) { with($0, "name", JSONValue(name + "2")) }
            case "retyped": return made(name) { with($0, "schema", retyped($0["schema"] ?? [:])) }
            default:
                let isRequired = place["required"]?.bool == true
                return isInPath ? nil : made(name) { with($0, "required", JSONValue(!isRequired)) }
            }
        }
        // Of a property, what is around it says whether it is required.
        let parent = Array(way.dropLast(2))
        func required(_ object: JSONValue, _ edit: ([JSONValue]) -> [JSONValue]) -> JSONValue {
            with(object, "required", JSONValue(edit(object["required"]?.elements ?? [])))
        }
        let new = edited(document, parent[...]) { object in
            let properties = object["properties"] ?? [:]
            let isRequired = object["required"]?.elements?.contains { $0.string == key } == true
            switch kind {
            case "dropped":
                return required(with(object, "properties", with(properties, key, nil))) {
                    $0.filter { $0.string != key }
                }
            case "renamed":
                let renamed = with(with(properties, key, nil), key + "2", properties[key])
                return required(with(object, "properties", renamed)) {
                    $0.map { element in element.string == key ? JSONValue(key + "2") : element }
                }
            case "retyped": return with(object, "properties", with(properties, key, retyped(properties[key] ?? [:])))
            default: return required(object) { isRequired ? $0.filter { $0.string != key } : $0 + [JSONValue(key)] }
            }
        }
        return new.map { Change(document: $0, name: key, text: text) }
    }

    @Test("Of 200 changes, each is found at its place, and nothing else")
    func changes() throws {
        let own = try Self.own.get()
        let places = Self.places(own, in: own.description)
        var random = SeededRandom(seed: 27)
        var count = 0
        while count < 200 {
            guard let change = try Self.change(random.pick(places), &random) else { continue }
            count += 1
            let problems = try Self.compare(change.document).flatMap(\.problems)
            #expect(!problems.isEmpty, "\(change.text)")
            let names = [change.name, change.name + "2"]
            let others = problems.filter { problem in
                let path = problem.path ?? ""
                return !names.contains { path.hasSuffix($0) || path.contains(".\($0)") || path.contains("'\($0)'") }
            }
            #expect(others.map(\.description) == [], "\(change.text)")
        }
    }
}
