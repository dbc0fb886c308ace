import Testing

@testable import ApictlCLI

/// `import openapi`: the files that are made of a document, and what becomes of existing files.
struct ImportDocumentTests {
    /// Returns an OpenAPI document with these members of `paths`.
    static func openAPI(_ paths: String) -> [UInt8] {
        #"{"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.test"}], "paths": {\#(paths)}}"#
            .exactBytes
    }

    /// A path with one operation, whose response has a property of any JSON.
    static let pets =
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
            "a message shows a URL without its secrets",
            ["import", "openapi", "https://u:s3cret@a.test/d?v=1&api_key=s3cret"],
            response: .json("[]"),
            err:
                "apictl: https://a.test/d?v=1:1:1: #: expected an OpenAPI document, which is an object, found array\n"
                + "See 'apictl help import'.\n", code: 2),
    ]

    /// Imports the document `api.json` into `out/Shop`.
    ///
    /// - Parameters:
    ///   - contents: The files before the import. They become the files after it.
    ///   - options: Further options of `import`.
    private static func importDocument(_ contents: inout [String: [UInt8]], _ options: String...) async -> Outcome {
        let files = MemoryFiles(contents)
        let outcome = await run(["import", "--into", "out/Shop"] + options + ["openapi", "api.json"], files: files)
        contents = files.texts.mapValues(\.exactBytes)
        return outcome
    }

    @Test("The first import of a document writes its files, and the same import again changes nothing")
    func firstImport() async {
        var contents = ["api.json": Self.openAPI(Self.pets)]
        let dry = await Self.importDocument(&contents, "--dry-run")
        #expect(contents.count == 1 && dry.err.contains("would write out/Shop/Pets.swift\n"))
        let first = await Self.importDocument(&contents, "--strict", "--report", "report.json")
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
        let same = await Self.importDocument(&contents)
        #expect(same.code == 0 && !same.err.contains("wrote"))
    }

    @Test("Importing a newer document writes new files, and overwrites files that differ only with --force")
    func newerDocument() async {
        var contents = ["api.json": Self.openAPI(Self.pets)]
        _ = await Self.importDocument(&contents)
        contents["out/Shop/Pets.swift"]? += "// mine\n".utf8
        let shop = contents["out/Shop/Shop.swift"]
        contents["api.json"] = Self.openAPI(Self.pets + #", "/toys": {"get": {}}"#)
        let newer = await Self.importDocument(&contents)
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
        #expect(await Self.importDocument(&contents, "--force").code == 0)
        let pets = contents["out/Shop/Pets.swift"].map { String(exactBytes: $0) } ?? ""
        #expect(pets.hasSuffix("}\n") && contents["out/Shop/Shop.swift"] != shop)
    }

    @Test("No file is removed, and files that the document no longer has are named")
    func documentWithLess() async {
        var contents = ["api.json": Self.openAPI(Self.pets + #", "/toys": {"get": {}}"#)]
        _ = await Self.importDocument(&contents)
        contents["api.json"] = Self.openAPI(#""/toys": {"get": {}}"#)
        let less = await Self.importDocument(&contents, "--force")
        #expect(less.code == 0)
        #expect(
            less.err.contains("note: not of this document, or no longer: Pets.swift, Models/Pet.swift\n"), "\(less)")
        #expect(contents["out/Shop/Pets.swift"] != nil && contents["out/Shop/Models/Pet.swift"] != nil)
    }

    @Test(
        "The files of a document are not overwritten by those of another document",
        arguments: [["--name", "store"], ["--name", "store", "--force"]])
    func documentOfAnotherName(options: [String]) async {
        var contents = ["api.json": Self.openAPI(Self.pets)]
        _ = await Self.importDocument(&contents)
        let files = MemoryFiles(contents)
        let outcome = await run(["import", "--into", "out/Shop"] + options + ["openapi", "api.json"], files: files)
        #expect(
            outcome.err.hasPrefix(
                "apictl: out/Shop/Shop.swift is another document than Store: write into another directory\n"))
        #expect(files.texts.mapValues(\.exactBytes) == contents && outcome.code == 2)
    }

    @Test("An import that fails to write a file adds nothing to the list of APIs")
    func unwritableFile() async {
        var contents = ImportTests.project.mapValues(\.exactBytes)
        contents["api.json"] = Self.openAPI(Self.pets)
        let files = MemoryFiles(contents, readOnly: ["Endpoints/Shop/Models/Pet.swift"])
        let outcome = await run(["import", "--into", "Endpoints/Shop", "openapi", "api.json"], files: files)
        #expect(outcome.err == "apictl: can't write Endpoints/Shop/Models/Pet.swift: permission denied\n")
        #expect(files["Endpoints/Catalogue.swift"] == ImportTests.project["Endpoints/Catalogue.swift"])
    }

    @Test("--strict fails if a schema becomes JSON of any kind, or a comment")
    func strictDocuments() async {
        for (schema, code) in [("{}", 1), (#"{"items": {}}"#, 1), (#"{"type": "integer"}"#, 0)] {
            let content = #""content": {"application/json": {"schema": \#(schema)}}"#
            for operation in [#""requestBody": {\#(content)}"#, #""responses": {"200": {\#(content)}}"#] {
                var contents = ["api.json": Self.openAPI(#""/any": {"post": {\#(operation)}}"#)]
                #expect(await Self.importDocument(&contents, "--strict").code == Int32(code), "\(operation)")
            }
        }
        let any = #"{"schema": {"oneOf": [{"properties": {"p": {}}}, {"properties": {"q": {}}}]}}"#
        var contents = [
            "api.json": Self.openAPI(
                #""/any": {"get": {"responses": {"200": {"content": {"application/json": \#(any)}}}}}"#)
        ]
        let loose = await Self.importDocument(&contents, "--strict")
        #expect(loose.code == 1 && loose.err.contains("; with a comment '// import:': 1\n"))
    }

    @Test("In a directory of the project, the APIs are listed, and no file has the name of another API's file")
    func documentOfTheProject() async {
        var contents = ImportTests.project.mapValues(\.exactBytes)
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

    @Test("A file that can't be read is not overwritten")
    func unreadableFile() async {
        let files = MemoryFiles(
            ["api.json": Self.openAPI(Self.pets), "out/Shop/Pets.swift": []], unreadable: ["out/Shop/Pets.swift"])
        let outcome = await run(["import", "--into", "out/Shop", "openapi", "api.json"], files: files)
        #expect(outcome.err == "apictl: can't read out/Shop/Pets.swift: permission denied\n" && outcome.code == 1)
        #expect(files.texts.count == 2)
    }

    @Test("A document that can't be imported is refused with the place of what is wrong", arguments: wrongDocuments)
    func wrongDocument(_ row: Row) async { await row.check() }
}
