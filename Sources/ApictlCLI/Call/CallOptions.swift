import EndpointKit

/// The options of `call` and `curl`.
struct CallOptions: CommandOptions, Equatable, SelectionOptions {
    var common = CommonOptions()
    var raw = false
    var compact = false
    var selects: [Word] = []
    var array = false
    var rawStrings = false
    var mustFind = false
    var rowStyle: RowStyle?
    var columns: Word?
    var allPages = false
    var maxPages: Int?
    var maxItems: Int?
    /// Whether the pages of the endpoint are followed.
    var followsPages: Bool { allPages || maxPages != nil || maxItems != nil }
    var output: String?
    var resumes = false
    var include = false
    var anyStatus = false
    var failsWithBody = false
    /// A file for the exact body, beside what is printed.
    var save: String?
    /// A directory for the response, without secrets, as a file for `mock`.
    var record: String?
    var verbosity = 0
    var timing = false
    /// A text for stderr after the call, in curl's notation: the text itself or `@FILE`.
    var writeOut: Word?
    var quiet = false

    var server: String?
    var baseURL: String?
    /// All servers and base URLs that were given, in order; `diff` takes two.
    var servers: [String] = []
    var comparesValues = false
    var headers: [String] = []
    var query: [String] = []
    /// Replaces the endpoint's body: `@FILE`, `-` for stdin, or the text itself.
    var body: Word?
    var netrc = false
    /// Which of a credential's alternatives to use.
    var auth: String?
    /// Files with variables, the last one with the last word.
    var environmentFiles: [String] = []

    var dryRun = false
    var sample = false

    /// Zero is no limit, as in curl; nil is ``defaultTimeLimit``.
    var maxTime: Duration?
    var connectTimeout: Duration = .seconds(10)
    /// The longest body to read, in bytes; nil is 100 MB if it is decoded, and no limit if it is streamed.
    var maxBytes: Int?
    var maxRedirects = 10
    var retry = 0
    /// The wait before each retry; nil doubles each time.
    var retryDelay: Duration?
    var retryUnsafe = false

    var connection = ConnectionOptions()

    /// Whether help shows what each option does.
    var showsAllOptions = false

    /// The default time limit of a decoded response, and of the time without data in a streamed one.
    static let defaultTimeLimit = Duration.seconds(30)

    /// The time limit of a call that exceeded one.
    var wholeLimit: Duration { maxTime ?? Self.defaultTimeLimit }
}

extension CallOptions {
    /// Whether a successful response is decoded through `model`; otherwise its body is streamed.
    func decodes(_ model: ResponseModel) -> Bool { model.kind == .json && !raw && output == nil }

    /// Whether the body is written to a file.
    var writesFile: Bool { output.map { $0 != "-" } ?? false }
}

extension CallOptions {
    /// Every option of `call` and `curl`.
    static let table = OptionTable<CallOptions>(command: [
        OptionGroup(title: "Output", options: output), OptionGroup(title: "Selection and rows", options: selection),
        OptionGroup(title: "Pages", options: pages), OptionGroup(title: "Request", options: request),
        OptionGroup(title: "Without a server", options: offline), OptionGroup(title: "Transfer", options: transfer),
        OptionGroup(title: "Connection", options: connection),
        OptionGroup(
            title: "Help",
            options: [
                Option("help-all", "show an endpoint's help with all options", curl: .notNeeded, isConfigurable: false)
                {
                    $0.common.asksForHelp = true
                    $0.showsAllOptions = true
                }
            ]),
    ])

    /// The options of how a request is sent, for other commands whose options include these at `path`. One body for all requests would make
    /// no sense.
    static func sending<Outer>(_ path: WritableKeyPath<Outer, CallOptions> & Sendable) -> [OptionGroup<Outer>] {
        ["Request", "Transfer", "Connection"].compactMap { title in
            guard let group = table.groups.first(where: { $0.title == title }) else { return nil }
            return OptionGroup(title: title, options: group.options.filter { $0.spec.name != "body" }).lifted(to: path)
        }
    }

