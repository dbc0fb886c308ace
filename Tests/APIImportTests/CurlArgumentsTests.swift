import EndpointKit
import Testing

@testable import APIImport

/// Words after `curl`, and the request that curl sends.
struct CurlArgumentsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let words: [String]
        let request: String

        init(_ words: String..., is request: String) { (self.words, self.request) = (words, request) }

        var testDescription: String { words.joined(separator: " ") }
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded\n\n"
    private static func unsupported(_ option: String) -> String {
        "note: no credential is declared for \(option): endpoints don't have its scheme"
    }

    private static let files = [
        "f.txt": "line 1\r\nline 2\n", "h.txt": "A: 1\nB: 2\n", "crlf.txt": "A: 1\r\nB: 2\r\n", "-": "in",
    ]

    static let rows: [Row] = [
        Row("http://a", is: "GET http://a/"),
        Row("a.test/b?c=d#e", is: "GET http://a.test/b?c=d"),
        Row("HTTPS://A.test:8443/x%20y/z z", is: "GET https://A.test:8443/x%20y/z%20z"),
        Row("http://a/b/../c/./d/..", is: "GET http://a/c/"),
        Row("--path-as-is", "http://a/b/.c/..d", is: "GET http://a/b/.c/..d"),
        Row("http://a/?x=1+2&y=%26&z", is: "GET http://a/?x=1%202&y=%26&z"),
        Row("-XPUT", "http://a", is: "PUT http://a/"),
        Row("-sSLX", "DELETE", "http://a", is: "DELETE http://a/"),
        Row("-sSL", "-XDELETE", "--url", "http://a", is: "DELETE http://a/"),
        Row("--user-agent", "me", "-X", "PURGE", "http://a", is: "PURGE http://a/\nUser-Agent: me"),
        Row("-I", "http://a", is: "HEAD http://a/"),
        Row(
            "--no-compressed", "--no-buffer", "--retry", "3", "http://a",
            is: "GET http://a/\nconnection: --retry 3\nnote: not part of an endpoint: --retry"),
        Row(
            "--limit-rate", "1k", "-k", "-m", "5", "-x", "http://u:p@h", "http://a",
            is:
                """
                GET http://a/
                connection: --insecure --max-time 5
                note: not part of an endpoint: --limit-rate, -k, -m, -x
                """
        ),
        Row(
            "-E", "me.pem:secret", "http://a",
            is: "GET http://a/\nconnection: --cert me.pem\nnote: not part of an endpoint: -E"),
        Row("-o", "http://x", "-w", "http://y", "-D", "http://z", "http://a", is: "GET http://a/"),
        Row("--", "http://a", is: "GET http://a/"),
        // Headers
        Row("http://a", "-H", "A: 1", "-HB:2", "-H", "C;", "-H", "D:", is: "GET http://a/\nA: 1\nB: 2\nC: "),
        Row("http://a", "-r", "600", is: "GET http://a/\nRange: bytes=600-"),
        Row("http://a", "-H", "@h.txt", is: "GET http://a/\nA: 1\nB: 2"),
        Row(
            "http://a", "-A", "me", "-e", "http://b;auto", "-r", "0-9",
            is: "GET http://a/\nUser-Agent: me\nReferer: http://b\nRange: bytes=0-9"),
        Row(
            "http://a", "-b", "x=1", "-b", "y=2", "-b", "jar.txt",
            is: "GET http://a/\nCookie: x=1; y=2\nnote: the cookies of a file are not read"),
        // A header takes the place of an option's, and the last option that of those before.
        Row("http://a", "-H", "@crlf.txt", is: "GET http://a/\nA: 1\nB: 2"),
        Row("http://a", "-A", "a", "-H", "user-agent: b", "-A", "c", is: "GET http://a/\nuser-agent: b"),
        Row("http://a", "-A", "a", "-A", "b", "-r", "0-9", "-H", "Range:", is: "GET http://a/\nUser-Agent: b"),
        Row("http://a", "-A", "", "-r", "0-9", "-H", "Range: bytes=1-2", is: "GET http://a/\nRange: bytes=1-2"),
        Row("http://a", "-b", "a=1", "-H", "Cookie: b=2", is: "GET http://a/\nCookie: b=2"),
        Row("http://a", "-H", "Content-Type:", "-d", "x=1", is: "POST http://a/\n\nx=1"),
        Row("http://b:c@a", "-u", "a:b", "-H", "authorization: t", is: "GET http://a/\nauthorization: t"),
        Row("http://a", "-u", "a:b", "-H", "Authorization:", is: "GET http://a/"),
        Row("http://a", "--oauth2-bearer", "t", "-u", "a:b", is: "GET http://a/\nAuthorization: Bearer t"),
        Row("http://a", "-u", "ann:p:w", is: "GET http://a/\nuser: ann p:w"),
        Row("http://ann:p%40w@a/b", is: "GET http://a/b\nuser: ann p@w"),
        Row("http://ann@a", "-u", "bob", is: "GET http://a/\nuser: bob "),
        Row("http://a", "--oauth2-bearer", "t", is: "GET http://a/\nAuthorization: Bearer t"),
        Row(
            "http://a", "--digest", "-u", "a:b",
            is:
                "GET http://a/\n\(Self.unsupported("--digest"))\nauthentication: other a b"
        ),
        Row("http://a:b@h", "--ntlm", is: "GET http://h/\n\(Self.unsupported("--ntlm"))\nauthentication: other a b"),
        Row("http://a", "--negotiate", is: "GET http://a/\n\(Self.unsupported("--negotiate"))"),
        Row(
            "http://a", "--aws-sigv4", "aws:amz", "-u", "a:b",
            is: "GET http://a/\n\(Self.unsupported("--aws-sigv4"))\nauthentication: other a b"),
        Row("http://a", "--digest", "-u", "a:b", "-H", "Authorization: t", is: "GET http://a/\nAuthorization: t"),
        // Data
        Row("http://a", "-d", "x=1", "--data", "y=2", is: "POST http://a/\n\(form)x=1&y=2"),
        Row(
            "http://a", "-dx=1", "-H", "content-type: text/plain", is: "POST http://a/\ncontent-type: text/plain\n\nx=1"
        ),
        Row("http://a", "-d", "@f.txt", is: "POST http://a/\n\(form)line 1line 2"),
        Row("http://a", "--data-binary", "@f.txt", is: "POST http://a/\n\(form)line 1\r\nline 2\n"),
        Row("http://a", "--data-raw", "@f.txt", is: "POST http://a/\n\(form)@f.txt"),
        Row("http://a", "-d", "@-", is: "POST http://a/\n\(form)in"),
        Row(
            "http://a", "--data-urlencode", "a b", "--data-urlencode", "=c&d", "--data-urlencode", "n=ä",
            "--data-urlencode", "f@f.txt", is: "POST http://a/\n\(form)a+b&c%26d&n=%C3%A4&f=line+1%0D%0Aline+2%0A"
        ),
        Row(
            "http://a", "--json", "{", "--json", "}",
            is: "POST http://a/\nContent-Type: application/json\nAccept: application/json\n\n{}"),
        Row(
            "http://a/?q=1", "-G", "-d", "x=1", "--url-query", "y= z", "--url-query", "+w=%20",
            is: "GET http://a/?q=1&y=%20z&w=%20&x=1"),
        Row("-GI", "http://a", "-d", "x=1", is: "HEAD http://a/?x=1"),
        Row("-XGET", "http://a", "-d", "x=1", is: "GET http://a/\n\(form)x=1"),
        Row("http://a/", "-T", "dir/b c.txt", is: "PUT http://a/b%20c.txt\nfile: dir/b c.txt"),
        Row(
            "-T", "f", "http://a/", "-T", "e", "http://b/", "http://c",
            is: "PUT http://a/f\nfile: f\n---\nPUT http://b/e\nfile: e\n---\nGET http://c/"),
        Row("http://a", "-H", "Content-Type:", "--data-binary", "@b.bin", is: "POST http://a/\nfile: b.bin"),
        Row(
            "http://a", "-d", "x=1", "--data-binary", "@b.bin",
            is: "POST http://a/\n\(form)x=1&" + String(exactBytes: [0xFF])),
        Row(
            "http://a", "-F", "a=b;headers=@f.txt;encoder=base64",
            is:
                """
                POST http://a/
                note: headers=… of the part 'a' is not sent
                note: encoder=… of the part 'a' is not sent
                field: a=b
                """
        ),
        Row(
            "http://a", "-F", "a= b ;c", "-F", #"q="x;\"y\\\d" z;type=z"#, "-F", "f=@x.png;filename=\"y.png\"", "-F",
            "g=<f.txt", "--form-string", "h=@i",
            is:
                "POST http://a/\nfield: a=b\ntext: q=x;\"y\\\\d z\nfile: f=x.png image/png y.png\n"
                + "field: g=line 1\r\nline 2\n\nfield: h=@i"
        ),
        // As curl reads parts: other words are skipped, or belong to the type; a quote without another one is a letter.
        Row(
            "http://a", "-F", #"b=x;"y z""#, "-F", #"c="x;y"#, "-F",
            "f=@x;type=text/csv; charset=utf-8 ;filename= n ;z,y",
            is:
                """
                POST http://a/
                note: only the first file of the part 'f' is sent
                field: b=x
                field: c="x
                file: f=x text/csv; charset=utf-8 n
                """
        ),
        // Of several types, curl sends the last one.
        Row(
            "http://a", "-F", "f=@x;type=text/plain;filename=n;type=image/png",
            is: "POST http://a/\nfile: f=x image/png n"),
        // Several
        Row(
            "http://a/1", "http://b/2", "-d", "x=1", is: "POST http://a/1\n\(form)x=1\n---\nPOST http://b/2\n\(form)x=1"
        ),
        Row("http://a", "-d", "x=1", "--next", "http://b", is: "POST http://a/\n\(form)x=1\n---\nGET http://b/"),
        Row("-g", "http://a/{x}?b[]=1", is: "GET http://a/%7Bx%7D?b%5B%5D=1"),
        Row("http://[::1]:80/x", is: "GET http://[::1]:80/x"),
    ]

    private func requests(_ words: [String]) throws -> [ImportedRequest] {
        func read(_ path: String) throws -> [UInt8] {
            if path == "b.bin" { return [0xFF] }
            guard let text = Self.files[path] else { throw ImportError("no file \(path)") }
            return Array(text.utf8)
        }
        return try CurlArguments.requests(words, (read, Self.variable))
    }

    private static func variable(_ name: String) -> String? {
        ["BASE": "http://base.test/v1", "HOST": "host.test"][name]
    }

    @Test(arguments: rows)
    func request(_ row: Row) throws {
        #expect(try requests(row.words).map(\.shown).joined(separator: "\n---\n") == row.request)
    }

    @Test(arguments: [
        (["-X", "POST"], "the curl command has no URL"),
        (["http://a", "-X"], "curl's -X needs a value"),
        (["http://a", "--nope"], "curl has no option '--nope'"),
        (["http://a", "-?"], "curl has no option '-?'"),
        (["http://a", "--data=x"], "curl has no '--data=…'; the value is the next word: --data VALUE"),
        (["http://a", "-K", "x"], "-K is not read; write its options into the command"),
        (["http://a", "--variable", "x=1"], "--variable is not read; write its options into the command"),
        (["http://a", "--expand-url", "x"], "--expand-url is not read; write its options into the command"),
        (
            ["http://a?b=[1-3]"],
            "the URL has a pattern in […], which curl replaces; write what it stands for, or --globoff"
        ),
        (
            ["http://a/{b,c}"],
            "the URL has a pattern in {…}, which curl replaces; write what it stands for, or --globoff"
        ),
        (
            ["http://a", "-T", "{f,e}"],
            "the file of -T has a pattern in {…}, which curl replaces; write what it stands for, or --globoff"
        ),
        (["ftp://a"], "only http and https are read, not ftp"),
        (
            ["http://a:99999"],
            "the URL's server can't be used: it needs a host in ASCII, and a port up to 65535"
        ),
        (["http:///a"], "the URL's server can't be used: it needs a host in ASCII, and a port up to 65535"),
        (
            ["token=ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
            "the URL's server can't be used: its host has a secret in it"
        ),
        (["-X", "A B", "http://a"], "'A B' is not a method"),
        (["–X", "POST", "http://a"], "an option begins with '–' (U+2013), not with '-'"),
        (["http://a", "−d", "x"], "an option begins with '−' (U+2212), not with '-'"),
        (
            ["--path-as-is", "http://a/b/../c"],
            "an endpoint's path can't have '.' or '..', as --path-as-is sends it"
        ),
        (["http://a", "-d", "@gone"], "no file gone"),
    ])
    func problem(_ words: [String], _ problem: String) {
        #expect(throws: ImportError(problem)) { try requests(words) }
    }

    /// No value of an option in the table is taken for the URL.
    ///
    /// Tests with an installed curl check all of its options.
    @Test func values() throws {
        let used = ["url", "config", "variable", "form", "header", "range", "request", "next"]
        for (name, option) in CurlOptions.all where !used.contains(name) {
            let value = option.takesValue ? ["http://value"] : []
            #expect(try requests(["--\(name)"] + value + ["http://a"]).map(\.origin) == ["http://a"], "--\(name)")
            if !option.takesValue { #expect(try requests(["--no-\(name)", "http://a"]).count == 1) }
        }
        #expect(CurlOptions.all.count == 276)
    }

    @Test(arguments: [
        ("curl $BASE/users/$ID?x=$X -H \"A: $A\"", "GET http://base.test/v1/users/$ID?x=$X\nA: $A"),
        ("$ curl https://$HOST/a", "GET https://host.test/a"),
        ("B=http://b.test\nexport T=\"x y\"\nHOST=h curl $B/$T/$HOST", "GET http://b.test/$T/$HOST"),
        ("/usr/bin/curl http://a | jq .", "GET http://a/"),
        ("curl -u $U:$P http://a", "GET http://a/\nuser: $U $P"),
        (
            "curl -u $U http://a",
            "GET http://a/\nuser: $U \nnote: if $U is USER:PASSWORD, the variable to set needs the Base64 text of both"
        ),
        (
            "curl 'http://a' -b \"session=$SID\"",
            "GET http://a/\nCookie: session=$SID\n"
                + "note: SID stands for all of Cookie: set it to that, with the text around $SID"
        ),
        (
            "curl \"http://a?sig=v0=$SIG\" -H \"Authorization: ApiKey $ID:$KEY\"",
            "GET http://a/?sig=v0%3D$SIG\nAuthorization: ApiKey $ID:$KEY\n"
                + "note: ID stands for all of Authorization after its scheme: "
                + "set it to that, with the text around $ID\n"
                + "note: SIG stands for all of sig: set it to that, with the text around $SIG"
        ),
        (
            "curl http://a -H \"Authorization: Bearer $A\" -H \"X-Api-Key: $B\"",
            "GET http://a/\nAuthorization: Bearer $A\nX-Api-Key: $B"
        ),
        ("curl -H $H http://a", "GET http://a/\nnote: the header in $H is left out; write it as NAME: VALUE"),
        ("curl -H \"S3CRET\" http://a", "GET http://a/"),
        ("P=http://u:S3CRET@p\ncurl -x $P http://a", "GET http://a/\nnote: not part of an endpoint: -x"),
        ("F=f M=PUT\ncurl -X $M -T $F http://a/", "PUT http://a/f\nfile: f"),
        ("curl -T - http://a/b/", "PUT http://a/b/\nfile: -"), ("sudo curl http://a", "GET http://a/"),
        ("time PORT=1 curl http://a; for i in 1; do echo; done", "GET http://a/"),
        ("curl -T $F http://a/", "PUT http://a/%24F\nfile: $F"),
        ("T=text/csv curl -F \"f=@$F;type=$T\" http://a/", "POST http://a/\nfile: f=$F text/csv "),
    ])
    func text(_ text: String, _ request: String) throws {
        #expect(try CurlArguments.requests(text: text, ({ _ in [] }, Self.variable)).map(\.shown) == [request])
    }

    @Test(arguments: [
        ("wget http://a", "there is no curl command in the text"),
        ("curl -X $M http://a", "'$M' is not a method"),
        ("curl $NOPE/x", "the URL's server is in $NOPE, which is not set"),
    ])
    func textProblem(_ text: String, _ problem: String) {
        #expect(throws: ImportError(problem)) {
            try CurlArguments.requests(text: text, ({ _ in [] }, { _ in nil }))
        }
    }
}

