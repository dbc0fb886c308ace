import EndpointKit
import Testing

@testable import ApictlCLI

/// What declarations show in help and lists, and how responses of every kind are printed.
struct DeclarationTests {
    static func described(_ endpoint: String) async -> String {
        let text = await runZoo(["describe", "zoo." + endpoint]).out
        // The parameters alone.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "Parameters" }.prefix { !$0.isEmpty }.dropFirst().map { $0 + "\n" }.joined()
    }

    static let descriptions: [(String, String)] = [
        (
            "add",
            """
              pet          object                   required          body
              --name       text                     required          body
                                                                 what it is called; e.g. Rex
              --kind       choice                   optional          body
                                                                 one of cat, dog; e.g. dog
              --tags       text, repeatable         optional          body
                                                                 e.g. a
              --home       object                   optional          body
              --home.city  text                     required in home  body
                                                                 where it lives; e.g. Oslo
              --sizes      KEY=integer, repeatable  optional          body
                                                                 1 to 9; e.g. tail=3

            """
        ),
        (
            "filter",
            """
              --filters  KEY=text, repeatable  required  query
                                                          e.g. colour=red --filters size=big

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
              --owner                   object                   required          body
              --owner.pets              object, repeatable       required          body
              --owner.pets.N.name       text                     required          body
                                                                   e.g. Rex
              --owner.pets.N.kind       choice                   optional          body
                                                                   one of cat, dog; e.g. dog
              --owner.pets.N.tags       text, repeatable         optional          body
                                                                   e.g. a
              --owner.pets.N.home       object                   optional          body
              --owner.pets.N.home.city  text                     required in home  body
                                                                   e.g. Oslo
              --owner.pets.N.sizes      KEY=integer, repeatable  optional          body
                                                                   e.g. tail=3

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

    @Test(arguments: descriptions)
    func describesParameters(_ endpoint: String, _ parameters: String) async {
        let text = await Self.described(endpoint)
        #expect(text == parameters)
    }

    @Test func showsSegments() async {
        let out = await runZoo(["list", "zoo.file"]).out
        #expect(out == "zoo\n  zoo.file  GET  /files/{+path}/raw  A file\n")
    }

    @Test func listsCasesWithoutAnExample() async {
        let line = "\n  zoo.hidden       GET    /hidden/{id}        Has no example (no example)\n"
        #expect(await runZoo(["list"]).out.contains(line))
        #expect(await runZoo(["zoo"]).out.contains(line))
        #expect(await Self.described("hidden") == "  --id  integer  required  path\n")
        #expect(await runZoo(["help", "zoo.hidden"]).out.contains("\nExamples\n  none\n"))
        let request = await runZoo(["call", "zoo.hidden", "--id", "5", "--dry-run"]).out
        #expect(request.hasPrefix("GET https://zoo.test/hidden/5\n"))
        let check = await runZoo(["check", "zoo.hidden"]).out
        #expect(check.hasPrefix("– zoo.hidden  skipped: the API's examples do not show it\n"))
    }

    @Test func refusesTwoAPIsOfOneName() async {
        let outcome = await runZoo(["list"], apis: [Zoo.self, Movies.self, Zoo.self])
        #expect(outcome == Outcome(err: "apictl: two APIs have the name zoo\n", code: 1))
    }

    @Test func lints() async {
        let outcome = await runZoo(["list", "--lint"])
        let hidden = "zoo.hidden: no example shows it\n"
        #expect(outcome == Outcome(out: hidden, code: 1))
        #expect(await runZoo(["list", "--lint", "hidden"]) == Outcome(out: hidden, code: 1))
        #expect(await runZoo(["list", "--lint", "zoo.find"]) == Outcome())
        #expect(
            await runZoo(["list", "--lint", "typo"])
                == Outcome(err: "apictl: no endpoint matches 'typo' (argument 3)\nSee 'apictl list'.\n", code: 2))
        #expect(
            await runZoo(["list", "--lint", "hidden", "--json"]).out.contains(#""problem": "no example shows it""#))
    }

    @Test func describesCredentials() async {
        let variables = ["ZOO_KEY": "k"]
        #expect(
            await runZoo(["zoo"], variables: variables).out.contains(
                """
                Credentials
                  query key from ZOO_KEY (optional)     ZOO_KEY is set; https://zoo.test/keys
                  or header Authorization: Bearer … from ZOO_TOKEN (optional)
                                                        ZOO_TOKEN is not set;
                                                        https://zoo.test/tokens
                  on test: header Authorization: Bearer … from ZOO_TEST
                                                        ZOO_TEST is not set

                """))
        #expect(
            await runZoo(["help", "credentials"], variables: variables).out.hasSuffix(
                """
                These are the variables, and what needs them:

                  ZOO_KEY    set      zoo          https://zoo.test/keys
                  ZOO_TOKEN  not set  zoo          https://zoo.test/tokens
                  ZOO_TEST   not set  zoo on test

                """))
        #expect(
            await runZoo(["describe", "zoo.find"]).out.contains(
                """
                Credentials
                  query key from ZOO_KEY (optional)                      https://zoo.test/keys
                  or header Authorization: Bearer … from ZOO_TOKEN (optional)
                                                                         https://zoo.test/tokens
                  on test: header Authorization: Bearer … from ZOO_TEST

                """))
    }

    // MARK: Credentials

    static func url(_ words: String, _ variables: [String: String]) async -> Outcome {
        let words = ["call"] + words.words
        var outcome = await runZoo(words + ["--dry-run"], variables: variables)
        outcome.out = outcome.out.split(separator: "\n").filter { $0.hasPrefix("GET") || $0.hasPrefix("Auth") }.joined(
            separator: "\n")
        return outcome
    }

    @Test func choosesAnAlternative() async {
        let both = ["ZOO_KEY": "k", "ZOO_TOKEN": "t"]
        let (key, token) = (
            "GET https://zoo.test/lines?key=(redacted)", "GET https://zoo.test/lines\nAuthorization: Bearer (redacted)"
        )
        #expect(await Self.url("zoo.lines", both).out == key)
        #expect(await Self.url("zoo.lines --auth bearer", both).out == token)
        #expect(await Self.url("zoo.lines --auth ZOO_TOKEN", both).out == token)
        #expect(await Self.url("zoo.lines --auth key", both).out == key)
        #expect(await Self.url("zoo.lines --auth none", both).out == "GET https://zoo.test/lines")
        #expect(await Self.url("zoo.lines", [:]).out == "GET https://zoo.test/lines")
    }

    @Test func aChosenCredentialMustBeSet() async {
        let outcome = await runZoo(["call", "zoo.lines", "--auth", "bearer"], variables: ["ZOO_KEY": "k"])
        #expect(
            outcome
                == Outcome(
                    err: """
                        apictl: zoo.lines: a credential is missing: set ZOO_TOKEN (--dry-run needs none)
                        To get ZOO_TOKEN: https://zoo.test/tokens

                        """, code: 9))
    }

    @Test func onePageForSeveralCredentialsIsNamedOnce() {
        let error = MissingCredential(
            alternatives: [["KEY"], ["USER", "PASSWORD"], ["TOKEN"]], sources: ["https://a", "https://a", nil])
        #expect(Failure(error).hints == ["To get KEY or USER and PASSWORD: https://a"])
    }

    @Test func namesTheAlternatives() async {
        let outcome = await runZoo(["call", "zoo.lines", "--auth", "basic"])
        #expect(outcome.err.hasPrefix("apictl: --auth: expected key or bearer or none, got 'basic'\n"))
        let open = await runZoo(["call", "zoo.open", "--auth", "basic"])
        #expect(open.err.hasPrefix("apictl: --auth: expected none, got 'basic'\n"))
    }

    @Test func aServerHasItsOwnCredentials() async {
        let outcome = await Self.url("zoo.lines --env test", ["ZOO_KEY": "k", "ZOO_TEST": "t"])
        #expect(outcome.out == "GET https://test.zoo.test/lines\nAuthorization: Bearer (redacted)")
        #expect(await Self.url("zoo.open --env test", [:]).out == "GET https://test.zoo.test/open")
    }

    // MARK: Responses

    static func response(_ words: [String], _ response: StubResponse) async -> Outcome {
        await runZoo(["call"] + words, variables: ["ZOO_KEY": "k"], transport: StubTransport(response))
    }

    @Test func aModelNeedNotBeEncodable() async {
        let body = #"{"b": 1.0, "a": 2}"#
        #expect(await Self.response(["zoo.read", "--compact"], .json(body)) == Outcome(out: #"{"a":2}"# + "\n"))
        #expect(await Self.response(["zoo.read", "--select", "a"], .json(body)) == Outcome(out: "2\n"))
        #expect(await Self.response(["zoo.read"], .json(#"{"b":1}"#)).code == 8)
    }

    @Test func printsKeysAsTheServerWroteThem() async {
        let body = #"{"ID":"a","user_name":"b","dbSize":1}"#
        func printed(_ words: String...) async -> Outcome {
            await runZoo(["call", "snake.get"] + words, transport: StubTransport(.json(body)), apis: [Snake.self])
        }
        #expect(await printed("--compact") == Outcome(out: body + "\n"))
        #expect(await printed("--select", "dbSize") == Outcome(out: "1\n"))
        #expect(await printed("--select", "ID") == Outcome(out: "\"a\"\n"))
        #expect(await printed("--select", "user_name") == Outcome(out: "\"b\"\n"))
    }

    @Test(arguments: ["1795253400.123456", "2026-11-21T09:30:00.123456Z"])
    func datesHaveTheFormOfTheAPI(_ date: String) async {
        let outcome = await runZoo(["call", "snake.since", "--since", date, "--dry-run"], apis: [Snake.self])
        #expect(
            outcome.out.hasPrefix("POST https://snake.test/1795253400.123456?since=1795253400.123456\n"))
        #expect(outcome.out.hasSuffix("\n{\"since\":1795253400.123456}\n"))
    }

    @Test func readsLinesIntoAList() async {
        let body = "{\"name\":\"a\"}\n{\"name\":\"b\",\"ttl\":1}\n"
        #expect(
            await Self.response(["zoo.lines", "--compact"], .typed("application/x-ndjson", body))
                == Outcome(out: #"[{"name":"a"},{"name":"b","ttl":1}]"# + "\n"))
    }

    @Test func showsAFailureInTheWordsOfTheErrorModel() async {
        let outcome = await Self.response(["zoo.wrong"], .json(#"{"code": 7, "reason": "closed"}"#, 404, "Not Found"))
        #expect(outcome.err.hasSuffix("\napictl: zoo.wrong: 404 Not Found: closed (7)\n"))
    }

    @Test func samplesOfTheAPI() async {
        #expect(await runZoo(["call", "zoo.read", "--sample", "--compact"]).out == #"{"a":1}"# + "\n")
        #expect(await runZoo(["call", "zoo.every-since", "--sample", "--compact"]).out == #"{"n":1.0}"# + "\n")
    }
}
