import EndpointKit
import JSONText
import Testing

@testable import ApictlCLI

/// The buckets of a group of APIs.
enum Buckets: API {
    case list
    case get(id: String)

    static let api = APIInfo(
        name: "kinto.buckets",
        summary: "Buckets",
        servers: [
            Server("local", url: "http://127.0.0.1:8888/v1"), Server("public", url: "https://kinto.test/v1"),
        ],
        credentials: [.bearer(variable: "KINTO_TOKEN").optional])
    static let examples: [Buckets] = [.list, .get(id: "b")]

    var endpoint: Endpoint {
        switch self {
        case .list:
            .get("/buckets", returns: JSONValue.self, summary: "All buckets", sample: .json(Array("[]".utf8)))
        case .get(let id): .get("/buckets/\(id)", returns: JSONValue.self, summary: "A bucket")
        }
    }
}

/// The records of the same group, with a server and a credential of their own.
enum Records: API {
    case list
    case search(q: String)

    static let api = APIInfo(
        name: "kinto.records",
        summary: "Records",
        servers: [
            Server("local", url: "http://127.0.0.1:8888/v1"), Server("archive", url: "https://archive.test"),
        ],
        credentials: [
            .bearer(variable: "KINTO_TOKEN").optional, .header("X-Key", variable: "RECORDS_KEY").optional,
        ])
    static let examples: [Records] = [.list, .search(q: "x")]

    var endpoint: Endpoint {
        switch self {
        case .list:
            .get("/records", returns: JSONValue.self, summary: "All records", sample: .json(Array("[1]".utf8)))
        case .search(let q):
            .get("/search", query: ["q": q], returns: JSONValue.self, summary: "Records of kinto.buckets")
        }
    }
}

/// An API that has the name of the group.
enum Kinto: API {
    case heartbeat

    static let api = APIInfo(name: "kinto", servers: [Server("local", url: "http://127.0.0.1:8888/v1")])
    static let examples: [Kinto] = [.heartbeat]

    var endpoint: Endpoint { .get("/heartbeat", returns: JSONValue.self, summary: "Is it up?") }
}

/// An API in a group that is itself in a group.
enum Deep: API {
    case ping

    static let api = APIInfo(name: "kinto.admin.users", servers: [Server("local", url: "http://127.0.0.1:8888/v1")])
    static let examples: [Deep] = [.ping]

    var endpoint: Endpoint { .get("/ping", returns: JSONValue.self, summary: "Ping") }
}

/// Groups of APIs, whose names share the part before a dot.
struct GroupTests {
    static let group: [any API.Type] = [Movies.self, Buckets.self, Records.self]

    static let page = """
        kinto: 2 APIs

        Servers
          local    http://127.0.0.1:8888/v1
          public   https://kinto.test/v1     kinto.buckets
          archive  https://archive.test      kinto.records

        Credentials
          header Authorization: Bearer … from KINTO_TOKEN (optional)  KINTO_TOKEN is set
          header X-Key: … from RECORDS_KEY (optional)                 RECORDS_KEY is not set
                                                                           kinto.records

        APIs
          kinto.buckets  Buckets
          kinto.records  Records

        Endpoints
          kinto.buckets.list    GET  /buckets       All buckets
          kinto.buckets.get     GET  /buckets/{id}  A bucket
          kinto.records.list    GET  /records       All records
          kinto.records.search  GET  /search        Records of kinto.buckets

        Try
          apictl describe kinto.buckets.list
          apictl call kinto.buckets.list --sample

        """

    @Test(
        "The page of a group has the servers, credentials and endpoints of its APIs",
        arguments: ["kinto", "describe kinto", "help kinto", "kinto --help", "describe Kinto"])
    func description(_ words: String) async {
        let outcome = await run(words, variables: ["KINTO_TOKEN": "t"], apis: Self.group)
        #expect(outcome == Outcome(out: Self.page))
    }

