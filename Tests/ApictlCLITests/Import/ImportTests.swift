import Testing

@testable import ApictlCLI

/// `import` of curl commands, JSON and recordings: the source that is printed or written, and the summary.
struct ImportTests {
    /// The response of the server.
    static let pet = StubResponse.json(#"{"id": 42, "name": "Rex"}"#)

    /// The source of the model that is made of ``pet``.
    static let model = """
        public struct Pet: Decodable, Sendable {
            public let id: Int
            public let name: String
        }

        """

    /// Returns the source of the API that is made of a request to ``url``.
    ///
    /// - Parameters:
    ///   - info: The lines that declare servers and credentials.
    ///   - sample: The argument of the endpoint that names its sample; empty without one.
    ///   - model: The lines of the model; empty if it has a file of its own.
    static func text(_ info: String = info, sample: String = "", model: String = model) -> String {
        """
        import EndpointKit

        /// The API at https://api.shop.test.
        public enum Shop: API {
            case pet(petID: Int)

        \(info)    public static let examples: [Shop] = [.pet(petID: 42)]

            public var endpoint: Endpoint {
                switch self {
                case .pet(let petID):
                    .get("/pets/\\(petID)", returns: Pet.self, summary: "Pet"\(sample))
                }
            }
        }

        """ + (model.isEmpty ? "" : "\n" + model)
    }

    /// The declaration of a server without credentials.
    static let info =
        "    public static let api = APIInfo(name: \"shop\", servers: [Server(\"production\", url: "
        + "\"https://api.shop.test\")])\n"
    /// The declaration of a server with a bearer token.
    private static let bearer =
        """
            public static let api = APIInfo(
                name: "shop",
                servers: [Server("production", url: "https://api.shop.test")],
                credentials: [.bearer(variable: "SHOP_TOKEN")])

        """
    /// The last line of a summary.
    private static let next = "next: swift run apictl call shop.pet --pet-id 42\n"
    /// The lines after the files of an import that wrote samples.
    private static let nextWithSamples = "note: check the samples before you commit them\n" + next
    static let url = "https://api.shop.test/pets/42"

    static let rows: [Row] = [
        Row(
            "curl", ["import", "curl", "-s", url, "-H", "Authorization: Bearer s3cret"], response: pet,
            out: text(bearer),
            err: "shop: 1 endpoint, 1 model\nto set: SHOP_TOKEN\n" + next),
        Row(
            "a command in quotes", ["import", "curl", "curl -s '\(url)' \\\n --compressed"], response: pet,
            out: text(),
            err: "shop: 1 endpoint, 1 model\n" + next),
        Row(
            "a command on stdin, with variables that are set", ["import", "--send", "curl", "-"],
            variables: ["BASE": "https://api.shop.test", "SHOP_TOKEN": "s3cret"],
            stdin: "curl \"$BASE/pets/42\" -H \"Authorization: Bearer $SHOP_TOKEN\"", response: pet, out: text(bearer),
            err: "shop: 1 endpoint, 1 model\nto set: SHOP_TOKEN\n" + next),
        Row(
            "JSON of a URL", ["import", "json", url], response: pet, out: text(),
            err: "shop: 1 endpoint, 1 model\n" + next),
        Row(
            "a response in a file", ["import", "--response", "r.json", "curl", url],
            files: ["r.json": #"{"id": 1, "name": "x"}"#],
            out: text(), err: "shop: 1 endpoint, 1 model\n" + next),
        Row(
            "several JSON documents in one file are samples of one model", ["import", "json", "pet.json"],
            files: ["pet.json": "{\"id\": 1}\n{\"id\": 2, \"name\": \"x\"}\n"],
            out: model.replacing("String", with: "String?"), err: "0 endpoints, 1 model\n"),
        Row(
            "a list of numbers needs no model", ["import", "json", "n.json"], files: ["n.json": "[1, 2, 3]"],
            err: "0 endpoints, 0 models\nnote: the response is [Int]: it needs no model\n"),
        Row(
            "keys in snake case need a coding", ["import", "--strict", "json", "pet.json"],
            files: ["pet.json": #"{"pet_age": 1}"#],
            out: "public struct Pet: Decodable, Sendable {\n    public let petAge: Int\n}\n",
            err: "0 endpoints, 1 model\nnote: the API needs: coding: Coding(keys: .convertFromSnakeCase)\n"),
        Row(
            "a path template that fits no request is noted", ["import", "--path", "/pet/{id}", "curl", url],
            response: pet, out: text(),
            err: "shop: 1 endpoint, 1 model\nnote: no request has the path /pet/{id}\n" + next),
    ]

    @Test("Options of import stand before the word curl, and curl's own after it")
    func optionsStandBeforeTheWordCurl() async {
        let outcome = await run([
            "import", "--name", "store.one", "--no-send", "--path", "/pets/{id}", "curl", Self.url,
            "--no-progress-meter",
        ])
        #expect(outcome.out.contains("public enum Store: API {\n    case one(id: Int)\n"))
        #expect(
            outcome.err == """
                store: 1 endpoint, 0 models; with JSON of any kind or bytes: store.one
                note: GET was not sent: --send sends it, --response FILE gives its response
                note: store.one: no response was seen; it returns JSON of any kind
                next: swift run apictl call store.one --id 42

                """)
    }

    /// The files of a package with a catalogue, before an import.
    static let project = [
        "Endpoints/Catalogue.swift": """
        public enum Catalogue {
            public static let apis: [any API.Type] =
                [
                    Movies.self,
                ]
        }

        """,
        "Endpoints/Samples/movies.popular.json": "{}",
    ]

    /// The sample that is made of ``pet``.
    private static let sample = "{\n  \"id\": 42,\n  \"name\": \"Rex\"\n}\n"

    /// The files of the project after an import into `Endpoints/Shop`.
    private static let written = project.merging([
        "Endpoints/Shop/Shop.swift": text(sample: ", sample: .json(PackageResources.shop_pet_json)", model: ""),
        "Endpoints/Shop/Models/Pet.swift": model, "Endpoints/Samples/shop.pet.json": sample,
        "Endpoints/Catalogue.swift": """
        public enum Catalogue {
            public static let apis: [any API.Type] =
                [
                    Movies.self,
                    Shop.self,
                ]
        }

        """,
    ]) { $1 }

    static let directories: [Row] =
        [
            Row(
                "an import into a directory of the project is added to its catalogue",
                ["import", "--into", "Endpoints/Shop", "json", url], files: project,
                response: pet,
                err: """
                    shop: 1 endpoint, 1 model
                    wrote Endpoints/Shop: 2 files
                    wrote Endpoints/Samples/shop.pet.json
                    wrote Endpoints/Catalogue.swift
                    \(nextWithSamples)
                    """
            ).leaving(written),
            Row(
                "the same import again changes nothing", ["import", "--into", "Endpoints/Shop", "json", url],
                files: written, response: pet,
                err: "shop: 1 endpoint, 1 model\n" + nextWithSamples
            ).leaving(written),
            Row(
                "files that differ stay as they are", ["import", "--into", "Endpoints/Shop", "json", url],
                files: project.merging(["Endpoints/Shop/Models/Pet.swift": "mine"]) { $1 }, response: pet,
                err: """
                    shop: 1 endpoint, 1 model
                    wrote Endpoints/Shop: 1 file
                    wrote Endpoints/Samples/shop.pet.json
                    \(nextWithSamples)apictl: 1 file differs and was not written; --force overwrites:
                      Endpoints/Shop/Models/Pet.swift
                      not changed either: Endpoints/Catalogue.swift

                    """, code: 1
            ).leaving(
                written.merging([
                    "Endpoints/Shop/Models/Pet.swift": "mine",
                    "Endpoints/Catalogue.swift": project["Endpoints/Catalogue.swift"] ?? "",
                ]) { $1 }),
            Row(
                "files that differ are overwritten with --force",
                ["import", "--force", "--into", "Endpoints/Shop/", "json", url],
                files: project.merging(["Endpoints/Shop/Models/Pet.swift": "mine"]) { $1 }, response: pet,
                err: """
                    shop: 1 endpoint, 1 model
                    wrote Endpoints/Shop: 2 files
                    wrote Endpoints/Samples/shop.pet.json
                    wrote Endpoints/Catalogue.swift
                    \(nextWithSamples)
                    """
            ).leaving(written),
            Row(
                "a catalogue with another layout is not changed, and notes say what to add",
                ["import", "--into", "Endpoints/Shop", "--dry-run", "json", url],
                files: ["Endpoints/Catalogue.swift": "let apis = all"], response: pet,
                err: """
                    shop: 1 endpoint, 1 model
                    note: would write Endpoints/Shop/Shop.swift
                    note: would write Endpoints/Shop/Models/Pet.swift
                    note: would write Endpoints/Samples/shop.pet.json
                    note: still to add, in Package.swift, to the target in Endpoints: resources: [.embedInCode("Samples")]
                    note: still to add: Shop.self to the list of APIs
                    \(nextWithSamples)
                    """
            ).leaving(["Endpoints/Catalogue.swift": "let apis = all"]),
            Row(
                "--dry-run only lists the files", ["import", "--dry-run", "--into", "out/Shop", "json", url],
                response: pet,
                err: """
                    shop: 1 endpoint, 1 model
                    note: would write out/Shop/Shop.swift
                    note: would write out/Shop/Models/Pet.swift
                    note: would write out/Shop/Samples/shop.pet.json
                    note: still to add, in Package.swift, to the target in out: resources: [.embedInCode("Shop/Samples")]
                    note: still to add: Shop.self to the list of APIs
                    \(nextWithSamples)
                    """
            ).leaving([:]),
            Row(
                "an endpoint is inserted into the file of its API",
                ["import", "--into", "Shop.swift", "curl", "https://api.shop.test/pets/42/tags"],
                files: ["Shop.swift": text(model: "")],
                response: .json("[]"),
                err: """
                    shop: 1 endpoint, 0 models; with JSON of any kind or bytes: shop.petTags
                    note: $: JSONValue, only [] was seen
                    wrote Shop.swift
                    next: swift run apictl call shop.pet-tags --pet-id 42

                    """),
            Row(
                "models alone are written into a new file", ["import", "--into", "new.swift", "json", "pet.json"],
                files: ["pet.json": #"{"id": 1, "name": "x"}"#], err: "0 endpoints, 1 model\nwrote new.swift\n"
            ).leaving(["pet.json": #"{"id": 1, "name": "x"}"#, "new.swift": model]),
            Row(
                "an API with its model is written into a new file",
                ["import", "--into", "out/Shop.swift", "json", url], response: pet,
                err: """
                    shop: 1 endpoint, 1 model
                    wrote out/Shop.swift
                    note: still to add: Shop.self to the list of APIs
                    \(next)
                    """
            ).leaving(["out/Shop.swift": text()]),
        ]
        + [
            (
                "the lines for an enum with another layout are printed", "enum Shop: API {\n}",
                "Shop is not laid out as swift format does it; add the lines above"
            ),
            (
                "the lines for a case that exists already are printed",
                text(model: "").replacing("case pet", with: "case other, pet"),
                "Shop has pet already; --name shop.NAME gives another name"
            ),
        ].map { name, text, reason in
            Row(
                name, ["import", "--into", "Shop.swift", "json", url], files: ["Shop.swift": text], response: pet,
                out: """
                        case pet(petID: Int)

                            .pet(petID: 42),

                            case .pet(let petID):
                                .get("/pets/\\(petID)", returns: Pet.self, summary: "Pet")

                    \(model)
                    """,
                err: """
                    shop: 1 endpoint, 1 model
                    note: Shop.swift is not changed: \(reason)
                    \(next)
                    """
            ).leaving(["Shop.swift": text])
        }

    static let wrongs: [Row] = [
        wrong("import", "import needs a kind of source: curl, json, har or openapi"),
        wrong("import xml", "import needs a kind of source: curl, json, har or openapi, got 'xml' (argument 2)"),
        wrong("import curl --nope http://a", "curl has no option '--nope'"),
        wrong("import json", "import json needs a URL, a file, or - for stdin"),
        wrong("import json - -", "'-' (argument 4) would read stdin a second time"),
        wrong("import har", "import har needs a file"),
        wrong("import har a b", "unexpected argument 'b' (argument 4)"),
        wrong(
            "import --name a.b.c.d curl http://a",
            "--name (argument 2): expected a name such as movies or movies.popular"),
        wrong("import --name a.b.c curl http://a", "--name: expected a name such as movies or movies.popular"),
        wrong(
            ["import", "--method", "A B", "curl", "http://a"],
            "--method (argument 2): expected a method such as POST, got 'A B'"),
        wrong("import --path x curl http://a", "--path (argument 2): expected a path such as /users/{login}"),
        wrong(
            "import --name movies --no-send --into out/Movies curl http://a",
            "there is an API movies already: --into FILE.swift adds to it, --name gives another name"),
        wrong(
            "import --name shop --no-send --into Endpoints/Other curl http://a",
            files: project.merging([
                "Endpoints/Catalogue.swift": "let apis: [any API.Type] = [\n    Shop.self,\n    ]"
            ]) { $1 }, "there is an API shop already: --into FILE.swift adds to it, --name gives another name"),
        wrong(
            "import --name a.b --path /p --method GET json a.json", files: ["a.json": "{}"],
            "--path has no effect on samples without a request: import json URL FILE…"),
        wrong("import -H A:1 curl http://a", "--header has no effect on import curl"),
        wrong("import --only x json a.json", "--only has no effect on import json"),
        wrong("import --path /x openapi a.json", "--path has no effect on import openapi"),
        wrong("import --only x --no-send curl http://a", "no request matches --only and --skip"),
        wrong(
            "import har a.har", files: ["a.har": #"{"log": {"entries": [{"re"#],
            "a.har:1:26: expected a character, an escape or the closing '\"', found end of input; is the recording cut off?"
        ),
        wrong(
            "import har a.har",
            files: ["a.har": String(repeating: "[", count: 600) + String(repeating: "]", count: 600)],
            "a.har:1:513: expected at most 512 levels of nesting, found more"),
        wrong(
            "import --names n.json --no-send curl http://a", files: ["n.json": #"{"type": {}}"#],
            "n.json: unknown key 'type': expected operations, types or fields"),
        wrong(
            "import --names n.json --no-send curl http://a", files: ["n.json": #"{"types": {"A": "b c"}}"#],
            "n.json: types.A: expected a Swift name such as Movie"),
        wrong(
            "import --names n.json --no-send curl http://a", files: ["n.json": #"{"operations": {"a": "Get"}}"#],
            "n.json: operations.a: expected a Swift name such as getMovie"),
        wrong(
            ["import", "curl", "-"], stdin: "curl -d @- http://a", "stdin has the commands; write @FILE for @-"),
    ]

    @Test("A recording becomes one API; notes name the requests for files and to other servers, which are left out")
    func recording() async {
        let har = """
            {"log": {"entries": [
              {"request": {"method": "GET", "url": "https://api.shop.test/pets/1", "headers": [{"name": "Authorization", "value": "Bearer s3cret"}]},
               "response": {"status": 200, "content": {"mimeType": "application/json", "text": "{\\"id\\": 1, \\"name\\": \\"Rex\\"}"}}},
              {"request": {"method": "GET", "url": "https://api.shop.test/pets/42?x=1", "headers": [{"name": "Authorization", "value": "Bearer s3cret"}]},
               "response": {"status": 200, "content": {"mimeType": "application/json", "text": "{\\"id\\": 42}"}}},
              {"request": {"method": "GET", "url": "https://cdn.test/x.css"}, "response": {"status": 200}},
              {"request": {"method": "GET", "url": "https://other.test/x"}, "response": {"status": 200}}
            ]}}
            """
        let outcome = await run(["import", "har", "-"], stdin: har)
        #expect(outcome.out.contains("case pet(petID: Int, x: Int?)\n"))
        #expect(outcome.out.contains("public let name: String?\n"))
        #expect(
            outcome.err == """
                shop: 1 endpoint, 1 model
                note: left out: 1 request for static files
                note: left out: 1 request to other servers: https://other.test
                to set: SHOP_TOKEN
                next: swift run apictl call shop.pet --pet-id 42 --x 1

                """)
    }

    @Test("A POST is sent only with --send")
    func nothingButGETIsSent() async {
        let outcome = await run(["import", "curl", "-d", "a=1", Self.url])
        #expect(outcome.err.contains("note: POST was not sent: --send sends it"))
        let sent = await run(
            ["import", "--send", "curl", "-d", "a=1", Self.url], transport: StubTransport(Self.pet))
        #expect(sent.out.contains("returns: Pet.self"))
    }

    @Test(
        "A response that failed or is not JSON leaves the endpoint, and a note says why",
        arguments: [
            (
                .json(#"{"message": "no"}"#, 401), "JSONValue",
                "shop.pet: the response had the status 401; it returns JSON of any kind"
            ),
            (.failing(.nameNotResolved), "JSONValue", "no response: "),
            (.json("<html>"), "RawResponse", "shop.pet: the response is not JSON; it returns bytes"),
            (
                .json("{\"id\": 1,"), "JSONValue",
                "shop.pet: the response is not valid JSON, perhaps cut off (line 1, column 10: expected a key in quotes, found end of input); it returns JSON of any kind"
            ), (.json("{\"id\": NaN}"), "JSONValue", "shop.pet: the response is not valid JSON (line 1, column 8: "),
            (.json(""), "EmptyResponse", nil),
        ] as [(StubResponse, String, String?)])
    func unusableResponse(_ response: StubResponse, _ model: String, _ note: String?) async {
        let outcome = await run(["import", "curl", Self.url], transport: StubTransport(response))
        #expect(outcome.out.contains("returns: \(model).self"))
        #expect(
            outcome.err.contains(note.map { "note: \($0)" } ?? "shop: 1 endpoint, 0 models\nnext: "),
            "\(outcome)")
    }

    @Test(
        "--only and --skip choose requests by path and name, and --method and --names change them",
        arguments: [
            (["--method", "PUT", "--names", "n.json"], ["save(petID: Int)", "bars"]),
            (["--only", "GET /pets/*"], ["pet(petID: Int)"]), (["--skip", "p?t"], ["bars"]),
            (["--only", "ba*"], ["bars"]),
        ])
    func chosen(_ options: [String], _ cases: [String]) async {
        let files = MemoryFiles(["n.json": #"{"operations": {"updatePet": "save", "updateBars": "bars"}}"#.exactBytes])
        let text = "curl \(Self.url); curl https://api.shop.test/bars"
        let outcome = await run(["import", "--no-send"] + options + ["curl", "-"], stdin: text, files: files)
        let lines = outcome.out.split(separator: "\n").filter { $0.hasPrefix("    case ") }.map {
            String($0.dropFirst(9))
        }
        #expect(lines == cases, "\(outcome)")
    }

    @Test(
        "Pasted text that has files or variables of this computer is sent only with --send",
        arguments: [
            ("curl \"$BASE/pets/42\"", "$BASE"), ("curl -G -d @f.txt \(url)", "@f.txt"),
            ("curl \(url)?x=$BASE", "$BASE"), ("curl -n \(url)", "--netrc"), ("curl -X GET -T f.txt \(url)", "@f.txt"),
        ])
    func pastedReferences(text: String, names: String) async {
        let files = MemoryFiles(["f.txt": Array("s3cret".utf8)])
        let outcome = await run(
            ["import", "curl", "-"], variables: ["BASE": "https://api.shop.test"], stdin: text, files: files)
        #expect(
            outcome.err.contains("note: not sent, because the pasted text has \(names): --send sends it\n"),
            "\(outcome)")
    }

    @Test("A request with --digest is not sent, and no other scheme replaces it")
    func digestIsNotSent() async {
        let outcome = await run(["import", "curl", "--digest", "-u", "ann:s3cret", Self.url])
        #expect(
            outcome.err.contains(
                "note: not sent: --digest can't be used from here; --response FILE gives the response\n"))
        #expect(!(outcome.out + outcome.err).contains("s3cret") && !outcome.out.contains("credentials"))
    }

    @Test("A URL is asked for JSON first, with the headers of -H")
    func headersOfAURL() async {
        let transport = StubTransport(Self.pet)
        let outcome = await run(
            ["import", "-H", "X-Api-Key: s3cret", "-H", "X-Client: web", "json", Self.url], transport: transport)
        let headers = transport.requests.first?.headers.map { "\($0.name): \((try? $0.revealedValue()) ?? "")" } ?? []
        #expect(headers.contains("Accept: application/json, application/yaml;q=0.9, */*;q=0.1"), "\(headers)")
        #expect(headers.contains("X-Api-Key: s3cret") && headers.contains("X-Client: web"))
        #expect(outcome.out.contains(#"headers: ["X-Client": "web"]"#), "\(outcome)")
        #expect(outcome.out.contains(#".header("X-Api-Key", variable: "SHOP_API_KEY")"#))
        #expect(!outcome.out.contains("Accept") && !(outcome.out + outcome.err).contains("s3cret"))
    }

    @Test("A status other than 2xx is an error that shows the body", arguments: [["json", url], ["openapi", url]])
    func failedStatus(words: [String]) async {
        let outcome = await run(
            ["import"] + words, transport: StubTransport(.json(#"{"message": "no such pet"}"#, 404)))
        #expect(outcome.err.contains("404") && outcome.err.contains("no such pet"), "\(outcome)")
        #expect(outcome.out.isEmpty && outcome.code != 0)
    }

    @Test(
        "Several URLs of JSON are one endpoint, unless their paths have no segment in common",
        arguments: [
            ("/pets/ann/tags?a=1 /pets/bob/tags", ["petTags(petID: String, a: Int?)"]),
            ("/v1/pets /v2/pets", ["pets(id: String)"]), ("/pets/1 /pets/top", ["pet(petID: String)"]),
            ("/pets /tags", ["pets", "tags"]), ("/pets/1 /tags/1", ["pet(petID: Int)", "tag(tagID: Int)"]),
            ("/a/pets /a/pets/x", ["aPets", "petsX"]),
        ])
    func severalURLs(paths: String, cases: [String]) async {
        let urls = paths.words.map { "https://api.shop.test" + $0 }
        let outcome = await run(["import", "json"] + urls, transport: StubTransport([Self.pet, Self.pet]))
        let caseLines = outcome.out.split(separator: "\n").filter { $0.hasPrefix("    case ") }
        #expect(caseLines.map { String($0.dropFirst(9)) } == cases, "\(outcome)")
    }

    @Test(
        "In the command to try, a variable of the shell stays one, and a variable stands for each secret",
        arguments: [
            (#""http://a.test/y?y=a b$Y""#, #"--y 'a b'"$Y""#, nil),
            (#"http://a.test/y -d "pin=$Y&user=ann""#, #"--pin "$Y" --user ann"#, nil),
            ("http://a.test/y -d 'pin=s3cret&user=ann'", #"--pin "$A_Y_PIN" --user ann"#, "A_Y_PIN"),
            ("http://a.test/y --json '{\"pin\": 123456}'", "--pin 0", nil),
            (
                #"http://a.test/y --json '{"auth": {"key": {"v": "s3cret"}, "otp": 123456}}'"#,
                #"--auth '{"key": {"v": "'"$A_Y_AUTH"'"}, "otp": 0}'"#, "A_Y_AUTH"
            ),
            (
                #"http://a.test/y -H 'X-Api-Key: k1' --json '{"pwd": "s3cret"}'"#, #"--pwd "$A_Y_PWD""#,
                "A_API_KEY, A_Y_PWD"
            ),
        ])
    func variablesInTheNextCommand(curl: String, words: String, variables: String?) async {
        let outcome = await run(["import", "--no-send", "curl", "-"], variables: ["Y": "1"], stdin: "curl " + curl)
        let variablesLine = variables.map { "to set: \($0)\n" } ?? ""
        #expect(
            outcome.err.hasSuffix("kind\n\(variablesLine)next: swift run apictl call a.y \(words)\n"), "\(outcome)")
    }

    @Test(
        "An import prints or writes source and a summary, or says what is wrong",
        arguments: rows + directories + wrongs)
    func row(_ row: Row) async { await row.check() }

    @Test("--report writes the summary as JSON, also if --strict fails")
    func reportAndStrict() async {
        let files = MemoryFiles()
        let outcome = await run(
            ["import", "--strict", "--no-send", "--report", "r.json", "curl", "-u", "s3cret:", Self.url], files: files)
        #expect(outcome.code == 1)
        #expect(outcome.err.contains("to set: SHOP_BASIC (the Base64 text of USER: or :PASSWORD)\n"))
        #expect(
            files.texts["r.json"] == """
                {"version":1,"api":"shop","endpoints":[{"name":"shop.pet","method":"GET","path":"/pets/{petID}"}],"models":[],"loose":["shop.pet"],\
                "notes":["GET was not sent: --send sends it, --response FILE gives its response","shop.pet: no response was seen; it returns JSON of any kind"],\
                "variables":["SHOP_BASIC"],"files":[],"differing":[]}

                """)
    }

    @Test("Control characters of a command never reach the terminal unescaped")
    func controlCharacters() async {
        let outcome = await run([
            "import", "--no-send", "curl", "http://a.test/x", "-H", "X-\u{1B}[2J: \u{1B}[31m\u{202E}", "-d",
            "\u{1B}]0;x\u{7}",
        ])
        #expect(
            !(outcome.out + outcome.err).unicodeScalars.contains {
                $0.value == 0x1B || $0.value == 0x202E || $0.value == 7
            })
    }
}
