import EndpointKit
import Testing

@testable import ApictlCLI

/// Wrong files of cases. Each one is an error with a line and a column, and nothing is sent.
struct CaseFileErrorTests {
    /// The cases of a file on one line, and the place and the problem in the message.
    static let wrongCases: [(String, String)] = [
        ("", "1:25: the file has no cases"), (#"{"endpoint": "shop.nosuch"}"#, "1:39: shop has no endpoint 'nosuch'"),
        (
            #"{"endpoint": "shop.items", "arguments": {"pages": 1}}"#,
            "1:76: shop.items has no parameter 'pages'; did you mean 'page'?"
        ),
        (#"{"endpoint": "shop.items", "arguments": {"page": "x"}}"#, "1:75: --page: expected an integer, got 'x'"),
        (
            #"{"endpoint": "shop.items", "arguments": {"page": "{{n}}"}, "capture": {"n": "next"}}"#,
            "1:75: {{n}} has no value: replace it, or capture it in an earlier case"
        ),
        (
            #"{"endpoint": "shop.items", "capture": {"n": "next"}}, {"endpoint": "shop.logo", "headers": {"X": ["{{other}}"]}}"#,
            "1:124: {{other}} has no value: replace it, or capture it in an earlier case"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"matches": "The("}}}"#,
            #"1:84: $.cases[0].expect.next.matches: expected a regular expression (RFC 9485), found string "The(""#
        ),
        (
            #"{"endpoint": "shop.items", "capture": {"n": "$["}}"#,
            #"1:70: $.cases[0].capture.n: expected a path such as results.0.id or $.results[0].id, found string "$[""#
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"count": {"mni": 1}}}}"#,
            "1:83: $.cases[0].expect.next.count.mni is not known here; did you mean 'min'?"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"count": {"min": "x"}}}}"#,
            #"1:90: $.cases[0].expect.next.count.min: expected a whole number from 0, found string "x""#
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"count": -1}}}"#,
            "1:82: $.cases[0].expect.next.count: expected a whole number from 0, found number -1"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"min": "a"}}}"#,
            #"1:80: $.cases[0].expect.next.min: expected number, found string "a""#
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"min": "Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a"}}}"#,
            #"1:80: $.cases[0].expect.next.min: expected number, found string "Bearer (redacted)""#
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"itms.0": {"exists": false}}}"#,
            "1:74: itms.0: ItemPage has no 'itms'; did you mean 'items'?"
        ),
        (
            #"{"endpoint": "shop.items", "argments": {}}"#,
            "1:53: $.cases[0].argments is not known here; did you mean 'arguments'?"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {}}}"#,
            "1:72: expected one of exists, type, equals, …"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"count": {}}}}"#,
            "1:72: expected one of exists, type, equals, …"
        ),
        (#"{"endpoint": "shop.items", "expect": {"next": {"min": 2, "max": 1.5}}}"#, "1:72: no value can meet this"),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"count": {"min": 2, "max": 1}}}}"#,
            "1:72: no value can meet this"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"exists": false, "type": "string"}}}"#,
            "1:72: no value can meet this"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"id": {"count": 1}, "id": {"count": 2}}}"#,
            "1:84: 'id' is given twice"
        ),
        (
            #"{"endpoint": "shop.items", "status": 200, "status": 404}"#,
            "1:68: 'status' is given twice"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"next": {"type": "string", "min": null}}}"#,
            "1:98: min can't be null"
        ),
        (
            #"{"endpoint": "shop.items", "headers": {"A B": "c"}}"#,
            "1:72: header 'A B': the name may contain only letters, digits and !#$%&'*+-.^_`|~"
        ),
        (
            #"{"endpoint": "shop.items", "arguments": {"page": null}}"#,
            "1:75: --page: null would not be sent; leave it out"
        ),
        (
            #"{"endpoint": "shop.items", "capture": {"n": "next"}}, {"endpoint": "shop.items", "query": {"q": "{{n}}"}, "arguments": {"page": "x"}}"#,
            "1:154: --page: expected an integer, got 'x'"
        ),
        (
            #"{"endpoint": "shop.items", "auth": "key"}"#,
            "1:61: --auth: shop.items declares no credential 'key'; -n and -H can give one"
        ),
        (
            #"{"endpoint": "shop.items", "status": "200"}"#,
            #"1:63: $.cases[0].status: expected a status such as 404, or "4xx", found string "200""#
        ),
        (
            #"{"name": "a", "status": 200}"#,
            "1:26: expected endpoint, url or include"
        ),
        (
            #"{"endpoint": "shop.logo", "url": "https://a.test"}"#,
            "1:59: endpoint and url can't be used together"
        ),
        (
            #"{"endpoint": "shop.logo", "method": "GET"}"#,
            "1:62: method is for url: an endpoint has its own"
        ),
        (
            #"{"url": "https://a.test", "arguments": {"a": 1}}"#,
            "1:65: arguments are for endpoint: a url has query and body"
        ),
        (#"{"url": "https://a.test", "auth": "none"}"#, "1:60: auth is for endpoint: a url has headers"),
        (
            #"{"url": "https://a.test", "method": "GET IT"}"#,
            #"1:62: $.cases[0].method: expected a method such as POST, found string "GET IT""#
        ),
        (
            #"{"url": "https://"}"#, "1:34: the URL: it has no host"
        ),
        (
            #"{"url": "/a"}"#, "1:34: the path '/a' needs a server: --base-url URL"
        ),
        (
            #"{"url": "https://u:p@a.test"}"#,
            "1:34: the URL: it holds a user or a password, which would show in process lists; -n takes them from ~/.netrc"
        ),
        (#"{"include": "a.json", "name": "a"}"#, "1:56: a case with include has no other members"),
        (#"{"include": "-"}"#, "1:38: expected the path of a file"),
        (#"{"endpoint": "shop.logo", "skip": ""}"#, "1:60: expected a reason"),
        (
            #"{"endpoint": "shop.logo", "until": "soon"}"#,
            #"1:61: $.cases[0].until: expected a duration such as 2.5, 500ms or 20s, found string "soon""#
        ),
        (
            #"{"endpoint": "shop.logo", "maxLatency": -1}"#,
            "1:66: $.cases[0].maxLatency: expected a duration such as 2.5, 500ms or 20s, found number -1"
        ),
        (
            #"{"endpoint": "shop.logo", "retry": 1.5}"#,
            "1:61: $.cases[0].retry: expected a whole number from 0, found number 1.5"
        ),
        (
            #"{"endpoint": "shop.logo", "expect": {"$": {"sha256": "abc"}}}"#,
            #"1:79: $.cases[0].expect['$'].sha256: expected a SHA-256 digest of 64 hexadecimal digits, found string "abc""#
        ),
        (
            #"{"endpoint": "shop.logo", "expect": {"$": {"length": {"min": 2, "max": 1}}}}"#,
            "1:68: no value can meet this"
        ),
        (
            #"{"endpoint": "shop.logo", "expectHeaders": {"ETag": {}}}"#,
            "1:78: expected one of exists, type, equals, …"
        ),
        (
            #"{"endpoint": "shop.logo", "expectHeaders": {"ETag": {"matches": "("}}}"#,
            #"1:90: $.cases[0].expectHeaders.ETag.matches: expected a regular expression (RFC 9485), found string "(""#
        ),
        (
            #"{"endpoint": "shop.logo", "name": "{{$uid}}"}"#,
            "1:60: {{$uid}}: expected $uuid, $now, $now+1d, $timestamp or $random"
        ),
        (
            #"{"endpoint": "shop.logo", "name": "{{$now+1w}}"}"#,
            "1:60: {{$now+1w}}: expected $uuid, $now, $now+1d, $timestamp or $random"
        ),
        (
            #"{"endpoint": "shop.logo", "name": "{{$now+123456d}}"}"#,
            "1:60: {{$now+123456d}}: expected $uuid, $now, $now+1d, $timestamp or $random"
        ),
        (
            #"{"endpoint": "shop.items", "capture": {"first": "next"}}, {"endpoint": "shop.logo", "name": "{{frist}}"}"#,
            "1:118: {{frist}} has no value: replace it, or capture it in an earlier case; did you mean 'first'?"
        ),
        (
            #"{"endpoint": "shop.logo", "body": "{{a}}", "name": "{{b}}"}"#,
            "1:60: {{a}} has no value: replace it, or capture it in an earlier case (also {{b}} at c.json:1)"
        ),
        (#"{"endpoint": "shop.logo", "name": 7}"#, "1:60: $.cases[0].name: expected string, found number 7"),
        (#""shop.logo""#, #"1:26: $.cases[0]: expected object, found string "shop.logo""#),
    ]

    /// Whole files, and the place and the problem in the message.
    static let wrongFiles: [(String, String)] = [
        ("", "1:1: expected a value, found end of input"),
        ("{\n  \"version\": 1,\n  \"cases\": [}\n", "3:13: expected a value or ']', found '}'"),
        (#"{"cases": []}"#, "1:1: $.version is missing"),
        (#"{"version": 2, "cases": []}"#, "1:13: $.version: expected 1, found number 2"),
        (#"{"version": 1}"#, "1:1: $.cases is missing"),
        (#"{"version": 1, "case": []}"#, "1:1: $.cases is missing"),
        (
            "{\n\"version\": 1, \"cases\": [{\"endpoint\": \"shop.logo\"}],\n\"setup\": [{\"endpoint\": \"shop.nosuch\"}]\n}",
            "3:24: shop has no endpoint 'nosuch'"
        ),
        (
            "{\"version\": 1, \"cases\": [{\"endpoint\": \"shop.logo\"}],\n\"cleanup\": [{\"url\": \"{{a}}\"}]\n}",
            "2:21: {{a}} has no value: replace it, or capture it in an earlier case"
        ),
        (
            "{\"version\": 1, \"cases\": [{\"endpoint\": \"shop.logo\"}],\n\"cleanups\": []}",
            "2:1: $.cleanups is not known here; did you mean 'cleanup'?"
        ),
    ]

    @Test(arguments: wrongCases) func aWrongCaseIsAnErrorAtItsPlace(_ cases: String, _ message: String) async {
        await Self.expect(message, ofFile: #"{"version": 1, "cases": [\#(cases)]}"#)
    }

    @Test(arguments: wrongFiles) func aWrongFileIsAnErrorAtItsPlace(_ file: String, _ message: String) async {
        await Self.expect(message, ofFile: file)
    }

    private static func expect(_ message: String, ofFile file: String) async {
        let outcome = await check(
            "--cases c.json", transport: UntouchedTransport(), files: MemoryFiles(["c.json": Array(file.utf8)]))
        #expect(outcome == Outcome(err: "apictl: c.json:\(message)\nSee 'apictl help check'.\n", code: 2))
    }
}
