import EndpointKit
import TestSupport
import Testing

@testable import APIImport

/// Requests, and the Swift text that declares them.
struct ScaffoldTests {
    private static func scaffold(
        _ text: String, response: String? = nil, _ options: ImportChoices = ImportChoices()
    ) throws -> Scaffold {
        var requests = try CurlArguments.requests(text: text, ({ _ in Array("in".utf8) }, { _ in nil }))
        for index in requests.indices {
            requests[index].response = response.map {
                Response(head: ResponseHead(status: 200), body: Array($0.utf8))
            }
        }
        return try Scaffold(requests, options)
    }

    @Test func textOfAnAPI() throws {
        let scaffold = try Self.scaffold(
            """
            curl 'https://api.shop.test/v1/pets/42?page=2&tag=a&tag=b&exact=true' -H 'Authorization: Bearer s3cret-token' -H 'X-Client: web'
            curl https://api.shop.test/v1/pets -H 'Authorization: Bearer s3cret-token' --json '{"name": "Rex", "age": 3, "kg": 1.5}'
            curl https://api.shop.test/health
            """, response: #"{"id": 1}"#)
        #expect(
            scaffold.text(withModels: true) == #"""
                import EndpointKit

                /// The API at https://api.shop.test.
                public enum Shop: API {
                    case pet(petID: Int, page: Int?, tag: [String]?, exact: Bool?)
                    case createPet(name: String, age: Int, kg: Double)
                    case health

                    public static let api = APIInfo(
                        name: "shop",
                        servers: [Server("production", url: "https://api.shop.test")],
                        credentials: [.bearer(variable: "SHOP_TOKEN")])
                    public static let examples: [Shop] = [.pet(petID: 42, page: 2, tag: ["a", "b"], exact: true), .health]
                    public static let placeholders: [Shop] = [.createPet(name: "Rex", age: 3, kg: 1.5)]

                    public var endpoint: Endpoint {
                        switch self {
                        case .pet(let petID, let page, let tag, let exact):
                            .get(
                                "/v1/pets/\(petID)", query: ["page": page, "tag": tag, "exact": exact], headers: ["X-Client": "web"],
                                returns: Pet.self, summary: "Pet")
                        case .createPet(let name, let age, let kg):
                            .post(
                                "/v1/pets", body: .object(["name": name, "age": age, "kg": kg]), returns: Pet.self,
                                summary: "Create pet")
                        case .health:
                            .get("/health", returns: Pet.self, summary: "Health", credentials: [])
                        }
                    }
                }

                public struct Pet: Decodable, Sendable {
                    public let id: Int
                }

                """#)
        #expect(scaffold.variables.map(\.description) == ["SHOP_TOKEN"])
        #expect(
            scaffold.endpoints[0].callWords == [
                "shop.pet", "--pet-id", "42", "--page", "2", "--tag", "a", "--tag", "b", "--exact",
            ])
        #expect(scaffold.endpoints[1].callWords == ["shop.create-pet", "--name", "Rex", "--age", "3", "--kg", "1.5"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let curl: String
        let expected: String

        init(_ curl: String, _ expected: String) { (self.curl, self.expected) = (curl, expected) }

        var testDescription: String { curl }
    }

    static let names: [Row] = [
        Row("http://a.test/", "root"),
        Row("http://a.test/3/movie/popular", "moviePopular"),
        Row("http://a.test/3/movie/550", "movie(movieID: Int)"),
        Row("http://a.test/api/3/movie/550/videos", "movieVideos(movieID: Int)"),
        Row("http://a.test/users/42/posts/7", "userPost(userID: Int, postID: Int)"),
        Row("http://a.test/users/007", "user(userID: String)"),
        Row("http://a.test/users/9007199254740993", "user(userID: Int)"),
        Row("http://a.test/users/9223372036854775808", "user(userID: String)"),
        Row("http://a.test/orders/3f2b8c1e-9d4a-4c57-8a11-0123456789ab/lines", "orderLines(orderID: String)"),
        Row("http://a.test/commits/9fceb02d0ae598e95dc970b74767f19372d61af8", "commit(commitID: String)"),
        Row("http://a.test/events/01ARZ3NDEKTSV4RRFFQ69G5FAV", "event(eventID: String)"),
        Row("http://a.test/a/1/2", "a(aID: Int, aID2: Int)"),
        Row("http://a.test/3f2b8c1e-9d4a-4c57-8a11-0123456789ab/lines", "lines(id: String)"),
        Row("http://a.test/api/01ARZ3NDEKTSV4RRFFQ69G5FAV", "root(id: String)"),
        Row("http://a.test/rest/9fceb02d0ae598e95dc970b74767f193/x", "x(id: String)"),
        Row("http://a.test/orders/3f2b8c1e-9d4a-4c57-8a11-0123456789ab.json", "order(orderID: String)"),
        Row(
            "http://a.test/hooks/11111111-2222-3333-4444-555555555555@11111111-2222-3333-4444-555555555555/x",
            "hookX(hookID: String)"),
        Row("http://a.test/api/2/1.json", "root"),
        Row("http://a.test/maps/api/place/nearbysearch/json", "placeNearbysearch"),
        Row("http://a.test/admin/products.json?page=1", "adminProducts(page: Int?)"),
        Row("http://a.test/users/$USER_ID/posts", "userPosts(userID: String)"),
        Row("-X POST http://a.test/users", "createUser"),
        Row("-X POST http://a.test/login", "login"),
        Row("-X PUT http://a.test/users/1", "updateUser(userID: Int)"),
        Row("-X PATCH http://a.test/users/1", "updateUser(userID: Int)"),
        Row("-X DELETE http://a.test/users/1", "deleteUser(userID: Int)"),
        Row("-I http://a.test/users", "headUsers"),
        Row("http://a.test/name", "name"),
        Row("http://a.test/examples", "getExamples"),
        Row("http://a.test/x?max_tokens=5\\&tokens=5", "x(maxTokens: Int?, tokens: Int?)"),
        Row("http://a.test/x?inout=1\\&let=2\\&a0=3", "x(inoutValue: Int?, letValue: Int?, a0Value: Int?)"),
        Row("http://a.test/default?in=1", "`default`(in: Int?)"),
        Row(
            "http://a.test/x?a=1\\&b=-5\\&c=1e5\\&d=01\\&e=9007199254740992\\&f=\\&g\\&h=true",
            "x(a: Int?, b: Int?, c: String?, d: String?, e: Int?, f: String?, g: String?, h: Bool?)"),
        Row(
            "-g http://a.test/x?user_id=1\\&userId=2\\&filter[name]=z",
            "x(userID: Int?, userID2: Int?, filterName: String?)"),
        Row("http://a.test/%F0%9F%98%80/%22%5C%28x%29", "x"),
    ]

    @Test(arguments: names)
    func namesAndParametersOfCases(_ row: Row) throws {
        #expect(try Self.scaffold("curl " + row.curl).endpoints[0].declaration == row.expected)
    }

    static let bodies: [Row] = [
        Row("-d a=1 -d b=x%20y http://a.test", #"body: .form(["a": a, "b": b])"#),
        Row("-d 'a[b]=+1&t=12:00' http://a.test", #"body: .form(["a[b]": aB, "t": t])"#),
        Row("-d 'a=1%' http://a.test", #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
        Row("-d a=1 -d a=2 http://a.test", #"body: .form(["a": a])"#),
        Row("-d 'x=1&y=2&x=3' http://a.test", #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
        Row("-d 'a=1;b=2' http://a.test", #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
        Row("-d 'chat=42&text=x y' http://a.test", #"body: .form(["chat": chat, "text": text])"#),
        Row("-d 'a b=x' http://a.test", #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
        Row("--json '{\"a\": 9007199254740993}' http://a.test", #"body: .object(["a": a])"#),
        Row(
            #"-d '{"a": 1}' http://a.test"#,
            #"headers: ["Content-Type": "application/x-www-form-urlencoded"], body: .object(["a": a])"#),
        Row(
            #"--json '{"a": [1, 2], "b": {"c": 1}, "d": [], "e": null, "f": ["x"]}' http://a.test"#,
            #"body: .object(["a": a, "b": b, "d": d, "e": e, "f": f])"#),
        Row("--json {} http://a.test", "body: .object([:])"),
        Row(#"--json '{"pin": 123456, "id": 1234567}' http://a.test"#, #"body: .object(["pin": pin, "id": id])"#),
        Row("--json '[1, 2]' http://a.test", #"body: .text(body, contentType: "application/json")"#),
        Row(#"--json '{"a": 1, "a": 2}' http://a.test"#, #"body: .text(body, contentType: "application/json")"#),
        Row(
            #"--json '{"a": 123456789012345678901234567890}' http://a.test"#,
            #"body: .text(body, contentType: "application/json")"#),
        Row("-d hello http://a.test", #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
        Row("-H 'Content-Type: text/xml' -d '<a/>' http://a.test", #"body: .text(body, contentType: "text/xml")"#),
        Row(
            "-H 'Content-Type: application/json; charset=utf-8' -d '{\"a\": 1}' http://a.test",
            #"headers: ["Content-Type": "application/json; charset=utf-8"], body: .object(["a": a])"#),
        Row(
            "-F a=1 -F 'f=@y;type=text/csv' http://a.test",
            #"body: .multipart([.field("a", "\(a)"), .file("f", path: f, contentType: "text/csv")])"#
        ),
        Row(
            #"-H 'Content-Type: multipart/form-data; boundary=x' --data-raw $'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\nc\r\n--x--\r\n' http://a.test"#,
            #"body: .multipart([.field("a", a)])"#),
        Row(
            #"-F 'a={"b":1};type=application/json' http://a.test"#,
            #"body: .multipart([.text("a", a, contentType: "application/json")])"#),
        Row("-T photo.png http://a.test", #"body: .data([], contentType: "application/octet-stream")"#),
    ]

    @Test(arguments: bodies)
    func bodiesAreDeclared(_ row: Row) throws {
        let arm = try Self.scaffold("curl " + row.curl).endpoints[0].arm
        let line = arm.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(line.contains(row.expected + ", returns:"), "\(arm)")
    }

    static let credentials: [Row] = [
        Row("-u ann:passw0rd http://a.test", #".basic(userVariable: "A_USER", passwordVariable: "A_PASSWORD")"#),
        Row("-u :passw0rd http://a.test", #".header("Authorization", prefix: "Basic ", variable: "A_BASIC")"#),
        Row("-u passw0rd: http://a.test", #".header("Authorization", prefix: "Basic ", variable: "A_BASIC")"#),
        Row("http://ann:passw0rd@a.test", #".basic(userVariable: "A_USER", passwordVariable: "A_PASSWORD")"#),
        Row("-u $NAME:$PASS http://a.test", #".basic(userVariable: "NAME", passwordVariable: "PASS")"#),
        Row(
            "-H 'Authorization: Basic YW5uOnBhc3N3MHJk' http://a.test",
            #".basic(userVariable: "A_USER", passwordVariable: "A_PASSWORD")"#),
        Row("-H 'authorization: Bearer passw0rd' http://a.test", #".bearer(variable: "A_TOKEN")"#),
        Row("-b $JAR http://a.test", #".header("Cookie", variable: "JAR")"#),
        Row("-H \"Authorization: Bearer $GH_TOKEN\" http://a.test", #".bearer(variable: "GH_TOKEN")"#),
        Row(
            "-H 'Authorization: token passw0rd' http://a.test",
            #".header("Authorization", prefix: "token ", variable: "A_TOKEN")"#),
        Row("-H 'Authorization: passw0rd' http://a.test", #".header("Authorization", variable: "A_TOKEN")"#),
        Row("-b 'sid=passw0rd; theme=dark' http://a.test", #".header("Cookie", variable: "A_COOKIE")"#),
        Row("-H 'X-Api-Key: passw0rd' http://a.test", #".header("X-Api-Key", variable: "A_API_KEY")"#),
        Row("-H 'X-Custom: ghp_passw0rdpassw0rdpassw0rd' http://a.test", #".header("X-Custom", variable: "A_CUSTOM")"#),
        Row("'http://a.test?access_token=passw0rd&x=1'", #".query("access_token", variable: "A_ACCESS_TOKEN")"#),
        Row("'http://a.test?api_key=passw0rd&api_key=passw0rd'", #".query("api_key", variable: "A_API_KEY")"#),
        Row("-G --data-urlencode 'signature=passw0rd' http://a.test", #".query("signature", variable: "A_SIGNATURE")"#),
    ]

    /// A nested value that is longer than a line is divided between its elements.
    @Test func longValuesAreDividedIntoLines() throws {
        let long = String(repeating: "word ", count: 11)
        let json =
            #"{"a": {"b": [{"c": "\#(long)", "d": {"e": "\#(long)", "f": [1, 2.5, null, true]}}], "\#(long)": "\#(long)"}}"#
        let text = try Self.scaffold("curl --json '\(json)' http://a.test").text(withModels: true)
        #expect(
            text.contains(
                """
                        .post(
                            a: [
                                "b": [
                                    [
                                        "c": "\(long)",
                                        "d": [
                                            "e": "\(long)",
                                            "f": [1, 2.5, .null, true],
                                        ],
                                    ]
                                ],
                                "\(long)":
                                    "\(long)",
                            ])
                    ]

                """), "\(text)")
    }

    /// Nothing that writes becomes an example, which `check` would send.
    @Test(arguments: [
        ("http://a.test/x", "examples: [A] = [.x]"), ("-I http://a.test/x", "examples: [A] = [.headX]"),
        ("-X POST http://a.test/x", "placeholders: [A] = [.x]"),
        ("-X DELETE http://a.test/x", "placeholders: [A] = [.deleteX]"),
        ("-X PURGE http://a.test/x", "placeholders: [A] = [.x]"),
    ])
    func onlySafeMethodsAreExamples(_ curl: String, _ list: String) throws {
        let text = try Self.scaffold("curl " + curl).text(withModels: true)
        #expect(text.contains("static let \(list)\n"), "\(text)")
        #expect(list.hasPrefix("examples") || text.contains("static let examples: [A] = []\n"))
    }

    private static let bodyObjects: [(json: String, type: String, value: String?)] = [
        (#"{"owner": {"name": "Ann", "age": 3}}"#, "Owner", #"Owner(name: "Ann", age: 3)"#),
        (
            #"{"tags": [{"a": 1}, {"a": 2, "b": true}]}"#, "[Tag]", "[Tag(a: 1), Tag(a: 2, b: true)]"
        ),
        (#"{"x": {"y": {"z": 9007199254740993}}}"#, "X", "X(y: Y(z: 9_007_199_254_740_993))"),
        (#"{"x": {"price": 3, "note": "a"}}"#, "X", #"X(price: 3, note: "a")"#),
        (#"{"x": {"a": [], "b": {}}}"#, "X", "X(a: [], b: [:])"),
        (#"{"x": {"1": {"a": 1}, "2": {"a": 2}}}"#, "[String: X]", #"["1": X(a: 1), "2": X(a: 2)]"#),
        // They would not send null, a key twice, or another text of a number.
        (#"{"x": {"a": null}}"#, "JSONValue", #"["a": .null]"#), (#"{"x": {"a": 1, "a": 2}}"#, "JSONValue", nil),
        (#"{"x": {"a": [1, "b"]}}"#, "JSONValue", #"["a": [1, "b"]]"#), (#"{"x": {}}"#, "JSONValue", "[:]"),
    ]

    /// Objects in a body become structures if these send the same JSON.
    @Test(arguments: bodyObjects)
    func objectsInBodies(json: String, type: String, value: String?) throws {
        let scaffold = try Self.scaffold("curl --json '\(json)' http://a.test")
        let name = json.dropFirst(2).prefix { $0 != "\"" }
        let text = scaffold.text(withModels: true)
        #expect(scaffold.endpoints[0].declaration == "post(\(name): \(type))", "\(text)")
        if let value { #expect(scaffold.endpoints[0].example == ".post(\(name): \(value))") }
        #expect(text.contains("public struct") == (type != "JSONValue"))
        #expect(!text.contains("public struct") || text.contains("public init("))
    }

    /// Keys of bodies are written as they came: with a strategy, `userId` would become `user_id`.
    @Test(arguments: [
        (#"{"a": {"user_id": 1}}"#, "convertFromSnakeCase", #"userID = "userId""#),
        (#"{"a": {"userId": 1, "user_name": "x"}}"#, "public struct PostA", #"userName = "user_name""#),
    ])
    func keysOfBodies(json: String, part: String, key: String) throws {
        let text = try Self.scaffold("curl --json '\(json)' http://a.test").text(withModels: true)
        #expect(text.contains(part) && text.contains(key), "\(text)")
        #expect(text.contains("convertFromSnakeCase") == (part == "convertFromSnakeCase"))
    }

    /// The operations of GraphQL at one URL are several cases, with their texts as constants.
    @Test func operationsOfGraphQLAreSeveralCases() throws {
        let scaffold = try Self.scaffold(
            #"""
            curl --json '{"operationName": "Users", "query": "query Users($n: Int) { users(n: $n) { id } }", "variables": {"n": 2}}' http://a.test/graphql
            curl --json '{"query": "{ posts { id } }"}' http://a.test/graphql
            curl --json '{"query": "query ($n: Int) { tags(n: $n) }"}' http://a.test/graphql
            curl --json '{"query": "cats"}' http://a.test/search
            """#)
        #expect(
            scaffold.endpoints.map(\.declaration) == [
                "users(variables: JSONValue)", "posts", "tags", "search(query: String)",
            ])
        #expect(scaffold.endpoints[1].arm.contains(#"body: .object(["query": "{ posts { id } }"])"#))
    }

    private static let pagedResponses: [(path: String, body: String, headers: [String], pages: String?)] = [
        (
            "x", #"{"next": "https://a.test/x?p=2", "results": [{"a": 1}]}"#, [],
            #".link(from: "next", items: "results")"#
        ),
        (
            "x", #"{"next_url": "/x?p=2", "count": 3, "data": {"items": [{"a": 1}]}}"#, [],
            #".link(from: "next_url", items: "data.items")"#
        ),
        (
            "x", #"{"_links": {"next": {"href": "/x?p=2"}}, "pets": [{"a": 1}]}"#, [],
            #".link(from: "_links.next.href", items: "pets")"#
        ),
        ("x", #"[{"a": 1}]"#, ["Link: </x?p=2>; rel=\"next\""], ".link()"),
        ("x", #"{"pets": [{"a": 1}]}"#, ["Link: </x?p=2>; rel=\"next\""], #".link(items: "pets")"#),
        ("x", #"[{"a": 1}]"#, ["X-Next-Page: 2"], #".header("X-Next-Page", parameter: "page", items: "")"#),
        ("x?p=1", #"[{"a": 1}]"#, ["Next-Page: 2"], #".header("Next-Page", parameter: "p", items: "")"#),
        (
            "x?page_token=a", #"{"nextPageToken": "b", "items": [{"a": 1}]}"#, [],
            #".cursor("page_token", from: "nextPageToken", items: "items")"#
        ),
        (
            "x?page=1", #"{"page": 1, "total_pages": 9, "results": [{"a": 1}]}"#, [],
            #".number("page", last: "total_pages", items: "results")"#
        ),
        ("x?page=1", #"[{"a": 1}]"#, [], #".number("page", items: "")"#),
        (
            "x?offset=0\\&limit=10", #"[{"a": 1}]"#, [], #".offset("offset", limit: "limit", items: "")"#
        ),
        (
            "x?offset=0\\&limit=10", #"{"data": {"total": 3, "results": [{"a": 1}]}}"#, [],
            #".offset("offset", limit: "limit", total: "data.total", items: "data.results")"#
        ),
        ("x?page=1", #"{"a": 1}"#, [], nil), ("x", #"{"next": null, "results": [{"a": 1}]}"#, [], nil),
        ("x", #"[{"a": 1}]"#, ["Link: </x>; rel=\"last\""], nil),
    ]

    /// Pages that a response tells about are declared, or a note says how.
    @Test(arguments: pagedResponses)
    func pagesAreDeclared(path: String, body: String, headers: [String], pages: String?) throws {
        let arm = try Self.paged(path, body, headers).endpoints[0].arm
        let line = arm.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(pages.map { line.contains("pages: \($0))") } ?? !line.contains("pages:"), "\(arm)")
    }

    @Test(arguments: [
        (
            "x", #"{"next_cursor": "b", "items": [{"a": 1}]}"#,
            #"a.x: next_cursor may lead to the next page: declare pages: .cursor("ITEM", from: "next_cursor", items: "items"), with the query item that takes it"#
        )
    ])
    func notedPages(path: String, body: String, note: String) throws {
        #expect(try Self.paged(path, body, []).notes.contains(note))
    }

    private static func paged(_ path: String, _ body: String, _ headers: [String]) throws -> Scaffold {
        var requests = try CurlArguments.requests(text: "curl http://a.test/\(path)", ({ _ in [] }, { _ in nil }))
        let fields = headers.map { header in
            let parts = header.split(separator: ":", maxSplits: 1)
            return HTTPField(String(parts[0]), String(parts[1].dropFirst()))
        }
        requests[0].response = Response(head: ResponseHead(status: 200, fields: fields), body: body.exactBytes)
        return try Scaffold(requests)
    }

    @Test func headWithABodyIsDeclaredByItsMethod() throws {
        let arm = try Self.scaffold("curl -I -X HEAD --json '{}' http://a.test/x").endpoints[0].arm
        #expect(arm.contains("Endpoint(\"HEAD\", \"/x\", body: .object([:]), returns: EmptyResponse.self,"), "\(arm)")
    }

    /// A scheme that credentials don't have is not declared as Basic, and its password is nowhere.
    @Test(arguments: ["--digest", "--ntlm", "--negotiate", "--anyauth", "--aws-sigv4 aws:amz"])
    func otherSchemesAreNoCredentials(_ option: String) throws {
        let curl = "curl \(option) -u ann:passw0rd http://a.test/x?y=passw0rd"
        let scaffold = try Self.scaffold(curl, response: #"{"a": "passw0rd"}"#)
        let text = scaffold.text(withModels: true)
        #expect(!text.contains("credentials") && !text.contains("passw0rd"), "\(text)")
        #expect(scaffold.notes.contains { $0.hasPrefix("no credential is declared for \(option.prefix(5))") })
    }

    /// A header that repeats a secret becomes a credential too: `(redacted)` would be no header.
    @Test func headersThatRepeatASecretAreCredentials() throws {
        let text = try Self.scaffold("curl http://a.test/x -b sid=abcdefgh -H 'X-Session: abcdefgh'")
            .text(withModels: true)
        #expect(text.contains(#".header("X-Session", variable: "A_SESSION")"#), "\(text)")
        #expect(!text.contains("(redacted)"))
    }

    /// SwiftPM makes a program of a module with a file `main.swift`.
    @Test func noFileIsNamedMain() throws {
        var options = ImportChoices()
        options.api = "main"
        let scaffold = try Self.scaffold("curl http://a.test/x", response: #"{"main": {"a": 1}}"#, options)
        let files = ([scaffold.file] + scaffold.modelFiles).map { $0.path.lowercased() }
        #expect(files.allSatisfy { !$0.hasSuffix("/main.swift") && $0 != "main.swift" }, "\(files)")
        #expect(files.contains("mainmodel.swift"))
    }

    @Test func eachSchemeHasAVariableOfItsOwn() throws {
        let text = try Self.scaffold(
            "curl http://a.test/a -u passw0rd: ; curl http://a.test/b -H 'Authorization: token other'"
        ).text(withModels: true)
        #expect(text.contains(#""Basic ", variable: "A_BASIC""#) && text.contains(#""token ", variable: "A_TOKEN""#))
    }

    @Test(arguments: credentials)
    func secretsBecomeCredentials(_ row: Row) throws {
        let text = try Self.scaffold("curl " + row.curl, response: #"{"echo": "passw0rd"}"#).text(withModels: true)
        #expect(text.contains("credentials: [\(row.expected)]"), "\(text)")
        #expect(!text.contains("passw0rd") && !text.contains("YW5uOnBhc3N3MHJk"), "\(text)")
    }

    /// What no credential stands for is left out of examples and samples.
    @Test(arguments: [
        #"--json '{"user": "ann", "password": "s3cret-word"}' http://a.test/login"#,
        #"--json '{"a": {"b": [{"client_secret": "s3cret-word"}]}}' http://a.test/login"#,
        #"--json '{"a": [{"pin": 471142}]}' http://a.test"#,
        "-d 'user=ann&password=s3cret-word' http://a.test/login",
        "-b 'sid=s3cret-word' http://a.test/s3cret-word/x", "-F user=ann -F pwd=s3cret-word http://a.test",
        "'http://a.test/x?redirect=https%3A%2F%2Fb.test%2F%3Ftoken%3Ds3cret-word'",
        "'http://a.test/x?payload=%7B%22token%22%3A%22s3cret-word%22%7D'",
        "'http://a.test/x?token=s3cret-word&next=s3cret-word'",
        "http://a.test/x -H 'Referer: http://b?token=s3cret-word'",
        "http://a.test/x -H 'X-Next: /a?token=s3cret-word'", "http://a.test/ghp_s3cret-word/x",
        "-H 'Content-Type: text/plain' -d 'password=s3cret-word' http://a.test",
        "-H 'Content-Type: text/plain' -d 'see ghp_s3cret-word0000000000' http://a.test",
        #"-d $'{"password": "s3cret-word"}\n{"pin": "s3cret-word"}' http://a.test"#,
        #"-H 'Content-Type: multipart/form-data; boundary=x' --data-raw $'--x\r\nContent-Disposition: form-data; name="pin"\r\n\r\ns3cret-word\r\n--x--\r\n' http://a.test"#,
        "--proxy http://u:s3cret-word@p http://a.test",
        #"--json '{"apiKey": {"prod": {"a": "s3cret-word"}}, "secret": {"v": "s3cret-word"}}' http://a.test"#,
        #"--json '{"client_secret": 471142, "auth": {"key": {"v": ["s3cret-word", 471142]}}}' http://a.test"#,
        #"--json '{"jwt": {"a": "s3cret-word"}, "api_key": [{"a": "s3cret-word"}]}' http://a.test"#,
        #"'http://a.test/verify/471142?code=471142&n=471142' -H 'X-N: 471142' --json '{"otp": 471142}'"#,
        "'http://a.test/x?next=https%3A%2F%2Fb.test%2F%3Fu%3Dhttps%253A%252F%252Fc.test%252F%253Ftoken%253Ds3cret-word'",
        "-b 'sid=\"s3cret-word\"' http://a.test/x?q=s3cret-word",
        "-H 'DPoP: s3cret-word' http://a.test",
        #"--json '{"cardNumber": "s3cret-word", "cvv": "471142", "mnemonic": "s3cret-word", "t": "s3cret-word"}' http://a.test"#,
        "-E me.pem:s3cret-word http://a.test", "-H 'Proxy-Authorization: Basic s3cret-word' http://a.test",
    ])
    func secret(_ curl: String) throws {
        var options = ImportChoices()
        options.keepsSamples = true
        let response =
            #"{"id": 1, "text": "with other-s3cret", "access_token": "fresh-s3cret", "url": "http://x/?token=fresh-s3cret"}"#
        let scaffold = try Self.scaffold("curl -H 'X-Auth: other-s3cret' " + curl, response: response, options)
        let samples = scaffold.endpoints.map { String(decoding: $0.sample?.text ?? [], as: UTF8.self) }
        let all =
            ([scaffold.text(withModels: true)] + samples + scaffold.notes + scaffold.endpoints.flatMap(\.callWords))
            .joined(separator: "\n")
        let secrets = ["s3cret-word", "fresh-s3cret", "other-s3cret", "471142"]
        #expect(!secrets.contains(where: all.contains), "\(all)")
    }

    /// A segment of a path is a secret if it is a token; what only looks random is none.
    @Test(arguments: [
        ("a/ghp_16C7e42F292c6912E7710c838347Ae178B4a", "(redacted)"), ("a/xoxb-1-abc/b", "(redacted)"),
        ("services/T0AB1CD2E/B0AB1CD2F/pXq7zR2mKv9Lw3NtYb8HcJ5d", nil), ("hooks/catch/12/bxqskzz", nil),
        ("webhookb2/11111111-2222-3333-4444-555555555555/IncomingWebhook/ghp_160123456789abcdef", "(redacted)"),
        ("api/webhooks/1234567890/ghp_16-abcdefghijklmnop", "(redacted)"),
        ("IncomingWebhook/0123456789abcdef0123456789abcdef/x", "(redacted)"),
        ("IncomingWebhook/11111111-2222-3333-4444-555555555555/x", nil),
        ("reset-password/abcdefgh1", nil), ("bot123456:AAabcAAAAAAAAAAAAAA/getMe", nil),
    ])
    func pathSegments(_ path: String, _ shown: String?) throws {
        let endpoint = try Self.scaffold("curl https://hooks.test/\(path)").endpoints[0]
        #expect(endpoint.example.contains("(redacted)") == (shown != nil), "\(endpoint.example)")
        #expect(!(endpoint.arm + endpoint.example + endpoint.callWords.joined()).contains("ghp_16"))
    }

    /// A secret in a name, which no credential stands for, and one that a response has at several places.
    @Test(arguments: [
        #"-G --data-raw '{"password":"s3cretS3cret"}' https://h.test/a"#,
        "https://h.test/a?s3cretS3cret -H 'X-Api-Key: s3cretS3cret'",
        #"https://h.test/a -H 'X-Api-Key: s3cretS3cret' -d '{"k-s3cretS3cret":1}'"#,
        "https://h.test/a -H 'X-Api-Key: s3cretS3cret' -H 'X-s3cretS3cret: 1'",
        "https://h.test/a -H 'X-Api-Key: s3cretS3cret' -F 's3cretS3cret=1'",
        "https://h.test/a -H 'X-Any: token ghp_s3cretS3cret0123456789'",
        #"https://h.test/a -d '{"a":"see ghp_s3cretS3cret0123456789 here"}'"#,
        #"https://h.test/a -d '{"ghp_s3cretS3cret0123456789":{"a":1}}'"#,
        #"https://h.test/a -d '{"password":{"value":"s3cretS3cret"}}'"#,
        #"https://h.test/a -d '{"a":"postgres://u:s3cretS3cret@db/x"}'"#,
        "https://h.test/z/s3cretS3cret --next https://h.test/y -H 'X-Api-Key: s3cretS3cret'",
    ])
    func secretNames(_ curl: String) throws {
        let scaffold = try Self.scaffold("curl " + curl)
        #expect(!(scaffold.text(withModels: true) + "\(scaffold.endpoints[0].callWords)").contains("s3cretS3cret"))
    }

    /// A response, and what is left of it. A secret of digits is not sought in other numbers.
    @Test(arguments: [
        (
            #"{"user":{"password":"s3cretS3cret","note":"s3cretS3cret","url":"https://h.test/a?b=1&token=abcdef12"}}"#,
            #"{"user":{"password":"(redacted)","note":"(redacted)","url":"https://h.test/a?b=1&token=(redacted)"}}"#
        ),
        (#"{"otp":123456,"id":1234567,"n":[123456]}"#, #"{"otp":0,"id":1234567,"n":[0]}"#),
        (
            #"{"password":"123456","id":1234567,"n":123456,"a":"123456","b":"is 123456."}"#,
            #"{"password":"(redacted)","id":1234567,"n":0,"a":"(redacted)","b":"is (redacted)."}"#
        ),
        (
            #"{"private_key":[{"a":{"b":"hunter55"}}],"tokens":[{"a":"b"}]}"#,
            #"{"private_key":[{"a":{"b":"(redacted)"}}],"tokens":[{"a":"b"}]}"#
        ),
        (
            #"{"secret":"1.2345","pin":"true","n":[1.2345e3,991.23459],"a\"1.2345":true,"b":"1.2345","c":2}"#,
            #"{"secret":"(redacted)","pin":"(redacted)","n":[0,0],"a\"(redacted)":true,"b":"(redacted)","c":2}"#
        ),
        (
            #"{"token":{"ttl":36000,"valid":true},"created":1700000000}"#,
            #"{"token":{"ttl":0,"valid":true},"created":1700000000}"#
        ),
        (#"{"secret_type":"a","credential_type":"b","analysis_key":"c","eos_token":"<eos>"}"#, nil),
        (#"{"password_policy":{"min_length":1000,"a":"b"},"password_expires":170000,"pad_token":"<pad>"}"#, nil),
    ])
    func repeatedSecret(_ text: String, _ expected: String?) {
        var secrets = ImportSecrets(api: "a")
        let issued = HTTPField("X-Auth-Token", "Bearer fresh-S3cret")
        var requests = [ImportedRequest()]
        requests[0].response = Response(head: ResponseHead(status: 200, fields: [issued]), body: text.exactBytes)
        secrets.learn(from: &requests)
        #expect(secrets.removed(from: "a fresh-S3cret b") == "a (redacted) b")
        let clean = secrets.removed(fromJSON: text.exactBytes).map { String(exactBytes: $0) }
        #expect(clean == expected ?? text)
    }

    /// What is no secret stays in a text.
    @Test(arguments: [
        "<key>name</key>", "{ pet(key: \"a\") { token } }", "time: 12:30, tokens", "a = b", "<token/>", "a?token=&b",
        "<note><![CDATA[a <b> c]]></note>", "about: \"\"\"a\"\"\"", "key: x\ntime: 12:30", "note: |\n  text",
    ])
    func plainText(_ text: String) throws {
        let endpoint = try Self.scaffold("curl -H 'Content-Type: text/x' --data-raw '\(text)' http://a.test").endpoints[
            0]
        #expect(endpoint.callWords.last == text)
    }

    /// Names before a colon in texts that people read, and in GraphQL, are none of secrets.
    @Test(arguments: [
        #"--json '{"query": "mutation($password: String!) { login(password: $password) { token } }"}' http://a.test"#,
        "-H 'Content-Type: application/graphql' -d $'mutation(\n  $token: [ID!]!\n) { a(token: $token) }' http://a.test",
        #"--json '{"summary": "Auth: log in", "readme": "Token: create\nPassword: reset"}' http://a.test"#,
        #"--json '{"next_page_token": 12345, "max_tokens": 4096, "tokens": [{"pos": "UH"}], "session": {"user": "ann"}, "sessions": {"a": [{"b": "c"}]}}' http://a.test"#,
        #"--json '{"a": "Basic JavaScript", "b": "Bearer authentication", "token": true}' http://a.test"#,
        #"--json '{"query": "query {\n  session: currentSession { id }\n  token: latest\n}"}' http://a.test"#,
        "-H 'Content-Type: application/graphql' -d $'{\n  token: latest\n  session: last { id }\n}' http://a.test",
    ])
    func prose(_ curl: String) throws {
        let text = try Self.scaffold("curl " + curl).text(withModels: true)
        #expect(!text.contains("(redacted)") && !text.contains(": 0"), "\(text)")
    }

    /// The cost of looking for secrets is linear in the text.
    @Test(arguments: [
        "a=", ">", "<a>", "=\"", "='\\'", "token=", "a:\"", "< =", "&a=b", "a:\"\"\"", "a:\n",
        "%25", "%3D", "\\\"", "\"token\":", "\"token\":[", "ghp_", "://", "://@", "eyJ.", "{",
    ])
    func longText(_ piece: String) throws {
        let text = String(repeating: piece, count: 300_000 / piece.utf8.count)
        #expect(SecretRules.redacted(text).utf8.count <= 12 * text.utf8.count)
    }

    @Test func headersOfBrowsersAreLeftOut() throws {
        let scaffold = try Self.scaffold(
            """
            curl http://a.test/x -H 'User-Agent: Mozilla/5.0' -H 'sec-fetch-mode: cors' -H 'accept: */*' -H 'Accept-Encoding: gzip' \
              -H 'Origin: http://b' -H 'Referer: http://b/' -H 'Accept-Language: de' -H 'X-Keep: 1' -H 'Accept: text/csv, */*'
            """)
        #expect(
            scaffold.omittedHeaders == [
                "user-agent", "sec-fetch-mode", "accept-encoding", "origin", "referer", "accept-language",
            ])
        #expect(scaffold.endpoints[0].arm.contains(#"headers: ["X-Keep": "1", "Accept": "text/csv, */*"]"#))
    }

    @Test func requestsOfOneTemplateAreOneEndpoint() throws {
        let scaffold = try Self.scaffold(
            "curl http://a.test/pets/1?page=1; curl http://a.test/pets/2; curl 'http://a.test/pets/x?b=c'; curl -X DELETE http://a.test/pets/1"
        )
        #expect(
            scaffold.endpoints.map(\.declaration) == [
                "pet(petID: Int, page: Int?)", "petsX(b: String?)", "deletePet(petID: Int)",
            ])
    }

    @Test func chosenNamesAndPathsAreUsed() throws {
        var options = ImportChoices()
        options.api = "myShop"
        options.path = "/pets/{name}"
        options.operationNames = ["pet": "find"]
        options.isKept = { $0 != ["GET /other", "/other", "other"] }
        let scaffold = try Self.scaffold("curl http://a.test/pets/rex; curl http://a.test/other", options)
        #expect(scaffold.name == "my-shop" && scaffold.type == "MyShop")
        #expect(scaffold.endpoints.map(\.declaration) == ["find(name: String)"])
    }

    @Test(arguments: [
        ("https://api.themoviedb.org", "themoviedb"), ("https://www.bbc.co.uk", "bbc"),
        ("http://localhost:80", "local"),
        ("http://127.0.0.1", "local"), ("http://[::1]", "local"), ("https://my-api.example.com", "example"),
    ])
    func apiName(_ origin: String, _ name: String) throws {
        #expect(try Self.scaffold("curl -g \(origin)/x").name == name)
    }

    /// Thousands of fields do not become thousands of parameters, and not every credential is the first.
    @Test func parametersAreLimited() throws {
        let object = "{" + (0..<10_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(
            try Self.scaffold("curl --json '\(object)' http://a.test").endpoints[0].declaration == "post(body: String)")
        let items = (0..<10_000).map { "k\($0)=\($0)" }.joined(separator: "&")
        #expect(try Self.scaffold("curl -d '\(items)' http://a.test").endpoints[0].declaration == "post(body: String)")
        let query = try Self.scaffold(
            "curl 'http://a.test/x?\(items)' -b 'a=passw0rd' -H 'Authorization: Bearer passw0rd'")
        let path = String(repeating: "/1", count: 20_000)
        #expect(try Self.scaffold("curl http://a.test/a\(path)").endpoints[0].template.contains("{aID}/1/1/1"))
        #expect(query.notes.contains("a.x: left out: 9940 items, headers or members of 10000"))
        #expect(query.variables.map(\.description) == ["A_TOKEN", "A_COOKIE"])
    }

    /// Whatever a text holds, it is read or refused, and what is made of it is Swift.
    @Test func randomTextsBecomeSwiftOrAreRefused() throws {
        var random = SeededRandom(seed: 25)
        let pieces = [
            "curl ", "curl ", " ", "'", "\"", "$'", "\\", "\n", "^\n", "^", "$A", "${B}", "#", ";", "&", "=", "{", "}",
            "[1]", "é", "\u{0}",
            "http://a.test/", "https://u:p@b.test:8/x", "/users/1", "?x=1", "-d ", "-F ", "-H ", "--json ", "{\"a\":1}",
            "a=b", "A: b", "-G ",
            "-X", "PUT ", "-u ", "-b ", "@f ", "%", "%41", "--next ", "\u{301}", "\u{10FFFE}",
        ]
        var made = 0
        for _ in 0..<7000 {
            let text =
                "curl "
                + (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined()
            do {
                let scaffold = try Self.scaffold(text)
                made += 1
                #expect(Self.isBalanced(scaffold.text(withModels: true)), "\(text)")
            } catch is ImportError {}
        }
        #expect(made > 500)
    }

    /// Nothing leaves its literal or comment.
    @Test func hostileTextsStayInTheirLiterals() throws {
        let scaffold = try Self.scaffold(
            #"curl $'http://a.test/x?a=\x22)+exit(1)+(\x22&\x5c(exit(1))=1&*/=2&\n=3' -H $'X-A: \x22\x5c(b)\u202e' --json '{"\\(x)\"": "\"\"\"\\(exit(1))\n\u0000*/"}'"#
        )
        let text = scaffold.text(withModels: true)
        #expect(!text.contains("\u{202E}") && !text.contains("\0"))
        #expect(Self.isBalanced(text))
    }

    /// Whether each literal ends on its line or with its three quotes, and each bracket outside of literals and comments
    /// is closed.
    private static func isBalanced(_ text: String) -> Bool {
        var open: [Character] = []
        var isMultiline = false
        for line in text.split(separator: "\n") where !line.contains("///") {
            var line = line
            if isMultiline {
                // The text of such a literal has no three quotes: they are escaped.
                guard let quotes = line.firstRange(of: "\"\"\"") else { continue }
                line = line[quotes.upperBound...]
                isMultiline = false
            } else if line.hasSuffix("\"\"\"") {
                line = line.dropLast(3)
                isMultiline = true
            }
            var (isLiteral, isEscaped) = (false, false)
            for character in line {
                if character == "\"", !isEscaped { isLiteral.toggle() }
                isEscaped = isLiteral && character == "\\" && !isEscaped
                if isLiteral { continue }
                let ends: [Character: Character] = ["(": ")", "[": "]", "{": "}"]
                if let end = ends[character] { open.append(end) }
                if ")]}".contains(character), open.popLast() != character { return false }
            }
            if isLiteral { return false }
        }
        return open.isEmpty && !isMultiline
    }
}
