import Testing

/// `format`: JSON from files and stdin.
struct FormatTests {
    private static let files = ["a.json": #"{"b":1.0,"a":[]}"#, "b.json": "[1,\n 2", "c": "1\n2\n"]

    static let rows: [Row] = [
        Row("stdin", "format", stdin: #"{"a":[1,{}]}"#, out: "{\n  \"a\": [\n    1,\n    {}\n  ]\n}\n"),
        Row("stdin by its name", "format -", stdin: "[]", out: "[]\n"),
        Row("file", "format a.json", files: files, out: "{\n  \"b\": 1.0,\n  \"a\": []\n}\n"),
        Row("two files", "format c a.json --compact", files: files, out: "1\n2\n{\"b\":1.0,\"a\":[]}\n"),
        Row("tab", "format --indent tab a.json", files: files, out: "{\n\t\"b\": 1.0,\n\t\"a\": []\n}\n"),
        Row("no indentation", "format --indent=0 a.json", files: files, out: "{\n\"b\": 1.0,\n\"a\": []\n}\n"),
        Row("check", "format --check a.json c", files: files),
        Row(
            "check of what is wrong", "format --check b.json a.json", files: files,
            err: "b.json:2:3: expected ',' or ']', found end of input (byte offset 6)\n", code: 8),
        Row(
            "what is valid is printed, and the files behind", "format --compact b.json a.json", files: files,
            out: "[1,2\n{\"b\":1.0,\"a\":[]}\n",
            err: "b.json:2:3: expected ',' or ']', found end of input (byte offset 6)\n", code: 8),
        Row(
            "missing file", "format gone.json", err: "apictl: can't read gone.json: No such file or directory\n",
            code: 1),
        Row(
            "what can't be read, and the files behind", "format --compact gone.json a.json b.json", files: files,
            out: "{\"b\":1.0,\"a\":[]}\n[1,2\n",
            err: """
                apictl: can't read gone.json: No such file or directory
                b.json:2:3: expected ',' or ']', found end of input (byte offset 6)

                """, code: 1),
        Row(
            "the first failure gives the code", "format --check b.json gone.json", files: files,
            err: """
                b.json:2:3: expected ',' or ']', found end of input (byte offset 6)
                apictl: can't read gone.json: No such file or directory

                """, code: 8),
        Row(
            "empty stdin", "format", stdin: "",
            err: "stdin:1:1: expected a value, found end of input (byte offset 0)\n",
            code: 8),
        wrong("format --compact --check a.json", "--compact and --check can't be used together"),
        wrong("format --indent 9", "--indent (argument 2): expected 0 to 8 spaces or 'tab', got '9'"),
        wrong("format --chekc", "unknown option '--chekc' (argument 2); did you mean '--check'?"),
    ]

    @Test(arguments: rows)
    func format(_ row: Row) async { await row.check() }
}
