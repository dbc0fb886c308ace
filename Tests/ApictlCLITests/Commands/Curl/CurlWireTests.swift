import CurlTransport
import EndpointKit
import MockServer
import Testing

@testable import ApictlCLI

/// `call` and the printed curl command, run by a real shell, send the same.
@Suite(.runsCurl) struct CurlWireTests {
    private static let transport = CurlTransport()

    static let texts: [(id: String, text: String)] =
        HostileValueTests.values.map { ($0.id, $0.text) } + [
            ("shell", "$HOME `id` $(id) ${x} !! \\ * ~ #"), ("single quotes", "it's 'quoted'"),
            ("double quotes", "say \"hi\""),
            ("quote with a combining mark", "'\u{301}; echo no; '\u{200D}"), ("at", "@file"), ("less", "<file"),
            ("dash", "-d"),
            ("two dashes", "--data"), ("tabs and line breaks", "\ta\nb\r\n"),
            ("curl's own", "a;type=b;filename=c,d=\"e\""),
            ("blank", "  "), ("long", String(repeating: "é'\\%\n", count: 1000)),
        ]

    static let everywhere = texts.flatMap { id, text in
        [
            Row("\(id): path, query, JSON", ["echo.all", "--name=\(text)", "--note.title=\(text)", "--", text]),
            Row("\(id): data", ["echo.store", "--data=\(text)"]),
            Row("\(id): form", ["echo.form", "--name=\(text)", "--tags=\(text)", "--tags=x"]),
        ]
    }

