import EndpointKit
import Testing

@testable import ApictlCLI

/// The documents that `openapi` writes for endpoints of every kind.
struct OpenAPITests {
    /// A part of the document of an API, by the names that lead to it, and its JSON.
    struct Part: CustomTestStringConvertible {
        let testDescription: String
        let api: any API.Type
        let names: [String]
        let json: String

        init(_ title: String, _ names: [String], _ json: String) { self.init(title, Shelf.self, names, json) }

        init(_ title: String, _ api: any API.Type, _ names: [String], _ json: String) {
            testDescription = title
            self.api = api
            self.names = names
            self.json = json
        }
    }

    static func parameters(_ path: String, _ method: String = "get") -> [String] {
        ["paths", path, method, "parameters"]
    }
    static func body(_ path: String, _ method: String, _ type: String = "application/json") -> [String] {
        ["paths", path, method, "requestBody", "content", type, "schema"]
    }
    static func response(_ path: String, _ method: String = "get") -> [String] {
        ["paths", path, method, "responses"]
    }
    static func schema(_ name: String) -> [String] { ["components", "schemas", name] }

    /// The constant header of the API.
    static let version = #"{"name":"X-Version","in":"header","schema":{"const":"2"}}"#

    static let parameters: [Part] = [
        Part(
            "a path value, a query item with bounds, another with allowed values", parameters("/books/{id}"),
            """
            [{"name":"id","in":"path","required":true,"schema":{"type":"integer","format":"int64"},"description":"its \
            number","example":7},\
            {"name":"depth","in":"query","schema":{"type":"integer","minimum":0,"maximum":9},"example":3},\
            {"name":"cover","in":"query","schema":{"type":"string","enum":["soft","hard"]}},\(version)]
            """),
        Part(
            "several parameters in one item, and text around one", parameters("/near"),
            """
            [{"name":"at","in":"query","required":true,"schema":{"type":"string","pattern":"^-?[0-9]+(\\\\.[0-9]+)?,\
            -?[0-9]+(\\\\.[0-9]+)?$"},\
            "example":"1.5,2.5","x-apictl-from":["lat","lng"]},\
            {"name":"Range","in":"header","schema":{"type":"string","pattern":"^bytes=.+$"},"x-apictl-from":["bytes"]},\
            \(version)]
            """),
        Part(
            "constant items, also a header of the API that is not compulsory", parameters("/new"),
            """
            [{"name":"sort","in":"query","required":true,"schema":{"const":"new"}},\
            {"name":"X-Kind","in":"header","required":true,"schema":{"const":"list"}},\
            \(version)]
            """),
        Part(
            "lists: repeated, joined, in brackets", parameters("/lists"),
            """
            [{"name":"tags","in":"query","required":true,"style":"form","explode":true,"schema":{"type":"array",\
            "items":{"type":"string"}},"example":["a","b"]},\
            {"name":"ids","in":"query","style":"form","explode":false,"schema":{"type":"array",\
            "items":{"type":"integer","maximum":9}},\
            "example":[1,2]},\
            {"name":"filter","in":"query","required":true,"style":"deepObject","explode":true,\
            "schema":{"type":"object","additionalProperties":{"type":"string"}},\
            "example":{"colour":"red"}},\(version)]
            """),
        Part(
            "fields of a structure", parameters("/sold"),
            """
            [{"name":"author","in":"query","required":true,"schema":{"type":"string"}},\
            {"name":"year","in":"query","schema":{"type":"integer","format":"int64"}},\
            {"name":"price","in":"query","style":"deepObject","explode":true,"schema":{"type":"object",\
            "additionalProperties":{"type":"number"}}},\
            \(version)]
            """),
        Part(
            "several segments", parameters("/files/{path}/raw"),
            #"""
            [{"name":"path","in":"path","required":true,"schema":{"type":"string"},"example":"a/b",\#
            "x-multi-segment":true},\#(version)]
            """#
        ),
        Part(
            "a parameter with the name of a credential has no example", parameters("/login/{password}"),
            #"[{"name":"password","in":"path","required":true,"schema":{"type":"string"}},\#(version)]"#),
        Part(
            "one path has one set of names", parameters("/books/{id}", "delete"),
            #"[{"name":"id","in":"path","required":true,"schema":{"type":"string"},"example":"x"},\#(version)]"#),
        Part("no parameters", Zoo.self, parameters("/open"), "[]"),
        Part(
            "bounds, and parameters that exclude each other", Zoo.self, parameters("/page"),
            """
            [{"name":"page","in":"query","schema":{"type":"integer","minimum":1,"maximum":500},"description":"not with \
            cursor","example":1},\
            {"name":"size","in":"query","schema":{"type":"integer","format":"int64","minimum":1}},\
            {"name":"cursor","in":"query","schema":{"type":"string"},"description":"not with page"},\
            {"name":"id","in":"query","style":"form","explode":true,"schema":{"type":"array","items":{"type":"integer",\
            "maximum":9}}}]
            """),
    ]

    static let bodies: [Part] = [
        Part("a parameter is the body", body("/books", "post"), ##"{"$ref":"#/components/schemas/BookInput"}"##),
        Part(
            "a body refuses unknown keys and null", schema("BookInput"),
            ##"""
            {"type":"object","properties":{"title":{"type":"string"},"pages":{"type":"integer","minimum":0,\##
            "maximum":65535},\##
            "next":{"$ref":"#/components/schemas/BookInput"}},"required":["title"],"additionalProperties":false}
            """##),
        Part(
            "an object of parameters and constants", body("/books/{id}", "patch"),
            """
            {"type":"object","properties":{"title":{"type":["string","null"]},"version":{"const":2},\
            "stars":{"type":["integer","null"],"minimum":1,"maximum":5}},"required":["version"]}
            """),
        Part(
            "bounds inside a body", Zoo.self, body("/pets", "post") + ["properties", "sizes"],
            #"{"type":"object","additionalProperties":{"type":"integer","minimum":1,"maximum":9}}"#
        ),
        Part(
            "a form", body("/form", "post", "application/x-www-form-urlencoded"),
            #"""
            {"type":"object","properties":{"name":{"type":"string"},"kind":{"const":"x"}},\#
            "required":["name","kind"]}
            """#
        ),
        Part(
            "a file", Echo.self, body("/upload", "post", "multipart/form-data"),
            """
            {"type":"object","properties":{"title":{"type":"string"},"file":{"type":"string",\
            "contentMediaType":"application/octet-stream"}},\
            "required":["title","file"]}
            """),
        Part("text", Zoo.self, body("/tell", "post", "text/plain; charset=utf-8"), #"{"type":"string","minLength":1}"#),
        Part(
            "an enum with values", Zoo.self, schema("Event"),
            ##"""
            {"oneOf":[{"type":"object","properties":{"created":{"type":"object","properties":{"id":{"type":"integer",\##
            "format":"int64"},\##
            "by":{"type":"string"}},"required":["id"],"additionalProperties":false}},"required":["created"],\##
            "additionalProperties":false},\##
            {"type":"object","properties":{"moved":{"type":"object",\##
            "properties":{"_0":{"$ref":"#/components/schemas/Home"}},"required":["_0"],\##
            "additionalProperties":false}},"required":["moved"],"additionalProperties":false},{"type":"object",\##
            "properties":{"renamed":\##
            {"type":"object","properties":{"_0":{"type":"string"}},"required":["_0"],"additionalProperties":false}},\##
            "required":["renamed"],\##
            "additionalProperties":false},{"type":"object","properties":{"closed":{}},"required":["closed"],\##
            "additionalProperties":false}]}
            """##),
    ]

    static let responses: [Part] = [
        Part(
            "a model, its sample without secrets, the error model", response("/books/{id}"),
            ##"""
            {"200":{"description":"OK","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Book"},\##
            "examples":{"shelf.book":{"value":{"title": "A </script>", "api_token": "(redacted)"}}}}}},\##
            "default":{"description":"A failure",\##
            "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Problem"}}}}}
            """##),
        Part(
            "what may be absent may be null, and a model holds itself", schema("Book"),
            ##"""
            {"type":"object","properties":{"title":{"type":"string"},"pages":{"type":["integer","null"],"minimum":0,\##
            "maximum":65535},\##
            "next":{"oneOf":[{"$ref":"#/components/schemas/Book"},{"type":"null"}]}},"required":["title"]}
            """##),
        Part(
            "a generic model, an open enum, any JSON", schema("PageOfBook"),
            ##"""
            {"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Book"}},\##
            "state":{"anyOf":[{"type":"string"},{"type":"string","enum":["open","shut"]}]},\##
            "cover":{"type":["string","null"],"enum":["soft","hard",null]},"extra":{}},"required":["items","state",\##
            "extra"]}
            """##),
        Part(
            "no body", response("/books/{id}", "delete") + ["204"], #"{"description":"No content"}"#),
        Part(
            "any bytes", response("/files/{path}/raw") + ["200"], #"{"description":"OK","content":{"*/*":{}}}"#),
        Part(
            "JSON on lines", response("/lines") + ["200", "content", "application/x-ndjson", "schema"],
            ##"{"type":"array","items":{"$ref":"#/components/schemas/Book"}}"##),
        Part(
            "pages", ["paths", "/books", "get", "x-apictl-pages"],
            #"{"by":"number","parameter":"page","items":"items"}"#),
    ]

    static let others: [Part] = [
        Part(
            "security with alternatives, one of them no credential", ["paths", "/open", "get", "security"],
            #"[{"shelf.key":[]},{"shelf.basic":[]},{},{"shelf.X-Token":[]}]"#),
        Part("no credential", Zoo.self, ["paths", "/open", "get", "security"], "[]"),
        Part(
            "the names of variables", ["components", "securitySchemes"],
            """
            {"shelf.X-Token":{"type":"apiKey","in":"header","name":"X-Token","x-apictl-prefix":"T ",\
            "x-apictl-variable":"SHELF_TOKEN"},\
            "shelf.basic":{"type":"http","scheme":"basic","x-apictl-variable":["SHELF_USER","SHELF_PASSWORD"]},\
            "shelf.key":{"type":"apiKey","in":"query","name":"key","description":"Get it at https://shelf.test/key",\
            "x-apictl-variable":"SHELF_KEY"}}
            """),
        Part(
            "two endpoints of one method and path", ["paths", "/books", "get"],
            ##"""
            {"operationId":"shelf.books","summary":"Books","tags":["shelf"],"x-apictl-endpoints":["shelf.books",\##
            "shelf.find"],\##
            "parameters":[{"name":"page","in":"query","schema":{"type":"integer","format":"int64"},"example":1},\##
            {"name":"X-Version","in":"header","schema":{"const":"2"}},\##
            {"name":"q","in":"query","schema":{"type":"string"},"example":"x"}],\##
            "responses":{"200":{"description":"OK",\##
            "content":{"application/json":{"schema":{"oneOf":[{"$ref":"#/components/schemas/PageOfBook"},\##
            {"type":"array","items":{"$ref":"#/components/schemas/Book"}}]}}}},\##
            "default":{"description":"A failure",\##
            "content":{"application/json":{"schema":{"$ref":"#/components/schemas/Problem"}}}}},\##
            "security":[{"shelf.key":[]},{"shelf.basic":[]},{},{"shelf.X-Token":[]}],"x-apictl-pages":{"by":"number",\##
            "parameter":"page","items":"items"}}
            """##),
        Part(
            "servers", ["servers"],
            #"""
            [{"url":"https://shelf.test","description":"main"},{"url":"https://test.shelf.test",\#
            "description":"test"}]
            """#
        ),
        Part("a method of its own", ["paths", "/books", "x-purge", "operationId"], #""shelf.purge""#),
    ]

    /// Structures whose fields are in different parts of a request, or in files.
    enum Structures: API {
        case all(names: Names, word: String, Names)
        case same(names: Names, numbers: Numbers)
        case files(Files)
        case any(JSONValue)
        case none(Files?)

        struct Names: Codable, Sendable { var id: String? }
        struct Numbers: Codable, Sendable { var id: Int? }
        struct Files: Codable, Sendable {
            var file: String?
            var files: [String]?
        }

        static let api = APIInfo(name: "structures", servers: [Server("local", url: "http://127.0.0.1:9")])
        static let examples: [Structures] = [
            .all(names: Names(), word: "w", Names()), .same(names: Names(), numbers: Numbers()),
            .files(Files(file: "f")),
            .none(nil), .any([:]),
        ]

        private static func body(_ files: Files?) -> Body {
            .multipart(
                [files?.file.map { EndpointKit.Part.file("file", path: $0) }].compactMap(\.self)
                    + (files?.files ?? []).map { EndpointKit.Part.file("files", path: $0) })
        }

        var endpoint: Endpoint {
            switch self {
            case .all(let names, let word, let body):
                .post(
                    "/all", query: ["word": word] + Endpoint.Query(names), body: .json(body), returns: Int.self,
                    summary: "")
            case .same(let names, let numbers):
                .get("/same", query: Endpoint.Query(names) + Endpoint.Query(numbers), returns: Int.self, summary: "")
            case .files(let files): .post("/files", body: Self.body(files), returns: Int.self, summary: "")
            case .any(let body): .post("/any", body: .form(Endpoint.Query(body)), returns: Int.self, summary: "")
            case .none(let files): .post("/none", body: Self.body(files), returns: Int.self, summary: "")
            }
        }
    }

    private static let file = #"{"type":"string","contentMediaType":"application/octet-stream"}"#
    static let structures: [Part] = [
        Part(
            "a structure and a body with nothing in them", Structures.self, parameters("/all", "post"),
            """
            [{"name":"id","in":"query","schema":{"type":"string"}},\
            {"name":"word","in":"query","required":true,"schema":{"type":"string"},"example":"w"}]
            """),
        Part(
            "the body with nothing in it", Structures.self, body("/all", "post"),
            ##"{"$ref":"#/components/schemas/Names"}"##),
        Part(
            "fields of one name", Structures.self, parameters("/same"),
            """
            [{"name":"id","in":"query","schema":{"oneOf":[{"type":"string"},{"type":"integer","format":"int64"}]}}]
            """),
        Part(
            "files that may be left out", Structures.self, body("/files", "post", "multipart/form-data"),
            #"{"type":"object","properties":{"file":\#(file),"files":{"type":"array","items":\#(file)}}}"#),
        Part(
            "a form with any fields", Structures.self, body("/any", "post", "application/x-www-form-urlencoded"),
            #"{"type":"object"}"#),
        Part(
            "a body of files that may be left out", Structures.self, ["paths", "/none", "post", "requestBody"],
            """
            {"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"file":\(file),\
            "files":{"type":"array","items":\(file)}}}}}}
            """),
    ]

    @Test(
        "Each part of the document has the JSON for its declaration",
        arguments: parameters + bodies + responses + others + structures)
    func describes(_ part: Part) async throws {
        let outcome = await run(["openapi"], apis: [part.api])
        #expect(outcome.err == "" && outcome.code == 0)
        let document = try JSONValue(text: outcome.out.exactBytes)
        let found = part.names.reduce(document as JSONValue?) { $0?[$1] }
        let expected = try JSONValue(text: part.json.exactBytes)
        let text = try found.map { String(exactBytes: try Coding().encode($0)) }
        #expect(found == expected, "\(text ?? "nothing")")
    }

    @Test("Types of one name in two APIs have the API's name in front; each operation has its servers")
    func severalAPIs() async throws {
        let document = try JSONValue(text: await run(["openapi"], apis: [Shelf.self, Zoo.self]).out.exactBytes)
        let names = document["components"]?["schemas"]?.members?.map(\.key) ?? []
        #expect(names.contains("ShelfProblem") && names.contains("ZooProblem") && !names.contains("Problem"))
        #expect(document["servers"] == nil)
        let operation = document["paths"]?["/wrong"]?["get"]
        #expect(operation?["servers"]?.elements?.first?["url"]?.string == "https://zoo.test")
    }

    /// Three endpoints of one method and path.
    enum Mixed: API {
        case one(tag: String)
        case two(tag: String, match: String?)
        case three

        static let api = APIInfo(name: "mixed", servers: [Server("local", url: "http://127.0.0.1:9")])
        static let examples: [Mixed] = [.one(tag: "a"), .two(tag: "b", match: nil), .three]

        var endpoint: Endpoint {
            switch self {
            case .one(let tag): .get("/m", query: ["tag": tag], returns: Int.self, summary: "")
            case .two(let tag, let match):
                .get("/m", query: ["tag": tag], headers: ["X-ETag": match], returns: Int.self, summary: "")
            case .three: .get("/m", returns: String.self, summary: "")
            }
        }
    }

    @Test("A parameter that one of three endpoints lacks is not required, and a header has its name in the request")
    func severalEndpoints() async throws {
        let document = try JSONValue(text: await run(["openapi"], apis: [Mixed.self]).out.exactBytes)
        let operation = document["paths"]?["/m"]?["get"]
        let names = operation?["parameters"]?.elements?.map { $0["name"]?.string }
        #expect(names == ["tag", "X-ETag"])
        #expect(operation?["parameters"]?.elements?.allSatisfy { $0["required"] == nil } == true)
        #expect(operation?["x-apictl-endpoints"]?.elements?.count == 3)
        let schema = operation?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["oneOf"]?.elements?.map { $0["type"]?.string } == ["integer", "string"])
    }

    @Test("One endpoint and one server with its credentials are written, to a file or stdout")
    func choice() async throws {
        let files = MemoryFiles()
        let words = ["openapi", "shelf.open", "--server", "test", "-o"]
        #expect(await run(words + ["new.json"], files: files, apis: [Shelf.self]) == Outcome())
        let text = try #require(files["new.json"])
        let document = try JSONValue(text: text.exactBytes)
        #expect(document["paths"]?.members?.map(\.key) == ["/open"])
        #expect(document["servers"]?.elements?.map { $0["description"]?.string } == ["test"])
        #expect(document["paths"]?["/open"]?["get"]?["security"]?.elements?.first?["shelf.X-Token"] != nil)
        #expect(await run(words + ["-"], apis: [Shelf.self]).out == text)
    }
}
