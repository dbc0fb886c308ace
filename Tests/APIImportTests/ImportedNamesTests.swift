import APIImport
import EndpointKit
import Testing

/// The names of APIs, enums, cases, models and files that an import declares.
@Suite struct ImportedNamesTests {
    /// A name that people chose, the title of a document, and the names of the API.
    struct APINames: Sendable, CustomTestStringConvertible {
        /// The chosen name, or nil if people chose none.
        var chosenName: String?
        let title: String
        let name: String
        let type: String

        var testDescription: String { "\(chosenName ?? "-") \(title)" }
    }

    @Test(
        "An API has the chosen name, or else one derived from the title",
        arguments: [
            APINames(title: "GitHub v3 REST API", name: "github", type: "GitHub"),
            APINames(chosenName: "GitHub", title: "x", name: "github", type: "GitHub"),
            APINames(chosenName: "my-shop", title: "x", name: "my-shop", type: "MyShop"),
            APINames(title: "", name: "imported", type: "Imported"),
        ])
    func namesOfAPIs(names: APINames) throws {
        var options = ImportChoices()
        options.api = names.chosenName
        let imported = try SmallDocument.imported(
            #"{"openapi": "3.0.0", "info": {"title": "\#(names.title)"}, "paths": {"/a": {"get": {}}}}"#,
            options: options)
        #expect(imported.name == names.name)
        #expect(imported.type == names.type)
    }

    @Test("A tag with 70 operations is divided into enums by path, and equal operation IDs get distinct names")
    func dividedEnums() throws {
        let paths = (0..<70).map { index in
            let collection = index < 30 ? "branches" : "tags"
            return #"""
                "/repos/{id}/\#(collection)/x\#(index)": {"get": {"tags": ["repos"], "operationId": "same"}}
                """#
        }
        let imported = try SmallDocument.imported(SmallDocument.text(paths.joined(separator: ", ")))
        #expect(Set(imported.endpoints.map(\.type)) == ["ReposBranches", "ReposTags"])
        #expect(Set(imported.endpoints.map(\.name)).count == 70)
    }

    @Test("A case or model has its chosen name, and an equal derived name gets a number")
    func chosenNamesComeBeforeDerivedOnes() throws {
        let operation = SmallDocument.operation(
            #"{"properties": {"pet": {"properties": {"a": {"type": "string"}}}}}"#,
            more: #""tags": ["pets"], "operationId": "mine", "#)
        var options = ImportChoices()
        options.operationNames = ["GET /pets/y": "mine"]
        options.typeNames = ["Pet": "Animal"]
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/pets/x": {"get": \#(operation)}, "/pets/y": {"get": \#(operation)}"#),
            options: options)
        #expect(imported.endpoints.map(\.name) == ["shop.pets.mine2", "shop.pets.mine"])
        #expect(imported.modelNames.contains("Animal"))
        #expect(!imported.modelNames.contains("Pet"))
    }

    /// The enum `Pet` and the schema `PetSamples`, the tag `pet models`, and the operation `sampleText` have names
    /// that the import also gives to files and members. From 61 operations on, an enum is divided.
    @Test("Files and cases have distinct names, whatever the names in the document", arguments: [1, 61])
    func filesAndCasesHaveDistinctNames(operationCount: Int) throws {
        func path(_ index: Int, operationID: String, model: String) -> String {
            ##"""
            "/p\##(index)": {"get": {
              "operationId": "\##(operationID)", "tags": ["pet"],
              "responses": {"200": {"content": {"application/json": {
                "example": {"at": "x"}, "schema": {"$ref": "#/components/schemas/\##(model)"}
              }}}}
            }}
            """##
        }
        let date = SmallDocument.operation(
            #"{"type": "string", "format": "date-time"}"#, more: #""tags": ["pet models"], "#)
        let numberedPaths = (1..<operationCount).map { path($0, operationID: "get\($0)", model: "M\($0)") }
        let paths =
            [path(0, operationID: "sampleText", model: "PetSamples")] + numberedPaths + [#""/d": {"get": \#(date)}"#]
        let models = ["PetSamples"] + (1..<max(operationCount, 2)).map { "M\($0)" }
        let schemas = models.map { #""\#($0)": {"properties": {"at": {"type": "string"}}}"# }
        let imported = try SmallDocument.imported(
            SmallDocument.text(paths.joined(separator: ", "), schemas: schemas.joined(separator: ", ")))
        let fileNames = imported.files.compactMap { $0.path.split(separator: "/").last?.lowercased() }
        #expect(Set(fileNames).count == fileNames.count, "\(fileNames)")
        #expect(imported.endpoints[0].name.hasSuffix(".sample-text2"))
        #expect(imported.text("PetModels.swift").contains("import Foundation\n"))
    }

    @Test("A summary that only repeats the name of its operation is no comment")
    func summariesThatRepeatNames() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/a": {"get": {"tags": ["movies"], "operationId": "list-videos", "summary": "List Videos"},
                "put": {"tags": ["movies"], "operationId": "rate", "summary": "Rates a movie."}}
                """#))
        let file = imported.text("Movies.swift")
        #expect(
            file.contains(
                """
                    public enum Movies: API {
                        case listVideos
                        /// Rates a movie.
                        case rate

                """))
        #expect(!file.contains("/// Movies."))
    }