    /// Each part of a name may be a word of its own.
    @Test(arguments: [
        ("call kinto buckets list --dry-run", "call kinto.buckets.list --dry-run"),
        ("call kinto buckets.list --dry-run", "call kinto.buckets.list --dry-run"),
        ("kinto buckets get --id b --dry-run", "call kinto.buckets.get --id b --dry-run"),
        ("kinto buckets", "describe kinto.buckets"),
        ("kinto buckets --json", "describe kinto.buckets --json"),
        ("describe kinto buckets get", "describe kinto.buckets.get"),
        ("help kinto buckets get", "help kinto.buckets.get"),
        ("call kinto buckets get --help", "help kinto.buckets.get"),
        ("kinto buckets --help", "help kinto.buckets"),
    ])
    func `A name of several words is that with dots`(_ words: String, _ dotted: String) async {
        let outcome = await run(words, apis: Self.group)
        #expect(outcome.code == 0)
        #expect(await outcome == run(dotted, apis: Self.group))
    }

    @Test("The JSON of a group has the descriptions of its APIs")
    func descriptionAsJSON() async throws {
        let group = try JSONValue(text: await run("kinto --json", apis: Self.group).out.exactBytes)
        var apis: [JSONValue] = []
        for name in ["kinto.buckets", "kinto.records"] {
            apis.append(try JSONValue(text: await run("describe \(name) --json", apis: Self.group).out.exactBytes))
        }
        #expect(group == ["version": 1, "name": "kinto", "apis": JSONValue(apis)])
    }

    @Test(
        "A pattern matches the names of a group's APIs and endpoints",
        arguments: [
            ("kinto", ["kinto.buckets.list", "kinto.buckets.get", "kinto.records.list", "kinto.records.search"]),
            // The summary of kinto.records.search has the name of the API, too.
            ("kinto.buckets", ["kinto.buckets.list", "kinto.buckets.get"]),
            ("kinto.rec", ["kinto.records.list", "kinto.records.search"]),
            ("into", ["kinto.buckets.list", "kinto.buckets.get", "kinto.records.list", "kinto.records.search"]),
        ] as [(String, [String])])
    func patterns(_ pattern: String, _ names: [String]) async throws {
        let registry = APIRegistry(apis: Self.group)
        let word = SourcedText(pattern, .argument(2))
        #expect(try registry.description(matching: [word]).endpoints.map(\.name) == names)
    }

    static let wrongLines = [
        wrong(
            "call kinto", apis: group,
            "'kinto' (argument 2) is a group of APIs; name an endpoint, such as kinto.buckets.list", see: "kinto"),
        wrong(
            "call kinto.bukets.list", apis: group,
            "kinto has no API 'bukets' (argument 2); did you mean 'kinto.buckets'?", see: "kinto"),
        wrong(
            "kinto.list", apis: group,
            "kinto has no API 'list' (argument 1); did you mean 'kinto.buckets.list' or 'kinto.records.list'?",
            see: "kinto"),
        wrong(
            "kinto.zzz", apis: group, "kinto has no API 'zzz' (argument 1)", see: "kinto"),
        wrong(
            "call kinto buckets", apis: group,
            "'kinto.buckets' (argument 3) is an API; name one of its endpoints, such as kinto.buckets.list",
            see: "kinto.buckets"),
        wrong(
            "call kinto buckets lst", apis: group,
            "kinto.buckets has no endpoint 'lst' (argument 4); did you mean 'kinto.buckets.list'?",
            see: "kinto.buckets"),
        wrong(
            "describe kinto buckets list x", apis: group, "unexpected argument 'x' (argument 5)", see: "help describe"),
        wrong("config kinta", apis: group, "unknown API 'kinta' (argument 2); did you mean 'kinto'?", see: "list"),
        wrong("kinta", apis: group, "unknown command 'kinta' (argument 1); did you mean 'kinto'?", see: "help"),
        wrong("help kinta", apis: group, "unknown help topic 'kinta' (argument 2); did you mean 'kinto'?", see: "help"),
        wrong(
            "list kinta", apis: group, "no endpoint matches 'kinta' (argument 2); did you mean 'kinto'?", see: "list"),
    ]

