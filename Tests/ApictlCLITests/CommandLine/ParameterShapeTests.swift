import Testing

/// Parameters that are structures, dictionaries, lists of structures and enums with values.
struct ParameterShapeTests {
    /// A call, and its method, URL without the server, and body.
    static let sent: [(words: String, expected: String)] = [
        // Fields of a structure without a label are flags.
        ("add --name Rex", #"POST /pets {"name":"Rex"}"#),
        (
            "add --home.city Oslo --tags a --name Rex --tags b --kind dog",
            #"POST /pets {"name":"Rex","kind":"dog","tags":["a","b"],"home":{"city":"Oslo"}}"#
        ),
        ("add --name Rex --sizes tail=3 --sizes leg=1", #"POST /pets {"name":"Rex","sizes":{"leg":1,"tail":3}}"#),
        ("add -", #"POST /pets {"name":"Rex"}"#), ("spot", "GET /spots"),
        ("spot --count 2", "GET /spots?count=2"),
        // A dictionary's keys are data.
        ("filter --filters colour=red", "GET /filter?filter%5Bcolour%5D=red"),
        ("filter --filters b=x=y --filters aB=", "GET /filter?filter%5BaB%5D=&filter%5Bb%5D=x%3Dy"),
        (#"filter --filters {"colour":"red"}"#, "GET /filter?filter%5Bcolour%5D=red"),
        ("filter --filters {}", "GET /filter"),
        ("limits --limits a=1 --limits camelCase=-2", "GET /limits?page=1&a=1&camelCase=-2"),
        ("label a=1 b=two", #"PUT /labels {"a":"1","b":"two"}"#),
        // A list of structures has a flag for each position.
        (
            "records --records.0.name x --records.1.ttl 5 --records.1.name y",
            #"PUT /records [{"name":"x"},{"name":"y","ttl":5}]"#
        ),
        (
            #"records --records {"name":"x"} --records {"name":"y"}"#,
            #"PUT /records [{"name":"x"},{"name":"y"}]"#
        ),
        (
            "vet --owner.pets.0.name Rex --owner.pets.0.home.city Oslo",
            #"PUT /vet {"pets":[{"name":"Rex","home":{"city":"Oslo"}}]}"#
        ),
        // An enum with values has a flag for each case.
        ("log --event.created.id 3", #"POST /log {"created":{"id":3}}"#),
        ("log --event.created.id 3 --event.created.by me", #"POST /log {"created":{"id":3,"by":"me"}}"#),
        ("log --event.renamed Max", #"POST /log {"renamed":{"_0":"Max"}}"#),
        ("log --event.closed", #"POST /log {"closed":{}}"#),
        (#"log --event {"created":{"id":3}}"#, #"POST /log {"created":{"id":3}}"#),
        // JSON is sent as it was typed.
        ("store --value 18446744073709551615", "PUT /store 18446744073709551615"),
        (
            #"store --value {"b":12345678901234567890123,"a":1.0,"b":"\u00e9","n":null}"#,
            #"PUT /store {"b":12345678901234567890123,"a":1.0,"b":"\u00e9","n":null}"#
        ),
        // Null is sent where the type can hold it.
        ("change --nickname null", #"PATCH /me {"nickname":null}"#),
        (#"change --nickname "null" --age null"#, #"PATCH /me {"nickname":"null","age":null}"#),
        ("change --nickname 007", #"PATCH /me {"nickname":"007"}"#),
        (
            "mixed --name n --age 3 --tags a", #"POST /mixed {"name":"n","age":3,"tags":["a"],"version":2,"on":true}"#
        ),
        // If an option is given twice, its last value is sent. An option of a list sends all its values.
        (
            "mixed --name m --age x --tags a --name n --age 3 --tags b",
            #"POST /mixed {"name":"n","age":3,"tags":["a","b"],"version":2,"on":true}"#
        ),
        // Dates are sent in one form, to the microsecond.
        (
            "every-since --since 2026-11-21T10:30:00.123456+01:00 --dates 2026-11-21",
            "POST /since/2026-11-21T09%3A30%3A00.123456Z?since=2026-11-21T09%3A30%3A00.123456Z"
                + "&all=2026-11-21T00%3A00%3A00Z&in%5Ba%5D=2026-11-21T09%3A30%3A00.123456Z"
                + #" {"since":"2026-11-21T09:30:00.123456Z"}"#
        ),
        // A path of several segments, joined lists, and a text as the body.
        ("file --path a/b%c?/d", "GET /files/a/b%25c%3F/d/raw"),
        (
            "joined --ids 1 --ids 2 --dates 2026-11-21 --dates 2026-11-22",
            "GET /joined?ids=1%2C2&dates=2026-11-21T00%3A00%3A00Z%7C2026-11-22T00%3A00%3A00Z"
        ),
        (
            "every-since --since 2026-11-21 --dates []",
            "POST /since/2026-11-21T00%3A00%3A00Z?since=2026-11-21T00%3A00%3A00Z"
                + #"&in%5Ba%5D=2026-11-21T00%3A00%3A00Z {"since":"2026-11-21T00:00:00Z"}"#
        ),
        ("tell --text Grüße", "POST /tell Grüße"),
    ]

    @Test("A parameter of any type is sent as it is declared", arguments: sent)
    func send(_ words: String, _ expected: String) async throws {
        let words = words.words
        let outcome = await run(
            ["call", "zoo." + words[0], "--dry-run"] + words.dropFirst(),
            stdin: words.last == "-" ? #"{"name":"Rex"}"# : nil, apis: [Zoo.self])
        #expect(outcome.err == "")
        let lines = outcome.out.split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.drop { !$0.isEmpty }.dropFirst().joined(separator: "\n")
        let first = lines[0].replacing("https://zoo.test", with: "")
        #expect(first + (body.isEmpty ? "" : " " + body.prefix { $0 != "\n" }) == expected)
    }

    static let refused: [(words: String, message: String)] = [
        ("add", "zoo.add needs --name TEXT"),
        ("add --name Rex --kind bird", "--kind (argument 5): expected one of cat, dog, got 'bird'"),
        ("add --name Rex --sizes tail=long", "--sizes tail (argument 5): expected an integer, got 'long'"),
        ("add --name Rex {}", "the body (argument 5): give it whole or by its fields, not both"),
        (
            "add --name Rex --tags x --tags []",
            "--tags (argument 7): expected text, got '[]', the empty list, which is given alone"
        ),
        (
            "add --home.town x",
            "unknown option '--home.town' (argument 3); --home takes JSON|@FILE|-, its fields are --home.city"
        ),
        ("add --sizes.tail 3", "unknown option '--sizes.tail' (argument 3); --sizes takes KEY=INTEGER"),
        ("page --page.x 3", "unknown option '--page.x' (argument 3); --page takes INTEGER"),
        ("filter", "zoo.filter needs --filters KEY=TEXT"),
        ("filter --filters red", "--filters (argument 3): expected KEY=VALUE, or a JSON object, got 'red'"),
        (
            "filter --filters a=1 --filters a=2", "--filters a is given a second time (argument 5); it takes one value"
        ),
        (
            #"filter --filters {"a":1}"#,
            "--filters (argument 3): the JSON given: $.a: expected string, found number 1 (line 1, column 6)"
        ),
        ("records --records.1.name x", "--records (argument 3): expected 0 as the next position, got '1'"),
        ("records --records.0.ttl 5", "zoo.records needs --records.0.name TEXT"),
        (
            "records --records.00.ttl 5",
            "unknown option '--records.00.ttl' (argument 3); did you mean '--records.0.ttl'?"
        ),
        ("log", "zoo.log needs --event JSON|@FILE|- (or --event.created.id INTEGER …)"),
        ("log --event.created.by me", "zoo.log needs --event.created.id INTEGER"),
        (
            "log --event.created.id 3 --event.closed",
            "--event (argument 3): expected one of them, got 'closed and created'"
        ),
        (
            "log --no-event.closed", "unknown option '--no-event.closed' (argument 3); did you mean '--event.closed'?"
        ),
        (
            "store --value x", "--value (argument 3): the JSON given: line 1, column 1: expected a value, found 'x'"
        ),
        (
            "file --path a/../b", "'..' can't be used in the path: servers resolve it to another path, even if encoded"
        ),
        ("page --page 501", "--page (argument 3): expected 1 to 500, got '501'"),
        ("page --id 1 --id 10", "--id (argument 5): expected at most 9, got '10'"),
        ("page --page 1 --cursor x", "--page and --cursor can't be used together"),
    ]

    @Test("A value that does not fit the parameter's type is refused", arguments: refused)
    func refuse(_ words: String, _ message: String) async {
        let outcome = await run("call zoo.\(words)", apis: [Zoo.self])
        #expect(outcome.err.split(separator: "\n").first.map(String.init) == "apictl: " + message)
        #expect(outcome.code == 2)
    }
}

/// Parameters that are given as JSON, from a file, from stdin, or by their fields.
struct JSONParameterTests {
    private static func sent(
        _ words: [String], stdin: String? = nil, files: [String: String] = [:], _ body: String
    ) -> Row {
        Row(
            words.joined(separator: " "), ["call", "movies.rate", "5", "--dry-run"] + words, stdin: stdin, files: files,
            out: shown(
                "POST https://api.movies.test/3/movie/5/rating?api_key=(redacted)", "X-Client: tests", body: body))
    }

    private static func refused(
        _ words: [String], stdin: String? = nil, files: [String: String] = [:], _ message: String
    ) -> Row {
        wrong(["call", "movies.rate", "5"] + words, stdin: stdin, files: files, message)
    }

    private static let text = #"{"comment": "good", "value": 8, "by": {"name": "Ann"}, "tags": ["a"]}"#
    private static let body = #"{"value":8,"comment":"good","by":{"name":"Ann"},"tags":["a"]}"#

    static let bodies: [Row] = [
        sent(["--rating", text], body),
        sent(["--rating", "@rating.json"], files: ["rating.json": text], body),
        sent(["--rating=@a b/c d.json"], files: ["a b/c d.json": text], body),
        sent(["--rating", "-"], stdin: "\u{FEFF} \n\(text)\n", body),
        sent(["--rating=@-"], stdin: text, body),
        sent(["--rating.value", "8", "--rating.tags=a", "--rating.by.name", "Ann", "--rating.comment", "good"], body),
        sent(
            ["--rating.value=8", "--rating.by", #"{"name":"Ann","age":-3}"#],
            #"{"value":8,"by":{"name":"Ann","age":-3}}"#),
        sent(["--rating.value=8", "--rating.comment=@home"], #"{"value":8,"comment":"@home"}"#),
        sent(["--rating.value=8", "--rating.comment=-"], #"{"value":8,"comment":"-"}"#),
    ]

    static let problems: [Row] = [
        refused(
            ["--rating", #"{"value": 8, "tagz": ["a"]}"#],
            "--rating (argument 4): the JSON given: $.tagz: unknown key"),
        refused(
            ["--rating", "@r.json"], files: ["r.json": #"{"value": 8, "by": {"name": "Ann", "agee": 30}}"#],
            "--rating (argument 4): r.json: $.by.agee: unknown key; to send the file as it is: --body @r.json"),
        refused(
            ["--rating", #"{"value": 8, "value": 9}"#], "--rating (argument 4): the JSON given: $.value: given twice"),
        refused(
            ["--rating", #"{"value": 8, "extra": null}"#],
            "--rating (argument 4): the JSON given: $.extra: null would not be sent; leave the key out"),
        refused(
            ["--rating", #"{"value": 0.12345678901234567890123}"#],
            """
            --rating (argument 4): the JSON given: $.value: 0.12345678901234567890123 would be sent as \
            0.12345678901234568
            """
        ),
        refused(
            ["--rating=-"], stdin: #"{"value": 8, "a\u001b[2J": 1}"#,
            #"--rating (argument 4): stdin: $['a\u001b[2J']: unknown key"#),
        refused(
            ["--rating", "@f"], files: ["f": "{\"value\": \"\u{10FFFE}\u{FF}\"}"],
            "--rating (argument 4): f: line 1, column 12: expected valid UTF-8, found byte 0xFF"),
        refused(
            ["--rating.by", "-", "--rating", "@-"], stdin: "{}", "'@-' (argument 6) would read stdin a second time"),
        refused(
            ["--rating.valeu", "1"], "unknown option '--rating.valeu' (argument 4); did you mean '--rating.value'?"),
        refused(
            ["--rating", #"{"value": "\u001b[2J\u202e"}"#],
            """
            --rating (argument 4): the JSON given: $.value: expected number, found string \"\\u001b[2J\\u202e\" (line \
            1, column 11)
            """
        ),
    ]

    static let files: [Row] = [
        Row(
            "missing file", ["call", "movies.rate", "5", "--rating", "@gone.json"],
            err: "apictl: can't read gone.json: no such file or directory\n", code: 1),
        wrong(["call", "movies.rate", "5", "--rating", "@"], "--rating (argument 4): expected a file name after '@'"),
        Row(
            "file with control characters", ["call", "movies.rate", "5", "--rating", "@\u{1B}[2J\n"],
            err: "apictl: can't read \\u001B[2J\\n: no such file or directory\n", code: 1
        ),
    ]

    static let lists: [Row] = [
        Row(
            "one an argument", ["call", "echo.notes", "--dry-run", "--notes", #"{"title":"a"}"#, "--notes", "@b"],
            files: ["b": #"{"title":"b","text":"c"}"#],
            out: shown("PUT http://127.0.0.1:9/notes", body: #"[{"title":"a"},{"title":"b","text":"c"}]"#)),
        Row(
            "the whole list", ["call", "echo.notes", "--dry-run", "--notes", #" [{"title":"a"},{"title":"b"}]"#],
            out: shown("PUT http://127.0.0.1:9/notes", body: #"[{"title":"a"},{"title":"b"}]"#)),
        wrong(
            ["call", "echo.notes", #"--notes=[{"title":"a"},{"title":"b","txt":"c"}]"#],
            "--notes (argument 3): the JSON given: $[1].txt: unknown key"),
        wrong(
            ["call", "echo.notes", "--notes.title", "x"],
            "unknown option '--notes.title' (argument 3); did you mean '--notes.0.title'?"),
    ]

    @Test(
        "JSON is read from the argument, a file or stdin, and a message names the source of a mistake",
        arguments: bodies + problems + files + lists)
    func row(_ row: Row) async { await row.check() }
}
