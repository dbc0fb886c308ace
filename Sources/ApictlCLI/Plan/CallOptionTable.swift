import EndpointKit

/// An option of `call` and `curl`, and its translation for curl.
struct CallOption: Sendable {
    let option: Option<CallOptions>
    let curl: CurlForm

    init(_ option: Option<CallOptions>, curl: CurlForm) {
        self.option = option
        self.curl = curl
    }

    /// An option without a value.
    init(
        _ name: String, short: Character? = nil, _ help: String, curl: CurlForm, excludes: [String] = [],
        missing: @escaping @Sendable (CallOptions) -> String? = { _ in nil },
        set: @escaping @Sendable (inout CallOptions) -> Void
    ) {
        option = Option(name, short: short, help, excludes: excludes, missing: missing, set: set)
        self.curl = curl
    }

    /// An option with a value.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: ValueType<Value>, _ help: String, curl: CurlForm,
        excludes: [String] = [], missing: @escaping @Sendable (CallOptions) -> String? = { _ in nil },
        set: @escaping @Sendable (inout CallOptions, Value) -> Void
    ) {
        option = Option(name, short: short, type, help, excludes: excludes, missing: missing, set: set)
        self.curl = curl
    }
}

extension CallOptions {
    /// Every option of `call` and `curl`.
    static let table = OptionTable(groups.map { OptionGroup(title: $0.title, options: $0.options.map(\.option)) })

    /// The translation of each option for curl, by the option's name.
    static let curlForms = Dictionary(
        uniqueKeysWithValues: groups.flatMap(\.options).map { ($0.option.spec.name, $0.curl) })

    /// The options of how a request is sent, for other commands whose options include these at `path`. One body for all requests would make
    /// no sense.
    static func sending<Outer>(_ path: WritableKeyPath<Outer, CallOptions> & Sendable) -> [OptionGroup<Outer>] {
        let shared = [
            ("Request", request.filter { $0.option.spec.name != "body" }), ("Transfer", transfer),
            ("Connection", connection),
        ]
        return shared.map { OptionGroup(title: $0, options: $1.map { $0.option.lifted(to: path) }) }
    }

    private static let groups: [(title: String, options: [CallOption])] = [
        ("Output", output), ("Selection and rows", selection), ("Pages", pages),
        ("Request", request), ("Without a server", offline),
        ("Transfer", transfer),
        ("Connection", connection),
        (
            "Help",
            [
                CallOption("help", short: "h", HelpCommand.optionHelp, curl: .notNeeded) { $0.help = true },
                CallOption("help-all", "show an endpoint's help with all options", curl: .notNeeded) {
                    $0.helpAll = true
                },
            ]
        ),
    ]