    private static let output: [Option<CallOptions>] = [
        Option(
            "raw", "JSON as the server sent it, re-indented while it streams; no model is applied"
        ) { $0.raw = true },
        Option("compact", "one line per document") { $0.compact = true },
        Option(
            "output", short: "o", .file,
            "write the body's exact bytes to FILE (-: stdout); no model is applied",
            curl: .same(\.output)
        ) { $0.output = $1 },
        Option(
            "continue", short: "C", "with -o: keep a partial download and resume it",
            curl: .arguments { _ in ["--continue-at", "-"] },
            excludes: ["any-status"], missing: { $0.writesFile ? nil : "-o FILE" }
        ) { $0.resumes = true },
        Option(
            "include", short: "i", "print status line and headers before the body",
            // With an output file, curl's --include would write the headers into the file.
            curl: .arguments { $0.options.writesFile ? ["--dump-header", "-"] : ["--include"] }
        ) { $0.include = true },
        Option("any-status", "print a 3xx, 4xx or 5xx body like any other, exit 0", curl: .notNeeded) {
            $0.anyStatus = true
        },
        Option(
            "fail-with-body", "print a 3xx, 4xx or 5xx body on stdout too, and exit with its code",
            curl: .notNeeded, excludes: ["any-status", "output"]
        ) { $0.failsWithBody = true },
        Option(
            "save", .file, "write the body's exact bytes to FILE too, whatever is printed", excludes: ["output"]
        ) { $0.save = $1 },
        Option(
            "record", .directory, "save the response in DIR too, as a file for 'mock --samples'",
            excludes: ["sample", "dry-run", "output", "all-pages", "max-pages", "max-items"]
        ) { $0.record = $1 },
        Option(
            "verbose", short: "v", "print request and response headers on stderr; -vv: connection details too",
            curl: .arguments { _ in ["--verbose"] }
        ) { $0.verbosity += 1 },
        Option("timing", "print how long each phase took on stderr", curl: .arguments { _ in CurlForm.timing }) {
            $0.timing = true
        },
        Option(
            "write-out", short: "w", .word("TEXT|@FILE", completion: .files),
            "print this on stderr at the end, with curl's variables: '%{http_code} %{time_total}\\n', %{json}",
            curl: .arguments(CurlForm.writeOut)
        ) { $0.writeOut = $1 },
        Option(
            "quiet", short: "q", "print nothing; only set the exit code",
            curl: .arguments { ["--silent"] + ($0.options.output == nil ? ["--output", "/dev/null"] : []) }
        ) { $0.quiet = true },
    ]

    private static let selection: [Option<CallOptions>] = selectionOptions(excluding: ["output"])

    /// What is about a single response.
    private static let ofOneResponse = ["output", "save", "include", "any-status", "fail-with-body"]

    private static let pages: [Option<CallOptions>] = [
        Option(
            "all-pages",
            "follow the pages that the endpoint declares, and print their items as one array; at most \(PagedCall.defaultPages) pages",
            excludes: ofOneResponse
        ) { $0.allPages = true },
        Option(
            "max-pages", .positive, "follow at most N pages", excludes: ofOneResponse
        ) { $0.maxPages = $1 },
        Option(
            "max-items", .positive, "follow pages until there are N items", excludes: ofOneResponse
        ) { $0.maxItems = $1 },
    ]

    private static let request: [Option<CallOptions>] = [
        Option(
            "env", .text("NAME", completion: .servers), "server to use, see describe", curl: .notNeeded,
            excludes: ["base-url"], isConfigurable: false
        ) {
            $0.server = $1
            $0.servers.append($1)
        },
        Option(
            "base-url", .text("URL"), "send to this base URL instead", curl: .notNeeded, isConfigurable: false
        ) {
            $0.baseURL = $1
            $0.servers.append($1)
        },
        Option(
            "header", short: "H", .text("'NAME: VALUE'"), "add a header; 'Name:' removes one, 'Name;' sends it empty",
            curl: .notNeeded
        ) { $0.headers.append($1) },
        Option("query", .text("NAME=VALUE"), "add a query item", curl: .notNeeded) { $0.query.append($1) },
        Option(
            "body", .word("@FILE|-|TEXT", mayBeEmpty: true, completion: .files),
            "send this instead of the endpoint's body",
            curl: .notNeeded, isConfigurable: false
        ) { $0.body = $1 },
        Option(
            "auth", .text("NAME"), "which credential to use, of several that describe shows: bearer, or its variable",
            curl: .notNeeded
        ) { $0.auth = $1 },
        Option(
            "env-file", .file, "take variables that are not set from FILE, lines of NAME=value", isConfigurable: false,
        ) { $0.environmentFiles.append($1) },
        Option(
            "netrc", short: "n", "take user and password from ~/.netrc, or from the file in NETRC",
            curl: .arguments { $0.run.environment.isSet("NETRC") ? ["--netrc-file", .variable("NETRC")] : ["--netrc"] }
        ) { $0.netrc = true },
    ]

