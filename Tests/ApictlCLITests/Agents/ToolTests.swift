import EndpointKit
import EndpointTools
import JSONText
import TestSupport
import Testing

@testable import ApictlCLI

/// The tools of `mcp` and their results.
struct ToolTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let tool: String
        let arguments: String
        let response: StubResponse?
        let variables: [String: String]
        let texts: [String]
        let isError: Bool

        /// A call whose result has these texts. Without a response of the server, nothing must be sent.
        init(
            _ id: String, _ tool: String, _ arguments: String = "{}", words: String = "--tools endpoints",
            response: StubResponse? = nil,
            variables: [String: String] = ["MOVIES_KEY": "k"], _ texts: String..., isError: Bool = false
        ) {
            testDescription = id
            self.words = words
            self.tool = tool
            self.arguments = arguments
            self.response = response
            self.variables = variables
            self.texts = texts
            self.isError = isError
        }

        /// A call that fails. The text of its result is a message, the kind of failure, and further lines.
        static func failed(
            _ id: String, _ tool: String, _ arguments: String = "{}", words: String = "--tools endpoints",
            response: StubResponse? = nil, variables: [String: String] = ["MOVIES_KEY": "k"],
            fails kind: String = "usage (exit code 2)", _ message: String, _ more: String...
        ) -> Case {
            let lines = [message, "Kind of failure: \(kind)."] + more
            return Case(
                id, tool, arguments, words: words, response: response, variables: variables,
                lines.joined(separator: "\n"), isError: true)
        }
    }

    private static let search = "--tools search"
    private static let page = StubResponse.json(MoviePage.sample)
    private static let movie = #"{"id":1,"title":"Alien"}"#

    static let results: [Case] = [
        Case(
            "what the model reads, on one line", "movies_popular", response: page,
            #"{"total_pages":7,"page":1,"results":[{"title":"Alien","id":348,"score":8.10},{"id":78,"title":"Blade Runner","released":null}]}"#
        ),
        Case(
            "a part that select chooses", "movies_popular", #"{"select":"results.title"}"#, response: page,
            "\"Alien\"\n\"Blade Runner\""),
        Case(
            "a selection that finds nothing", "movies_popular", #"{"select":"results.score"}"#,
            response: .json(#"{"page":1,"total_pages":1,"results":[]}"#), "(200 OK, nothing found at results.score)"),
        Case(
            "a value by its Swift name", "movies_details", #"{"_0":"1","language":null}"#, response: .json(movie), movie
        ),
        Case(
            "a list as JSON text", "echo_query", #"{"list":"[\"a\",\"b\"]"}"#,
            response: .json(#"{"ok":1}"#), #"{"ok":1}"#),
        Case(
            "arguments and objects as JSON text", "change_endpoint",
            #"{"endpoint":"echo.note","arguments":"{\"note\":\"{\\\"title\\\":\\\"t\\\"}\"}"}"#,
            words: "--tools search --unsafe", response: .json(#"{"title":"t"}"#), #"{"title":"t"}"#),
        .failed(
            "a list as text that is no JSON", "echo_query", #"{"list":"[a"}"#,
            "--list: the text is not JSON: line 1, column 2: expected a value or ']', found 'a'"),
        Case(
            "a call of any endpoint", "call_endpoint",
            #"{"endpoint":"movies.details","arguments":{"value":"1"},"select":"title"}"#, words: search,
            response: .json(movie),
            #""Alien""#),
        Case(
            "text that is not JSON, with hidden characters escaped", "echo_path", #"{"value":"x"}"#,
            response: .typed("text/plain", "hello\n\u{202E}you"),
            "hello\n\\u202Eyou"),
        Case(
            "bytes are not shown", "movies_poster", #"{"value":1}"#, response: .typed("image/png", "\u{89}PNG\0"),
            "(image/png, 6 bytes, not shown)"),
        Case(
            "a response without a body", "movies_forget", #"{"value":1}"#, words: "--tools endpoints --unsafe",
            response: .empty(204, "No Content"),
            "(204 No Content, no body)"),
        Case(
            "the headers are the result of HEAD", "echo_head", response: StubResponse.empty().with("X-A", "1"),
            "HTTP/1.1 200 OK\nX-A: 1"),
        Case(
            "a call that changes data", "change_endpoint",
            #"{"endpoint":"echo.note","arguments":{"note":{"title":"t"}}}"#,
            words: "--tools search --unsafe", response: .json(#"{"title":"t"}"#), #"{"title":"t"}"#),
        Case(
            "endpoints that are found by words, the best first", "find_endpoints", #"{"query":"Movies in cinemas"}"#,
            words: search,
            """
            movies.new-movies: In cinemas now (GET /movie/now_playing)
            movies.popular: Popular right now (GET /movie/popular)
            movies.details: One movie (GET /movie/{value})
            movies.search: Movies by title (GET /search)
            movies.rate: Rate a movie (POST /movie/{value}/rating; not allowed without --unsafe)
            movies.forget: Take a rating back (DELETE /movie/{value}/rating; not allowed without --unsafe)
            movies.poster: The poster as an image (GET /movie/{value}/poster)
            """),
        Case(
            "the description of an endpoint", "describe_endpoint", #"{"endpoint":"movies.search"}"#, words: search,
            """
            movies.search: Movies by title
            GET /search
            Arguments, as JSON Schema: {"type":"object","properties":{"query":{"type":"string"},"adult":{"type":"boolean"},"sort":{"type":"string","enum":["title","release-date"]},"genres":{"type":"array","items":{"type":"integer","format":"int64"}},"since":{"type":"string","format":"date-time"}},"required":["query"],"additionalProperties":false}
            Example: {"query":"blade runner","adult":false,"sort":"title","genres":[12,878],"since":"1970-01-01T00:00:00Z"}
            Returns MoviePage
              page         integer
              results      [Movie]
                id         integer
                title      string
                released   string, optional
                score      number, optional
              total_pages  integer
            Credential: query api_key from MOVIES_KEY; MOVIES_KEY is set
            Credential: or header Authorization: Bearer … from MOVIES_TOKEN; MOVIES_TOKEN is not set
            """),
    ]

    static let failures: [Case] = [
        .failed(
            "a value of the wrong type", "movies_popular", #"{"page":"x"}"#, "--page: expected an integer, got 'x'"),
        .failed(
            "an unknown parameter", "movies_popular", #"{"pag":1}"#,
            "movies.popular has no parameter 'pag'; did you mean 'page'?"),
        .failed(
            "a part that the model does not have", "movies_popular", #"{"select":"nope"}"#,
            "--select: MoviePage has no 'nope'"),
        .failed("a missing endpoint", "call_endpoint", words: search, "'endpoint' is missing"),
        .failed(
            "an unknown endpoint", "call_endpoint", #"{"endpoint":"movies.popula"}"#, words: search,
            "movies has no endpoint 'popula'; did you mean 'movies.popular'?"),
        .failed(
            "an endpoint that was not chosen", "call_endpoint", #"{"endpoint":"echo.query"}"#,
            words: "movies --tools search", "echo.query is not one of the endpoints that this server has"),
        .failed(
            "an argument in the wrong place", "call_endpoint", #"{"endpoint":"movies.popular","page":1}"#,
            words: search, "arguments:1:30: $.page is not known here"),
        .failed(
            "an endpoint that changes data, by the tool that only reads", "call_endpoint",
            #"{"endpoint":"movies.forget","arguments":{"value":1}}"#,
            words: search, "movies.forget is a DELETE, which may change data: this server was started without --unsafe"),
        .failed(
            "a file of this machine", "echo_upload", #"{"title":"x","file":"/etc/hostname"}"#,
            words: "echo --tools endpoints --unsafe", "echo.upload sends a file of this machine, which no tool does"),
        .failed(
            "an endpoint that only reads, by the tool that changes data", "change_endpoint",
            #"{"endpoint":"movies.popular"}"#,
            words: "--tools search --unsafe", "movies.popular only reads: use call_endpoint"),
        .failed(
            "a missing credential", "movies_popular", variables: [:], fails: "credential (exit code 9)",
            "movies.popular: a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN"),
        .failed(
            "a status other than 2xx", "movies_popular",
            response: .json(#"{"status_message": "Invalid key k"}"#, 401, "Unauthorized"),
            variables: ["MOVIES_KEY": "s3cretkey"], fails: "status (exit code 4)",
            "movies.popular: 401 Unauthorized: Invalid key k",
            "The request was sent with MOVIES_KEY.", "The response:\n{\"status_message\":\"Invalid key k\"}\n"),
        .failed(
            "a dead server", "movies_popular", response: .failing(.notConnected), fails: "network (exit code 6)",
            "movies.popular: could not connect to the server", "Is the server running?"),
        .failed(
            "a response that does not fit the model", "movies_popular", response: .json(#"{"page":"x"}"#),
            fails: "bad-response (exit code 8)",
            "movies.popular: the response does not fit MoviePage",
            "  $.page: expected integer, found string \"x\" (line 1, column 9)",
            "The response:\n{\"page\":\"x\"}\n"),
        .failed(
            "a response that is too long", "movies_popular",
            response: StubResponse.json("{}").with("Content-Length", "149000000"),
            fails: "bad-response (exit code 8)",
            "movies.popular: the response is longer than 20.0 MB"),
    ]

    @Test("The result of a tool has these texts", arguments: results + failures)
    func texts(_ row: Case) async throws {
        let transport = row.response.map { StubTransport($0) }
        let lines = try await Conversation.lines(
            words: row.words, [Conversation.call(row.tool, row.arguments)], variables: row.variables,
            transport: transport ?? StubTransport([StubResponse]()))
        let answer = try JSONValue(line: lines[0])
        #expect(answer.resultTexts == row.texts)
        #expect(answer.isErrorResult == row.isError)
        #expect((transport?.requests.isEmpty ?? true) == (row.response == nil))
    }

    /// Returns the definitions of tools that `mcp` with these words lists.
    private static func definitions(_ words: String) async throws -> [JSONValue] {
        let lines = try await Conversation.lines(words: words, [Conversation.request("tools/list")])
        return try JSONValue(line: lines[0])["result"]?["tools"]?.elements ?? []
    }

    /// Returns the name of a tool, and whether its definition says that it only reads: `find_endpoints true`.
    private static func nameAndReadOnlyHint(_ definition: JSONValue) -> String {
        let name = definition["name"]?.string ?? ""
        let isReadOnly = definition["annotations"]?["readOnlyHint"]?.bool == true
        return "\(name) \(isReadOnly)"
    }

    @Test("Each endpoint is a tool, and its hints say whether it may change data")
    func endpointTools() async throws {
        let tools = try await Self.definitions("--tools endpoints --unsafe")
        #expect(
            tools.prefix(7).map(Self.nameAndReadOnlyHint) == [
                "movies_popular true", "movies_new_movies true", "movies_details true", "movies_search true",
                "movies_rate false", "movies_forget false", "movies_poster true",
            ])
        for tool in tools {
            let reads = tool["description"]?.string?.contains(#/\((GET|HEAD) /#) == true
            #expect(tool["annotations"]?["readOnlyHint"]?.bool == reads)
            #expect(tool["annotations"]?["destructiveHint"]?.bool == (reads ? nil : true))
        }
    }

    @Test("A tool takes the parameters of its endpoint, and all_pages only for a list with pages")
    func argumentsOfEndpointTools() async throws {
        let tools = try await Self.definitions("movies.popular movies.details --tools endpoints")
        let popular = try #require(tools.first?["inputSchema"])
        #expect(
            popular["properties"]?.description.hasPrefix(
                #"{"page":{"type":"integer","format":"int64","description":"1 to 500"},"select":{"#) == true)
        #expect(popular["properties"]?["all_pages"] != nil)
        let details = try #require(tools.last?["inputSchema"])
        #expect(details["required"]?.description == #"["value"]"#)
        #expect(details["properties"]?["all_pages"] == nil)
    }

    @Test("Without --unsafe there are only tools that read, one for each of up to 20 endpoints")
    func readingTools() async throws {
        let tools = try await Self.definitions("")
        #expect(tools.count == 13)
        #expect(tools.allSatisfy { $0["annotations"]?["readOnlyHint"]?.bool == true })
        #expect(try await Self.definitions("--tools endpoints") == tools)
    }

    @Test("--tools search gives general tools, of which only change_endpoint may change data")
    func generalTools() async throws {
        let tools = try await Self.definitions("--tools search --unsafe")
        #expect(
            tools.map(Self.nameAndReadOnlyHint) == [
                "find_endpoints true", "describe_endpoint true", "call_endpoint true", "change_endpoint false",
            ])
    }

    @Test("Optional parameters may be left out, and a list may be empty")
    func leastArguments() async throws {
        let lines = try await Conversation.lines(
            words: "zoo.spot zoo.every-since --unsafe",
            [
                Conversation.request("tools/list"), Conversation.call("zoo_spot", "{}", id: "2"),
                Conversation.call("zoo_every_since", #"{"since":"2026-11-21","dates":[]}"#, id: "3"),
            ], transport: StubTransport { .json("\"\($0.path)\"") }, apis: [Zoo.self])
        let answers = try lines.map { try JSONValue(line: $0) }
        let tools = answers.first { $0["id"]?.integer() == 1 }?["result"]?["tools"]?.elements
        #expect(tools?.first { $0["name"]?.string == "zoo_spot" }?["inputSchema"]?["required"]?.description == "[]")
        #expect(answers.count == 3 && !answers.contains(where: \.isErrorResult), "\(lines)")
    }

    @Test("The note about further pages names an argument of the tool, and no option of the command line")
    func morePages() async throws {
        let transport = StubTransport { request in
            let page = request.query.last { $0.name == "page" }?.value.description ?? "1"
            return .json(#"{"page":\#(page),"results":[{"id":\#(page),"title":"M"}],"total_pages":99}"#)
        }
        let line = try await Conversation.lines(
            [Conversation.call("movies_popular", #"{"all_pages":true,"select":"id"}"#)], transport: transport)[0]
        let ids = (1...25).map { "\($0)" }.joined(separator: "\n")
        #expect(try JSONValue(line: line).resultTexts == [ids, "note: stopped after 25 pages; to go on: page: 26"])
    }

    @Test("A long result is an outline with the first items, and says how to ask for the rest")
    func longResults() async throws {
        let items = (0..<200).map { #"{"id":\#($0),"title":"Movie \#($0)"}"# }.joined(separator: ",")
        let line = try await Conversation.lines(
            words: "movies.popular --max-bytes 1k", [Conversation.call("movies_popular", "{}")],
            transport: StubTransport(.json(#"{"page":1,"total_pages":1,"results":[\#(items)]}"#)))[0]
        let answer = try JSONValue(line: line)
        #expect(!answer.isErrorResult)
        #expect(
            answer.resultTexts == [
                """
                The result has 6019 bytes, more than the 1024 that are shown. What is in it:
                  (the whole): object, 6018 bytes
                  page: number, 1 byte
                  total_pages: number, 1 byte
                  results: array, 5981 bytes
                  results[]: 200 × object, 5780 bytes
                  results[].id: 200 × number, 490 bytes
                  results[].title: 200 × string, 2090 bytes
                The first items:
                results[0]: {"id":0,"title":"Movie 0"}
                results[1]: {"id":1,"title":"Movie 1"}
                results[2]: {"id":2,"title":"Movie 2"}
                results[3]: {"id":3,"title":"Movie 3"}
                results[4]: {"id":4,"title":"Movie 4"}
                results[5]: {"id":5,"title":"Movie 5"}
                results[6]: {"id":6,"title":"Movie 6"}
                For the rest, call it again with select: "$.results[7:14]", or a field of all items such as "results.title".
                """
            ])
    }

    /// A response that a hostile server could send, and parts of the text that a model gets for it.
    private struct HostileCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: String
        let response: StubResponse
        /// The first part is the beginning of the text.
        let parts: [String]
    }

    private static let longKey = String(repeating: "k", count: 100)
    private static let manyKeys = (0..<50_000).map { "\"\u{202E}\(longKey)\($0)\":1" }.joined(separator: ",")

    private static let hostileCases = [
        HostileCase(
            testDescription: "many long keys that change the writing direction",
            call: Conversation.call("echo_query", "{}"), response: .json("{\(manyKeys)}"),
            parts: ["The result has ", "\n  (the whole): object, ", "\n  \\u202E\(longKey.prefix(20))"]),
        HostileCase(
            testDescription: "a long list of values of two types",
            call: Conversation.call("echo_query", "{}"),
            response: .json("{\"a\":[null\(String(repeating: ",\"x\"", count: 999))]}"),
            parts: [
                "The result has ", "\n  a[]: 1000 × null or string, ", "\nFor the rest, ", " items such as \"a\".",
            ]),
        HostileCase(
            testDescription: "a long text with invisible characters",
            call: Conversation.call("echo_path", #"{"value":"x"}"#),
            response: .typed("text/plain", String(repeating: "ä\u{E0041}", count: 50_000)),
            parts: ["(the first of 300000 bytes; a larger --max-bytes allows more)\nä\\uDB40\\uDC41ä\\uDB40\\uDC41"]),
    ]

    @Test("Hostile keys and long texts give a short result without hidden characters", arguments: hostileCases)
    private func hostileResults(_ row: HostileCase) async throws {
        let line = try await Conversation.lines(
            words: "--tools endpoints --max-bytes 2k", [row.call], transport: StubTransport(row.response))[0]
        let text = try #require(try JSONValue(line: line).resultTexts.first)
        #expect(text.utf8.count <= 2048 && text.hasPrefix(row.parts[0]), "\(text)")
        #expect(row.parts.allSatisfy(text.contains), "\(text)")
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .format })
    }

    @Test("Without --unsafe, only GET and HEAD are sent, whatever the tool and the arguments")
    func onlyReads() async throws {
        let examples = Movies.examples.map { $0 as any API } + Echo.examples.map { $0 as any API }
        let calls = try examples.flatMap { example in
            let name = try "\(type(of: example).api.name).\(example.caseName)"
            let parameters = JSONValue(try EndpointCall(example).values().parameters.map { ($0.name, $0.value) })
            let ownTool = name.lowercased().replacingOccurrences(of: ".", with: "_")
            return ["call_endpoint", "change_endpoint", ownTool].map { tool in
                Conversation.call(
                    tool, #"{"endpoint":"\#(name)","arguments":\#(parameters)}"#, id: "\"\(name) \(tool)\"")
            }
        }
        let transport = StubTransport(.json("{}"))
        _ = try await Conversation.lines(words: "--tools search", calls, transport: transport)
        let methods = Set(transport.requests.map(\.method.rawValue))
        #expect(methods == ["GET", "HEAD"])
    }

    @Test(
        "No line has a secret that a server repeats, in any spelling",
        arguments: ["as it is", "percent", "JSON", "HTML names"])
    func secrets(_ name: String) async throws {
        let secret = #"it's {"k":"50% & +"}\é"#
        let spelled = String(exactBytes: try #require(SecretTable.spellings.first { $0.id == name }).spell(secret))
        let quoted = JSONQuoting.quoted(spelled)
        for response: StubResponse in [
            .json("{\(quoted):\(quoted)}"), .json(#"{"message":\#(quoted)}"#, 403, spelled),
            .typed("text/\(spelled)", spelled), .failing(.other, "alert for \(spelled)"), .json("[\(spelled)}"),
        ] {
            let lines = try await Conversation.lines(
                [Conversation.call("echo_limits", "{}")], variables: ["ECHO_TOKEN": secret],
                transport: StubTransport(response))
            let texts = try JSONValue(line: lines[0]).resultTexts.joined(separator: "\n")
            #expect(!texts.isEmpty && !texts.contains(spelled) && !lines[0].contains(spelled), "\(texts)")
        }
    }

    static let commands: [Row] = [
        Row(
            "a note says that no endpoint can be called", "mcp movies.rate", stdin: "",
            err: "note: without --unsafe, 1 of 1 endpoints can't be called: they may change data\n"),
        Row("no note if some endpoints can be called", "mcp movies", stdin: ""),
        wrong("mcp --tools all", "--tools (argument 2): expected auto, endpoints or search, got 'all'"),
    ]

    @Test("A note says if mcp can call no endpoint, and a wrong option is an error", arguments: commands)
    func command(_ row: Row) async { await row.check() }

    @Test("--print-config prints a client's entry, with names of variables and no values")
    func configuration() async {
        let out = await run("mcp movies.popular --unsafe --print-config", variables: ["MOVIES_KEY": "s3cret"]).out
        let server =
            #"{"command":"apictl","args":["mcp","movies.popular","--unsafe"],"#
            + #""env":{"MOVIES_KEY":"${MOVIES_KEY}","MOVIES_TOKEN":"${MOVIES_TOKEN}"}}"#
        let document = #"{"mcpServers":{"apictl":\#(server)}}"#
        #expect(await run("format --compact", stdin: out) == Outcome(out: document + "\n"))
    }
}
