import Testing

@testable import ApictlCLI

/// `import`: words, files and responses, and what becomes of them.
struct ImportTests {
    private static let pet = StubResponse.json(#"{"id": 42, "name": "Rex"}"#)

    private static let model = """
        public struct Pet: Decodable, Sendable {
            public let id: Int
            public let name: String
        }

        """

    private static func text(_ info: String = info, sample: String = "", model: String = model) -> String {
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

    private static let info =
        "    public static let api = APIInfo(name: \"shop\", servers: [Server(\"production\", url: "
        + "\"https://api.shop.test\")])\n"
    private static let bearer =
        """
            public static let api = APIInfo(
                name: "shop",
                servers: [Server("production", url: "https://api.shop.test")],
                credentials: [.bearer(variable: "SHOP_TOKEN")])

        """
    private static let next = "next: swift run apictl call shop.pet --pet-id 42\n"
    /// The lines after the files of an import that wrote samples.
    private static let nextWithSamples = "note: check the samples before you commit them\n" + next
    private static let url = "https://api.shop.test/pets/42"

    static let rows: [Row] = [
        Row(
            "curl", ["import", "curl", "-s", url, "-H", "Authorization: Bearer s3cret"], response: pet,
            out: text(bearer),
            err: "shop: 1 endpoint, 1 model\nto set: SHOP_TOKEN\n" + next),
        Row(
            "a text of a shell as one word", ["import", "curl", "curl -s '\(url)' \\\n --compressed"], response: pet,
            out: text(),
            err: "shop: 1 endpoint, 1 model\n" + next),
        Row(
            "a text on stdin, with variables that are set", ["import", "--send", "curl", "-"],
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
            "several documents in one file are a list", ["import", "json", "pet.json"],
            files: ["pet.json": "{\"id\": 1}\n{\"id\": 2, \"name\": \"x\"}\n"],
            out: model.replacing("String", with: "String?"), err: "0 endpoints, 1 model\n"),
        Row(
            "a list of numbers", ["import", "json", "n.json"], files: ["n.json": "[1, 2, 3]"],
            err: "0 endpoints, 0 models\nnote: the response is [Int]: it needs no model\n"),
        Row(
            "JSON with keys in snake case", ["import", "--strict", "json", "pet.json"],
            files: ["pet.json": #"{"pet_age": 1}"#],
            out: "public struct Pet: Decodable, Sendable {\n    public let petAge: Int\n}\n",
            err: "0 endpoints, 1 model\nnote: the API needs: coding: Coding(keys: .convertFromSnakeCase)\n"),
        Row(
            "a path that no request has", ["import", "--path", "/pet/{id}", "curl", url], response: pet, out: text(),
            err: "shop: 1 endpoint, 1 model\nnote: no request has the path /pet/{id}\n" + next),
    ]

    @Test func optionsStandBeforeTheWordCurl() async {
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

    private static let project = [
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
                "files of the project", ["import", "--into", "Endpoints/Shop", "json", url], files: project,
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
                "the same again", ["import", "--into", "Endpoints/Shop", "json", url], files: written, response: pet,
                err: "shop: 1 endpoint, 1 model\n" + nextWithSamples
            ).leaving(written),
            Row(
                "files that differ", ["import", "--into", "Endpoints/Shop", "json", url],
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
                "files that differ, with --force", ["import", "--force", "--into", "Endpoints/Shop/", "json", url],
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
                "a catalogue in another form", ["import", "--into", "Endpoints/Shop", "--dry-run", "json", url],
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
                "only a list of the files", ["import", "--dry-run", "--into", "out/Shop", "json", url], response: pet,
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
                "an API's file", ["import", "--into", "Shop.swift", "curl", "https://api.shop.test/pets/42/tags"],
                files: ["Shop.swift": text(model: "")],
                response: .json("[]"),
                err: """
                    shop: 1 endpoint, 0 models; with JSON of any kind or bytes: shop.petTags
                    note: $: JSONValue, only [] was seen
                    wrote Shop.swift
                    next: swift run apictl call shop.pet-tags --pet-id 42

                    """),
            Row(
                "a new file of models", ["import", "--into", "new.swift", "json", "pet.json"],
                files: ["pet.json": #"{"id": 1, "name": "x"}"#], err: "0 endpoints, 1 model\nwrote new.swift\n"
            ).leaving(["pet.json": #"{"id": 1, "name": "x"}"#, "new.swift": model]),
            Row(
                "a new file of an API", ["import", "--into", "out/Shop.swift", "json", url], response: pet,
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
                "a file that is not understood", "enum Shop: API {\n}",
                "Shop is not laid out as swift format does it; add the lines above"
            ),
            (
                "a case that is there already",
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

    @Test func recording() async {
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

    @Test func nothingButGETIsSent() async {
        let outcome = await run(["import", "curl", "-d", "a=1", Self.url])
        #expect(outcome.err.contains("note: POST was not sent: --send sends it"))
        let sent = await run(
            ["import", "--send", "curl", "-d", "a=1", Self.url], transport: StubTransport(Self.pet))
        #expect(sent.out.contains("returns: Pet.self"))
    }

    /// A response that fails or is no JSON leaves the rest, and says why.
    @Test(
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

    @Test(arguments: [
        (["--method", "PUT", "--names", "n.json"], ["save(petID: Int)", "bars"]),
        (["--only", "GET /pets/*"], ["pet(petID: Int)"]), (["--skip", "p?t"], ["bars"]), (["--only", "ba*"], ["bars"]),
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

    /// Pasted text that has files or variables of this computer is sent only with `--send`.
    @Test(arguments: [
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

    /// A scheme that can't be used is not replaced by another one.
    @Test func digestIsNotSent() async {
        let outcome = await run(["import", "curl", "--digest", "-u", "ann:s3cret", Self.url])
        #expect(
            outcome.err.contains(
                "note: not sent: --digest can't be used from here; --response FILE gives the response\n"))
        #expect(!(outcome.out + outcome.err).contains("s3cret") && !outcome.out.contains("credentials"))
    }

    /// A URL is asked for JSON first, with the headers of `-H`.
    @Test func headersOfAURL() async {
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

    /// A status that is no success is an error, with the body.
    @Test(arguments: [["json", url], ["openapi", url]])
    func failedStatus(words: [String]) async {
        let outcome = await run(
            ["import"] + words, transport: StubTransport(.json(#"{"message": "no such pet"}"#, 404)))
        #expect(outcome.err.contains("404") && outcome.err.contains("no such pet"), "\(outcome)")
        #expect(outcome.out.isEmpty && outcome.code != 0)
    }

    /// Under another name, an import leaves the files of the first one, which need their types, and both compile.
    @Test func importUnderAnotherName() async {
        var contents: [String: [UInt8]] = [:]
        for name in ["shop", "store", "shop", "store"] {
            let files = MemoryFiles(contents)
            let outcome = await run(
                ["import", "--name", name, "--into", "out/Shop", "json", Self.url], files: files,
                transport: StubTransport(Self.pet))
            #expect(outcome.code == 0, "\(outcome)")
            contents = files.texts.mapValues(\.exactBytes)
        }
        #expect(
            contents.keys.sorted() == [
                "out/Shop/Models/Pet.swift", "out/Shop/Models/StorePet.swift", "out/Shop/Samples/shop.pet.json",
                "out/Shop/Samples/store.pet.json", "out/Shop/Shop.swift", "out/Shop/Store.swift",
            ])
        #expect(contents["out/Shop/Store.swift"].map { String(exactBytes: $0) }?.contains("StorePet.self") == true)
    }

    /// A type must not be declared in two files, nor two files have one name.
    @Test(arguments: [
        ("out/Shop/Mine.swift", "struct Pet {}", "out/Shop/Mine.swift has Pet, as out/Shop/Models/Pet.swift would"),
        (
            "out/Shop/pet.swift", "struct Mine {}",
            "out/Shop/pet.swift and out/Shop/Models/Pet.swift can't be in one target"
        ),
    ])
    func typesInOtherFiles(path: String, text: String, problem: String) async {
        let files = MemoryFiles([path: text.exactBytes])
        let outcome = await run(
            ["import", "--into", "out/Shop", "json", Self.url], files: files, transport: StubTransport(Self.pet))
        #expect(outcome.err.hasPrefix("apictl: \(problem)") && outcome.code == 2, "\(outcome)")
        #expect(files.texts.keys.sorted() == [path])
    }

    /// What Package.swift must embed, by where the files are.
    @Test(arguments: [
        ("out/Shop", "to the target in out: resources: [.embedInCode(\"Shop/Samples\")]"),
        ("Shop", "to the target in Shop: resources: [.embedInCode(\"Samples\")]"),
        ("Sources/App/A/Shop", "to the target in Sources/App: resources: [.embedInCode(\"A/Shop/Samples\")]"),
        ("/x/Sources/App/Shop", "to the target in /x/Sources/App: resources: [.embedInCode(\"Shop/Samples\")]"),
        ("../Shop", "to the target in ../Shop: resources: [.embedInCode(\"Samples\")]"),
    ])
    func placeOfSamples(directory: String, text: String) async {
        let outcome = await run(
            ["import", "--dry-run", "--into", directory, "json", Self.url], transport: StubTransport(Self.pet))
        #expect(outcome.err.contains("note: still to add, in Package.swift, \(text)\n"), "\(outcome)")
    }

    /// A call that writes is added to `placeholders`, which `check` does not send.
    @Test func writingRequestIntoAFile() async {
        let files = MemoryFiles(["Shop.swift": Self.text(model: "").exactBytes])
        for name in ["make", "sell"] {
            let words = "import --no-send --name shop.\(name) --into Shop.swift curl -X POST https://api.shop.test/pets"
            _ = await run(words.words, files: files)
        }
        let text = files["Shop.swift"] ?? ""
        #expect(text.contains("    public static let examples: [Shop] = [.pet(petID: 42)]\n"), "\(text)")
        #expect(text.contains("    public static let placeholders: [Shop] = [.make, .sell]\n"), "\(text)")
    }

    /// A model whose name is taken in the API's file has the API's name before it.
    @Test func takenNames() async {
        let files = MemoryFiles(["out/Shop.swift": (Self.text(model: "") + "\nstruct Tag {}\n").exactBytes])
        let outcome = await run(
            ["import", "--into", "out/Shop.swift", "curl", "https://api.shop.test/tag"], files: files,
            transport: StubTransport(.json(#"{"id": 1}"#)))
        #expect(outcome.err.contains("wrote out/Models/ShopTag.swift\nwrote out/Shop.swift\n"), "\(outcome)")
        #expect(files["out/Shop.swift"]?.contains(".get(\"/tag\", returns: ShopTag.self, summary: \"Tag\")\n") == true)
    }

    /// Of two APIs in a file, that of `--name` gets the endpoint; what it does not have of the request is told.
    @Test func apiOfThatName() async {
        let text = ["One", "Two"].map { type in
            """
            /// The enum of: \(type)
            enum \(type): API {
                case pet
                static let api = APIInfo(name: "\(type.lowercased())", servers: [Server("a", url: "http://a.test")])
                static let examples: [\(type)] = [.pet]
                var endpoint: Endpoint {
                    switch self {
                    case .pet: .get("/pet")
                    }
                }
            }

            """
        }
        let files = MemoryFiles(["A.swift": text.joined().exactBytes])
        let words = "import --name two.tag --no-send --into A.swift curl -u a:b http://b.test/tag"
        let outcome = await run(words.split(separator: " ").map(String.init), files: files)
        #expect(files["A.swift"]?.hasPrefix(text[0]) == true, "\(outcome)")
        #expect(files["A.swift"]?.contains("[.pet, .tag]") == true)
        #expect(outcome.err.contains("not added: Two has none, so that it is sent without\n"))
        #expect(outcome.err.contains("note: Two has no server for http://b.test, where the request went\n"))
    }

    /// The path of the server is not repeated; a request beside it is told.
    @Test(arguments: [
        ("http://a.test/v1/tag", ".get(\"/tag\"", ""), ("http://a.test/v1", ".get(\"\"", ""),
        ("http://a.test/v2/tag", ".get(\"/v2/tag\"", "http://a.test/v2/tag"),
    ])
    func pathOfTheServer(url: String, arm: String, note: String) async {
        let text = """
            enum One: API {
                case pet
                static let api = APIInfo(name: "one", servers: [Server("a", url: "http://a.test/v1")])
                static let examples: [One] = [.pet]
                var endpoint: Endpoint {
                    switch self {
                    case .pet: .get("/pet")
                    }
                }
            }

            """
        let files = MemoryFiles(["A.swift": text.exactBytes])
        let outcome = await run(["import", "--no-send", "--into", "A.swift", "curl", url], files: files)
        #expect(files["A.swift"]?.contains(arm) == true, "\(outcome)")
        let told = outcome.err.split(separator: "\n").filter { $0.contains("has no server") }
        #expect(told == (note.isEmpty ? [] : ["note: One has no server for \(note), where the request went"]))
    }

    /// The server of a namespace, which is in a file beside it, and a name with a point in it.
    @Test(arguments: [
        ("http://a.test/v1/tag", "", ".get(\"/tag\"", "", "shop.one.tag"),
        ("http://b.test/tag", "--name shop.one.all", ".get(\"/tag\"", "http://b.test", "shop.one.all"),
        ("http://a.test/v1/tag", "--name shop.one", ".get(\"/tag\"", "", "shop.one.tag"),
    ])
    func apiOfADocument(url: String, options: String, arm: String, note: String, name: String) async throws {
        let text = """
            extension Shop {
                enum One: API {
                    case pet
                    static let api = APIInfo(name: "shop.one", servers: Shop.servers)
                    static let examples: [One] = [.pet]
                    var endpoint: Endpoint {
                        switch self {
                        case .pet: .get("/pet")
                        }
                    }
                }
            }

            """
        let shop =
            "enum Shop {\n    static let servers = [\n        Server(\"a\", url: \"http://a.test/v1\")\n    ]\n}\n"
        let (files, root) = (DiskFileSystem(), try TemporaryDirectory())
        let path = "\(root.path)/One.swift"
        try files.write(text.exactBytes, to: path)
        try files.write(shop.exactBytes, to: "\(root.path)/Shop.swift")
        let words = "import --no-send --into \(path) \(options) curl \(url)".words
        let outcome = await run(words, files: files)
        #expect(String(exactBytes: try files.readAll(path)).contains(arm), "\(outcome)")
        let told = outcome.err.split(separator: "\n").filter { $0.contains("has no server") }
        #expect(told == (note.isEmpty ? [] : ["note: One has no server for \(note), where the request went"]))
        #expect(outcome.err.hasSuffix("next: swift run apictl call \(name)\n"))
        let again = await run(words, files: files)
        #expect(
            again.err.contains(
                "One has \(name.split(separator: ".")[2]) already; --name shop.one.NAME gives another name"))
    }

    /// Several URLs of JSON are of one endpoint, unless they have nothing in common.
    @Test(arguments: [
        ("/pets/ann/tags?a=1 /pets/bob/tags", ["petTags(petID: String, a: Int?)"]),
        ("/v1/pets /v2/pets", ["pets(id: String)"]), ("/pets/1 /pets/top", ["pet(petID: String)"]),
        ("/pets /tags", ["pets", "tags"]), ("/pets/1 /tags/1", ["pet(petID: Int)", "tag(tagID: Int)"]),
        ("/a/pets /a/pets/x", ["aPets", "petsX"]),
    ])
    func severalURLs(paths: String, cases: [String]) async {
        let urls = paths.words.map { "https://api.shop.test" + $0 }
        let outcome = await run(["import", "json"] + urls, transport: StubTransport([Self.pet, Self.pet]))
        let found = outcome.out.split(separator: "\n").filter { $0.hasPrefix("    case ") }
        #expect(found.map { String($0.dropFirst(9)) } == cases, "\(outcome)")
    }

    /// A variable of the shell stays one in the command to try, and one stands for each secret that is a parameter.
    @Test(arguments: [
        (#""http://a.test/y?y=a b$Y""#, #"--y 'a b'"$Y""#, nil),
        (#"http://a.test/y -d "pin=$Y&user=ann""#, #"--pin "$Y" --user ann"#, nil),
        ("http://a.test/y -d 'pin=s3cret&user=ann'", #"--pin "$A_Y_PIN" --user ann"#, "A_Y_PIN"),
        ("http://a.test/y --json '{\"pin\": 123456}'", "--pin 0", nil),
        (
            #"http://a.test/y --json '{"auth": {"key": {"v": "s3cret"}, "otp": 123456}}'"#,
            #"--auth '{"key": {"v": "'"$A_Y_AUTH"'"}, "otp": 0}'"#, "A_Y_AUTH"
        ),
        (#"http://a.test/y -H 'X-Api-Key: k1' --json '{"pwd": "s3cret"}'"#, #"--pwd "$A_Y_PWD""#, "A_API_KEY, A_Y_PWD"),
    ])
    func variablesInTheNextCommand(curl: String, words: String, variables: String?) async {
        let outcome = await run(["import", "--no-send", "curl", "-"], variables: ["Y": "1"], stdin: "curl " + curl)
        let set = variables.map { "to set: \($0)\n" } ?? ""
        #expect(
            outcome.err.hasSuffix("kind\n\(set)next: swift run apictl call a.y \(words)\n"), "\(outcome)")
    }

    /// The types and files of the project are taken, but for those that the import writes.
    @Test(arguments: [
        ("--name catalogue --into Endpoints/Cat json", "Zoo/Zoo.swift", "Cat/Catalogue2.swift", "enum Catalogue2: API"),
        ("--into Endpoints/Shop json", "Zoo/In/Zoo.swift", "Shop/Models/ShopPet.swift", "struct ShopPet:"),
        ("--into Endpoints/Of/Shop json", "Zoo/pet.swift", "Of/Shop/Models/ShopPet.swift", "struct ShopPet:"),
        (
            "--name shop-order.list --into Endpoints/Shop json", "Samples/shop.order-list.json",
            "Shop/ShopOrder.swift", ".json(PackageResources.shop_order_list_1_json)"
        ),
        ("--into Endpoints/Shop json", ".old/Pet.swift", "Shop/Models/Pet.swift", "struct Pet:"),
        ("--force --into Endpoints/Shop/ json", "Shop/Models/Pet.swift", "Shop/Models/Pet.swift", "struct Pet:"),
        ("--into Endpoints/Cat/Shop.swift json", "Zoo/Zoo.swift", "Cat/Shop.swift", "struct ShopPet:"),
        ("--into Endpoints/Mine/Mine.swift json", "Zoo/Zoo.swift", "Mine/Models/MinePet.swift", "struct MinePet:"),
        ("--into Endpoints/Cat models", "Zoo/Zoo.swift", "Cat/PetModel.swift", "struct PetModel:"),
        ("--name zoo --into Endpoints/Cat openapi", "Zoo/Zoo.swift", "Cat/Models/Pet.swift", "extension Zoo2 {"),
    ])
    func namesOfTheProject(words: String, other: String, made: String, text: String) async throws {
        let (files, root) = (DiskFileSystem(), try TemporaryDirectory())
        let mine = Self.text(model: "").replacing("Shop", with: "Mine").replacing("pet", with: "own")
            .replacing("\"shop\"", with: "\"mine\"")
        let others = [
            "Endpoints/\(other)": "enum Zoo {\n    struct Models {}\n}\nstruct Pet {}\n",
            "Endpoints/Mine/Mine.swift": mine, "pet.json": #"{"id": 42, "name": "Rex"}"#,
            "api.json": String(exactBytes: Self.openAPI(Self.pets)),
        ]
        let contents = Self.project.merging(others) { $1 }
        for (path, text) in contents { try files.write(text.exactBytes, to: "\(root.path)/\(path)") }
        let sources = ["json": "json \(Self.url)", "models": "json pet.json", "openapi": "openapi api.json"]
        let all = words.words.flatMap { sources[$0]?.words ?? [$0] }.map {
            $0.hasPrefix("Endpoints/") || $0.hasSuffix("t.json") || $0 == "api.json" ? "\(root.path)/\($0)" : $0
        }
        let outcome = await run(["import"] + all, files: files, transport: StubTransport(Self.pet))
        let written = try? files.readAll("\(root.path)/Endpoints/\(made)")
        #expect(written.map { String(exactBytes: $0) }?.contains(text) == true, "\(outcome)")
    }

    private static func openAPI(_ paths: String) -> [UInt8] {
        #"{"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.test"}], "paths": {\#(paths)}}"#
            .exactBytes
    }

    private static let pets =
        #""/pets": {"get": {"operationId": "listPets", "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"a": {"type": "object"}}}}}}}}}"#

    static let wrongDocuments: [Row] = [
        wrong("import openapi", "import openapi needs a URL, a file, or - for stdin"),
        wrong(
            "import openapi a.yaml", files: ["a.yaml": "openapi: 3.0.0"],
            "a.yaml:1:1: #: expected a document with 'paths', found none"),
        wrong(
            "import openapi a.yaml", files: ["a.yaml": "openapi: 3.0.0\npaths: {/a: [}\n"],
            "a.yaml:2:14: did not find expected node content while parsing a flow node that starts at line 2, column 14"
        ),
        wrong(
            "import openapi a.yaml", files: ["a.yaml": "openapi: 3.0.0\npaths: {}\nopenapi: 3.1.0\n"],
            #"a.yaml:3:1: the key "openapi" is at line 1, column 1 already"#),
        wrong(
            "import openapi a.yaml", files: ["a.yaml": "openapi: 3.0.0\npaths:\n  /a:\n    get: no\n"],
            #"a.yaml:4:10: #/paths/~1a/get: expected an operation, which is an object, found string "no""#),
        wrong(
            "import openapi a.yaml", files: ["a.yaml": "<!DOCTYPE html><title>a: b: c</title>"],
            "a.yaml: expected JSON or YAML, found HTML or XML"),
        wrong(
            "import openapi a.json.gz", files: ["a.json.gz": String(exactBytes: [0x1F, 0x8B, 8])],
            "a.json.gz: packed with gzip; unpack it first: gunzip -c FILE > openapi.json"),
        wrong(
            "import --only nothing openapi a.json", files: ["a.json": String(decoding: openAPI(pets), as: UTF8.self)],
            "no operation matches --only and --skip"),
        wrong(
            "import --into a.swift openapi a.json", files: ["a.json": String(decoding: openAPI(pets), as: UTF8.self)],
            "import openapi writes several files: --into needs a directory"),
        Row(
            "no secret of a URL", ["import", "openapi", "https://u:s3cret@a.test/d?v=1&api_key=s3cret"],
            response: .json("[]"),
            err:
                "apictl: https://a.test/d?v=1:1:1: #: expected an OpenAPI document, which is an object, found array\n"
                + "See 'apictl help import'.\n", code: 2),
    ]

    @Test(arguments: rows + directories + wrongs + wrongDocuments)
    func row(_ row: Row) async { await row.check() }

    /// Imports `api.json` of these files, which are then those that there are.
    private static func imported(_ contents: inout [String: [UInt8]], _ options: String...) async -> Outcome {
        let files = MemoryFiles(contents)
        let outcome = await run(["import", "--into", "out/Shop"] + options + ["openapi", "api.json"], files: files)
        contents = files.texts.mapValues(\.exactBytes)
        return outcome
    }

    /// A document is imported into files. Again, new files are written; what differs stays as it is without `--force`.
    @Test func documents() async {
        var contents = ["api.json": Self.openAPI(Self.pets)]
        let dry = await Self.imported(&contents, "--dry-run")
        #expect(contents.count == 1 && dry.err.contains("would write out/Shop/Pets.swift\n"))
        let first = await Self.imported(&contents, "--strict", "--report", "report.json")
        #expect(
            first.err == """
                shop: 1 endpoint in 1 API, 1 model, 1 property; any JSON: 1
                wrote out/Shop: 3 files
                note: still to add: Shop.apis to the list of APIs
                next: swift run apictl describe shop.pets.list

                """)
        #expect(first.code == 1)
        let report = contents["report.json"].map { String(exactBytes: $0) } ?? ""
        #expect(report.contains(#""properties":{"all":1,"typed":0,"undescribed":1}"#))
        #expect(
            contents.keys.sorted() == [
                "api.json", "out/Shop/Models/Pet.swift", "out/Shop/Pets.swift", "out/Shop/Shop.swift", "report.json",
            ])
        let same = await Self.imported(&contents)
        #expect(same.code == 0 && !same.err.contains("wrote"))

        contents["out/Shop/Pets.swift"]? += "// mine\n".utf8
        let shop = contents["out/Shop/Shop.swift"]
        contents["api.json"] = Self.openAPI(Self.pets + #", "/toys": {"get": {}}"#)
        let newer = await Self.imported(&contents)
        #expect(
            newer.err.hasSuffix(
                """
                wrote out/Shop: 1 file
                note: still to add: Shop.apis to the list of APIs
                next: swift run apictl describe shop.pets.list
                apictl: 2 files differ and were not written; --force overwrites:
                  out/Shop/Shop.swift
                  out/Shop/Pets.swift

                """), "\(newer.err)")
        #expect(newer.code == 1)
        #expect(contents["out/Shop/Toys.swift"] != nil && contents["out/Shop/Shop.swift"] == shop)
        #expect(await Self.imported(&contents, "--force").code == 0)
        let pets = contents["out/Shop/Pets.swift"].map { String(exactBytes: $0) } ?? ""
        #expect(pets.hasSuffix("}\n") && contents["out/Shop/Shop.swift"] != shop)
    }

    /// No file is removed; those that the document does not have are named.
    @Test func documentWithLess() async {
        var contents = ["api.json": Self.openAPI(Self.pets + #", "/toys": {"get": {}}"#)]
        _ = await Self.imported(&contents)
        contents["api.json"] = Self.openAPI(#""/toys": {"get": {}}"#)
        let less = await Self.imported(&contents, "--force")
        #expect(less.code == 0)
        #expect(
            less.err.contains("note: not of this document, or no longer: Pets.swift, Models/Pet.swift\n"), "\(less)")
        #expect(contents["out/Shop/Pets.swift"] != nil && contents["out/Shop/Models/Pet.swift"] != nil)
    }

    /// The files of a namespace are not overwritten by those of another one: its list would not compile.
    @Test(arguments: [["--name", "store"], ["--name", "store", "--force"]])
    func documentOfAnotherName(options: [String]) async {
        var contents = ["api.json": Self.openAPI(Self.pets)]
        _ = await Self.imported(&contents)
        let files = MemoryFiles(contents)
        let outcome = await run(["import", "--into", "out/Shop"] + options + ["openapi", "api.json"], files: files)
        #expect(
            outcome.err.hasPrefix(
                "apictl: out/Shop/Shop.swift is another document than Store: write into another directory\n"))
        #expect(files.texts.mapValues(\.exactBytes) == contents && outcome.code == 2)
    }

    /// An import that fails to write a file adds no line to the list of APIs, which would not compile.
    @Test func unwritableFile() async {
        var contents = Self.project.mapValues(\.exactBytes)
        contents["api.json"] = Self.openAPI(Self.pets)
        let files = MemoryFiles(contents, readOnly: ["Endpoints/Shop/Models/Pet.swift"])
        let outcome = await run(["import", "--into", "Endpoints/Shop", "openapi", "api.json"], files: files)
        #expect(outcome.err == "apictl: can't write Endpoints/Shop/Models/Pet.swift: permission denied\n")
        #expect(files["Endpoints/Catalogue.swift"] == Self.project["Endpoints/Catalogue.swift"])
    }

    @Test func strictDocuments() async {
        for (schema, code) in [("{}", 1), (#"{"items": {}}"#, 1), (#"{"type": "integer"}"#, 0)] {
            let content = #""content": {"application/json": {"schema": \#(schema)}}"#
            for operation in [#""requestBody": {\#(content)}"#, #""responses": {"200": {\#(content)}}"#] {
                var contents = ["api.json": Self.openAPI(#""/any": {"post": {\#(operation)}}"#)]
                #expect(await Self.imported(&contents, "--strict").code == Int32(code), "\(operation)")
            }
        }
        let any = #"{"schema": {"oneOf": [{"properties": {"p": {}}}, {"properties": {"q": {}}}]}}"#
        var contents = [
            "api.json": Self.openAPI(
                #""/any": {"get": {"responses": {"200": {"content": {"application/json": \#(any)}}}}}"#)
        ]
        let loose = await Self.imported(&contents, "--strict")
        #expect(loose.code == 1 && loose.err.contains("; with a comment '// import:': 1\n"))
    }

    /// In a directory of the project, the APIs are listed, and no file has the name of another API's.
    @Test func documentOfTheProject() async {
        var contents = Self.project.mapValues(\.exactBytes)
        contents["Endpoints/Movies/Models/Pet.swift"] = Array("struct Pet {}\n".utf8)
        contents["api.json"] = Self.openAPI(Self.pets)
        for name in ["Shop", "Store", "Shop"] {
            let files = MemoryFiles(contents)
            let outcome = await run(
                ["import", "--name", name.lowercased(), "--into", "Endpoints/\(name)", "openapi", "api.json"],
                files: files)
            #expect(outcome.code == 0 && !outcome.err.contains("still to add"), "\(outcome.err)")
            contents = files.texts.mapValues(\.exactBytes)
            // Again, a file has the name that it got.
            contents["Endpoints/Movies/Models/Pet.swift"] = nil
        }
        let words = "import --name shop --into Endpoints/Other openapi api.json".words
        let other = await run(words, files: MemoryFiles(contents))
        #expect(other.err.hasPrefix("apictl: there is an API shop.pets already: --name gives another name\n"))
        #expect(
            contents.keys.filter { $0.hasSuffix(".swift") }.sorted() == [
                "Endpoints/Catalogue.swift",
                "Endpoints/Shop/Models/Shop+Pet.swift", "Endpoints/Shop/Pets.swift",
                "Endpoints/Shop/Shop.swift", "Endpoints/Store/Models/Pet.swift",
                "Endpoints/Store/Store+Pets.swift", "Endpoints/Store/Store.swift",
            ])
        #expect(
            contents["Endpoints/Catalogue.swift"].map { String(exactBytes: $0) } == """
                public enum Catalogue {
                    public static let apis: [any API.Type] =
                        [
                            Movies.self,
                        ]
                        + Shop.apis
                        + Store.apis
                }

                """)
    }

    /// What can't be read is not overwritten, for nobody knows whose it is.
    @Test func unreadableFile() async {
        let files = MemoryFiles(
            ["api.json": Self.openAPI(Self.pets), "out/Shop/Pets.swift": []], unreadable: ["out/Shop/Pets.swift"])
        let outcome = await run(["import", "--into", "out/Shop", "openapi", "api.json"], files: files)
        #expect(outcome.err == "apictl: can't read out/Shop/Pets.swift: permission denied\n" && outcome.code == 1)
        #expect(files.texts.count == 2)
    }

    @Test func reportAndStrict() async {
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

    /// What comes from outside never reaches the terminal unescaped.
    @Test func controlCharacters() async {
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
