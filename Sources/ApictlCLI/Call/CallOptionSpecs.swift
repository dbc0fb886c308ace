import EndpointKit

extension CallOptions {
    /// All options, in the order of ``groups``.
    static let specs = groups.flatMap(\.specs)

    /// The options by what they are about, as help shows them.
    static let groups: [(title: String, specs: [OptionSpec])] = [
        ("Output", output), ("Request", request), ("Without a server", trial), ("Transfer", transfer),
        ("Connection", connection), ("Help", [HelpCommand.helpOption]),
    ]

    private static let output = [
        OptionSpec("raw", "JSON as the server sent it, re-indented while it streams; no model is applied"),
        OptionSpec("compact", "one line per document"),
        OptionSpec(
            "output", short: "o", value: "FILE", "the body's exact bytes into FILE (-: stdout); no model is applied"),
        OptionSpec("continue", short: "C", "with -o: keep what came of FILE where it breaks off, and go on from there"),
        OptionSpec("include", short: "i", "status line and headers before the body"),
        OptionSpec("any-status", "print a 3xx, 4xx or 5xx body like any other, exit 0"),
        OptionSpec(
            "verbose", short: "v", repeats: true, "request and response heads on stderr; -vv: the transfer's steps too"),
        OptionSpec("timing", "how long each phase took, on stderr"),
        OptionSpec("quiet", short: "q", "no body, no notes: the exit code only"),
        OptionSpec("color", value: "auto|always|never", "when to colour (auto)"),
    ]

    private static let request = [
        OptionSpec("env", value: "NAME", "which of the API's servers"),
        OptionSpec("base-url", value: "URL", "another server"),
        OptionSpec(
            "header", short: "H", value: "'NAME: VALUE'", repeats: true,
            "add a header; 'Name:' leaves one out, 'Name;' is empty"),
        OptionSpec("query", value: "NAME=VALUE", repeats: true, "add to the query"),
        OptionSpec("body", value: "@FILE|-|TEXT", "send this in place of the endpoint's body"),
        OptionSpec("netrc", short: "n", "user and password from ~/.netrc, or the file that NETRC names"),
    ]

    private static let trial = [
        OptionSpec("dry-run", "print the request, send nothing; works without credentials"),
        OptionSpec("sample", "answer from the embedded sample: no network, no key"),
    ]

    private static let transfer = [
        OptionSpec(
            "max-time", short: "m", value: "DURATION",
            "for the whole transfer: 2.5, 500ms, 20s; 0: no limit (30s; streamed: 30s of silence)"),
        OptionSpec("connect-timeout", value: "DURATION", "until connected (10s)"),
        OptionSpec(
            "max-bytes", value: "SIZE", "the longest body read: 65536, 64k, 10M, 1G (100 MB decoded, else no limit)"),
        OptionSpec("max-redirects", value: "N", "how many redirects are followed (10)"),
        OptionSpec("retry", value: "N", "try again after connect failures, timeouts, 408, 429, 500, 502, 503, 504 (0)"),
        OptionSpec(
            "retry-delay", value: "DURATION",
            "wait this long each time (1s, doubling; Retry-After where that is longer)"),
        OptionSpec("retry-unsafe", "retry POST and PATCH too"),
    ]

    private static let connection = [
        OptionSpec("insecure", short: "k", "accept any certificate"),
        OptionSpec("cacert", value: "FILE", "trust the certificates in FILE (PEM) instead of the system's"),
        OptionSpec("cert", short: "E", value: "FILE", "your own certificate (PEM)"),
        OptionSpec("key", value: "FILE", "its key (PEM), where it is not in the same file"),
        OptionSpec(
            "proxy", short: "x", value: "URL", "through a proxy: http, https, socks4, socks5, socks5h; '': none"),
        OptionSpec("unix-socket", value: "PATH", "connect to a Unix domain socket"),
        OptionSpec(
            "resolve", value: "HOST:PORT:ADDRESS", repeats: true, "the address of a host, in place of a name lookup"),
        OptionSpec("http1.1", "speak HTTP/1.1"),
        OptionSpec("http2", "speak HTTP/2 where the server does"),
    ]
}
