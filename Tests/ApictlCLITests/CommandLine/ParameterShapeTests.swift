import Testing

/// Parameters that are structures, dictionaries, lists of structures and enums with values: what is sent for them.
struct ParameterShapeTests {
    struct Sent: Sendable, CustomTestStringConvertible {
        let words: [String]
        var stdin: String?
        /// Method, URL without the server, and body.
        let expected: String

        init(_ words: String, _ expected: String) { self.init(words.split(separator: " ").map(String.init), expected) }

        init(_ words: [String], stdin: String? = nil, _ expected: String) {
            self.words = words
            self.stdin = stdin
            self.expected = expected
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    static let sent: [Sent] = [
        // Fields of a structure without a label are flags.
        Sent("add --name Rex", #"POST /pets {"name":"Rex"}"#),
        Sent(
            "add --home.city Oslo --tags a --name Rex --tags b --kind dog",
            #"POST /pets {"name":"Rex","kind":"dog","tags":["a","b"],"home":{"city":"Oslo"}}"#),
        Sent("add --name Rex --sizes tail=3 --sizes leg=1", #"POST /pets {"name":"Rex","sizes":{"leg":1,"tail":3}}"#),
        Sent(["add", #"{"name":"Rex"}"#], #"POST /pets {"name":"Rex"}"#),
        Sent(["add", "-"], stdin: #"{"name":"Rex"}"#, #"POST /pets {"name":"Rex"}"#),
        // A dictionary's keys are data.
        Sent("filter --filters colour=red", "GET /filter?filter%5Bcolour%5D=red"),
        Sent("filter --filters b=x=y --filters aB=", "GET /filter?filter%5BaB%5D=&filter%5Bb%5D=x%3Dy"),
        Sent(["filter", "--filters", #"{"colour":"red"}"#], "GET /filter?filter%5Bcolour%5D=red"),
        Sent(["filter", "--filters", "-"], stdin: "{}", "GET /filter"),
        Sent("limits --limits a=1 --limits camelCase=-2", "GET /limits?page=1&a=1&camelCase=-2"),
        Sent("limits", "GET /limits?page=1"),
        Sent(["label", "a=1", "b=two words"], #"PUT /labels {"a":"1","b":"two words"}"#),
        // Lists of structures.
        Sent(
            "records --records.0.name x --records.1.ttl 5 --records.1.name y",
            #"PUT /records [{"name":"x"},{"name":"y","ttl":5}]"#),
        Sent(
            ["records", "--records", #"{"name":"x"}"#, "--records", #"{"name":"y"}"#],
            #"PUT /records [{"name":"x"},{"name":"y"}]"#),
        Sent(
            "vet --owner.pets.0.name Rex --owner.pets.0.home.city Oslo",
            #"PUT /vet {"pets":[{"name":"Rex","home":{"city":"Oslo"}}]}"#),
        // An enum with values.
        Sent("log --event.created.id 3", #"POST /log {"created":{"id":3}}"#),
        Sent("log --event.created.id 3 --event.created.by me", #"POST /log {"created":{"id":3,"by":"me"}}"#),
        Sent("log --event.moved.city Rome", #"POST /log {"moved":{"_0":{"city":"Rome"}}}"#),
        Sent("log --event.renamed Max", #"POST /log {"renamed":{"_0":"Max"}}"#),
        Sent("log --event.closed", #"POST /log {"closed":{}}"#),
        Sent(["log", "--event", #"{"created":{"id":3}}"#], #"POST /log {"created":{"id":3}}"#),
        // JSON as it was typed.
        Sent("store --value 18446744073709551615", "PUT /store 18446744073709551615"),
        Sent("store --value 1.0", "PUT /store 1.0"),
        Sent("store --value 1", "PUT /store 1"),
        Sent("store --value null", "PUT /store null"),
        Sent(
            ["store", "--value", #"{"b": 12345678901234567890123, "a": 1.0, "b": "\u00e9", "n": null}"#],
            #"PUT /store {"b":12345678901234567890123,"a":1.0,"b":"\u00e9","n":null}"#),
        // Null is sent where the type can hold it.
        Sent("change --nickname null", #"PATCH /me {"nickname":null}"#),
        Sent("change --nickname hello --age 5", #"PATCH /me {"nickname":"hello","age":5}"#),
        Sent(["change", "--nickname", #""null""#, "--age", "null"], #"PATCH /me {"nickname":"null","age":null}"#),
        Sent("change --nickname 007", #"PATCH /me {"nickname":"007"}"#),
        Sent(["change", "--nickname", #""Max""#, "--age", "3"], #"PATCH /me {"nickname":"Max","age":3}"#),
        Sent("change", "PATCH /me {}"),
        Sent("mixed --name n", #"POST /mixed {"name":"n","version":2,"on":true}"#),
        Sent(
            "mixed --name n --age 3 --tags a", #"POST /mixed {"name":"n","age":3,"tags":["a"],"version":2,"on":true}"#),
        // One form of dates, to the microsecond.
        Sent("since 2026-11-21T09:30:00.123456Z", "GET /since/2026-11-21T09%3A30%3A00.123456Z"),
        Sent(
            "every-since --since 2026-11-21T10:30:00.123456+01:00 --dates 2026-11-21",
            "POST /since/2026-11-21T09%3A30%3A00.123456Z?since=2026-11-21T09%3A30%3A00.123456Z"
                + "&all=2026-11-21T00%3A00%3A00Z&in%5Ba%5D=2026-11-21T09%3A30%3A00.123456Z"
                + #" {"since":"2026-11-21T09:30:00.123456Z"}"#),
        // Several segments, joined lists, text.
        Sent("file --path a/b%c?/d", "GET /files/a/b%25c%3F/d/raw"),
        Sent(
            "joined --ids 1 --ids 2 --dates 2026-11-21 --dates 2026-11-22",
            "GET /joined?ids=1%2C2&dates=2026-11-21T00%3A00%3A00Z%7C2026-11-22T00%3A00%3A00Z"),
        Sent("joined", "GET /joined"),
        Sent(["tell", "--text", "Grüße"], "POST /tell Grüße"),
    ]

    @Test(arguments: sent)
    func send(_ row: Sent) async throws {
        let words = ["call", "zoo." + row.words[0], "--dry-run"] + row.words.dropFirst()
        let outcome = await runZoo(words, stdin: row.stdin)
        #expect(outcome.err == "")
        let lines = outcome.out.split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.drop { !$0.isEmpty }.dropFirst().joined(separator: "\n")
        let first = lines[0].replacing("https://zoo.test", with: "")
        #expect(first + (body.isEmpty ? "" : " " + body.prefix { $0 != "\n" }) == row.expected)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let words: [String]
        let message: String

        init(_ words: String, _ message: String) { self.init(words.split(separator: " ").map(String.init), message) }

        init(_ words: [String], _ message: String) {
            self.words = words
            self.message = message
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    static let refused: [Refused] = [
        Refused("add", "zoo.add needs --name TEXT"),
        Refused("add --kind cat", "zoo.add needs --name TEXT"),
        Refused("add --name Rex --kind bird", "--kind (argument 5): expected one of cat, dog, got 'bird'"),
        Refused("add --name Rex --sizes tail=long", "--sizes tail (argument 5): expected an integer, got 'long'"),
        Refused("add --name Rex {}", "the pet (argument 5): give it whole or by its fields, not both"),
        Refused("add --name a --name b", "--name is given a second time (argument 5); it takes one value"),
        Refused("add --home.town x", "unknown option '--home.town' (argument 3)"),
        Refused("find bird", "the kind (argument 3): expected one of cat, dog, got 'bird'"),
        Refused("find", "zoo.find needs a kind (cat|dog)"),
        Refused("filter", "zoo.filter needs --filters KEY=TEXT"),
        Refused("filter --filters red", "--filters (argument 3): expected KEY=VALUE, or a JSON object, got 'red'"),
        Refused(
            "filter --filters a=1 --filters a=2", "--filters a is given a second time (argument 5); it takes one value"),
        Refused(
            ["filter", "--filters", #"{"a":1}"#],
            "--filters (argument 3): the JSON given: $.a: expected string, found number 1 (line 1, column 6)"),
        Refused("limits --limits a=x", "--limits a (argument 3): expected an integer, got 'x'"),
        Refused("records --records.1.name x", "--records (argument 3): expected 0 as the next position, got '1'"),
        Refused("records --records.0.ttl 5", "zoo.records needs --records.0.name TEXT"),
        Refused(
            "records --records.0.ttl x --records.0.name y", "--records.0.ttl (argument 3): expected an integer, got 'x'"
        ),
        Refused(
            "records --records.00.ttl 5",
            "unknown option '--records.00.ttl' (argument 3); did you mean '--records.0.ttl'?"),
        Refused(
            "records --records.0.nam x",
            "unknown option '--records.0.nam' (argument 3); did you mean '--records.0.name'?"),
        Refused("log", "zoo.log needs --event JSON|@FILE|-"),
        Refused("log --event.created.by me", "zoo.log needs --event.created.id INTEGER"),
        Refused(
            "log --event.created.id 3 --event.closed",
            "--event (argument 3): expected one of them, got 'closed and created'"),
        Refused(
            "log --no-event.closed", "unknown option '--no-event.closed' (argument 3); did you mean '--event.closed'?"),
        Refused(
            "store --value x", "--value (argument 3): the JSON given: line 1, column 1: expected a value, found 'x'"),
        Refused(
            "file --path a/../b", "'..' can't be used in the path: servers resolve it to another path, even if encoded"),
        Refused("page --page 501", "--page (argument 3): expected 1 to 500, got '501'"),
        Refused("page --size 0", "--size (argument 3): expected at least 1, got '0'"),
        Refused("page --id 1 --id 10", "--id (argument 5): expected at most 9, got '10'"),
        Refused("page --page 1 --cursor x", "--page and --cursor can't be used together"),
        Refused("hidden --id x", "--id (argument 3): expected an integer, got 'x'"),
    ]

    @Test(arguments: refused)
    func refuse(_ row: Refused) async {
        let outcome = await runZoo(["call", "zoo." + row.words[0]] + row.words.dropFirst())
        #expect(outcome.err.split(separator: "\n").first.map(String.init) == "apictl: " + row.message)
        #expect(outcome.code == 2)
    }
}
