import EndpointKit

extension CallOptions {
    static let specs: [OptionSpec] = [
        OptionSpec("raw", "JSON as the server sent it, re-indented while it streams; no model is applied"),
        OptionSpec("compact", "one line per document"),
        OptionSpec(
            "output", short: "o", value: "FILE", "the body's exact bytes into FILE (-: stdout); no model is applied"),
        OptionSpec("include", short: "i", "status line and headers before the body"),
        OptionSpec(
            "verbose", short: "v", repeats: true, "request and response heads on stderr; -vv: the transfer's steps too"),
        OptionSpec("quiet", short: "q", "no body, no notes: the exit code only"),
        OptionSpec("env", value: "NAME", "which of the API's servers"),
        OptionSpec("base-url", value: "URL", "another server"),
        OptionSpec(
            "header", short: "H", value: "'NAME: VALUE'", repeats: true,
            "add a header; 'Name:' leaves one out, 'Name;' is empty"),
        OptionSpec("query", value: "NAME=VALUE", repeats: true, "add to the query"),
        OptionSpec(
            "max-time", short: "m", value: "DURATION", "for the whole transfer: 2.5, 500ms, 20s (30s; 0: no limit)"),
        OptionSpec("connect-timeout", value: "DURATION", "until connected (10s)"),
        OptionSpec("max-redirects", value: "N", "how many redirects are followed (10)"),
        OptionSpec("retry", value: "N", "try again after connect failures, timeouts, 408, 429, 500, 502, 503, 504 (0)"),
        OptionSpec(
            "retry-delay", value: "DURATION",
            "wait this long each time (1s, doubling; Retry-After where that is longer)"),
        OptionSpec("retry-unsafe", "retry POST and PATCH too"),
        OptionSpec("body", value: "@FILE|-|TEXT", "send this in place of the endpoint's body"),
        OptionSpec(
            "max-bytes", value: "SIZE", "the longest body read: 65536, 64k, 10M, 1G (100 MB decoded, else no limit)"),
        OptionSpec("continue", short: "C", "go on with a FILE that -o has only the start of"),
        OptionSpec("insecure", short: "k", "accept any certificate"),
        OptionSpec("cacert", value: "FILE", "trust the certificates in FILE (PEM) instead of the system's"),
        OptionSpec("cert", short: "E", value: "FILE", "your own certificate (PEM)"),
        OptionSpec("key", value: "FILE", "its key (PEM), where it is not in the same file"),
        OptionSpec("netrc", short: "n", "user and password from ~/.netrc, or the file that NETRC names"),
        OptionSpec("proxy", short: "x", value: "URL", "through a proxy: http, https, socks4, socks5, socks5h"),
        OptionSpec("unix-socket", value: "PATH", "connect to a Unix domain socket"),
        OptionSpec(
            "resolve", value: "HOST:PORT:ADDRESS", repeats: true, "the address of a host, in place of a name lookup"),
        OptionSpec("http1.1", "speak HTTP/1.1"),
        OptionSpec("http2", "speak HTTP/2 where the server does"),
        OptionSpec("timing", "how long each phase took, on stderr"),
        OptionSpec("dry-run", "print the request, send nothing; works without credentials"),
        OptionSpec("sample", "answer from the embedded sample: no network, no key"),
        OptionSpec("any-status", "print a 3xx, 4xx or 5xx body like any other, exit 0"),
        OptionSpec("color", value: "auto|always|never", "when to colour (auto)"),
        HelpCommand.helpOption,
    ]
}
