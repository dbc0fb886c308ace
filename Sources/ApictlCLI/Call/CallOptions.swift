import EndpointKit

/// The options of `call` and `curl`; ``table`` says what they do.
struct CallOptions: CommandOptions, Equatable {
    var common = CommonOptions()
    /// What the configuration has set. The position of a word in it is that of the value here, counted down from -1.
    var configured: [ConfiguredValue] = []
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
    var writeOut: Word?
    var quiet = false

    /// What is called if it is not an endpoint.
    var url: CalledURL?
    var method: HTTPMethod?
    /// Those that are named, of which the last counts; `diff` compares two.
    var servers: [NamedServer] = []
    /// What `diff` has besides.
    var comparison = DiffOptions()
    var headers: [Word] = []
    var query: [Word] = []
    var body: Word?
    var netrc = false
    var auth: Word?
    /// Files with variables, the last one with the last word.
    var environmentFiles: [Word] = []

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
                title: group.title, options: group.options.filter { !["body", "request"].contains($0.spec.name) }
            ).lifted(to: path)
        }
    }

    /// The options that say what an endpoint declares.
    static let ofEndpoints: Set = [
        "all-pages", "max-pages", "max-items", "record", "env", "base-url", "auth", "sample",
    ]

    /// The options that a configuration may set for commands that only send.
    static let sendingTable = OptionTable<CallOptions>(command: sending(\.self))

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
            "write the body's exact bytes to FILE (-: stdout); no model is applied", curl: .same(\.output)),
        Option(
            "continue", short: "C", \.resumes, "with -o: keep a partial download and resume it",
            curl: .arguments { _, _ in ["--continue-at", "-"] }, excludes: ["any-status"],
            needs: ["output"]),
        Option(
            "include", short: "i", \.include, "print status line and headers before the body",
            // With an output file, curl's --include would write the headers into the file.
            curl: .arguments { plan, _ in plan.options.writesFile ? ["--dump-header", "-"] : ["--include"] }),
        Option("any-status", \.anyStatus, "print a 3xx, 4xx or 5xx body like any other, exit 0", curl: .notNeeded),
        Option(
            "fail-with-body", \.failsWithBody, "print a 3xx, 4xx or 5xx body on stdout too, and exit with its code",
            curl: .notNeeded, excludes: ["any-status", "output"]),
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
            curl: .arguments { _, _ in ["--verbose"] }, excludes: ["json-errors"]
        ) { $0.verbosity = $1 ? $0.verbosity + 1 : 0 },
        Option("timing", \.timing, "print on stderr how long each phase took", excludes: ["json-errors"]),
        Option(
            "write-out", short: "w", .word("TEXT|@FILE", completion: .filesAfterAt), \.writeOut,
            "print this at the end, on stderr (what follows %{stdout}: on stdout), with curl's variables: '%{http_code} %{time_total}\\n', %{json}",
            curl: .arguments(CurlForm.writeOut)),
        Option(
            "quiet", short: "q", \.quiet, "print nothing; only set the exit code",
            curl: .arguments { plan, _ in ["--silent"] + (plan.options.output == nil ? ["--output", "/dev/null"] : []) }
        ),
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
        Option(
            "request", short: "X", .method, \.method, "the method for a URL; default GET", curl: .notNeeded,
            isConfigurable: false),
        Option(
            "env", .word("NAME", completion: .servers), "a server of the API, by its name", curl: .notNeeded,
            excludes: ["base-url"], isConfigurable: false
        ) { $0.servers.append(NamedServer(word: $1)) },
        Option("base-url", .word("URL"), "send to this base URL instead", curl: .notNeeded, isConfigurable: false) {
            $0.servers.append(NamedServer(word: $1, isURL: true))
        },
        Option(
            "header", short: "H", .word("'NAME: VALUE'"), "add a header; 'Name:' removes one, 'Name;' sends it empty",
            curl: .notNeeded
        ) { $0.headers.append($1) },
        Option("query", .word("NAME=VALUE"), "add a query item", curl: .notNeeded) { $0.query.append($1) },
        Option(
            "body", .word("@FILE|-|TEXT", mayBeEmpty: true, completion: .filesAfterAt), \.body,
            "send this instead of the endpoint's body", curl: .notNeeded, isConfigurable: false),
        Option(
            "auth", .word("NAME", completion: .credentials), \.auth,
            "which credential to use, of several that describe shows: bearer, or its variable; none: no credential",
            curl: .notNeeded),
        Option(
            "env-file", .word("FILE", completion: .files),
            "take variables that are not set, but those of proxies and certificates, from FILE (-: stdin), lines of NAME=value",
            curl: .notNeeded, isConfigurable: false
        ) { $0.environmentFiles.append($1) },
        Option(
            "netrc", short: "n", \.netrc, "take user and password from ~/.netrc, or from the file in NETRC",
            curl: .arguments { $1.environment.isSet("NETRC") ? ["--netrc-file", .variable("NETRC")] : ["--netrc"] }),
    ]

    private static let offline: [Option<CallOptions>] = [
        Option("dry-run", \.dryRun, "print the request, send nothing; works without credentials", curl: .notNeeded),
        Option(
            "sample", \.sample,
            "use the embedded sample instead of a server: no network, no key; missing parameters come from the example"),
    ]

    private static let transfer: [Option<CallOptions>] = [
        Option(
            "max-time", short: "m", .duration, \.maxTime,
            "time limit for the whole call: 2.5, 500ms, 20s, 2m; 0: no limit; default 30s, with --raw or -o 30s without data",
            curl: .arguments { plan, _ in ["--max-time", .seconds(plan.options.wholeLimit)] }),
        Option(
            "connect-timeout", .duration, "time limit for connecting; default 10s",
            curl: .arguments { plan, _ in ["--connect-timeout", .seconds(plan.options.connectTimeout)] }
        ) { $0.connectTimeout = $1 },
        Option(
            "max-bytes", .size, \.maxBytes,
            "longest body to read: 65536, 64k, 10M, 1G; default 100 MB if decoded, otherwise no limit",
            // In curl, 0 means no limit.
            curl: .arguments { plan, _ in ["--max-filesize", .init("\(max(plan.options.maxBytes ?? 0, 1))")] }),
        Option(
            "max-redirects", .count, "how many redirects to follow; default 10",
            curl: .arguments { plan, _ in ["--max-redirs", .init("\(plan.options.maxRedirects)")] }
        ) { $0.maxRedirects = $1 },
        Option(
            "retry", .count,
            "try again after failed, cut and timed-out connections, and 408, 429, 500, 502, 503, 504; default 0",
            curl: .arguments(CurlForm.retry)
        ) { $0.retry = $1 },
        Option(
            "retry-delay", .duration, \.retryDelay,
            "wait this long each time; default 1s, doubling, or Retry-After if longer",
            curl: .arguments(CurlForm.retryDelay)),
        // curl retries every method.
        Option("retry-unsafe", \.retryUnsafe, "retry POST and PATCH too", curl: .notNeeded),
    ]

    private static let connection: [Option<CallOptions>] = [
        Option(
            "insecure", short: "k", \.connection.verifiesCertificate, is: false, "accept any certificate",
            curl: .arguments { _, _ in ["--insecure"] }),
        Option(
            "cacert", .file, \.connection.certificateAuthorities,
            "trust the certificates in FILE (PEM) instead of the system's",
            curl: .arguments(CurlForm.authorities)),
        Option(
            "cert", short: "E", .file, \.connection.clientCertificate, "client certificate (PEM)",
            curl: .arguments(CurlForm.certificate)),
        Option(
            "key", .file, \.connection.clientKey, "private key of --cert (PEM), if in a separate file",
            curl: .same(\.connection.clientKey),
            needs: ["cert"]),
        Option(
            "proxy", short: "x", .text("URL", mayBeEmpty: true, problem: ConnectionValues.problem(proxy:)),
            \.connection.proxy, "use a proxy: http, https, socks4, socks5, socks5h; '': none",
            curl: .same(\.connection.proxy)),
        Option(
            "unix-socket", .text("PATH", completion: .files, problem: ConnectionValues.problem(unixSocket:)),
            \.connection.unixSocket, "connect to a Unix domain socket", curl: .same(\.connection.unixSocket)),
        Option(
            "resolve", .text("HOST:PORT:ADDRESS", problem: ResolveEntry.problem),
            "use ADDRESS for HOST instead of a name lookup",
            curl: .arguments { plan, _ in plan.options.connection.resolve.flatMap { ["--resolve", .init($0)] } }
        ) { $0.connection.resolve.append($1) },
        Option(
            "http1.1", \.connection.httpVersion, is: .http1, "use HTTP/1.1",
            curl: .arguments { _, _ in ["--http1.1"] }, excludes: ["http2"]),
        Option(
            "http2", \.connection.httpVersion, is: .http2, "use HTTP/2 if the server does",
            curl: .arguments { _, _ in ["--http2"] }),
    ]
}