extension ImportedRequest {
    /// All that is known of the request, with variables as `$NAME`.
    var shown: String {
        var lines = ["\(method) \(origin)\(path)" + (query.isEmpty ? "" : "?")]
        lines[0] += query.map {
            PercentEncoding.encode($0.name) + ($0.value.map { "=" + PercentEncoding.encode($0) } ?? "")
        }.joined(separator: "&")
        lines += headers.map { "\($0.name): \($0.value ?? "")" }
        if case .basic(let user, let password) = authentication { lines.append("user: \(user) \(password)") }
        if !connection.isEmpty { lines.append("connection: " + connection.flatMap(\.words).joined(separator: " ")) }
        lines += notes.map { "note: \($0)" }
        if case .other(_, let user, let password) = authentication {
            lines.append("authentication: other \(user) \(password)")
        }
        switch content {
        case .none: break
        case .bytes(let bytes): lines += ["", String(exactBytes: bytes)]
        case .file(let path): lines.append("file: \(path)")
        case .parts(let parts):
            lines += parts.map { part in
                switch part {
                case .field(let name, let value): "field: \(name)=\(value)"
                case .text(let name, let value, let type): "text: \(name)=\(value) \(type)"
                case .file(let name, let path, let filename, let type):
                    "file: \(name)=\(path) \(type) \(filename ?? "")"
                case .bytes(let name, _, _, _): "bytes: \(name)"
                case .stream(let name, _, _, _): "stream: \(name)"
                }
            }
        }
        let mark = PercentEncoding.encode(String(ShellReader.mark))
        let text = lines.joined(separator: "\n").split(separator: mark, omittingEmptySubsequences: false)
        return Self.filling(text.enumerated().map { ($0 % 2 == 1 ? "$" : "") + $1 }.joined())
    }
}