    private static let output = [
        CallOption(
            "raw", "JSON as the server sent it, re-indented while it streams; no model is applied", curl: .missing
        ) { $0.raw = true },
        CallOption("compact", "one line per document", curl: .missing) { $0.compact = true },
        CallOption(
            "output", short: "o", .text("FILE"),
            "write the body's exact bytes to FILE (-: stdout); no model is applied",
            curl: .same(\.output)
        ) { $0.output = $1 },
        CallOption(
            "continue", short: "C", "with -o: keep a partial download and resume it", curl: .custom(CurlForm.resume),
            excludes: ["any-status"], missing: { $0.writesFile ? nil : "-o FILE" }
        ) { $0.resumes = true },
        CallOption(
            "include", short: "i", "print status line and headers before the body", curl: .custom(CurlForm.include)
        ) { $0.include = true },
        CallOption("any-status", "print a 3xx, 4xx or 5xx body like any other, exit 0", curl: .notNeeded) {
            $0.anyStatus = true
        },
        CallOption(
            "fail-with-body", "print a 3xx, 4xx or 5xx body on stdout too, and exit with its code",
            curl: .notNeeded, excludes: ["any-status", "output"]
        ) { $0.failsWithBody = true },
        CallOption(
            "save", .text("FILE"), "write the body's exact bytes to FILE too, whatever is printed",
            curl: .missing, excludes: ["output"]
        ) { $0.save = $1 },
        CallOption(
            "record", .text("DIR"), "save the response in DIR too, as a file for 'mock --samples'", curl: .missing,
            excludes: ["sample", "dry-run", "output", "all-pages", "max-pages", "max-items"]
        ) { $0.record = $1 },
        CallOption(
            "verbose", short: "v", "print request and response headers on stderr; -vv: connection details too",
            curl: .arguments { _ in ["--verbose"] }
        ) { $0.verbosity += 1 },
        CallOption("timing", "print how long each phase took on stderr", curl: .arguments { _ in CurlForm.timing }) {
            $0.timing = true
        },
        CallOption(
            "write-out", short: "w", .word("TEXT|@FILE"),
            "print this on stderr at the end, with curl's variables: '%{http_code} %{time_total}\\n', %{json}",
            curl: .custom(CurlForm.writeOut)
        ) { $0.writeOut = $1 },
        CallOption(
            "quiet", short: "q", "print nothing; only set the exit code",
            curl: .arguments { ["--silent"] + ($0.options.output == nil ? ["--output", "/dev/null"] : []) }
        ) { $0.quiet = true },
        CallOption("color", .color, "when to use colour; default auto", curl: .missing) { $0.color = $1 },
        CallOption("no-pager", DisplayOptions.noPagerHelp, curl: .notNeeded) { _ in },
        // Failures are reported when there are no options yet, or no more.
        CallOption("json-errors", "report a failure as one line of JSON on stderr", curl: .missing) { _ in },
    ]

    private static let selection = selectionOptions(excluding: ["output"]).map { CallOption($0, curl: .missing) }

    /// What is about a single response.
    private static let ofOneResponse = ["output", "save", "include", "any-status", "fail-with-body"]

    private static let pages = [
        CallOption(
            "all-pages",
            "follow the pages that the endpoint declares, and print their items as one array; at most \(PagedCall.defaultPages) pages",
            curl: .missing, excludes: ofOneResponse
        ) { $0.allPages = true },
        CallOption(
            "max-pages", .positive, "follow at most N pages", curl: .missing, excludes: ofOneResponse
        ) { $0.maxPages = $1 },
        CallOption(
            "max-items", .positive, "follow pages until there are N items", curl: .missing, excludes: ofOneResponse
        ) { $0.maxItems = $1 },
    ]

    private static let request = [
        CallOption("env", .text("NAME"), "server to use, see describe", curl: .inRequest, excludes: ["base-url"]) {
            $0.server = $1
            $0.servers.append($1)
        },
        CallOption("base-url", .text("URL"), "send to this base URL instead", curl: .inRequest) {
            $0.baseURL = $1
            $0.servers.append($1)
        },
        CallOption(
            "header", short: "H", .text("'NAME: VALUE'"), "add a header; 'Name:' removes one, 'Name;' sends it empty",
            curl: .inRequest
        ) { $0.headers.append($1) },
        CallOption("query", .text("NAME=VALUE"), "add a query item", curl: .inRequest) { $0.query.append($1) },
        CallOption(
            "body", .word("@FILE|-|TEXT", mayBeEmpty: true), "send this instead of the endpoint's body",
            curl: .inRequest
        ) { $0.body = $1 },
        CallOption(
            "auth", .text("NAME"), "which credential to use, of several that describe shows: bearer, or its variable",
            curl: .inRequest
        ) { $0.auth = $1 },
        CallOption(
            "env-file", .text("FILE"), "take variables that are not set from FILE, lines of NAME=value", curl: .missing
        ) { $0.environmentFiles.append($1) },
        CallOption(
            "netrc", short: "n", "take user and password from ~/.netrc, or from the file in NETRC",
            curl: .arguments { $0.isSet("NETRC") ? ["--netrc-file", .variable("NETRC")] : ["--netrc"] }
        ) { $0.netrc = true },
    ]

