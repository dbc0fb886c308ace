import EndpointKit
import TestSupport
import Testing

@testable import ApictlCLI

/// Unusual operations of documents, as they are described and called.
@Suite struct DocumentOperationTests {
    /// Returns a document with operations of `POST`, each with its path and its members.
    private static func document(_ operations: KeyValuePairs<String, String>, more: String = "") -> String {
        let paths = operations.map { path, members in #""/\#(path)": {"post": {\#(members)}}"# }
        return #"""
            {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": \#
            "https://shop.example"}],
             "paths": {\#(paths.joined(separator: ", "))}\#(more)}
            """#
    }

    /// Returns the members of a body with a content.
    private static func body(_ contentType: String, _ schema: String, isRequired: Bool = true) -> String {
        #""requestBody": {"required": \#(isRequired), "content": {"\#(contentType)": {"schema": \#(schema)}}}"#
    }

    private static func outcome(_ words: String, of document: String) async -> Outcome {
        await Row(words, words, variables: [:], files: ["shop.json": document], apis: []).run()
    }

    /// Returns the lines of a section of a description, without indentation.
    private static func section(_ title: String, of text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: title[...]) else { return [] }
        return lines[(start + 1)...].prefix { !$0.isEmpty }.map { String($0.drop { $0 == " " }) }
    }

    // MARK: Descriptions

    @Test func `An operation without a summary has only a name`() async {
        let outcome = await Self.outcome("describe --api shop.json shop.post-a", of: Self.document(["a": ""]))
        #expect(outcome.out.hasPrefix("shop.post-a\nPOST /a\n"))
    }

    @Test func `An operation whose servers can't be read has those of the document`() async {
        let document = Self.document(["a": #""servers": [{"description": "x"}]"#])
        let outcome = await Self.outcome("describe --api shop.json shop.post-a", of: document)
        let leftOut = Self.section("Left out", of: outcome.out).joined(separator: " ")
        #expect(leftOut.hasSuffix("expected a server with a 'url', found none"))
        #expect(Self.section("Servers", of: outcome.out) == ["production  https://shop.example"])
    }

    /// A body whose only value is a constant can't be changed to see where its value is sent.
    @Test func `The place of a body with one value is known`() async {
        let schema = #"{"properties": {"state": {"const": "active"}}, "required": ["state"]}"#
        let document = Self.document(["a": Self.body("application/json", schema)])
        let outcome = await Self.outcome("describe --api shop.json shop.post-a", of: document)
        let parameters = Self.section("Parameters", of: outcome.out)
        #expect(parameters.count == 2 && parameters.allSatisfy { $0.contains(" body") }, "\(parameters)")
    }

    @Test func `Credentials of operations are named by the description of the API`() async {
        let schemes = #", "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}}"#
        let document = Self.document(["a": #""security": [{"key": []}]"#], more: schemes)
        let outcome = await Self.outcome("describe --api shop.json shop", of: document)
        let credentials = "declared by endpoints, which 'describe API.ENDPOINT' shows: SHOP_KEY"
        #expect(Self.section("Credentials", of: outcome.out) == [credentials])
    }

    @Test func `Pages of an operation are links that responses may have`() async {
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": \#
            "https://shop.example"}],
             "paths": {"/a": {"get": {"responses": {"200": {"description": "", "content":
                {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}}}}}}}
            """#
        let outcome = await Self.outcome("describe --api shop.json shop.get-a", of: document)
        let response = Self.section("Response", of: outcome.out)
        #expect(response.contains("Pages: --all-pages follows Link headers, if there are any"))
    }

    // MARK: Commands without names

    /// A command without names is about the documents of `--api` alone; with names, all APIs can be called.
    @Test(arguments: [
        ("list", ["shop.post-a\tPOST\t/a\tA"]),
        ("list movies", ["movies."]),
        ("check --unsafe --sample", ["shop.post-a"]),
    ])
    func `Commands without names are about the documents of the command line`(words: String, starts: [String]) async {
        let row = Row(words, words + " --api shop.json", variables: [:], files: ["shop.json": Self.summarized])
        let outcome = await row.run()
        let lines = outcome.out.split(separator: "\n").filter { $0.contains("shop.") || $0.contains("movies.") }
        #expect(!lines.isEmpty && lines.allSatisfy { line in starts.contains { line.contains($0) } }, "\(outcome)")
    }

    // MARK: Proposed commands

    private static let summarized = document(["a": #""summary": "A""#])

    /// A command that is proposed can be copied.
    @Test(arguments: [
        ("describe --api shop.json shop", "apictl --api shop.json call shop.post-a --"),
        ("--api 'my shop.json' describe my-shop", "apictl --api 'my shop.json' describe my-shop.post-a"),
        ("help --api s=shop.json", "apictl --api s=shop.json curl s.post-a"),
        ("help agents --api shop.json", "`apictl --api shop.json call shop.post-a --"),
        ("mcp shop --api shop.json --print-config", #""args": ["#),
        ("--api shop.json mcp shop --print-config", #""--api","#),
    ])
    func `Proposed commands repeat --api`(_ words: String, _ text: String) async {
        let untitled = Self.summarized.replacing(#""title": "Shop", "#, with: "")
        let files = ["shop.json": Self.summarized, "my shop.json": untitled]
        let arguments = words.split(separator: "'").enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
        let outcome = await run(
            arguments, variables: [:], files: MemoryFiles(files.mapValues { $0.exactBytes }), apis: [])
        #expect(outcome.out.contains(text), "\(outcome)")
    }

    @Test func `Advice repeats --api without secrets`() async {
        let outcome = await Self.outcome("--api shop.json call shop.post-a --x 1", of: Self.summarized)
        #expect(outcome.err.hasSuffix("See 'apictl --api shop.json help shop.post-a'.\n"))
        let url = await Row(
            "URL", "--api https://shop.example/a.json?api_key=s3cret call shop.post-a --x 1", variables: [:],
            response: .json(Self.summarized), apis: []
        ).run()
        #expect(url.code == 2 && url.err.contains("--api 'https://shop.example/a.json?api_key="), "\(url)")
        #expect(!url.err.contains("s3cret"))
    }

    @Test func `Proposed commands do not repeat the configuration`() async {
        let config = #"{"version": 1, "documents": {"shop": {"file": "shop.json"}}}"#
        let row = Row(
            "describe", "describe shop", variables: ["APICTL_CONFIG": "/c/config.json"],
            files: ["/c/config.json": config, "/c/shop.json": Self.summarized], apis: [])
        let outcome = await row.run()
        #expect(outcome.out.contains("\n  apictl describe shop.post-a\n"), "\(outcome)")
    }

    @Test func `An error about a name that is taken says which configuration has it`() async {
        let config = #"{"version": 1, "documents": {"shop": {"file": "shop.json"}}}"#
        let row = Row(
            "taken", "describe shop --api shop=other.json", variables: ["APICTL_CONFIG": "/c/config.json"],
            files: ["/c/config.json": config, "/c/shop.json": Self.summarized, "other.json": Self.summarized],
            apis: [],
            err: """
                apictl: 'other.json' (argument 4): there is an API shop already, which the configuration \
                /c/config.json names; --api NAME=FILE gives this one another name
                See 'apictl list'.

                """, code: 2)
        await row.check()
    }

    /// If a configuration can't be read, its documents are unknown.
    @Test(arguments: ["describe shop", "list shop", "shop.post-a"])
    func `A broken configuration is named in place of an unknown API`(_ words: String) async {
        let row = Row(
            words, words, variables: ["APICTL_CONFIG": "/c/config.json"],
            files: ["/c/config.json": #"{"version": 1, "documents": {"shop": {}}}"#], apis: [],
            err: """
                apictl: /c/config.json:1:38: expected "file" with the path or URL of the document
                See 'apictl help config'.

                """, code: 2)
        await row.check()
    }

    // MARK: Parameters

    private static let options = #"""
        "parameters": [{"name": "api", "in": "query"}, {"name": "server-variable", "in": "query"},
         {"name": "body-type", "in": "query"}]
        """#
    private static let otherOptions = #"""
        {"openapi": "3.1.0", "info": {"title": "Other", "version": "1"},
         "servers": [{"url": "https://{a}.example", "variables": {"a": {"default": "b"}}}],
         "paths": {"/a": {"get": {"parameters": [{"name": "api", "in": "query"}]}}}}
        """#

    /// A parameter wins over an option of its name after the name of the endpoint, and only there.
    @Test(arguments: [
        ("call --api shop.json shop.post-a --api 1", "POST https://shop.example/a?api=1"),
        ("--api shop.json shop.post-a --api=1", "POST https://shop.example/a?api=1"),
        ("--api shop.json shop post-a --api 1", "POST https://shop.example/a?api=1"),
        (
            "--api shop.json --api other.json call shop.post-a --body-type x --server-variable y",
            "POST https://shop.example/a?server-variable=y&body-type=x"
        ),
        (
            "--api other.json --server-variable a=c call other.get-a --api x --server-variable a=d",
            "GET https://d.example/a?api=x"
        ),
    ])
    func `Parameters have the names of options`(_ words: String, _ line: String) async {
        let row = Row(
            words, words + " --dry-run", variables: [:],
            files: ["shop.json": Self.document(["a": Self.options]), "other.json": Self.otherOptions], apis: [])
        let outcome = await row.run()
        #expect(outcome.out.hasPrefix(line + "\n"), "\(outcome)")
    }

    @Test func `An option that turns out to be a parameter is refused`() async {
        let row = Row(
            "call", "call other.get-a --api other.json --dry-run", variables: [:],
            files: ["other.json": Self.otherOptions], apis: [],
            err: """
                apictl: '--api' (argument 3) is a parameter of the endpoint; write the option before the endpoint's name
                See 'apictl help documents'.

                """, code: 2)
        await row.check()
    }

    /// The fields of a list in a body have flags with the position of the element, beside those of the other fields.
    @Test func `Elements of a list in a body have flags`() async {
        let line = #"{"type": "object", "properties": {"sku": {"type": "string"}, "n": {"type": "integer"}}}"#
        let schema = #"{"properties": {"note": {"type": "string"}, "lines": {"type": "array", "items": \#(line)}}}"#
        let document = Self.document(["a": Self.body("application/json", schema)])
        let words = "call --api shop.json shop.post-a --lines.0.sku X --note a --lines.0.n 2 --lines.1.sku Y --dry-run"
        let outcome = await Self.outcome(words, of: document)
        #expect(outcome.out.hasSuffix(#"{"note":"a","lines":[{"sku":"X","n":2},{"sku":"Y"}]}"# + "\n"), "\(outcome)")
    }

    // MARK: Refused words

    @Test func `A body of bytes that is required must be given`() async {
        let document = Self.document([
            "a": Self.body("image/png", "{}"), "b": Self.body("image/png", "{}", isRequired: false),
        ])
        let missing = await Self.outcome("call --api shop.json shop.post-a --dry-run", of: document)
        #expect(missing.err.hasPrefix("apictl: shop.post-a needs --body @FILE\n"))
        #expect(missing.code == 2)
        for words in ["shop.post-a --body x", "shop.post-b"] {
            let outcome = await Self.outcome("call --dry-run --api shop.json " + words, of: document)
            #expect(outcome.code == 0, "\(outcome)")
        }
    }

    @Test func `A cookie with a semicolon is refused`() async {
        let members = #""name": "c", "in": "cookie", "style": "cookie", "schema": {"type": "string"}"#
        let parameter = #""parameters": [{\#(members)}]"#
        let outcome = await Self.outcome(
            "call --api shop.json shop.post-a --c a;b", of: Self.document(["a": parameter]))
        #expect(outcome.err.hasPrefix("apictl: --c (argument 5): expected a text without ';', got 'a;b'\n"))
        #expect(outcome.code == 2)
    }

    // MARK: Lint

    @Test func `Lint counts the keywords that are not checked`() async {
        let texts = (0..<3).map { #""t\#($0)": {"type": "string", "pattern": "s"}"# }.joined(separator: ",")
        let pet = #"{"properties": {"name": {"type": "string", "minLength": 1}, \#(texts)}}"#
        let reference = Self.body("application/json", ##"{"$ref": "#/components/schemas/Pet"}"##)
        let document = Self.document(
            ["a": reference, "b": reference], more: #", "components": {"schemas": {"Pet": \#(pet)}}"#)
        let outcome = await Self.outcome("list --lint --api shop.json", of: document)
        #expect(
            outcome.out == """
                shop: the keyword minLength is not checked in 1 schema, such as #/components/schemas/Pet/properties/name
                shop: the keyword pattern is not checked in 3 schemas, such as #/components/schemas/Pet/properties/t0

                """)
        #expect(outcome.code == 1)
    }
}