extension Option {
    /// A switch that sets what is at `path`.
    init(
        _ name: String, short: Character? = nil, _ path: WritableKeyPath<Options, Bool> & Sendable,
        is value: Bool = true, _ help: String, curl: CurlForm = .missing, excludes: [String] = [], needs: [String] = []
    ) {
        self.init(name, short: short, help, curl: curl, excludes: excludes, needs: needs) { options, isOn in
            options[keyPath: path] = isOn == value
        }
    }

    /// A switch that chooses a value for what is at `path`.
    init<Value: Equatable & Sendable>(
        _ name: String, _ path: WritableKeyPath<Options, Value?> & Sendable, is value: Value, _ help: String,
        curl: CurlForm = .missing, excludes: [String] = []
    ) {
        self.init(name, help, curl: curl, excludes: excludes) { options, isOn in
            if isOn || options[keyPath: path] == value { options[keyPath: path] = isOn ? value : nil }
        }
    }

    /// An option whose value is kept at `path`.
    init<Value>(
        _ name: String, short: Character? = nil, _ type: ValueType<Value>,
        _ path: WritableKeyPath<Options, Value?> & Sendable, _ help: String, curl: CurlForm = .missing,
        excludes: [String] = [], needs: [String] = [], isConfigurable: Bool = true
    ) {
        self.init(
            name, short: short, type, help, curl: curl, excludes: excludes, needs: needs, isConfigurable: isConfigurable
        ) { $0[keyPath: path] = $1 }
    }
}