    static let headers = texts.filter { !$0.text.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F } }.map {
        id, text in
        Row("\(id): header", ["echo.header", "--value=\(text)"])
    }

    private static let raw = HostileValueTests.raw
    private static let secret = "a b&c+d=e#f%g'h\"i$j`k\\l~m;n:o@pü\u{301}*[]{}"

    static let others: [Row] = [
        Row("not UTF-8: path and query", ["echo.path", raw, "--query", "q=\(raw)"]),
        Row("not UTF-8: form", ["echo.form", "--name", raw]),
        Row("not UTF-8: data", ["echo.store", "--data", raw]),
        Row("not UTF-8: header", ["echo.header", "--value", raw]),
        Row("NUL in JSON", ["echo.note", "--note", #"{"title":"a\u0000b"}"#]),
        Row("JSON from stdin", ["echo.note", "--note", "-"], stdin: #"{"title":"'\\'"}"#),
        Row("empty body", ["echo.store", "--data", ""]),
        Row("added fields", ["echo.ping", "-H", "X-A: 'one' $two", "-H", "X-B;", "-H", "X-A: again"]),
        Row("fields left out", ["echo.note", "--note.title=a", "-H", "Accept:", "-H", "Content-Type:"]),
        Row("content type left out, no body", ["echo.ping", "-H", "Content-Type:"]),
        Row(
            "fields replaced",
            ["echo.note", "--note.title=a", "-H", "accept: text/plain", "-H", "Content-Type: a/b; c=\"d\""]),
        Row("compression not asked for", ["echo.ping", "-H", "Accept-Encoding:"]),
        Row("host", ["echo.ping", "-H", "Host: other.test"]),
    ]

    static let signed: [Row] = [
        Row("query key: GET", ["movies.popular", "--page", "2"], variables: ["MOVIES_KEY": secret]),
        Row("query key: POST", ["movies.rate", "1", "--rating.value", "8"], variables: ["MOVIES_KEY": secret]),
        Row("query key: DELETE", ["movies.forget", "1"], variables: ["MOVIES_KEY": secret]),
        Row("query key: starts with an at", ["movies.forget", "1"], variables: ["MOVIES_KEY": "@/etc/passwd"]),
        Row("query key: not UTF-8", ["movies.forget", "1"], variables: ["MOVIES_KEY": raw]),
        Row("query key: line break", ["movies.forget", "1"], variables: ["MOVIES_KEY": "a\nb"]),
        Row("bearer", ["movies.popular"], variables: ["MOVIES_TOKEN": secret]),
        Row("optional and set", ["echo.limits"], variables: ["ECHO_TOKEN": secret]),
        Row("optional and not set", ["echo.limits", "--verbose"]),
        Row("basic", ["echo.login"], variables: ["ECHO_USER": "me ü'\"$", "ECHO_PASSWORD": secret]),
    ]

    @Test(
        "Values in every place, bodies, headers and credentials are sent alike",
        arguments: everywhere + headers + others + signed)
    func same(_ row: Row) async throws { try await compare(row) }

    @Test(
        "Base paths are sent alike", arguments: ["/v1/", "/%5B1-3%5D/%7Ba,b%7D", "/a/../b/./c", "/a/%2e%2E/b"])
    func basePath(_ path: String) async throws { try await compare(Row(path, ["echo.ping"]), path: path) }

    @Test(
        "Files in a form are sent alike",
        arguments: [
            "a.txt", "a b,c;d.txt", "quote\".txt", "back\\slash.txt", "ends with\\", "it's $HOME", "é🎬", "a=b@c",
            "\\\\two\\\\\"q",
        ])
    func file(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(name, Array("content\0\r\n--x".utf8) + [0xFF])
        try await compare(Row(name, ["echo.upload", "--title", "@t;type=x", "--file", path]), in: directory)
    }

    @Test("URLs of no API are called alike", arguments: CalledURLTests.targets)
    func url(_ typed: String, _ target: String) async throws {
        try await compare(Row(typed, ["-X", "POST", "--body", "it's"]), url: typed)
    }

    /// The file is the one that `NETRC` names, or `.netrc` in the home directory.
    @Test("A password from a netrc file is sent by both", arguments: ["NETRC", "HOME"])
    func netrc(_ variable: String) async throws {
        let directory = try TemporaryDirectory()
        let text = #"machine other login no password no machine 127.0.0.1 login "a d" password "l\"o\\v#e'$" # end"#
        let file = try directory.write(variable == "NETRC" ? "my netrc" : ".netrc", text.utf8)
        let server = try MockServer { _ in .response(200) }
        try await compare(
            Row(
                variable, ["echo.head", "-n"], variables: [variable: variable == "NETRC" ? file : directory.path],
                files: [file: text]), in: directory, server: server)
        // The Base64 text of a d:l"o\v#e'$
        #expect(
            server.received.map { $0["Authorization"] } == ["Basic YSBkOmwib1x2I2UnJA==", "Basic YSBkOmwib1x2I2UnJA=="])
    }

    @Test("Servers with an IPv6 address are called alike")
    func version6() async throws {
        guard let server = try? MockServer(host: "::1", respond: { _ in .response(200) }) else { return }
        try await compare(Row("IPv6", ["echo.path", "a[1-2]"]), server: server)
    }

    /// Calls with `row`, runs the printed curl command, and expects two equal requests.
    ///
    /// - Parameters:
    ///   - row: The words after the name of the command.
    ///   - path: The path of the base URL.
    ///   - url: The path and query of a URL that is called in place of an endpoint, or nil for an endpoint.
    private func compare(
        _ row: Row, path: String = "", url: String? = nil, in directory: TemporaryDirectory? = nil,
        server given: MockServer? = nil
    ) async throws {
        let server = try given ?? MockServer { _ in .response(200) }
        let words = (url.map { [server.baseURL + $0] } ?? ["--base-url", server.baseURL + path]) + row.words
        let files = MemoryFiles(row.files.mapValues(\.exactBytes))
        let called = await run(
            ["call", "-q", "-o", "-"] + words, variables: row.variables, stdin: row.stdin, files: files,
            transport: Self.transport)
        #expect(called == Outcome())
        let printed = await run(["curl"] + words, variables: row.variables, stdin: row.stdin)
        #expect(printed.code == 0)
        for secret in row.variables.values { #expect(!(printed.out + printed.err).contains(secret)) }

        let directory = try directory ?? TemporaryDirectory()
        let result = try Shell.run(
            printed.out.exactBytes, environment: row.variables.mapValues(\.exactBytes), in: directory)
        #expect(result.status == 0, "\(String(decoding: result.output, as: UTF8.self))\n\(printed.out.prefix(2000))")
        try #require(server.received.count == 2)
        #expect(Sent(server.received[1]) == Sent(server.received[0]), "\(printed.out.prefix(2000))")
    }
}

/// The parts of a request that must be the same.
private struct Sent: Equatable {
    var method: String
    var target: [UInt8]
    /// The header fields, sorted by name. Fields of the same name keep their order.
    var fields: [String]
    var body: [UInt8]

    init(_ request: ReceivedRequest) {
        method = request.method
        target = Self.target(request)
        body = request.body
        var fields = request.fields.filter { $0.name.lowercased() != "user-agent" }
        if let type = request["Content-Type"], let mark = type.firstRange(of: "boundary=") {
            let boundary = String(type[mark.upperBound...])
            // Each sender makes up its own boundary, and the length depends on it.
            fields.removeAll { $0.name.lowercased() == "content-length" }
            fields = fields.map { .init($0.name, $0.value.replacing(boundary, with: "BOUNDARY")) }
            body = body.replacing(Array(boundary.utf8), with: Array("BOUNDARY".utf8))
        }
        self.fields = fields.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { "\($0.element.name): \($0.element.value)" }
    }

    /// curl's versions encode what a variable holds in different ways, so a query with a key is compared decoded.
    private static func target(_ request: ReceivedRequest) -> [UInt8] {
        guard let query = request.query, query.contains("api_key=") else { return request.target.exactBytes }
        return (request.path + "?" + request.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))
            .exactBytes
    }
}
