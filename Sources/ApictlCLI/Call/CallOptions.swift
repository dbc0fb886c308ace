import EndpointKit

/// The options of `call` and `curl`; ``table`` says what they do.
struct CallOptions: CommandOptions, Equatable {
    var common = CommonOptions()
    var raw = false
    var compact = false
    var selection = SelectionOptions()
    var allPages = false
    var maxPages: Int?
    var maxItems: Int?
    var output: String?
    var resumes = false
    var include = false
    var anyStatus = false
    var failsWithBody = false
    var save: String?
    var record: String?
    var har: String?
    var verbosity = 0
    var timing = false
    var writeOut: SourcedText?
    var quiet = false

    /// What is called if it is not an endpoint.
    var url: CalledURL?
    var method: HTTPMethod?
    /// Those that are named, of which the last counts; `diff` compares two.
    var servers: [CallServerName] = []
    /// What `diff` has besides.
    var comparison = DiffOptions()
    var headers: [SourcedText] = []
    var query: [SourcedText] = []
    var body: SourcedText?
    var netrc = false
    var auth: SourcedText?
    /// Files with variables, the last one with the last word.
    var environmentFiles: [SourcedText] = []

    var dryRun = false
    var sample = false

    /// Zero is no limit, as in curl; nil is ``defaultTimeLimit``.
    var maxTime: Duration?
    var connectTimeout: Duration = .seconds(10)
    var maxBytes: Int?
    var maxRedirects = 10
    var retry = 0
    var retryDelay: Duration?
    var retryUnsafe = false

    var connection = ConnectionOptions()

    /// The value of `--auth` for none of the credentials.
    static let noCredential = "none"

    var sendsNoCredential: Bool { auth?.text == Self.noCredential }

    /// The default time limit of a decoded response, and of the time without data in a streamed one.
    static let defaultTimeLimit = Duration.seconds(30)

    /// The time limit of a call that exceeded one.
    var wholeLimit: Duration { maxTime ?? Self.defaultTimeLimit }

    /// When a call that began at `start` must have ended, if a limit was asked for.
    func deadline(from start: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        maxTime.flatMap { $0 > .zero ? start + $0 : nil }
    }

    /// Whether the pages of the endpoint are followed.
    var followsPages: Bool { allPages || maxPages != nil || maxItems != nil }

    /// Whether a successful response is decoded through `model`; otherwise its body is streamed.
    func decodes(_ model: ResponseModel) -> Bool { model.kind == .json && !raw && output == nil }

    /// Whether the body is written to a file.
    var writesFile: Bool { output.map { $0 != "-" } ?? false }
}

extension CallOptions {
    /// Every option of `call` and `curl`.
    static let table = OptionTable<CallOptions>(command: groups)

    /// The options of how a request is sent, for other commands whose options include these at `path`. One body for all requests would make
    /// no sense.
    static func sending<Outer>(_ path: WritableKeyPath<Outer, CallOptions> & Sendable) -> [OptionGroup<Outer>] {
        table.groups.filter { ["Request", "Transfer", "Connection"].contains($0.title) }.map { group in
            OptionGroup(
                title: group.title,
                options: group.options.filter { !["body", "body-type", "request"].contains($0.spec.name) }
            ).lifted(to: path)
        }
    }

    /// The options that say what an endpoint declares.
    static let ofEndpoints: Set = [
        "all-pages", "max-pages", "max-items", "record", "server", "base-url", "auth", "sample", "body-type",
    ]

    private static let groups = [
        OptionGroup(title: "Output", options: output),
        SelectionOptions.group(excluding: ["output"]).lifted(to: \.selection),
        OptionGroup(title: "Pages", options: pages), OptionGroup(title: "Request", options: request),
        OptionGroup(title: "Without a server", options: offline), OptionGroup(title: "Transfer", options: transfer),
        OptionGroup(title: "Connection", options: connection),
    ]

    private static let output: [Option<CallOptions>] = [
        Option("raw", \.raw, "JSON as the server sent it, re-indented while it streams; no model is applied"),
        Option("compact", \.compact, "one line per document"),
        Option(
            "output", short: "o", .file, \.output,
            "write the body's exact bytes to FILE (-: stdout); no model is applied"),
        Option(
            "continue", short: "C", \.resumes, "with -o: keep a partial download and resume it",
            excludes: ["any-status"], needs: ["output"]),
        Option("include", short: "i", \.include, "print status line and headers before the body"),
        Option("any-status", \.anyStatus, "print a 3xx, 4xx or 5xx body like any other, exit 0"),
        Option(
            "fail-with-body", \.failsWithBody, "print a 3xx, 4xx or 5xx body on stdout too, and exit with its code",
            excludes: ["any-status", "output"]),
        Option(
            "save", .file, \.save, "write the body's exact bytes to FILE too, whatever is printed", excludes: ["output"]
        ),
        Option(
            "record", .directory, \.record, "save the response in DIR too, as a file for 'mock --samples'",
            excludes: ["sample", "dry-run", "output", "all-pages", "max-pages", "max-items"]),
        Option(
            "har", .file, \.har, "save the exchanges in FILE too, as an HTTP archive (HAR 1.2) without secrets",
            excludes: ["dry-run"]),
        Option(
            "verbose", short: "v", "print request and response headers on stderr; -vv: connection details too",
            excludes: ["json-errors"]
        ) { $0.verbosity = $1 ? $0.verbosity + 1 : 0 },
        Option("timing", \.timing, "print on stderr how long each phase took", excludes: ["json-errors"]),
        Option(
            "write-out", short: "w", .word("TEXT|@FILE", completion: .filesAfterAt), \.writeOut,
            "print this at the end, on stderr (what follows %{stdout}: on stdout), with curl's variables: '%{http_code} %{time_total}\\n', %{json}"
        ),
        Option("quiet", short: "q", \.quiet, "print nothing; only set the exit code"),
    ]

