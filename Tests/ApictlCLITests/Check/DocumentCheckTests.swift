import EndpointKit
import EndpointTools
import JSONText
import OpenAPI
import TestSupport
import Testing

@testable import ApictlCLI

/// `check --document`: an OpenAPI document against the endpoints of APIs.
struct DocumentCheckTests {
    /// The test API as a document.
    private static let written = Result {
        try OpenAPIWriter.document(APIRegistry(apis: [Shelf.self]).description(), tool: "apictl", server: nil)
    }

    /// Compares a document with the test API, strictly.
    private static func compare(_ document: JSONValue) throws -> DeclarationComparison {
        let source = try SourceDocument(Array(document.written))
        let read = try OpenAPIDocument(source, name: "shelf.json") { _ in throw CancellationError() }
        let options = DocumentCatalogue.Options()
        let catalogue = try DocumentCatalogue(read, name: "document", documentURL: nil, options: options)
        let shelf = CatalogueAPI(Shelf.self)
        return DeclarationComparison(
            document: try DocumentCheck.endpoints(of: CatalogueAPI(catalogue)),
            api: try DocumentCheck.endpoints(of: shelf), isStrict: true)
    }

    /// The problems that a comparison found.
    private static func problems(_ comparison: DeclarationComparison) -> [CheckProblem] {
        comparison.results.flatMap(\.differences).map(\.difference.problem)
    }

