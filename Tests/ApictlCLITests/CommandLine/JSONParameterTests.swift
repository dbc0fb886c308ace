import Testing

/// Parameters that are JSON: inline, from a file, from stdin, by their fields.
struct JSONParameterTests {
    private static let head = """
        POST https://api.movies.test/3/movie/5/rating?api_key=(not set: MOVIES_KEY)
        X-Client: tests
        Accept: application/json
        Content-Type: application/json
        User-Agent: apictl/0.1.0


        """

    private static func sent(
        _ words: [String], stdin: String? = nil, files: [String: String] = [:], _ body: String
    ) -> Row {
        Row(
            words.joined(separator: " "), ["call", "movies.rate", "5", "--dry-run"] + words, stdin: stdin, files: files,
            out: head + body + "\n")
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
        sent(["--rating", "-"], stdin: text, body),
        sent(["--rating=@-"], stdin: text, body),
        sent(["--rating.value", "8", "--rating.tags=a", "--rating.by.name", "Ann", "--rating.comment", "good"], body),
        sent(
            ["--rating.value=8", "--rating.by", #"{"name":"Ann","age":-3}"#],
            #"{"value":8,"by":{"name":"Ann","age":-3}}"#),
        sent(["--rating=-"], stdin: "\u{FEFF} \n\(text)\n", body),
        sent(["--rating.value=8", "--rating.comment=@home"], #"{"value":8,"comment":"@home"}"#),
        sent(["--rating.value=8", "--rating.comment=-"], #"{"value":8,"comment":"-"}"#),
    ]

    static let problems: [Row] = [
        refused(
            ["--rating", "good"],
            "--rating (argument 4): the JSON given: line 1, column 1: expected a value, found 'g'"),
        refused(
            ["--rating", #"{"value": 8"#],
            "--rating (argument 4): the JSON given: line 1, column 12: expected ',' or '}', found end of input"),
        refused(
            ["--rating", "[]"],
            "--rating (argument 4): the JSON given: $: expected object, found array (line 1, column 1)"),
        refused(
            ["--rating", #"{"value": "x"}"#],
            "--rating (argument 4): the JSON given: $.value: expected number, found string \"x\" (line 1, column 11)"),
        refused(
            ["--rating", #"{"comment": "good"}"#],
            "--rating (argument 4): the JSON given: $: missing key \"value\" (line 1, column 1)"),
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
            "--rating (argument 4): the JSON given: $.value: 0.12345678901234567890123 would be sent as 0.12345678901234568"
        ),
        refused(
            ["--rating=-"], stdin: #"{"value": 8, "a\u001b[2J": 1}"#,
            #"--rating (argument 4): stdin: $['a\u001b[2J']: unknown key"#),
        refused(
            ["--rating", "@f"], files: ["f": "{\"value\": \"\u{10FFFE}\u{FF}\"}"],
            "--rating (argument 4): f: line 1, column 12: expected valid UTF-8, found byte 0xFF"),
        refused(
            ["--rating", "@f.json"], files: ["f.json": "{\n  \"value\": null}"],
            "--rating (argument 4): f.json: $.value: expected number, found null (line 2, column 12); to send the file as it is: --body @f.json"
        ),
        refused(
            ["--rating.by", "-", "--rating", "@-"], stdin: "{}", "'@-' (argument 6) would read stdin a second time"),
        refused(
            ["--rating", text, "--rating.value", "1"],
            "--rating (argument 4): give it whole or by its fields, not both"),
        refused(
            ["--rating.value=1", "--rating.by={}", "--rating.by.name=x"],
            "--rating.by (argument 5): give it whole or by its fields, not both"),
        refused(
            ["--rating.valeu", "1"], "unknown option '--rating.valeu' (argument 4); did you mean '--rating.value'?"),
        refused(
            ["--rating", #"{"value": "\u001b[2J\u202e"}"#],
            "--rating (argument 4): the JSON given: $.value: expected number, found string \"\\u001b[2J\\u202e\" (line 1, column 11)"
        ),
    ]

    static let files: [Row] = [
        Row(
            "missing file", ["call", "movies.rate", "5", "--rating", "@gone.json"],
            err: "apictl: can't read gone.json: No such file or directory\n", code: 1),
        wrong(["call", "movies.rate", "5", "--rating", "@"], "--rating (argument 4): expected a file name after '@'"),
        Row(
            "file with control characters", ["call", "movies.rate", "5", "--rating", "@\u{1B}[2J\n"],
            err: "apictl: can't read \\u001B[2J\\n: No such file or directory\n", code: 1
        ),
    ]

    private static let listHead = """
        PUT http://127.0.0.1:9/notes
        Accept: application/json
        Content-Type: application/json
        User-Agent: apictl/0.1.0


        """

    static let lists: [Row] = [
        Row(
            "one an argument", ["call", "echo.notes", "--dry-run", "--notes", #"{"title":"a"}"#, "--notes", "@b"],
            files: ["b": #"{"title":"b","text":"c"}"#],
            out: listHead + #"[{"title":"a"},{"title":"b","text":"c"}]"# + "\n"),
        Row(
            "the whole list", ["call", "echo.notes", "--dry-run", "--notes", #" [{"title":"a"},{"title":"b"}]"#],
            out: listHead + #"[{"title":"a"},{"title":"b"}]"# + "\n"),
        wrong(
            ["call", "echo.notes", "--notes=[]", "--notes=[]"],
            "--notes (argument 3): the JSON given: $: expected object, found array (line 1, column 1)"),
        wrong(
            ["call", "echo.notes", #"--notes=[{"title":"a"},{"title":"b","txt":"c"}]"#],
            "--notes (argument 3): the JSON given: $[1].txt: unknown key"),
        wrong(
            ["call", "echo.notes", #"--notes=[{"title":"a"},{"title":5}]"#],
            "--notes (argument 3): the JSON given: $[1].title: expected string, found number 5 (line 1, column 25)"),
        wrong(
            ["call", "echo.notes", "--notes.title", "x"],
            "unknown option '--notes.title' (argument 3); did you mean '--notes.0.title'?"),
    ]

    @Test(arguments: bodies + problems + files + lists)
    func row(_ row: Row) async { await row.check() }
}