    @Test("A wrong name in a group leads to the right one", arguments: wrongLines)
    func wrongLine(_ row: Row) async { await row.check() }

    /// The address that a call of `kinto.buckets.list` is sent to.
    @Test(
        "The nearest variable determines the server: the API's before the group's before the one for all",
        arguments: [
            ([:], "http://127.0.0.1:8888/v1"),
            (["APICTL_KINTO_URL": "http://group.test"], "http://group.test"),
            (["APICTL_KINTO_SERVER": "public"], "https://kinto.test/v1"),
            (["APICTL_KINTO_ENV": "public"], "https://kinto.test/v1"),
            (["APICTL_KINTO_SERVER": "public", "APICTL_KINTO_ENV": "nowhere"], "https://kinto.test/v1"),
            (["APICTL_KINTO_BUCKETS_ENV": "public"], "https://kinto.test/v1"),
            (["APICTL_SERVER": "public", "APICTL_ENV": "nowhere"], "https://kinto.test/v1"),
            (["APICTL_ENV": "public"], "https://kinto.test/v1"),
            (["APICTL_KINTO_URL": "http://a.test", "APICTL_KINTO_BUCKETS_URL": "http://b.test"], "http://b.test"),
            (["APICTL_KINTO_URL": "http://a.test", "APICTL_KINTO_BUCKETS_SERVER": "public"], "https://kinto.test/v1"),
            (["APICTL_KINTO_URL": "http://a.test", "APICTL_SERVER": "nowhere"], "http://a.test"),
            (["APICTL_KINTO_RECORDS_URL": "http://a.test"], "http://127.0.0.1:8888/v1"),
        ] as [([String: String], String)])
    func variables(_ variables: [String: String], _ address: String) async {
        let outcome = await run("kinto buckets.list --dry-run", variables: variables, apis: Self.group)
        #expect(outcome.out.hasPrefix("GET \(address)/buckets\n"), "\(outcome)")
    }

    @Test(
        "The variable with the longest name of a group wins",
        arguments: [
            ("APICTL_KINTO_ADMIN_USERS_URL", "http://3.test"), ("APICTL_KINTO_ADMIN_URL", "http://2.test"),
            ("APICTL_KINTO_URL", "http://1.test"),
        ])
    func longestName(_ last: String, _ address: String) async {
        var variables = ["APICTL_KINTO_URL": "http://1.test"]
        if last != "APICTL_KINTO_URL" { variables["APICTL_KINTO_ADMIN_URL"] = "http://2.test" }
        variables[last] = address
        let outcome = await run("call kinto.admin.users.ping --dry-run", variables: variables, apis: [Deep.self])
        #expect(outcome.out.hasPrefix("GET \(address)/ping\n"), "\(outcome)")
    }

    @Test("The option --server chooses a server of the API, and suggests a name", arguments: ["--server", "--env"])
    func serverOption(_ option: String) async {
        let outcome = await run("call kinto.buckets.list --dry-run \(option) public", apis: Self.group)
        #expect(outcome.out.hasPrefix("GET https://kinto.test/v1/buckets\n"), "\(outcome)")
        let wrong = await run("call kinto.buckets.list --dry-run \(option) publik", apis: Self.group)
        let message =
            "--server (argument 4): kinto.buckets has no server 'publik', only local, public; did you mean 'public'?"
        #expect(wrong.err.hasPrefix("apictl: \(message)\n"), "\(wrong)")
    }

    @Test("The configuration of a group has a section for each API")
    func configuration() async {
        let outcome = await run("config kinto", variables: ["APICTL_KINTO_URL": "http://a.test"], apis: Self.group)
        let expected = """
            Configuration file: none; HOME is not set

            kinto.buckets
              server       http://a.test  APICTL_KINTO_URL
              KINTO_TOKEN  not set

            kinto.records
              server       http://a.test  APICTL_KINTO_URL
              KINTO_TOKEN  not set
              RECORDS_KEY  not set

            """
        #expect(outcome == Outcome(out: expected))
    }