    @Test("A path that is too long for a line is divided into lines") func longPaths() throws {
        let escapedQuotes = String(repeating: "\\\"", count: 200)
        let directories = String(repeating: "x/", count: 80)
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/\#(escapedQuotes)/{id}/\#(directories){id2}{id3}": {"get": {}}"#))
        let lines = imported.files.flatMap { $0.text.split(separator: "\n") }.filter { !$0.contains("//") }
        #expect(lines.filter { $0.count > SwiftLiteral.lineLength } == [])
        #expect(imported.endpoints[0].arm.contains(#"/\(id2)\(id3)"#))
    }

    /// SwiftPM makes a program of a module with a file `main.swift`.
    @Test(
        "No file is named main.swift, whatever the name of a schema and its path", arguments: ["main", "Main", "MAIN"])
    func noFileOfASchemaIsNamedMain(name: String) throws {
        let operation = SmallDocument.operation(##"{"$ref": "#/components/schemas/\##(name)"}"##)
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/\#(name)": {"get": \#(operation)}"#,
                schemas: #""\#(name)": {"properties": {"id": {"type": "integer"}}}"#))
        let fileNames = imported.files.compactMap { $0.path.split(separator: "/").last?.lowercased() }
        #expect(!fileNames.contains("main.swift"), "\(fileNames)")
    }

    @Test("No file is named main.swift, whatever the title of the document and a tag")
    func noFileOfAnAPIIsNamedMain() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/main": {"get": {"tags": ["main"]}}"#).replacing("Shop API", with: "Main"))
        let paths = imported.files.map { $0.path.lowercased() }
        #expect(imported.type == "Main")
        #expect(!paths.contains("main.swift"), "\(paths)")
    }

    @Test("The enums of a tag with 61 operations are named after the first segment that doesn't repeat the tag")
    func segmentsThatRepeatTheTag() throws {
        let paths = (0..<61).map { number in
            let path = number < 30 ? "/actions/runs/\(number)" : "/repos/{id}/actions/\(number)"
            return #""\#(path)": {"get": {"operationId": "op\#(number)", "tags": ["actions"]}}"#
        }
        let imported = try SmallDocument.imported(SmallDocument.text(paths.joined(separator: ",")))
        #expect(Set(imported.endpoints.map(\.type)) == ["ActionsRuns", "ActionsRepos"])
    }

    /// Enums with different names are different types, even if their values are equal.
    @Test("The cases of an enum have the names or titles that the document gives its values")
    func namesOfListedValues() throws {
        let schemas = #"""
            "FilterTypes": {"type": "integer", "oneOf": [
              {"title": "INHERIT", "const": 0}, {"title": "ALWAYS", "const": 1}
            ]},
            "ReactionTypes": {"type": "integer", "oneOf": [
              {"title": "NORMAL", "const": 0}, {"title": "BURST", "const": 1}
            ]},
            "Level": {"type": "integer", "enum": [1, 2], "x-enum-varnames": ["LowLevel", "HighLevel"]},
            "Mode": {"type": "integer", "enum": [1, 2], "x-enumNames": ["Off", "On"]}
            """#
        let operation = SmallDocument.operation(
            ##"""
            {"properties": {
              "FilterTypes": {"$ref": "#/components/schemas/FilterTypes"},
              "ReactionTypes": {"$ref": "#/components/schemas/ReactionTypes"},
              "Level": {"$ref": "#/components/schemas/Level"},
              "Mode": {"$ref": "#/components/schemas/Mode"}
            }}
            """##)
        let models = try SmallDocument.imported(SmallDocument.text(#""/r": {"get": \#(operation)}"#, schemas: schemas))
            .modelText
        func expectEnum(_ name: String, first: String, second: String) {
            let declaration = """
                enum \(name): Int, Codable, CaseIterable, Sendable {
                        case \(first)
                        case \(second)
                    }
                """
            #expect(models.contains(declaration), "\(models)")
        }
        expectEnum("FilterTypes", first: "inherit = 0", second: "always = 1")
        expectEnum("ReactionTypes", first: "normal = 0", second: "burst = 1")
        expectEnum("Level", first: "lowLevel = 1", second: "highLevel = 2")
        expectEnum("Mode", first: "off = 1", second: "on = 2")
    }

    @Test("A file that names Date imports Foundation") func importOfFoundation() throws {
        #expect(try fileWithParameter(ofFormat: "date-time").contains("import Foundation"))
    }

    @Test("A file that doesn't name Date doesn't import Foundation") func noImportOfFoundation() throws {
        #expect(try !fileWithParameter(ofFormat: "uuid").contains("import Foundation"))
    }

    /// Imports an operation with the parameter `UpdateDate`, and returns the file of its enum.
    private func fileWithParameter(ofFormat format: String) throws -> String {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/x": {"get": {"operationId": "listUpdateDates", "tags": ["t"], "parameters": [{
                  "name": "UpdateDate", "in": "query", "required": true,
                  "schema": {"type": "string", "format": "\#(format)"}
                }]}}
                """#))
        return imported.text("T.swift")
    }

    @Test("Long names are divided into lines of at most 120 characters") func longNames() throws {
        let title = "CreateSipAuthCallsCredentialListMappingApi20100401AuthCallsCredentialListMapping"
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/x": {"post": {
                  "operationId": "createSipAuthCallsCredentialListMapping",
                  "tags": ["Api20100401AuthCallsCredentialListMapping"],
                  "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {
                    "title": "\#(title)",
                    "required": ["Sid"],
                    "properties": {
                      "Sid": {"type": "string"},
                      "self": {"title": "\#(title)2", "properties": {"a": {"type": "integer"}}}
                    }
                  }}}}
                }}
                """#))
        let lines = imported.files.flatMap { $0.text.split(separator: "\n") }
        #expect(lines.filter { $0.count > 120 } == [])
    }
}