    private static let offline: [Option<CallOptions>] = [
        Option("dry-run", "print the request, send nothing; works without credentials", curl: .notNeeded) {
            $0.dryRun = true
        },
        Option(
            "sample",
            "use the embedded sample instead of a server: no network, no key; missing parameters come from the example",
        ) { $0.sample = true },
    ]

    private static let transfer: [Option<CallOptions>] = [
        Option(
            "max-time", short: "m", .duration,
            "time limit for the whole call: 2.5, 500ms, 20s, 2m; 0: no limit; default 30s, with --raw or -o 30s without data",
            curl: .arguments(CurlForm.maxTime)
        ) { $0.maxTime = $1 },
        Option(
            "connect-timeout", .duration, "time limit for connecting; default 10s",
            curl: .arguments { ["--connect-timeout", .seconds($0.options.connectTimeout)] }
        ) { $0.connectTimeout = $1 },
        Option(
            "max-bytes", .size,
            "longest body to read: 65536, 64k, 10M, 1G; default 100 MB if decoded, otherwise no limit",
            curl: .arguments(CurlForm.maxBytes)
        ) { $0.maxBytes = $1 },
        Option(
            "max-redirects", .count, "how many redirects to follow; default 10",
            curl: .arguments { context in
                let count = context.options.maxRedirects
                return count > 0 ? ["--max-redirs", .init("\(count)")] : []
            }
        ) { $0.maxRedirects = $1 },
        Option(
            "retry", .count, "try again after connect failures, timeouts, 408, 429, 500, 502, 503, 504; default 0",
            curl: .arguments(CurlForm.retry)
        ) { $0.retry = $1 },
        Option(
            "retry-delay", .duration, "wait this long each time; default 1s, doubling, or Retry-After if longer",
            curl: .arguments(CurlForm.retryDelay)
        ) { $0.retryDelay = $1 },
        // curl retries every method.
        Option("retry-unsafe", "retry POST and PATCH too", curl: .notNeeded) { $0.retryUnsafe = true },
    ]

    private static let connection: [Option<CallOptions>] = [
        Option(
            "insecure", short: "k", "accept any certificate", curl: .arguments { _ in ["--insecure"] }
        ) { $0.connection.verifiesCertificate = false },
        Option(
            "cacert", .file, "trust the certificates in FILE (PEM) instead of the system's",
            curl: .same(\.connection.certificateAuthorities)
        ) { $0.connection.certificateAuthorities = $1 },
        Option("cert", short: "E", .file, "client certificate (PEM)", curl: .arguments(CurlForm.certificate)) {
            $0.connection.clientCertificate = $1
        },
        Option(
            "key", .file, "private key of --cert (PEM), if in a separate file",
            curl: .same(\.connection.clientKey),
            missing: { $0.connection.clientCertificate == nil ? "--cert FILE" : nil }
        ) { $0.connection.clientKey = $1 },
        Option(
            "proxy", short: "x", .text("URL", mayBeEmpty: true, problem: ConnectionValues.problem(proxy:)),
            "use a proxy: http, https, socks4, socks5, socks5h; '': none", curl: .same(\.connection.proxy)
        ) { $0.connection.proxy = $1 },
        Option(
            "unix-socket", .text("PATH", completion: .files, problem: ConnectionValues.problem(unixSocket:)),
            "connect to a Unix domain socket", curl: .same(\.connection.unixSocket)
        ) { $0.connection.unixSocket = $1 },
        Option(
            "resolve", .text("HOST:PORT:ADDRESS", problem: ResolveEntry.problem),
            "use ADDRESS for HOST instead of a name lookup",
            curl: .arguments { $0.options.connection.resolve.flatMap { ["--resolve", .init($0)] } }
        ) { $0.connection.resolve.append($1) },
        Option(
            "http1.1", "use HTTP/1.1", curl: .arguments { _ in ["--http1.1"] }, excludes: ["http2"]
        ) { $0.connection.httpVersion = .http1 },
        Option("http2", "use HTTP/2 if the server does", curl: .arguments { _ in ["--http2"] }) {
            $0.connection.httpVersion = .http2
        },
    ]
}