    @Test("The overview shows a group as one entry")
    func overviewShowsTheGroupOnce() async {
        let outcome = await run("", apis: Self.group)
        #expect(outcome.out.contains("\n  kinto   2 APIs: buckets, records\n"), "\(outcome)")
        #expect(!outcome.out.contains("\n  kinto.buckets"))
        // A single API is shown by its own name.
        #expect(await run("", apis: [Movies.self, Buckets.self]).out.contains("\n  kinto.buckets  Buckets\n"))
    }

    @Test(
        "Completion offers groups, APIs and endpoints, each once",
        arguments: [
            (["kin"], ["kinto", "kinto.buckets", "kinto.records"]), (["config", "k"], ["kinto", "kinto.buckets"]),
            (["describe", "k"], ["kinto", "kinto.buckets.get"]),
            (["call", "kinto", "b"], ["buckets.list", "buckets.get"]),
            (["call", "kinto", "buckets", ""], ["list", "get"]),
        ] as [([String], [String])])
    func completion(_ words: [String], _ expected: [String]) async {
        let lines = await run(["__complete"] + words, apis: Self.group).out.split(separator: "\n")
        let names = lines.map { String($0.prefix { $0 != "\t" }) }
        #expect(Set(names).isSuperset(of: expected), "\(names)")
        #expect(Set(names).count == names.count)
    }

    @Test("A name of a group and an API means the API for call, and both for other commands")
    func nameOfBoth() async {
        let apis: [any API.Type] = [Kinto.self, Buckets.self]
        let call = await run("call kinto heartbeat --dry-run", apis: apis)
        #expect(call.out.hasPrefix("GET http://127.0.0.1:8888/v1/heartbeat\n"), "\(call)")
        let page = await run("kinto", apis: apis).out
        #expect(page.hasPrefix("kinto: 2 APIs\n"))
        #expect(page.contains("  kinto.heartbeat "))
        #expect(page.contains("  kinto.buckets.list "))
        let alone = await run("call kinto", apis: apis)
        let message = "'kinto' (argument 2) is an API; name one of its endpoints, such as kinto.heartbeat"
        #expect(alone == Outcome(err: "apictl: \(message)\nSee 'apictl kinto'.\n", code: 2), "\(alone)")
    }

    /// The variables that `mock` prints, without the address, and the path of an endpoint.
    @Test(
        "A mock of a group has one variable and serves the paths of its APIs",
        arguments: [
            ("kinto", ["APICTL_KINTO_URL": ""], "/buckets"),
            ("kinto --prefix", ["APICTL_KINTO_URL": "/kinto"], "/kinto/buckets"),
            ("", ["APICTL_KINTO_URL": "/kinto", "APICTL_MOVIES_URL": "/movies"], "/kinto/buckets"),
            ("kinto.buckets", ["APICTL_KINTO_BUCKETS_URL": ""], "/buckets"),
            ("kinto.buckets kinto", ["APICTL_KINTO_URL": ""], "/buckets"),
            (
                "kinto.buckets movies", ["APICTL_KINTO_BUCKETS_URL": "/kinto.buckets", "APICTL_MOVIES_URL": "/movies"],
                "/kinto.buckets/buckets"
            ),
        ] as [(String, [String: String], String)])
    func mock(_ words: String, _ variables: [String: String], _ path: String) async throws {
        let mock = try await RunningMock(words, apis: Self.group)
        #expect(mock.addresses == variables.mapValues { mock.address + $0 })
        #expect(try mock.get(path).hasPrefix("200 "))
        _ = await mock.stop()
    }

    @Test("Both APIs of a group have the mock's address")
    func bothAPIsOfAMockAreAtOneAddress() async throws {
        let mock = try await RunningMock("kinto", apis: Self.group)
        #expect(try mock.get("/buckets").hasSuffix("[]"))
        #expect(try mock.get("/records").hasSuffix("[1]"))
        _ = await mock.stop()
    }
}