    /// What is about a single response.
    private static let ofOneResponse = ["output", "save", "include", "any-status", "fail-with-body"]

    private static let pages: [Option<CallOptions>] = [
        Option(
            "all-pages", \.allPages,
            "follow the pages that the endpoint declares, and print their items as one array; at most \(PagedCall.defaultPages) pages",
            excludes: ofOneResponse),
        Option("max-pages", .positive, \.maxPages, "follow at most N pages", excludes: ofOneResponse),
        Option("max-items", .positive, \.maxItems, "follow pages until there are N items", excludes: ofOneResponse),
    ]

    private static let request: [Option<CallOptions>] = [
        Option("request", short: "X", .method, \.method, "the method for a URL; default GET"),
        Option.server("a server of the API, by its name", excludes: ["base-url"]) {
            $0.servers.append(CallServerName(word: $1))
        },
        Option("base-url", .word("URL"), "send to this base URL instead") {
            $0.servers.append(CallServerName(word: $1, isURL: true))
        },
        Option(
            "header", short: "H", .word("'NAME: VALUE'"), "add a header; 'Name:' removes one, 'Name;' sends it empty"
        ) { $0.headers.append($1) },
        Option("query", .word("NAME=VALUE"), "add a query item") { $0.query.append($1) },
        // DocumentOption reads it before all other words.
        Option("body-type", .text("TYPE"), "send the body of a document's operation in this media type") { _, _ in },
        Option(
            "body", .word("@FILE|-|TEXT", mayBeEmpty: true, completion: .filesAfterAt), \.body,
            "send this instead of the endpoint's body"),
        Option(
            "auth", .word("NAME", completion: .credentials), \.auth,
            "which credential to use, of several that describe shows: bearer, or its variable; none: no credential"),
        Option(
            "env-file", .word("FILE", completion: .files),
            "take variables that are not set, but those of proxies and certificates, from FILE (-: stdin), lines of NAME=value"
        ) { $0.environmentFiles.append($1) },
        Option("netrc", short: "n", \.netrc, "take user and password from ~/.netrc, or from the file in NETRC"),
    ]

    private static let offline: [Option<CallOptions>] = [
        Option("dry-run", \.dryRun, "print the request, send nothing; works without credentials"),
        Option(
            "sample", \.sample,
            "use the embedded sample instead of a server: no network, no key; missing parameters come from the example"),
    ]

    private static let transfer: [Option<CallOptions>] = [
        Option(
            "max-time", short: "m", .duration, \.maxTime,
            "time limit for the whole call: 2.5, 500ms, 20s, 2m; 0: no limit; default 30s, with --raw or -o 30s without data"
        ),
        Option("connect-timeout", .duration, "time limit for connecting; default 10s") { $0.connectTimeout = $1 },
        Option(
            "max-bytes", .size, \.maxBytes,
            "longest body to read: 65536, 64k, 10M, 1G; default 100 MB if decoded, otherwise no limit"),
        Option("max-redirects", .count, "how many redirects to follow; default 10") { $0.maxRedirects = $1 },
        Option(
            "retry", .count,
            "try again after failed, cut and timed-out connections, and 408, 429, 500, 502, 503, 504; default 0"
        ) { $0.retry = $1 },
        Option(
            "retry-delay", .duration, \.retryDelay,
            "wait this long each time; default 1s, doubling, or Retry-After if longer"),
        Option("retry-unsafe", \.retryUnsafe, "retry POST and PATCH too"),
    ]

    private static let connection: [Option<CallOptions>] = [
        Option("insecure", short: "k", \.connection.verifiesCertificate, is: false, "accept any certificate"),
        Option(
            "cacert", .file, \.connection.certificateAuthorities,
            "trust the certificates in FILE (PEM) instead of the system's"),
        Option("cert", short: "E", .file, \.connection.clientCertificate, "client certificate (PEM)"),
        Option(
            "key", .file, \.connection.clientKey, "private key of --cert (PEM), if in a separate file",
            needs: ["cert"]),
        Option(
            "proxy", short: "x", .text("URL", mayBeEmpty: true, problem: OptionValueRules.problem(proxy:)),
            \.connection.proxy, "use a proxy: http, https, socks4, socks5, socks5h; '': none"),
        Option(
            "unix-socket", .text("PATH", completion: .files, problem: OptionValueRules.problem(unixSocket:)),
            \.connection.unixSocket, "connect to a Unix domain socket"),
        Option(
            "resolve", .text("HOST:PORT:ADDRESS", problem: ResolveEntry.problem),
            "use ADDRESS for HOST instead of a name lookup"
        ) { $0.connection.resolve.append($1) },
        Option("http1.1", \.connection.httpVersion, is: .http1, "use HTTP/1.1", excludes: ["http2"]),
        Option("http2", \.connection.httpVersion, is: .http2, "use HTTP/2 if the server does"),
    ]
}

extension Option {
    /// The option `--server NAME`, which chooses a server of an API; `--env` means the same.
    static func server(
        _ help: String, excludes: [String] = [], needs: [String] = [],
        set: @escaping @Sendable (inout Options, SourcedText) -> Void
    ) -> Option {
        let type = OptionValueType<SourcedText>.word("NAME", completion: .servers)
        return Option("server", type, help, excludes: excludes, needs: needs, set: set).with { $0.synonyms = ["env"] }
    }
}
