import Testing

@testable import APIImport

/// The API, cases and calls that curl commands become.
@Suite struct ScaffoldTests {
    @Test("Requests with responses become an API with cases, credentials, examples and models")
    func textOfAnAPI() throws {
        let scaffold = try CurlImport.scaffold(
            #"""
            curl 'https://api.shop.test/v1/pets/42?page=2&tag=a&tag=b&exact=true' \
              -H 'Authorization: Bearer s3cret-token' -H 'X-Client: web'
            curl https://api.shop.test/v1/pets -H 'Authorization: Bearer s3cret-token' \
              --json '{"name": "Rex", "age": 3, "kg": 1.5}'
            curl https://api.shop.test/health
            """#, response: #"{"id": 1}"#)
        // One line of the expected code is divided by a line break that is not part of it.
        let expectedText = #"""
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
                            "/v1/pets/\(petID)", query: ["page": page, "tag": tag, "exact": exact], \#
            headers: ["X-Client": "web"],
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

            """#
        #expect(scaffold.text(withModels: true) == expectedText)
        #expect(scaffold.variables.map(\.description) == ["SHOP_TOKEN"])
        #expect(
            scaffold.endpoints[0].callWords == [
                "shop.pet", "--pet-id", "42", "--page", "2", "--tag", "a", "--tag", "b", "--exact",
            ])
        #expect(scaffold.endpoints[1].callWords == ["shop.create-pet", "--name", "Rex", "--age", "3", "--kg", "1.5"])
    }

    /// A request, and the case that it becomes.
    struct RequestCase: Sendable, CustomTestStringConvertible {
        /// The arguments of curl.
        let curl: String
        /// The name and the parameters of the case.
        let declaration: String

        var testDescription: String { curl }
    }

    @Test(
        "The name and the parameters of a case come from the method, the path and the query",
        arguments: [
            RequestCase(curl: "http://a.test/", declaration: "root"),
            RequestCase(curl: "http://a.test/3/movie/popular", declaration: "moviePopular"),
            RequestCase(curl: "http://a.test/3/movie/550", declaration: "movie(movieID: Int)"),
            RequestCase(curl: "http://a.test/api/3/movie/550/videos", declaration: "movieVideos(movieID: Int)"),
            RequestCase(curl: "http://a.test/users/42/posts/7", declaration: "userPost(userID: Int, postID: Int)"),
            RequestCase(curl: "http://a.test/users/007", declaration: "user(userID: String)"),
            RequestCase(curl: "http://a.test/users/9007199254740993", declaration: "user(userID: Int)"),
            RequestCase(curl: "http://a.test/users/9223372036854775808", declaration: "user(userID: String)"),
            RequestCase(
                curl: "http://a.test/orders/3f2b8c1e-9d4a-4c57-8a11-0123456789ab/lines",
                declaration: "orderLines(orderID: String)"),
            RequestCase(
                curl: "http://a.test/commits/9fceb02d0ae598e95dc970b74767f19372d61af8",
                declaration: "commit(commitID: String)"),
            RequestCase(
                curl: "http://a.test/events/01ARZ3NDEKTSV4RRFFQ69G5FAV",
                declaration: "event(eventID: String)"),
            RequestCase(curl: "http://a.test/a/1/2", declaration: "a(aID: Int, aID2: Int)"),
            RequestCase(
                curl: "http://a.test/3f2b8c1e-9d4a-4c57-8a11-0123456789ab/lines",
                declaration: "lines(id: String)"),
            RequestCase(curl: "http://a.test/api/01ARZ3NDEKTSV4RRFFQ69G5FAV", declaration: "root(id: String)"),
            RequestCase(curl: "http://a.test/rest/9fceb02d0ae598e95dc970b74767f193/x", declaration: "x(id: String)"),
            RequestCase(
                curl: "http://a.test/orders/3f2b8c1e-9d4a-4c57-8a11-0123456789ab.json",
                declaration: "order(orderID: String)"),
            RequestCase(
                curl: "http://a.test/hooks/11111111-2222-3333-4444-555555555555@11111111-2222-3333-4444-555555555555/x",
                declaration: "hookX(hookID: String)"),
            RequestCase(curl: "http://a.test/api/2/1.json", declaration: "root"),
            RequestCase(curl: "http://a.test/maps/api/place/nearbysearch/json", declaration: "placeNearbysearch"),
            RequestCase(curl: "http://a.test/admin/products.json?page=1", declaration: "adminProducts(page: Int?)"),
            RequestCase(curl: "http://a.test/users/$USER_ID/posts", declaration: "userPosts(userID: String)"),
            RequestCase(curl: "-X POST http://a.test/users", declaration: "createUser"),
            RequestCase(curl: "-X POST http://a.test/login", declaration: "login"),
            RequestCase(curl: "-X PUT http://a.test/users/1", declaration: "updateUser(userID: Int)"),
            RequestCase(curl: "-X PATCH http://a.test/users/1", declaration: "updateUser(userID: Int)"),
            RequestCase(curl: "-X DELETE http://a.test/users/1", declaration: "deleteUser(userID: Int)"),
            RequestCase(curl: "-I http://a.test/users", declaration: "headUsers"),
            RequestCase(curl: "http://a.test/name", declaration: "name"),
            RequestCase(curl: "http://a.test/examples", declaration: "getExamples"),
            RequestCase(
                curl: "http://a.test/x?max_tokens=5\\&tokens=5",
                declaration: "x(maxTokens: Int?, tokens: Int?)"),
            RequestCase(
                curl: "http://a.test/x?inout=1\\&let=2\\&a0=3",
                declaration: "x(inoutValue: Int?, letValue: Int?, a0Value: Int?)"),
            RequestCase(curl: "http://a.test/default?in=1", declaration: "`default`(in: Int?)"),
            RequestCase(
                curl: "http://a.test/x?a=1\\&b=-5\\&c=1e5\\&d=01\\&e=9007199254740992\\&f=\\&g\\&h=true",
                declaration: "x(a: Int?, b: Int?, c: String?, d: String?, e: Int?, f: String?, g: String?, h: Bool?)"),
            RequestCase(
                curl: "-g http://a.test/x?user_id=1\\&userId=2\\&filter[name]=z",
                declaration: "x(userID: Int?, userID2: Int?, filterName: String?)"),
            RequestCase(curl: "http://a.test/%F0%9F%98%80/%22%5C%28x%29", declaration: "x"),
        ])
    func namesAndParametersOfCases(request: RequestCase) throws {
        #expect(try CurlImport.scaffold("curl " + request.curl).endpoints[0].declaration == request.declaration)
    }

    /// A request, and the list that holds its call.
    struct SafeMethod: Sendable, CustomTestStringConvertible {
        /// The arguments of curl.
        let curl: String
        /// The property of the API: `examples` or `placeholders`.
        let list: String
        let call: String

        var testDescription: String { curl }
    }

    /// A method that is not safe may write, and `check` would send an example.
    @Test(
        "Only a call with a safe method is an example",
        arguments: [
            SafeMethod(curl: "http://a.test/x", list: "examples", call: ".x"),
            SafeMethod(curl: "-I http://a.test/x", list: "examples", call: ".headX"),
            SafeMethod(curl: "-X POST http://a.test/x", list: "placeholders", call: ".x"),
            SafeMethod(curl: "-X DELETE http://a.test/x", list: "placeholders", call: ".deleteX"),
            SafeMethod(curl: "-X PURGE http://a.test/x", list: "placeholders", call: ".x"),
        ])
    func onlySafeMethodsAreExamples(method: SafeMethod) throws {
        let text = try CurlImport.scaffold("curl " + method.curl).text(withModels: true)
        #expect(text.contains("static let \(method.list): [A] = [\(method.call)]\n"), "\(text)")
        if method.list == "placeholders" {
            #expect(text.contains("static let examples: [A] = []\n"))
        }
    }

    @Test("A nested value that is longer than a line is divided between its elements")
    func longValuesAreDividedIntoLines() throws {
        let long = String(repeating: "word ", count: 11)
        let json =
            #"{"a": {"b": [{"c": "\#(long)", "d": {"e": "\#(long)", "f": [1, 2.5, null, true]}}], "#
            + #""\#(long)": "\#(long)"}}"#
        let text = try CurlImport.scaffold("curl --json '\(json)' http://a.test").text(withModels: true)
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

    @Test("Each GraphQL operation of one URL is a case, with its query as a constant")
    func operationsOfGraphQLAreSeveralCases() throws {
        let scaffold = try CurlImport.scaffold(
            #"""
            curl --json '{"operationName": "Users", "query": "query Users($n: Int) { users(n: $n) { id } }", \#
            "variables": {"n": 2}}' http://a.test/graphql
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

    @Test("A HEAD request with a body has the general initializer")
    func headWithABodyIsDeclaredByItsMethod() throws {
        let arm = try CurlImport.scaffold("curl -I -X HEAD --json '{}' http://a.test/x").endpoints[0].arm
        #expect(arm.contains("Endpoint(\"HEAD\", \"/x\", body: .object([:]), returns: EmptyResponse.self,"), "\(arm)")
    }

    @Test("The headers that browsers add to each request are left out")
    func headersOfBrowsersAreLeftOut() throws {
        let scaffold = try CurlImport.scaffold(
            #"""
            curl http://a.test/x -H 'User-Agent: Mozilla/5.0' -H 'sec-fetch-mode: cors' -H 'accept: */*' \
              -H 'Accept-Encoding: gzip' \
              -H 'Origin: http://b' -H 'Referer: http://b/' -H 'Accept-Language: de' \
              -H 'X-Keep: 1' -H 'Accept: text/csv, */*'
            """#)
        #expect(
            scaffold.omittedHeaders == [
                "user-agent", "sec-fetch-mode", "accept-encoding", "origin", "referer", "accept-language",
            ])
        #expect(scaffold.endpoints[0].arm.contains(#"headers: ["X-Keep": "1", "Accept": "text/csv, */*"]"#))
    }

    @Test("Requests whose paths differ in an ID are one endpoint, with optional query parameters")
    func requestsOfOneTemplateAreOneEndpoint() throws {
        let scaffold = try CurlImport.scaffold(
            """
            curl http://a.test/pets/1?page=1
            curl http://a.test/pets/2
            curl 'http://a.test/pets/x?b=c'
            curl -X DELETE http://a.test/pets/1
            """)
        #expect(
            scaffold.endpoints.map(\.declaration) == [
                "pet(petID: Int, page: Int?)", "petsX(b: String?)", "deletePet(petID: Int)",
            ])
    }

    @Test("Chosen names and paths are used, and endpoints that are not chosen are left out")
    func chosenNamesAndPathsAreUsed() throws {
        var options = ImportChoices()
        options.api = "myShop"
        options.path = "/pets/{name}"
        options.operationNames = ["pet": "find"]
        options.isKept = { $0 != ["GET /other", "/other", "other"] }
        let scaffold = try CurlImport.scaffold(
            "curl http://a.test/pets/rex; curl http://a.test/other", options: options)
        #expect(scaffold.name == "my-shop")
        #expect(scaffold.type == "MyShop")
        #expect(scaffold.endpoints.map(\.declaration) == ["find(name: String)"])
    }

    /// The scheme and authority of a URL, and the name of the API.
    struct APIName: Sendable, CustomTestStringConvertible {
        let origin: String
        let name: String

        var testDescription: String { origin }
    }

    @Test(
        "The name of an API is derived from its host",
        arguments: [
            APIName(origin: "https://api.themoviedb.org", name: "themoviedb"),
            APIName(origin: "https://www.bbc.co.uk", name: "bbc"),
            APIName(origin: "http://localhost:80", name: "local"),
            APIName(origin: "http://127.0.0.1", name: "local"),
            APIName(origin: "http://[::1]", name: "local"),
            APIName(origin: "https://my-api.example.com", name: "example"),
        ])
    func namesOfAPIs(api: APIName) throws {
        #expect(try CurlImport.scaffold("curl -g \(api.origin)/x").name == api.name)
    }

    /// SwiftPM makes a program of a module with a file `main.swift`.
    @Test("No file is named main.swift, whatever the name of the API or of a model")
    func noFileIsNamedMain() throws {
        var options = ImportChoices()
        options.api = "main"
        let scaffold = try CurlImport.scaffold(
            "curl http://a.test/x", response: #"{"main": {"a": 1}}"#, options: options)
        let files = ([scaffold.file] + scaffold.modelFiles).map { $0.path.lowercased() }
        #expect(files.allSatisfy { !$0.hasSuffix("/main.swift") && $0 != "main.swift" }, "\(files)")
        #expect(files.contains("mainmodel.swift"))
    }

    @Test("A body with 10,000 members or fields is one parameter") func largeBodies() throws {
        let members = (0..<10_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let object = try CurlImport.scaffold("curl --json '{\(members)}' http://a.test")
        #expect(object.endpoints[0].declaration == "post(body: String)")
        let fields = (0..<10_000).map { "k\($0)=\($0)" }.joined(separator: "&")
        let form = try CurlImport.scaffold("curl -d '\(fields)' http://a.test")
        #expect(form.endpoints[0].declaration == "post(body: String)")
    }

    @Test("A path with 20,000 numbers has only its first numbers as parameters") func longPaths() throws {
        let path = String(repeating: "/1", count: 20_000)
        let scaffold = try CurlImport.scaffold("curl http://a.test/a\(path)")
        #expect(scaffold.endpoints[0].template.contains("{aID}/1/1/1"))
    }

    @Test("Of 10,000 query items, most are left out with a note, but no credential is") func longQueries() throws {
        let items = (0..<10_000).map { "k\($0)=\($0)" }.joined(separator: "&")
        let scaffold = try CurlImport.scaffold(
            "curl 'http://a.test/x?\(items)' -b 'a=passw0rd' -H 'Authorization: Bearer passw0rd'")
        #expect(scaffold.notes.contains("a.x: left out: 9940 items, headers or members of 10000"))
        #expect(scaffold.variables.map(\.description) == ["A_TOKEN", "A_COOKIE"])
    }
}