    @Test func anAPIDoesNotDifferFromItsOwnDocument() throws {
        let comparison = try Self.compare(Self.written.get())
        #expect(
            Set(comparison.results.compactMap { $0.endpoint?.declaration.endpointName }) == [
                "book", "forget", "change", "near", "new", "lists", "sold", "file", "login", "add", "books", "find",
                "purge", "form", "lines", "open",
            ])
        #expect(Self.problems(comparison).map(\.description) == [])
        #expect(comparison.results.allSatisfy { !$0.isIncomplete })
    }

    // MARK: Each kind

    /// Swagger 2, in which books are described in another way.
    private static let document = """
        {"swagger": "2.0", "basePath": "/v1", "paths": {
        "/books/{number}": {"get": {"parameters": [
        {"name": "number", "in": "path", "type": "string", "required": true},
        {"name": "depth", "in": "query", "type": "string", "required": true},
        {"name": "cover", "in": "query", "type": "string", "enum": ["soft", "gold"]},
        {"name": "size", "in": "query", "type": "integer"}, {"name": "city", "in": "query", "type": "string", "required": true},
        {"name": "key", "in": "query", "type": "string", "required": true},
        {"name": "X-Version", "in": "header", "type": "string"}],
        "responses": {"204": {}}}},
        "/books": {"get": {
        "responses": {"200": {"schema": {"$ref": "#/definitions/Page"}}}}},
        "/owners": {"get": {"responses": {}}}},
        "definitions": {"Page": {"type": "object", "required": ["items", "state", "cover"], "properties": {
        "items": {"type": "array", "items": {"type": "object", "properties": {"title": {"type": "integer"}, "pages": {"type": "integer"}}}},
        "state": {"type": "string", "enum": ["open", "shut", "sold"]}, "cover": {"type": "string", "enum": ["soft", "gold"]},
        "tel": {"type": "string"}}}}}
        """

    private static let differences = """
        ✗ shelf.book
            parameter-type: path.number: expected integer, found string (line 3)
            parameter-type: query.depth: expected integer, found string (line 4)
            parameter-type: query.cover: expected one of soft, hard, found one of soft, gold (line 5)
            missing-parameter: query.size (line 6)
            parameter-required: query.city: expected no parameter, found a required parameter (line 6)
            wrong-type: $: expected object, found no JSON (line 2)
        ✗ shelf.forget
            extra-endpoint: DELETE /books/{isbn}
        ✗ shelf.books
            extra-parameter: query.page (line 10)
            wrong-type: $.items[*].title: expected string, found integer (line 14)
            missing-key: $.items[*].next (line 14)
            wrong-value: $.cover: expected one of soft, hard or null, found one of soft, gold (line 15)
            unexpected-key: $.tel: found string (line 16)
            missing-key: $.extra (line 11)

        3 checks: 0 passed, 0 drifted, 3 failed, 0 skipped

        """

    private func check(_ words: String, _ files: MemoryFiles) async -> Outcome {
        await run(["check", "--document", "m.json"] + words.words, files: files, apis: [Shelf.self])
    }

    /// The files of a run: the document, and a baseline if there is one.
    private static func files(_ document: String, baseline: String? = nil) -> MemoryFiles {
        var files = ["m.json": Array(document.utf8)]
        if let baseline { files["b.json"] = Array(baseline.utf8) }
        return MemoryFiles(files)
    }

    /// Returns the baseline that accepts all differences of the document.
    private func baselineOfDocument() async throws -> String {
        let files = Self.files(Self.document)
        // The differences are accepted only by later runs.
        #expect(await check("shelf.book shelf.forget --baseline b.json --update-baseline", files).code == 1)
        return try #require(files["b.json"])
    }

    @Test func eachKindOfDifferenceIsReported() async {
        let outcome = await check("shelf.book shelf.forget", Self.files(Self.document))
        #expect(outcome == Outcome(out: Self.differences, code: 1))
    }

    @Test func importComparesInTheSameWay() async {
        let words = "import openapi m.json --check shelf.book shelf.forget"
        let outcome = await run(words, files: Self.files(Self.document), apis: [Shelf.self])
        #expect(outcome == Outcome(out: Self.differences, code: 1))
    }

    @Test func onlyTheChosenEndpointsAreCompared() async {
        let outcome = await check("shelf.forget", Self.files(Self.document))
        #expect(outcome.out.hasPrefix("✗ shelf.forget\n    extra-endpoint: DELETE /books/{isbn}\n\n"))
        #expect(outcome.out.hasSuffix("1 check: 0 passed, 0 drifted, 1 failed, 0 skipped\n") && outcome.code == 1)
    }

    @Test func differencesInTheBaselinePass() async throws {
        let files = Self.files(Self.document, baseline: try await baselineOfDocument())
        let outcome = await check("shelf.book shelf.forget --baseline b.json --report-json r.json", files)
        #expect(outcome.code == 0)
        #expect(outcome.out.hasSuffix("3 checks: 3 passed, 0 drifted, 0 failed, 0 skipped\n"))
        #expect(files.texts["r.json"]?.contains(#""known":6"#) == true)
    }

    /// The document with another kind of difference at a path that the baseline lists.
    private static let changedDocument = document.replacing(
        #"{"name": "size", "in": "query""#, with: #"{"name": "size", "required": true, "in": "query""#)

    @Test func anotherKindOfDifferenceAtAKnownPathFails() async throws {
        let files = Self.files(Self.changedDocument, baseline: try await baselineOfDocument())
        let outcome = await check("shelf.book shelf.forget --baseline b.json", files)
        #expect(
            outcome.out.contains("parameter-required: query.size: expected no parameter, found a required parameter"))
        #expect(outcome.code == 1)
    }

    /// Older files have entries without kinds.
    @Test func anEntryWithoutAKindAcceptsAllKinds() async throws {
        let baseline = try await baselineOfDocument()
        let withoutKinds = baseline.replacing(/,\s*"kind": "[a-z-]+"/, with: "")
        try #require(withoutKinds != baseline)
        let files = Self.files(Self.changedDocument, baseline: withoutKinds)
        let outcome = await check("shelf.book shelf.forget --baseline b.json", files)
        #expect(outcome.code == 0 && !outcome.out.contains("query.size"))
    }

    private enum Toys: API {
        case toy
        static let api = APIInfo(name: "toys", servers: [Server("main", url: "https://toys.test/v1")])
        static let examples: [Toys] = [.toy]
        var endpoint: Endpoint { .get("/toy", returns: EmptyResponse.self, summary: "Toy") }
    }

    /// Operations that no endpoint has fail with `--strict` only. They are reported under an API that is compared as a
    /// whole: the one on the document's server.
    @Test(arguments: [
        (words: "toys", code: 0, isReported: true), (words: "toys --strict", code: 1, isReported: true),
        (words: "shelf.forget toys --strict", code: 1, isReported: true), (words: "", code: 1, isReported: true),
        (words: "shelf.forget", code: 0, isReported: false),
    ]) func operationsThatNoEndpointHasAreReported(words: String, code: Int, isReported: Bool) async {
        func document(_ more: String) -> [UInt8] {
            let forget = #""/books/{id}": {"delete": {"parameters": [{"name": "id", "in": "path"}]}}"#
            let servers = #""servers": [{"url": "https://toys.test/v1"}]"#
            return Array(#"{"openapi": "3.1.0", \#(servers), "paths": {"/toy": {"get": {}}, \#(forget)\#(more)}}"#.utf8)
        }
        func check(_ options: String, _ files: MemoryFiles) async -> Outcome {
            await run(
                ["check", "--document", "m.json"] + (words + options).words, files: files,
                apis: [Shelf.self, Toys.self])
        }
        let files = MemoryFiles(["m.json": document(#", "/owners": {"get": {}}"#)])
        let outcome = await check("", files)
        let hasResult = outcome.out.contains(" toys: the rest of the document\n    missing-endpoint: ")
        #expect(hasResult == isReported && Int(outcome.code) == code, "\(outcome)")
        #expect(outcome.out.contains("missing-endpoint: GET /owners (line 1)\n") == isReported)
        _ = await check(" --baseline b.json --update-baseline", files)
        let later = MemoryFiles(["m.json": document(""), "b.json": Array((files["b.json"] ?? "").utf8)])
        let gone = "No longer seen, remove it from the baseline: toys GET /owners missing-endpoint\n"
        #expect(await check(" --baseline b.json", later).out.contains(gone) == isReported)
    }

    static let wrongWords: [ApictlCLITests.Row] = [
        wrong("import json a.json --check", "--check needs openapi SOURCE"),
        wrong("import openapi --check", "import openapi needs a URL, a file, or - for stdin"),
        wrong("import openapi a.json --baseline b.json", "--baseline needs --check"),
        wrong("import openapi a.json --report-junit -", "--report-junit needs --check"),
        wrong(
            "import openapi a.json --check --report-har a.har",
            "unknown option '--report-har' (argument 5); did you mean '--report-md'?"),
        wrong("check --document", "--document (argument 2) needs a value: --document [NAME=]FILE|URL"),
        wrong("check --document shop=", "--document (argument 2): expected a file or URL after '='"),
        wrong("check --document a.json --sample", "--document and --sample can't be used together"),
        wrong("check --document a.json --report-har -", "--document and --report-har can't be used together"),
        wrong("check --document - --baseline -", "'-' (argument 4) would read stdin a second time"),
        wrong(
            "check --document a.json none", files: ["a.json": #"{"openapi": "3.1.0", "paths": {}}"#],
            "no endpoint matches 'none' (argument 4)", see: "list"),
        wrong(
            "check --document a.json", files: ["a.json": "{"],
            "a.json:1:2: expected a key in quotes or '}', found end of input", see: "help documents"),
        wrong(
            "check --document a.json", files: ["a.json": #"{"openapi": "3.1.0"}"#],
            "a.json:1:1: #: expected a document with 'paths', found none", see: "help documents"),
    ]

    @Test(arguments: wrongWords)
    func aWrongCommandLineIsAnError(_ row: ApictlCLITests.Row) async { await row.check() }

    // MARK: Pairs

    /// An operation of a document, the same in the document of an API, and where they differ.
    struct Pair: CustomTestStringConvertible {
        let testDescription: String
        let theirs: String
        let own: String
        let differences: [String]

        init(_ title: String, _ theirs: String, _ own: String, _ differences: String...) {
            testDescription = title
            self.theirs = theirs
            self.own = own
            self.differences = differences
        }
    }

    /// A response with a schema.
    private static func json(_ schema: String, _ status: String = "200", _ type: String = "application/json") -> String
    {
        #""\#(status)": {"content": {"\#(type)": {"schema": \#(schema)}}}"#
    }
    private static func responses(_ all: String...) -> String { #""responses": {\#(all.joined(separator: ", "))}"# }
    private static func body(_ schema: String, _ type: String = "application/json") -> String {
        #""requestBody": {"required": true, "content": {"\#(type)": {"schema": \#(schema)}}}"#
    }
    private static func parameter(_ place: String, _ schema: String, _ more: String = "") -> String {
        #""parameters": [{"name": "p", "in": "\#(place)", "schema": \#(schema)\#(more)}]"#
    }
    private static let a = #"{"type": "object", "properties": {"a": {"type": "string"}}}"#
    private static let b = #"{"type": "object", "properties": {"b": {"type": "string"}}}"#
    private static let none = #"{"type": "object", "properties": {}}"#
    private static let text = #"{"type": "string", "pattern": "^.+$"}"#
    private static let form = #", "style": "form""#
    private static let list = #"{"type": "array", "items": {"type": "string"}}"#
    private static let words = #"{"type": "array", "items": {"enum": ["x", "y"]}}"#

    private static let responsePairs = [
        Pair("any type", responses(json(a, "200", "*/*")), responses(json(a))),
        Pair("any type without a schema is bytes", #""responses": {"200": {"content": {"*/*": {}}}}"#, ""),
        Pair(
            "no JSON any more", responses(json(text, "200", "text/html")), responses(json(a)),
            "wrong-type: $: expected object, found no JSON (line 1)"),
        Pair(
            "no times any more", responses(json(#"{"properties": {"t": {"type": "string", "format": "time"}}}"#)),
            responses(json(#"{"properties": {"t": {"type": ["string", "null"], "format": "date-time"}}}"#)),
            "wrong-value: $.t: expected date-time or null, found string (line 1)"),
        Pair("no status", responses(json(a, "default")), responses(json(a))),
        Pair("the lowest status", responses(json(b, "202"), json(a)), responses(json(a))),
        Pair(
            "the best type",
            #""responses": {"200": {"content": {"application/problem+json": {"schema": \#(b)}, "application/json": {"schema": \#(a)}}}}"#,
            responses(json(a))),
        Pair(
            "dates are times too", responses(json(#"{"properties": {"t": {"type": "string", "format": "date"}}}"#)),
            responses(json(#"{"properties": {"t": {"type": "string", "format": "date-time"}}}"#))),
        Pair("no key is named", responses(json(none)), responses(json(a))),
        Pair(
            "the last key dropped", responses(json(#"{"type": "object", "additionalProperties": false}"#)),
            responses(json(a)), "missing-key: $.a (line 1)"),
        Pair(
            "all keys of a dictionary", responses(json(#"{"type": "object"}"#)),
            responses(json(#"{"type": "object", "additionalProperties": {}}"#))),
    ]
    private static let requestPairs = [
        Pair("a body of any type", body(a, "*/*"), body(a)),
        Pair("a body of any type of application", body(a, "application/*"), body(a)),
        Pair(
            "a key that another part requires", body(#"{"allOf": [\#(a), {"required": ["a"]}]}"#),
            body(#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#)),
        Pair(
            "numbers without a type", parameter("query", #"{"enum": [1, 2]}"#),
            parameter("query", #"{"type": "integer", "enum": [1, 2]}"#)),
        Pair(
            "numbers that are constants", parameter("query", #"{"oneOf": [{"const": 1}, {"const": 2}]}"#),
            parameter("query", #"{"type": "integer", "enum": [1, 2]}"#)),
        Pair("words in a header", parameter("header", words), parameter("header", text)),
        Pair(
            "words as one item", parameter("query", words, #", "explode": false"#), parameter("query", text)),
        Pair(
            "words as several items", parameter("query", words), parameter("query", text),
            "parameter-type: query.p: expected string, found array (line 1)"),
        Pair(
            "an object in an object", parameter("query", #"{"properties": {"o": \#(a)}}"#),
            #""parameters": [{"name": "o", "in": "query", "style": "deepObject", "schema": \#(a)}]"#),
        Pair(
            "a list that only the document joins with commas",
            parameter("query", list, #", "style": "form", "explode": false"#),
            parameter("query", list, form),
            "parameter-type: query.p: expected an item for each element, found elements joined by ',' (line 1)"),
        Pair(
            "a list that only the document writes as several items", parameter("query", list, form),
            parameter("query", list, #", "style": "pipeDelimited""#),
            "parameter-type: query.p: expected elements joined by '|', found an item for each element (line 1)"),
        Pair(
            "a list that only the document joins with pipes", parameter("query", list, #", "style": "pipeDelimited""#),
            parameter("query", list),
            "parameter-type: query.p: expected an item for each element, found elements joined by '|' (line 1)"),
        Pair(
            "a cookie", parameter("cookie", text, #", "required": true"#), "",
            "parameter-required: cookie.p: expected no parameter, found a required parameter (line 1)"),
        Pair(
            "a cookie among others", parameter("cookie", text, #", "required": true"#),
            #""parameters": [{"name": "Cookie", "in": "header"}]"#),
        Pair("an object with any keys", parameter("query", #"{"additionalProperties": {"type": "string"}}"#), ""),
    ]

    @Test(arguments: responsePairs + requestPairs)
    func twoDeclarationsDifferAsExpected(_ pair: Pair) async {
        func document(_ path: String, _ operation: String) -> [UInt8] {
            let members = operation.isEmpty ? "" : operation
            return Array(#"{"openapi": "3.1.0", "paths": {"\#(path)": {"post": {\#(members)}}}}"#.utf8)
        }
        // A path is the same however it is written.
        let files = MemoryFiles([
            "document.json": document(##"/a é\""##, pair.theirs), "api.json": document("/a%20%C3%A9%22", pair.own),
        ])
        let outcome = await run(
            "--api own=api.json check --document document.json own", files: files, apis: [Shelf.self])
        let problems = outcome.out.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
        #expect(problems.map(String.init) == pair.differences, "\(outcome)")
    }

    // MARK: Two documents

    /// A newer version of a document is compared with an older one.
    @Test func differencesHaveTheirLinesInYAML() async {
        let old = """
            openapi: 3.1.0
            paths:
              /pets/{id}:
                get:
                  parameters:
                    - {name: id, in: path, required: true, schema: {type: integer}}
                    - name: limit
                      in: query
                      schema:
                        type: integer
                  responses:
                    "200":
                      content:
                        application/json:
                          schema: {$ref: "#/components/schemas/Pet"}
              /owners:
                get: {responses: {"204": {}}}
            components:
              schemas:
                Pet:
                  allOf:
                    - type: object
                      required: [name]
                      properties:
                        name:
                          type: string
                    - properties:
                        parent: {$ref: "#/components/schemas/Pet"}
                        tags:
                          items:
                            oneOf:
                              - type: string
                              - type: object
                                properties:
                                  label: {type: string}
            """
        let new = old.replacing("type: integer}}", with: "type: string}}").replacing("name: limit", with: "name: max")
            .replacing("required: [name]", with: "required: [name, tags]")
            .replacing("label: {type: string}", with: "label: {type: boolean}")
            .replacing("  /owners:\n    get: {responses: {\"204\": {}}}\n", with: "")
        let files = MemoryFiles(["v1.yaml": Array(old.utf8), "v2.yaml": Array(new.utf8)])
        let words = "--api shop=v2.yaml check --document v1.yaml shop"
        let outcome = await run(words, files: files, apis: [Shelf.self])
        #expect(
            outcome
                == Outcome(
                    out: """
                        ✗ shop.get-pets
                            missing-parameter: query.limit (line 7)
                            extra-parameter: query.max (line 5)
                            missing-key: $.tags: expected a required key, found a key that may be absent (line 30)
                            wrong-type: $.tags[*].label: expected boolean or null, found string (line 35)
                        ~ shop: the rest of the document
                            missing-endpoint: GET /owners (line 17)

                        2 checks: 0 passed, 1 drifted, 1 failed, 0 skipped

                        """, code: 1))
    }

    // MARK: Large documents

    /// A document whose operations respond with a schema.
    private static func document(_ operations: Int, schemas: String) -> [UInt8] {
        let paths = (0..<operations).map { index in
            #""/a\#(index)": {"get": {\#(responses(json(##"{"$ref": "#/components/schemas/S0"}"##)))}}"#
        }
        return Array(
            #"{"openapi": "3.1.0", "paths": {\#(paths.joined(separator: ", "))}, "components": {"schemas": {\#(schemas)}}}"#
                .utf8)
    }

    /// 40 schemas that each name the next one twice, and of which the last one names the first.
    private static func doubled(_ last: String) -> String {
        let schemas = (0..<40).map { index in
            let next = ##"{"$ref": "#/components/schemas/S\##((index + 1) % 40)"}"##
            let end = index == 39 ? #", "end": {"type": "\#(last)"}"# : ""
            return #""S\#(index)": {"properties": {"a": \#(next), "b": {"items": \#(next)}\#(end)}}"#
        }
        return schemas.joined(separator: ", ")
    }

    @Test("Schemas that hold themselves twice are compared once", .timeLimit(.minutes(3)))
    func doubledReferences() async {
        let files = MemoryFiles([
            "v1.json": Self.document(1, schemas: Self.doubled("integer")),
            "v2.json": Self.document(1, schemas: Self.doubled("string")),
        ])
        let words = "--api own=v2.json check --document v1.json own"
        let outcome = await run(words, files: files, apis: [Shelf.self])
        let path = "$" + String(repeating: ".a", count: 39) + ".end"
        #expect(outcome.out.contains("    wrong-type: \(path): expected string or null, found integer (line 1)\n\n"))
        #expect(outcome.out.count { $0 == "\n" } == 4)
    }

    @Test("2,000 operations are compared with themselves", .timeLimit(.minutes(3)))
    func manyOperations() async {
        let next = ##"{"$ref": "#/components/schemas/S0"}"##
        let schema = #""S0": {"properties": {"id": {"type": "integer"}, "next": \#(next)}}"#
        let files = MemoryFiles(["v1.json": Self.document(2_000, schemas: schema)])
        let words = "--api own=v1.json check --document v1.json own --report-json r.json"
        let outcome = await run(words, files: files, apis: [Shelf.self])
        #expect(outcome.out.hasSuffix("2000 checks: 2000 passed, 0 drifted, 0 failed, 0 skipped\n"))
    }

    @Test func schemasThatAreTooDeepDoNotPass() async {
        let schemas = (0..<300).map { index in
            let next = index == 299 ? "integer" : ""
            let schema = next.isEmpty ? ##"{"$ref": "#/components/schemas/S\##(index + 1)"}"## : #"{"type": "integer"}"#
            return #""S\#(index)": {"properties": {"a": \#(schema)}}"#
        }
        let old = schemas.joined(separator: ", ")
        let files = MemoryFiles([
            "v1.json": Self.document(1, schemas: old),
            "v2.json": Self.document(1, schemas: old.replacing("integer", with: "string")),
        ])
        let outcome = await run("--api own=v2.json check --document v1.json own", files: files, apis: [Shelf.self])
        #expect(outcome.out.contains("the schemas are too large to compare"))
        #expect(outcome.code == 1)
    }

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
            // The responses to failures (`default`) are not compared, nor are schemas that nothing refers to.
            if key == "default" || way.last == "components" && key != "schemas" { continue }
            if way == ["components", "schemas"], !text.contains("/\(key)\"") { continue }
            all += changes(member, at: way + [key], in: text) { rebuild(with(value, key, $0)) }
            if way.count == 2, way[0] == "paths" {
                let name = "\(key.uppercased().replacing("X-", with: "")) \(way[1])"
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
        let written = try Self.written.get()
        // The header of every request, X-Version, and the model of every failure are not compared.
        let changes = Self.changes(written, in: written.description) { $0 }.filter {
            !["X-Version", "message"].contains($0.name)
        }
        var random = SeededRandom(seed: 27)
        for _ in 0..<200 {
            let change = random.pick(changes)
            let problems = try Self.problems(Self.compare(change.document()))
            #expect(!problems.isEmpty, "\(change.kind): \(change.name)")
            let names = [change.name, change.name + "2"].map { $0.replacing(/{[^}]*}/, with: "{}") }
            let others = problems.filter { problem in
                // Endpoints with the same path may have other names for its variables.
                let path = (problem.path ?? "").replacing(/{[^}]*}/, with: "{}")
                return !names.contains { path.hasSuffix($0) || path.contains(".\($0)") || path.contains("'\($0)'") }
            }
            #expect(others.map(\.description) == [], "\(change.kind): \(change.name)")
        }
    }

    /// A document whose only response has a schema.
    private static func document(_ schema: String, status: Int = 200) -> [UInt8] {
        let content = #""content": {"application/json": {"schema": \#(schema)}}"#
        let responses = #"{"\#(status)": {"description": "", \#(content)}, "202": {"description": ""}}"#
        let path = #""/a": {"get": {"operationId": "a", "responses": \#(responses)}}"#
        let info = #""info": {"title": "T", "version": "1"}, "servers": [{"url": "http://a.test"}]"#
        return Array(#"{"openapi": "3.1.0", \#(info), "paths": {\#(path)}}"#.utf8)
    }

    /// Schemas of an API and of a document, and the problems of their comparison, those of a strict one last.
    static let dictionaries: [(api: String, document: String, problem: String?, strict: String?)] = [
        (
            #"{"additionalProperties": {"type": "string"}}"#,
            #"{"properties": {"zz": {"type": "string"}}, "required": ["zz"]}"#, nil,
            "wrong-type: $: expected object with any keys, found object with the keys zz"
        ),
        (
            #"{"additionalProperties": {"type": "string"}}"#,
            #"{"properties": {"zz": {"type": "integer"}}, "required": ["zz"]}"#,
            "wrong-type: $.zz: expected string, found integer", "wrong-type: $.zz: expected string, found integer"
        ),
        (
            #"{"properties": {"n": {"type": "string"}}, "required": ["n"]}"#,
            #"{"additionalProperties": {"type": "integer"}}"#, "missing-key: $.n", "missing-key: $.n"
        ),
        (
            #"{"properties": {"n": {"type": "integer"}}}"#, #"{"additionalProperties": {"type": "integer"}}"#, nil,
            "missing-key: $.n"
        ),
    ]

    @Test("A dictionary is compared with an object that names its keys", arguments: dictionaries.indices)
    func dictionary(_ index: Int) async {
        let row = Self.dictionaries[index]
        func typed(_ schema: String) -> String { #"{"type": "object", "# + schema.dropFirst() }
        let files = MemoryFiles([
            "a.json": Self.document(typed(row.api)), "d.json": Self.document(typed(row.document)),
        ])
        for (words, problem) in [("", row.problem), (" --strict", row.strict)] {
            let outcome = await run("--api t=a.json check --document d.json t\(words)", files: files, apis: [])
            #expect(outcome.code == (problem == nil ? 0 : 1), "\(outcome.out)")
            if let problem { #expect(outcome.out.contains(problem), "\(outcome.out)") }
        }
    }

    @Test("A response without a body fits where the document describes none, or null", arguments: [202, 204, 200])
    func noBody(_ status: Int) async {
        let nullable = #"{"type": ["object", "null"]}"#
        for (schema, fits) in [(nullable, true), (#"{"type": "object"}"#, status == 202)] {
            let outcome = await run(
                "--api t=a.json call t.a", files: MemoryFiles(["a.json": Self.document(schema)]),
                transport: StubTransport(.empty(status)), apis: [])
            #expect(outcome.code == (fits ? 0 : 8) && outcome.out.isEmpty, "\(outcome.err)")
        }
    }
}