    private static let offline = [
        CallOption("dry-run", "print the request, send nothing; works without credentials", curl: .notNeeded) {
            $0.dryRun = true
        },
        CallOption(
            "sample",
            "use the embedded sample instead of a server: no network, no key; missing parameters come from the example",
            curl: .missing
        ) { $0.sample = true },
    ]

    private static let transfer = [
        CallOption(
            "max-time", short: "m", .duration,
            "time limit for the whole call: 2.5, 500ms, 20s, 2m; 0: no limit; default 30s, with --raw or -o 30s without data",
            curl: .custom(CurlForm.maxTime)
        ) { $0.maxTime = $1 },
        CallOption(
            "connect-timeout", .duration, "time limit for connecting; default 10s",
            curl: .arguments { ["--connect-timeout", .seconds($0.options.connectTimeout)] }
        ) { $0.connectTimeout = $1 },
        CallOption(
            "max-bytes", .size,
            "longest body to read: 65536, 64k, 10M, 1G; default 100 MB if decoded, otherwise no limit",
            curl: .custom(CurlForm.maxBytes)
        ) { $0.maxBytes = $1 },
        CallOption(
            "max-redirects", .count, "how many redirects to follow; default 10",
            curl: .arguments { context in
                let count = context.options.maxRedirects
                return count > 0 ? ["--max-redirs", .init("\(count)")] : []
            }
        ) { $0.maxRedirects = $1 },
        CallOption(
            "retry", .count, "try again after connect failures, timeouts, 408, 429, 500, 502, 503, 504; default 0",
            curl: .custom(CurlForm.retry)
        ) { $0.retry = $1 },
        CallOption(
            "retry-delay", .duration, "wait this long each time; default 1s, doubling, or Retry-After if longer",
            curl: .custom(CurlForm.retryDelay)
        ) { $0.retryDelay = $1 },
        // curl retries every method.
        CallOption("retry-unsafe", "retry POST and PATCH too", curl: .notNeeded) { $0.retryUnsafe = true },
    ]

    private static let connection = [
        CallOption(
            "insecure", short: "k", "accept any certificate", curl: .arguments { _ in ["--insecure"] }
        ) { $0.connection.verifiesCertificate = false },
        CallOption(
            "cacert", .text("FILE"), "trust the certificates in FILE (PEM) instead of the system's",
            curl: .same(\.connection.certificateAuthorities)
        ) { $0.connection.certificateAuthorities = $1 },
        CallOption("cert", short: "E", .text("FILE"), "client certificate (PEM)", curl: .custom(CurlForm.certificate)) {
            $0.connection.clientCertificate = $1
        },
        CallOption(
            "key", .text("FILE"), "private key of --cert (PEM), if in a separate file",
            curl: .same(\.connection.clientKey),
            missing: { $0.connection.clientCertificate == nil ? "--cert FILE" : nil }
        ) { $0.connection.clientKey = $1 },
        CallOption(
            "proxy", short: "x", .text("URL", mayBeEmpty: true, problem: ConnectionValues.problem(proxy:)),
            "use a proxy: http, https, socks4, socks5, socks5h; '': none", curl: .same(\.connection.proxy)
        ) { $0.connection.proxy = $1 },
        CallOption(
            "unix-socket", .text("PATH", problem: ConnectionValues.problem(unixSocket:)),
            "connect to a Unix domain socket", curl: .same(\.connection.unixSocket)
        ) { $0.connection.unixSocket = $1 },
        CallOption(
            "resolve", .text("HOST:PORT:ADDRESS", problem: ResolveEntry.problem),
            "use ADDRESS for HOST instead of a name lookup",
            curl: .arguments { $0.options.connection.resolve.flatMap { ["--resolve", .init($0)] } }
        ) { $0.connection.resolve.append($1) },
        CallOption(
            "http1.1", "use HTTP/1.1", curl: .arguments { _ in ["--http1.1"] }, excludes: ["http2"]
        ) { $0.connection.httpVersion = .http1 },
        CallOption("http2", "use HTTP/2 if the server does", curl: .arguments { _ in ["--http2"] }) {
            $0.connection.httpVersion = .http2
        },
    ]
}
