import EndpointKit
import Testing

@testable import ApictlCLI

/// The file of cases that `check --init` prints.
struct CaseTemplateTests {
    /// An API without examples, so that all its required parameters need placeholders.
    enum Depot: API {
        case crate(_ id: Int, part: String?)
        case move(id: Int, to: Place)
        case flush
        case list(kind: String)
        case seal(with: Seal)

        static let api = APIInfo(name: "depot", servers: [Server("production", url: "https://depot.test")])
        static let examples: [Depot] = []
        static let placeholders: [Depot] = [
            .crate(1, part: nil), .move(id: 1, to: Place(row: 1)), .flush, .list(kind: "a"),
        ]

        struct Place: Codable, Sendable { var row: Int }

        /// A value that nothing can be made up for, so that the endpoint can't be called.
        struct Seal: Codable, Sendable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
            }
        }

        var endpoint: Endpoint {
            switch self {
            case .crate(let id, let part):
                .get("/crates/\(id)", query: ["part": part], returns: JSONValue.self, summary: "One crate")
            case .move(let id, let place):
                .put("/crates/\(id)/place", body: .json(place), returns: EmptyResponse.self, summary: "Move a crate")
            case .flush: .post("/flush", returns: EmptyResponse.self, summary: "Empty the depot")
            case .list(let kind): .get("/crates", query: ["kind": kind], returns: JSONValue.self, summary: "Crates")
            case .seal: .get("/seal", returns: JSONValue.self, summary: "Seal the depot")
            }
        }
    }

    private static let template = """
        {
          "version": 1,
          "cases": [
            {
              "endpoint": "depot.crate",
              "arguments": {
                "_0": "{{_0}}"
              }
            },
            {
              "endpoint": "depot.list",
              "arguments": {
                "kind": "{{kind}}"
              }
            },
            {
              "skip": "may change data: remove this line to send it with --unsafe",
              "endpoint": "depot.move",
              "arguments": {
                "id": "{{id}}",
                "to": "{{to}}"
              }
            },
            {
              "skip": "may change data: remove this line to send it with --unsafe",
              "endpoint": "depot.flush"
            }
          ]
        }

        """

    private static func check(_ words: String, _ file: String, _ transport: StubTransport) async -> Outcome {
        await ApictlCLITests.check(
            "--cases c.json \(words)", transport: transport, files: MemoryFiles(["c.json": Array(file.utf8)]),
            apis: [Depot.self])
    }

    @Test func everyEndpointHasACase() async {
        let outcome = await ApictlCLITests.check("--init", transport: UntouchedTransport(), apis: [Depot.self])
        #expect(
            outcome
                == Outcome(
                    out: Self.template, err: "note: depot.seal has no case: no example shows its parameters\n"))
    }

    @Test func onlySelectedEndpointsHaveCases() async {
        let outcome = await ApictlCLITests.check("--init flush", transport: UntouchedTransport(), apis: [Depot.self])
        #expect(outcome.out.contains("depot.flush") && !outcome.out.contains("depot.crate"))
    }

    /// A placeholder that was not replaced is an error that names all such placeholders. Those of writes that are
    /// skipped are none.
    @Test func placeholdersMustBeReplaced() async {
        let outcome = await Self.check("--unsafe", Self.template, StubTransport([]))
        #expect(
            outcome
                == Outcome(
                    err: "apictl: c.json:7:15: {{_0}} has no value: replace it, or capture it in an earlier case "
                        + "(also {{kind}} at c.json:13)\nSee 'apictl help check'.\n", code: 2))
    }

    /// Once its placeholders are replaced, the file runs. Its writes are not sent, even with `--unsafe`.
    @Test func writesAreNotSentByAccident() async {
        let file = Self.template.replacing("\"{{_0}}\"", with: "7").replacing("{{kind}}", with: "box")
        let transport = StubTransport(.json("{}"))
        let outcome = await Self.check("--unsafe", file, transport)
        #expect(
            outcome
                == Outcome(
                    out: """
                        ✓ depot.crate: case 1  200 T
                        ✓ depot.list: case 2   200 T
                        – depot.move: case 3   skipped: may change data: remove this line to send it with --unsafe
                        – depot.flush: case 4  skipped: may change data: remove this line to send it with --unsafe

                        4 checks: 2 passed, 0 drifted, 0 failed, 2 skipped

                        """))
        #expect(
            transport.requests.map(\.redactedURL) == [
                "https://depot.test/crates/7", "https://depot.test/crates?kind=box",
            ])
    }

    @Test func aWriteIsSentOnceItsLineIsRemoved() async {
        let file = Self.template.replacing("\"{{_0}}\"", with: "7").replacing("{{kind}}", with: "box")
            .replacing("\"{{id}}\"", with: "8").replacing("\"{{to}}\"", with: #"{"row": 3}"#)
            .replacing(
                #""skip": "may change data: remove this line to send it with --unsafe","#, with: "", maxReplacements: 1)
        let transport = StubTransport { request in request.method == .get ? .json("{}") : .empty(204) }
        let outcome = await Self.check("--unsafe", file, transport)
        #expect(outcome.err == "to send: 1 write to https://depot.test\n", "\(outcome.testDescription)")
        #expect(transport.requests.last?.method == .put)
        #expect(transport.requests.last?.body?.bytes == Array(#"{"row":3}"#.utf8))
    }

    /// A file whose only case is skipped.
    private static let skippedCase = #"{"version": 1, "cases": [{"endpoint": "depot.flush", "skip": "x"}]}"#

    @Test func aFileOfSkippedCasesChecksNothing() async {
        let outcome = await Self.check("--unsafe", Self.skippedCase, StubTransport([]))
        #expect(outcome.out.contains("Nothing was checked."))
        #expect(outcome.code == 1)
    }

    @Test func aSkippedCaseFailsWithFailOnSkipped() async {
        let outcome = await Self.check("--unsafe --fail-on-skipped", Self.skippedCase, StubTransport([]))
        #expect(outcome.out.contains("1 failed"))
        #expect(outcome.code == 1)
    }

    /// The examples of an API are in the file with their values, also those of writes.
    @Test func examplesHaveTheirValues() async {
        let template = await ApictlCLITests.check("--init", transport: UntouchedTransport())
        let file = template.out.replacing("\n      \"skip\": \"\(CaseFileTemplate.skipReason)\",", with: "")
        #expect(template.out != file)
        let withSkip = await ApictlCLITests.check(
            "--cases - --unsafe", variables: ["SHOP_TOKEN": "t"], stdin: template.out)
        #expect(withSkip.out.contains("7 checks: 6 passed, 0 drifted, 0 failed, 1 skipped\n"))
        let withoutSkip = await ApictlCLITests.check(
            "--cases - --unsafe", variables: ["SHOP_TOKEN": "t"], stdin: file)
        #expect(withoutSkip.out.contains("7 checks: 7 passed, 0 drifted, 0 failed, 0 skipped\n"))
    }

    /// A document may have values for some parameters only.
    @Test func valuesOfADocumentAreUsed() async {
        let document = """
            {"openapi": "3.1.0", "info": {"title": "Zoo", "version": "1"}, "servers": [{"url": "https://zoo.test"}],
             "paths": {
               "/pens/{pen}/animals/{id}": {"get": {"operationId": "animal", "parameters": [
                 {"name": "pen", "in": "path", "required": true, "schema": {"type": "string"}, "example": "north"},
                 {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
                 {"name": "full", "in": "query", "schema": {"type": "boolean"}}], "responses": {}}},
               "/photo": {"put": {"operationId": "photo", "requestBody": {"required": true, "content":
                 {"image/png": {}}}, "responses": {}}}}}
            """
        let outcome = await run(
            "--api zoo.json check --init zoo", files: MemoryFiles(["zoo.json": Array(document.utf8)]), apis: [])
        #expect(
            outcome.out.split(whereSeparator: { " \n".contains($0) }).joined() == """
                {"version":1,"cases":[{"endpoint":"zoo.animal","arguments":{"pen":"north","id":"{{id}}"}},\
                {"skip":"maychangedata:removethislinetosenditwith--unsafe","endpoint":"zoo.photo","body":"{{body}}"}]}
                """, "\(outcome.testDescription)")
    }
}
