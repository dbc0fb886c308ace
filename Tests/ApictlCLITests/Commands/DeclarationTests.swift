import EndpointKit
import Testing

@testable import ApictlCLI

/// Declarations of every kind as help and lists show them, and responses of every kind as they are printed.
struct DeclarationTests {
    /// Returns the section of parameters in an endpoint's description.
    static func described(_ endpoint: String) async -> String {
        let text = await run("describe zoo.\(endpoint)", apis: [Zoo.self]).out
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "Parameters" }.prefix { !$0.isEmpty }.dropFirst().map { $0 + "\n" }.joined()
    }

    static let descriptions: [(endpoint: String, parameters: String)] = [
        (
            "add",
            """
              --home.city  text                     required in home  body
                                                                 where it lives; e.g. Oslo
              --sizes      KEY=integer, repeatable  optional          body
                                                                 1 to 9; e.g. tail=3

            """
        ),
        (
            "log",
            """
              --event             object   required  body
              --event.created.id  integer  optional  body  e.g. 3
              --event.created.by  text     optional  body
              --event.moved       object   optional  body
              --event.moved.city  text     optional  body  e.g. Rome
              --event.renamed     text     optional  body  e.g. Max
              --event.closed      flag     optional  body

            """
        ),
        (
            "vet",
            """
              --owner.pets              object, repeatable       required          body
              --owner.pets.N.name       text                     required          body
                                                                   e.g. Rex
            """
        ),
        (
            "spot",
            """
              marks     object   optional  query
              --colour  text     optional  query  e.g. red
              --count   integer  optional  query

            """
        ),
        (
            "find",
            """
              kind     choice   required  path   one of cat, dog; e.g. cat
              --limit  integer  optional  query  default 20; e.g. 5

            """
        ),
        (
            "page",
            """
              --page    integer              optional  query
                                                         1 to 500; not with --cursor; e.g. 1
              --size    integer              optional  query
                                                         at least 1
              --cursor  text                 optional  query
                                                         not with --page
              --id      integer, repeatable  optional  query
                                                         at most 9

            """
        ),
        (
            "change",
            """
              --nickname  text or null     optional  body  e.g. null
              --age       integer or null  optional  body

            """
        ),
    ]

    @Test("A description shows each parameter's type, place and rules", arguments: descriptions)
    func describesParameters(_ endpoint: String, _ parameters: String) async {
        let text = await Self.described(endpoint)
        #expect(text.contains(parameters.dropLast()), "\(text)")
    }

    @Test("Lists and pages show that a case has no example")
    func listsCasesWithoutAnExample() async {
        let line = "\n  zoo.hidden       GET    /hidden/{id}        Has no example (no example)\n"
        let listed = "\nzoo.hidden\tGET\t/hidden/{id}\tHas no example (no example)\n"
        #expect(await run("list", apis: [Zoo.self]).out.contains(listed))
        #expect(await run("zoo", apis: [Zoo.self]).out.contains(line))
    }

    @Test("A case without an example is described and can be called")
    func describesCasesWithoutAnExample() async {
        #expect(await Self.described("hidden") == "  --id  integer  required  path\n")
        #expect(await run("help zoo.hidden", apis: [Zoo.self]).out.contains("\nExamples\n  none\n"))
        let request = await run("call zoo.hidden --id 5 --dry-run", apis: [Zoo.self]).out
        #expect(request.hasPrefix("GET https://zoo.test/hidden/5\n"))
    }

    @Test("Lint and check name a case without an example")
    func checksNameCasesWithoutAnExample() async {
        let lint = await run("list --lint hidden --json", apis: [Zoo.self]).out
        #expect(lint.contains(#""problem": "no example shows it""#))
        let check = await run("check zoo.hidden", apis: [Zoo.self]).out
        #expect(check.hasPrefix("– zoo.hidden  skipped: no example covers it\n"))
        #expect(check.contains("\n1 endpoint without an example: check --init prints cases to fill in, check --cases "))
    }

    private static func row(
        _ words: String, variables: [String: String] = ["ZOO_KEY": "k"], response: StubResponse? = nil,
        apis: [any API.Type] = [Zoo.self], out: String = "", err: String = "", code: Int32 = 0
    ) -> Row {
        Row(words, words, variables: variables, response: response, apis: apis, out: out, err: err, code: code)
    }

    private static let hidden = "zoo.hidden: no example shows it\n"
    private static let lines = "{\"name\":\"a\"}\n{\"name\":\"b\",\"ttl\":1}\n"
    private static let keys = #"{"ID":"a","user_name":"b","dbSize":1}"#
    private static let reading = StubResponse.json(#"{"b": 1.0, "a": 2}"#)

    static let lists: [Row] = [
        row("list zoo.file", out: "zoo.file\tGET\t/files/{+path}/raw\tA file\n"),
        row("list", apis: [Zoo.self, Movies.self, Zoo.self], err: "apictl: two APIs have the name zoo\n", code: 1),
        row("list --lint", out: hidden, code: 1), row("list --lint hidden", out: hidden, code: 1),
        row("list --lint zoo.find"),
        row(
            "list --lint hidden --json-errors", out: hidden,
            err: #"{"error":{"kind":"failure","message":"1 finding","hints":[],"exitCode":1}}"# + "\n", code: 1),
        wrong("list --lint typo", apis: [Zoo.self], "no endpoint matches 'typo' (argument 3)", see: "list"),
    ]

    /// Responses of every kind, and their output.
    static let responses: [Row] = [
        // A model need not be encodable.
        row(
            "call zoo.read --compact", response: reading, out: "{\"a\":2}\n",
            err: "note: 1 key is not in Reading (--raw shows it)\n"),
        row("call zoo.read --select a", response: reading, out: "2\n"),
        row("call zoo.read -q", response: .json(#"{"b":1}"#), code: 8),
        // Keys are printed as the server wrote them.
        row("call snake.get --compact", response: .json(keys), apis: [Snake.self], out: keys + "\n"),
        row("call snake.get --select dbSize", response: .json(keys), apis: [Snake.self], out: "1\n"),
        row("call snake.get --select user_name", response: .json(keys), apis: [Snake.self], out: "\"b\"\n"),
        // Lines are read into a list.
        row(
            "call zoo.lines --compact", response: .typed("application/x-ndjson", lines),
            out: #"[{"name":"a"},{"name":"b","ttl":1}]"# + "\n"),
        // A failure is in the words of the error model.
        row(
            "call zoo.wrong --compact", response: .json(#"{"code":7,"reason":"closed"}"#, 404, "Not Found"),
            err: "{\"code\":7,\"reason\":\"closed\"}\napictl: zoo.wrong: 404 Not Found: closed (7)\n", code: 4),
        // Samples of the API as a whole.
        row(
            "call zoo.read --sample --compact", out: #"{"a":1}"# + "\n",
            err: "note: 1 key is not in Reading (--raw shows it)\n"),
        row("call zoo.every-since --sample --compact", out: #"{"n":1.0}"# + "\n"),
        // A credential that is chosen must be set.
        row(
            "call zoo.lines --auth bearer",
            err: """
                apictl: zoo.lines: a credential is missing: set ZOO_TOKEN (--dry-run needs none)
                To get ZOO_TOKEN: https://zoo.test/tokens

                """, code: 9),
        wrong(
            "call zoo.lines --auth basic", apis: [Zoo.self],
            "--auth (argument 3): expected key, bearer or none for zoo.lines, got 'basic'"),
        wrong(
            "call zoo.open --auth basic", apis: [Zoo.self],
            "--auth (argument 3): zoo.open declares no credential 'basic'; -n and -H can give one"),
    ]

    @Test("Lists are printed, and responses of every kind", arguments: lists + responses)
    func row(_ row: Row) async { await row.check() }

    /// The words of a call, the variables that are set, and the request. A server may have other credentials.
    @Test(
        "A call is sent with the credential that --auth or the server chooses",
        arguments: [
            ("zoo.lines", "ZOO_KEY ZOO_TOKEN", "zoo.test/lines?key=(redacted)"),
            ("zoo.lines --auth bearer", "ZOO_KEY ZOO_TOKEN", "zoo.test/lines\nAuthorization: Bearer (redacted)"),
            ("zoo.lines --auth ZOO_TOKEN", "ZOO_KEY ZOO_TOKEN", "zoo.test/lines\nAuthorization: Bearer (redacted)"),
            ("zoo.lines --auth key", "ZOO_KEY ZOO_TOKEN", "zoo.test/lines?key=(redacted)"),
            ("zoo.lines --auth none", "ZOO_KEY ZOO_TOKEN", "zoo.test/lines"), ("zoo.lines", "", "zoo.test/lines"),
            ("zoo.lines --server test", "ZOO_KEY ZOO_TEST", "test.zoo.test/lines\nAuthorization: Bearer (redacted)"),
            ("zoo.open --server test", "", "test.zoo.test/open"),
        ])
    func credential(_ words: String, _ variables: String, _ request: String) async {
        let values = Dictionary(uniqueKeysWithValues: variables.words.map { ($0, "secret") })
        let outcome = await run("call \(words) --dry-run", variables: values, apis: [Zoo.self])
        #expect(outcome.out == "GET https://\(request)\nAccept: application/json\nUser-Agent: apictl/0.1.0\n")
    }

    @Test("Descriptions name each credential, its variable and whether it is set")
    func describesCredentials() async {
        for (words, text) in [
            (
                "zoo",
                """
                Credentials
                  query key from ZOO_KEY (optional)     ZOO_KEY is set; https://zoo.test/keys
                  or header Authorization: Bearer … from ZOO_TOKEN (optional)
                                                        ZOO_TOKEN is not set;
                                                        https://zoo.test/tokens
                  on test: header Authorization: Bearer … from ZOO_TEST
                                                        ZOO_TEST is not set

                """
            ),
            (
                "help credentials",
                """
                These are the variables, and the APIs and endpoints that need them:

                  ZOO_KEY    set      zoo          https://zoo.test/keys
                  ZOO_TOKEN  not set  zoo          https://zoo.test/tokens
                  ZOO_TEST   not set  zoo on test

                """
            ), ("describe zoo.find", "\n  on test: header Authorization: Bearer … from ZOO_TEST\n"),
        ] {
            let out = await run(words, variables: ["ZOO_KEY": "k"], apis: [Zoo.self]).out
            #expect(out.contains(text), "\(out)")
        }
    }

    @Test("A page where several credentials are found is named once")
    func onePageForSeveralCredentialsIsNamedOnce() {
        let error = MissingCredential(
            alternatives: [["KEY"], ["USER", "PASSWORD"], ["TOKEN"]], sources: ["https://a", "https://a", nil])
        #expect(Failure(error).hints == [.fact("To get KEY or USER and PASSWORD: https://a")])
    }

    @Test(
        "A date is sent in the API's form, whatever form was typed",
        arguments: ["1795253400.123456", "2026-11-21T09:30:00.123456Z"])
    func datesHaveTheFormOfTheAPI(_ date: String) async {
        let outcome = await run("call snake.since --since \(date) --dry-run", variables: [:], apis: [Snake.self])
        #expect(outcome.out.hasPrefix("POST https://snake.test/1795253400.123456?since=1795253400.123456\n"))
        #expect(outcome.out.hasSuffix("\n{\"since\":1795253400.123456}\n"))
    }
}
