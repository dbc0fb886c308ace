import Testing

@testable import ApictlCLI

/// `import` into a directory or file that has APIs already: names that are not free, and endpoints that are inserted.
struct ImportIntoProjectTests {
    @Test("An import under another name leaves the files of the first one, and both compile")
    func importUnderAnotherName() async {
        var contents: [String: [UInt8]] = [:]
        for name in ["shop", "store", "shop", "store"] {
            let files = MemoryFiles(contents)
            let outcome = await run(
                ["import", "--name", name, "--into", "out/Shop", "json", ImportTests.url], files: files,
                transport: StubTransport(ImportTests.pet))
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

    @Test(
        "A type is not declared in two files, and no two files have the same name",
        arguments: [
            ("out/Shop/Mine.swift", "struct Pet {}", "out/Shop/Mine.swift has Pet, as out/Shop/Models/Pet.swift would"),
            (
                "out/Shop/pet.swift", "struct Mine {}",
                "out/Shop/pet.swift and out/Shop/Models/Pet.swift can't be in one target"
            ),
        ])
    func typesInOtherFiles(path: String, text: String, problem: String) async {
        let files = MemoryFiles([path: text.exactBytes])
        let outcome = await run(
            ["import", "--into", "out/Shop", "json", ImportTests.url], files: files,
            transport: StubTransport(ImportTests.pet))
        #expect(outcome.err.hasPrefix("apictl: \(problem)") && outcome.code == 2, "\(outcome)")
        #expect(files.texts.keys.sorted() == [path])
    }

    @Test(
        "A note says what Package.swift must embed, for each place of the files",
        arguments: [
            ("out/Shop", "to the target in out: resources: [.embedInCode(\"Shop/Samples\")]"),
            ("Shop", "to the target in Shop: resources: [.embedInCode(\"Samples\")]"),
            ("Sources/App/A/Shop", "to the target in Sources/App: resources: [.embedInCode(\"A/Shop/Samples\")]"),
            ("/x/Sources/App/Shop", "to the target in /x/Sources/App: resources: [.embedInCode(\"Shop/Samples\")]"),
            ("../Shop", "to the target in ../Shop: resources: [.embedInCode(\"Samples\")]"),
        ])
    func placeOfSamples(directory: String, text: String) async {
        let outcome = await run(
            ["import", "--dry-run", "--into", directory, "json", ImportTests.url],
            transport: StubTransport(ImportTests.pet))
        #expect(outcome.err.contains("note: still to add, in Package.swift, \(text)\n"), "\(outcome)")
    }

    @Test("A call that changes data is added to placeholders, which check does not send")
    func writingRequestIntoAFile() async {
        let files = MemoryFiles(["Shop.swift": ImportTests.text(model: "").exactBytes])
        for name in ["make", "sell"] {
            let words = "import --no-send --name shop.\(name) --into Shop.swift curl -X POST https://api.shop.test/pets"
            _ = await run(words.words, files: files)
        }
        let text = files["Shop.swift"] ?? ""
        #expect(text.contains("    public static let examples: [Shop] = [.pet(petID: 42)]\n"), "\(text)")
        #expect(text.contains("    public static let placeholders: [Shop] = [.make, .sell]\n"), "\(text)")
    }

    @Test("A model whose name is taken in the API's file gets the API's name before it")
    func takenNames() async {
        let files = MemoryFiles(["out/Shop.swift": (ImportTests.text(model: "") + "\nstruct Tag {}\n").exactBytes])
        let outcome = await run(
            ["import", "--into", "out/Shop.swift", "curl", "https://api.shop.test/tag"], files: files,
            transport: StubTransport(.json(#"{"id": 1}"#)))
        #expect(outcome.err.contains("wrote out/Models/ShopTag.swift\nwrote out/Shop.swift\n"), "\(outcome)")
        #expect(files["out/Shop.swift"]?.contains(".get(\"/tag\", returns: ShopTag.self, summary: \"Tag\")\n") == true)
    }

    @Test("Of two APIs in a file, the one of --name gets the endpoint; notes say what it lacks for the request")
    func apiOfThatName() async {
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
        #expect(outcome.err.contains("not added: Two has none, so that its calls are sent without\n"))
        #expect(outcome.err.contains("note: Two has no server for http://b.test, where the request went\n"))
    }

    @Test(
        "The server's path is left out of the endpoint's path, and a request to another path is noted",
        arguments: [
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
        let serverNotes = outcome.err.split(separator: "\n").filter { $0.contains("has no server") }
        #expect(serverNotes == (note.isEmpty ? [] : ["note: One has no server for \(note), where the request went"]))
    }

    @Test(
        "The servers of a namespace are found in the file beside, also for an API with a dot in its name",
        arguments: [
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
        let files = DiskFileSystem()
        let root = try TemporaryDirectory()
        let path = "\(root.path)/One.swift"
        try files.writeCreatingDirectories(text.exactBytes, to: path)
        try files.writeCreatingDirectories(shop.exactBytes, to: "\(root.path)/Shop.swift")
        let words = "import --no-send --into \(path) \(options) curl \(url)".words
        let outcome = await run(words, files: files)
        #expect(String(exactBytes: try files.readAll(path)).contains(arm), "\(outcome)")
        let serverNotes = outcome.err.split(separator: "\n").filter { $0.contains("has no server") }
        #expect(serverNotes == (note.isEmpty ? [] : ["note: One has no server for \(note), where the request went"]))
        #expect(outcome.err.hasSuffix("next: swift run apictl call \(name)\n"))
        let again = await run(words, files: files)
        #expect(
            again.err.contains(
                "One has \(name.split(separator: ".")[2]) already; --name shop.one.NAME gives another name"))
    }

    @Test(
        "Types and files get other names than those of the project, except those that the import writes",
        arguments: [
            (
                "--name catalogue --into Endpoints/Cat json", "Zoo/Zoo.swift", "Cat/Catalogue2.swift",
                "enum Catalogue2: API"
            ),
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
    func namesOfTheProject(words: String, otherFile: String, createdFile: String, text: String) async throws {
        let files = DiskFileSystem()
        let root = try TemporaryDirectory()
        // An API with another name and endpoint, whose model has the name that the import would use.
        let mine = ImportTests.text(model: "").replacing("Shop", with: "Mine").replacing("pet", with: "own")
            .replacing("\"shop\"", with: "\"mine\"")
        let others = [
            "Endpoints/\(otherFile)": "enum Zoo {\n    struct Models {}\n}\nstruct Pet {}\n",
            "Endpoints/Mine/Mine.swift": mine, "pet.json": #"{"id": 42, "name": "Rex"}"#,
            "api.json": String(exactBytes: ImportDocumentTests.openAPI(ImportDocumentTests.pets)),
        ]
        let contents = ImportTests.project.merging(others) { $1 }
        for (path, text) in contents { try files.writeCreatingDirectories(text.exactBytes, to: "\(root.path)/\(path)") }
        let sources = ["json": "json \(ImportTests.url)", "models": "json pet.json", "openapi": "openapi api.json"]
        let wordsWithSources = words.words.flatMap { sources[$0]?.words ?? [$0] }
        let allWords = wordsWithSources.map { word in
            let isPath = word.hasPrefix("Endpoints/") || word == "pet.json" || word == "api.json"
            return isPath ? "\(root.path)/\(word)" : word
        }
        let outcome = await run(["import"] + allWords, files: files, transport: StubTransport(ImportTests.pet))
        let written = try? files.readAll("\(root.path)/Endpoints/\(createdFile)")
        #expect(written.map { String(exactBytes: $0) }?.contains(text) == true, "\(outcome)")
    }
}
