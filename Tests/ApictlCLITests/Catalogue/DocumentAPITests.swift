import EndpointKit
import TestSupport
import Testing

@testable import ApictlCLI

/// OpenAPI documents that `--api` or a configuration declares as APIs.
@Suite struct DocumentAPITests {
    private static let files = ["shop.json": ShopDocument.json]

    /// A row with the document as the API `shop`, and no other APIs.
    private static func shop(
        _ words: String, variables: [String: String] = ["SHOP_API_KEY": "k3y"], response: StubResponse? = nil,
        out: String = "", err: String = "", code: Int32 = 0
    ) -> Row {
        Row(
            words, "--api shop=shop.json " + words, variables: variables, files: files, response: response, apis: [],
            out: out, err: err, code: code)
    }

    private static let rows = [
        shop(
            "list",
            out: """
                shop.find-pets\tGET\t/pets\tAll pets with a status
                shop.add-pet\tPOST\t/pets\tA new pet
                shop.get-pet\tGET\t/pets/{id}\t

                """),
        shop(
            "describe shop.add-pet",
            out: """
                shop.add-pet: A new pet
                POST /pets
                API: Pet Shop

                Parameters
                  pet            object            required  body
                  --name         text              required  body  What it answers to.
                  --tags         text, repeatable  optional  body
                  --owner        object            optional  body
                  --owner.email  text              optional  body

                Body
                  application/json
                  --body-type: one of application/json, application/x-www-form-urlencoded

                Response
                  Pet
                    id       integer, optional
                    name     string
                    tags     [string], optional
                    owner    object, optional
                      email  string, optional
                  Sample: yes

                Servers
                  production  https://eu.shop.example/v1

                Credentials
                  header X-Key: … from SHOP_API_KEY

                Examples
                  none

                Left out
                  callbacks are left out (#/paths/~1pets/post/callbacks)
                  the keyword minLength is not checked (#/components/schemas/Pet/properties/name)

                """),
        shop(
            "call shop.find-pets --status sold --limit 5 --filter.colour red --x-request-id a --dry-run",
            out: """
                GET https://eu.shop.example/v1/pets?status=sold&limit=5&filter%5Bcolour%5D=red
                X-Request-ID: a
                X-Key: (redacted)
                Accept: application/json
                User-Agent: apictl/0.1.0

                """),
        shop(
            "call shop.add-pet --name Rex --tags a --tags b --owner.email a@b --dry-run --server-variable region=us",
            out: """
                POST https://us.shop.example/v1/pets
                X-Key: (redacted)
                Accept: application/json
                Content-Type: application/json
                User-Agent: apictl/0.1.0

                {"name":"Rex","tags":["a","b"],"owner":{"email":"a@b"}}

                """),
        shop(
            "call shop.add-pet --name Rex --body-type application/x-www-form-urlencoded --dry-run",
            out: """
                POST https://eu.shop.example/v1/pets
                X-Key: (redacted)
                Accept: application/json
                Content-Type: application/x-www-form-urlencoded
                User-Agent: apictl/0.1.0

                name=Rex

                """),
        shop("call shop.get-pet --sample --compact --select name -r", out: "Rex\n"),
        shop(
            "call shop.get-pet --id 7 --compact", response: .json(#"{"id":7,"name":"Rex","other":[1.0,1]}"#),
            out: #"{"id":7,"name":"Rex","other":[1.0,1]}"# + "\n"),
        shop(
            "call shop.find-pets", variables: [:],
            err: """
                apictl: shop.find-pets: a credential is missing: set SHOP_API_KEY (--sample and --dry-run need none)

                """, code: 9),
        shop(
            "curl shop.get-pet --id 7",
            out: "curl --location --fail-with-body https://eu.shop.example/v1/pets/7 "
                + "--header 'Accept: application/json' --compressed\n"),
        Row(
            "a document after a value that is the name of a program",
            "call shop.get-pet --id 7 --select curl --api shop=shop.json --raw", variables: [:], files: files,
            response: .json(#"{"curl":1}"#), apis: [], out: "1\n"),
        Row(
            "a document before a pasted command, whose words are not read",
            "--api shop=shop.json call --dry-run curl http://h.test/ -d --api=none.json", variables: [:], files: files,
            apis: [],
            out: """
                POST http://h.test/
                Content-Type: application/x-www-form-urlencoded
                User-Agent: apictl/0.1.0

                --api=none.json

                """),
        Row(
            "completion", "__complete --api shop=shop.json call shop.f", variables: [:], files: files, apis: [],
            out: "shop.find-pets\tAll pets with a status\n"),
    ]

    /// A document in a file whose server is a path: it declares no server that can be requested.
    private static let homeless = """
        {"openapi": "3.0.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/pets": {"get": {"operationId": \
        "pets",
        "responses": {"200": {"description": "", "content": {"application/json": {"example": {"id": 1}}}}}}}}}
        """

    @Test(
        "Without a server, samples respond, and every other call needs --base-url",
        arguments: [
            ("call shop.pets --sample --compact", #"{"id":1}"#, "", 0),
            ("check --sample", "✓ shop.pets", "", 0),
            ("call shop.pets --dry-run", "", "apictl: shop declares no server: give one with --base-url URL\n", 2),
            ("call shop.pets --base-url http://h.test --dry-run", "GET http://h.test/pets\n", "", 0),
        ] as [(words: String, out: String, err: String, code: Int32)])
    func withoutServer(_ words: String, _ out: String, _ err: String, _ code: Int32) async {
        let outcome = await run(
            "--api shop=a.json " + words, files: MemoryFiles(["a.json": Array(Self.homeless.utf8)]), apis: [])
        #expect(outcome.out.hasPrefix(out) && outcome.err.hasPrefix(err) && outcome.code == code, "\(outcome)")
    }

    @Test("The endpoints of a document are listed, described and called", arguments: rows)
    func row(_ row: Row) async { await row.check() }

    /// The API's page has what the document declares. The endpoint's page has what the operation declares.
    @Test(arguments: [
        (
            "describe shop",
            [
                "the server '/v1' is relative to the document, which has no URL: give --base-url URL",
                "there is no security scheme 'nowhere' that can be read",
            ]
        ),
        (
            "describe shop.get-a",
            [
                "the server 'ftp://a.example' is not a base URL",
                "there is no security scheme 'elsewhere' that can be read",
            ]
        ),
    ])
    func `Describe names the servers and schemes that are left out`(_ words: String, _ sentences: [String]) async {
        let document = #"""
            {"openapi": "3.1.0", "servers": [{"url": "/v1"}], "security": [{"nowhere": []}], "paths": {"/a": {"get": {
             "servers": [{"url": "ftp://a.example"}], "security": [{"elsewhere": []}]}}}}
            """#
        let row = Row(words, "--api shop=shop.json " + words, files: ["shop.json": document], apis: [])
        let outcome = await row.run()
        let leftOut = outcome.out.split(separator: "\nLeft out\n").last ?? ""
        #expect(outcome.code == 0)
        for sentence in sentences { #expect(leftOut.contains(sentence)) }
    }

    /// Invalid words, each with the message and the help that the message names.
    private static let wrongWords: [(words: String, message: String, help: String)] = [
        (
            "call shop.find-pets --limit 500", "--limit (argument 5): expected integer from 1 to 100, got '500'",
            "help shop.find-pets"
        ),
        (
            "call shop.find-pets --status sole", "--status (argument 5): expected one of sold, free, got 'sole'",
            "help shop.find-pets"
        ),
        ("call shop.get-pet", "shop.get-pet needs --id INTEGER", "help shop.get-pet"),
        ("call shop.get-pets", "shop has no endpoint 'get-pets' (argument 4); did you mean 'shop.get-pet'?", "shop"),
        (
            "call shop.add-pet --name x --body-type text/x",
            "--body-type: the body can't be text/x: expected application/json, application/x-www-form-urlencoded",
            "help call"
        ),
        (
            "list --server-variable region=x",
            "--server-variable: server variable 'region': expected eu, us, found 'x'", "help documents"
        ),
        (
            "list --api shop=shop.json",
            "'shop.json' (argument 5): there is an API shop already; --api NAME=FILE gives this one another name",
            "list"
        ),
        ("list --api broken.json", "broken.json:1:32: expected a value or ']', found '}'", "help documents"),
        (
            "list --api pathless.json",
            "pathless.json:1:1: #: expected a document with 'paths', found none", "help documents"
        ),
        ("list --api", "--api (argument 4) needs a value: --api [NAME=]FILE|URL", "help list"),
    ]

    @Test("Invalid values, names and documents are refused", arguments: wrongWords)
    func refuses(_ words: String, _ message: String, _ help: String) async {
        var files = Self.files
        files["broken.json"] = #"{"openapi": "3.1.0", "paths": [}"#
        files["pathless.json"] = #"{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}}"#
        let outcome = await run(
            "--api shop=shop.json " + words, variables: ["SHOP_API_KEY": "k3y"],
            files: MemoryFiles(files.mapValues { $0.exactBytes }), apis: [])
        #expect(outcome.err.hasPrefix("apictl: \(message)\n"))
        #expect(outcome.code == 2 && outcome.out.isEmpty)
    }

    @Test("A check compares a response with the schema")
    func checkFindsDrift() async {
        let row = Row(
            "check", "check shop.get-pet --api shop=shop.json", files: Self.files,
            response: .json(#"{"id":"7","name":"Rex","extra":1}"#), apis: [], code: 1)
        let outcome = await row.run()
        #expect(outcome.code == 1)
        for line in ["wrong-type", "$.id", "unexpected-key", "$.extra"] {
            #expect(outcome.out.contains(line), "\(line)")
        }
    }

    /// The keywords are named in one line, and in the JSON report.
    @Test("A check says which keywords of the schema it did not compare")
    func checkSaysWhatItDoesNotCompare() async {
        let row = Row(
            "check", "check shop.get-pet --sample --api shop=shop.json --report-json -", files: Self.files, apis: [])
        let outcome = await row.run()
        let sentence = "shop: 1 part of a schema was not compared, such as the keyword minLength; describe"
        #expect(outcome.err.split(separator: "\n").count { $0.hasPrefix(sentence) } == 1)
        #expect(
            outcome.out.contains(
                ##""notCompared":[{"keyword":"minLength","pointer":"#/components/schemas/Pet/properties/name"}],"##))
    }

    /// Parts that two endpoints share are counted once. At most 100 parts are listed.
    @Test(
        "A check counts the parts of schemas that it did not compare",
        arguments: [(2, "2 parts"), (100, "100 parts"), (101, "more than 100 parts")])
    func checkCountsWhatItDoesNotCompare(_ count: Int, _ words: String) async {
        let texts = (0..<count).map { #""t\#($0)": {"type": "string", "pattern": "s"}"# }.joined(separator: ",")
        let response = ##"{"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}"##
        let document = ##"""
            {"openapi": "3.1.0", "info": {"title": "Texts", "version": "1"},
             "servers": [{"url": "https://texts.example"}],
             "paths": {"/a": {"get": {"responses": {"200": \##(response)}}},
              "/b": {"get": {"responses": {"200": \##(response)}}}},
             "components": {"schemas": {"A": {"properties": {\##(texts)}}}}}
            """##
        let row = Row("check", "check --sample --api texts.json", files: ["texts.json": document], apis: [])
        let outcome = await row.run()
        #expect(outcome.code == 0)
        let sentence = "texts: \(words) of schemas were not compared, such as the keyword pattern; "
        #expect(outcome.out.hasSuffix(sentence + "describe texts.ENDPOINT lists them.\n"))
    }

    private static let openPets = ##"""
        {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}],
         "paths": {"/pets": {"post": {"operationId": "addPet",
          "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
          "responses": {"200": {"description": "ok", "content": {"application/json": {
           "schema": {"$ref": "#/components/schemas/Pet"}}}}}}}},
         "components": {"schemas": {
          "Id": {"type": "string", "readOnly": true},
          "Pet": {"properties": {"id": {"$ref": "#/components/schemas/Id"}, "name": {"type": "string"},
            "owner": {"description": "Whom it belongs to.", "properties": {
              "name": {"type": "string", "description": "The owner's name."}}}},
           "additionalProperties": {"type": "integer"}}}}}
        """##

    /// The other keys are given as JSON. The inner fields have their descriptions.
    @Test("The fields of an open object are flags, except those that are not sent")
    func describesAnOpenObject() async {
        let row = Row(
            "describe", "describe pets.add-pet --api pets.json", files: ["pets.json": Self.openPets], apis: [])
        let outcome = await row.run()
        #expect(
            outcome.out.contains(
                """
                Parameters
                  pet           object  optional  body
                  --name        text    optional  body
                  --owner       object  optional  body  Whom it belongs to.
                  --owner.name  text    optional  body  The owner's name.

                Body
                  application/json

                Response
                  Pet
                    id      string, optional
                    name    string, optional
                    owner   object, optional
                      name  string, optional
                    *       integer, optional

                """))
    }

    @Test("Other keys of an open object are sent")
    func sendsOtherKeysOfAnOpenObject() async {
        let row = Row(
            "call", #"call pets.add-pet --body {"name":"Rex","age":3} --dry-run --api pets.json"#,
            files: ["pets.json": Self.openPets], apis: [],
            out: """
                POST https://pets.example/pets
                Accept: application/json
                Content-Type: application/json
                User-Agent: apictl/0.1.0

                {"name":"Rex","age":3}

                """)
        await row.check()
    }

    @Test(
        "Other keys of an open object are no drift, but their values are compared",
        arguments: [
            (#"{"name":"Rex","age":3}"#, "1 passed, 0 drifted, 0 failed", 0),
            (#"{"name":"Rex","age":"x"}"#, "0 passed, 0 drifted, 1 failed", 1),
        ])
    func checkComparesOtherKeys(_ body: String, _ counts: String, _ code: Int32) async {
        let row = Row(
            "check", "check --unsafe --cases cases.json --api pets.json",
            files: [
                "pets.json": Self.openPets, "cases.json": #"{"version": 1, "cases": [{"endpoint": "pets.add-pet"}]}"#,
            ], response: .json(body), apis: [])
        let outcome = await row.run()
        #expect(outcome.code == code)
        #expect(outcome.out.contains(counts))
    }

    @Test(
        "A response with the expected status is compared with the schema of that status",
        arguments: [(#"{"message":"no such pet"}"#, 0), (#"{"reason":"no such pet"}"#, 1)])
    func checkComparesFailures(_ body: String, _ code: Int32) async {
        let cases = #"{"version": 1, "cases": [{"endpoint": "shop.get-pet", "arguments": {"id": 9}, "status": 404}]}"#
        let row = Row(
            "cases", "check --cases cases.json --api shop=shop.json",
            files: Self.files.merging(["cases.json": cases]) { $1 }, response: .json(body, 404, "Not Found"), apis: [])
        let outcome = await row.run()
        #expect(outcome.code == code)
        #expect(outcome.out.contains("missing-key") == (code == 1))
    }

    @Test func `A document of the configuration has the settings beside its file`() async {
        let config = #"""
            {"version": 1, "documents": {"shop": {"file": "apis/shop.json", "headers": {"X-Team": "a"},
             "parameters": {"limit": 3}}}}
            """#
        let files = ["/c/config.json": config, "/c/apis/shop.json": ShopDocument.json]
        let variables = ["APICTL_CONFIG": "/c/config.json", "SHOP_API_KEY": "k3y"]
        let row = Row(
            "configured", "call shop.find-pets --dry-run", variables: variables, files: files,
            out: """
                GET https://eu.shop.example/v1/pets?limit=3
                X-Team: a
                X-Key: (redacted)
                Accept: application/json
                User-Agent: apictl/0.1.0

                """)
        await row.check()
        // A command about another API does not read the document.
        let other = Row(
            "another API", "curl movies.popular", variables: variables.merging(testVariables) { $1 },
            files: ["/c/config.json": config])
        #expect(await other.run().code == 0)
    }

    /// Other help sends no request.
    @Test func `Help about the API of a configured document reads it from its URL`() async {
        let files = [
            "/c/config.json": #"{"version": 1, "documents": {"shop": {"file": "https://shop.example/openapi.json"}}}"#
        ]
        let variables = ["APICTL_CONFIG": "/c/config.json"]
        let named = Row(
            "named", "help shop.get-pet", variables: variables, files: files, response: .json(ShopDocument.json),
            apis: [])
        let outcome = await named.run()
        #expect(outcome.code == 0)
        #expect(outcome.out.contains("--id"), "\(outcome)")
        let other = await Row("other", "help", variables: variables, files: files).run()
        #expect(other.code == 0)
    }

    @Test func `The server of a document may be relative to the document's URL`() async {
        let text = ShopDocument.json.replacing("https://{region}.shop.example/v1", with: "/v1")
        let row = Row(
            "URL", "--api https://shop.example/openapi.json call pet-shop.get-pet --id 7 --dry-run",
            variables: [:], response: .json(text), apis: [],
            out: """
                GET https://shop.example/v1/pets/7
                Accept: application/json
                User-Agent: apictl/0.1.0

                """)
        await row.check()
    }

    @Test func `Files that a document refers to are requested from the document's own server`() async {
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {
             "/pets": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
              "schema": {"$ref": "schemas/pet.json#/Pet"}}}}}}},
             "/others": {"get": {"parameters": [{"$ref": "https://other.example/parameter.json"}]}},
             "/lost": {"get": {"parameters": [{"$ref": "/lost.json"}]}}}}
            """#
        let pet = #"{"Pet": {"type": "object", "properties": {"owner": {"$ref": "../owner.json"}}}}"#
        let owner = #"{"type": "object", "properties": {"email": {"type": "string"}}}"#
        let texts = [
            "https://shop.example/api/openapi.json": document, "https://shop.example/api/schemas/pet.json": pet,
            "https://shop.example/api/owner.json": owner,
        ]
        let transport = StubTransport { request in
            let text = texts[try request.revealedURL()]
            return text.map { .json($0) } ?? .json("{}", 404, "Not Found")
        }
        let api = "--api shop=https://shop.example/api/openapi.json"
        let outcome = await run("describe shop.get-pets \(api)", transport: transport, apis: [])
        #expect(outcome.code == 0 && outcome.out.contains("email"), "\(outcome)")
        let requested = transport.requests.compactMap { try? $0.revealedURL() }
        #expect(Set(requested) == Set(texts.keys).union(["https://shop.example/lost.json"]))
        let lint = await run("list --lint \(api)", transport: transport, apis: [])
        #expect(lint.out.contains("other.example/parameter.json', which is not loaded"), "\(lint)")
        #expect(lint.out.contains("https://shop.example/lost.json"), "\(lint)")
    }

    @Test("A mock of a document has a variable for its address and one for its credential")
    func mockFits() async throws {
        let mock = try await RunningMock(
            "--api shop=shop.json", apis: [], files: MemoryFiles(Self.files.mapValues { $0.exactBytes }))
        #expect(mock.addresses == ["APICTL_SHOP_URL": mock.address])
        #expect(mock.variables["SHOP_API_KEY"] == "any")
    }
}
