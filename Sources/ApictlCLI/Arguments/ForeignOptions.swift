/// Options of other tools (curl, HTTPie, xh, gh, jq), and how the same is said here.
enum ForeignOptions {
    /// Options that do the same here under another name.
    private static let names: [String: String] = [
        "d": "body", "data": "body", "data-raw": "body", "data-binary": "body", "json": "body", "T": "body",
        "upload-file": "body", "input": "body", "raw-body": "body",
        "s": "quiet", "silent": "quiet", "O": "output", "remote-name": "output", "download": "output",
        "A": "header", "user-agent": "header", "b": "header", "cookie": "header", "I": "include", "head": "include",
        "headers": "include", "u": "netrc", "user": "netrc", "connect-to": "resolve", "socks5": "proxy",
        "socks5-hostname": "proxy", "max-redirs": "max-redirects", "max-filesize": "max-bytes",
        "timeout": "max-time", "verify": "insecure", "continue-at": "continue", "url-query": "query",
        "jq": "select", "q": "select", "filter": "select", "template": "select", "t": "select",
        "raw-output": "raw-strings", "ascii-output": "raw", "offline": "dry-run", "hostname": "base-url",
        "stream": "raw", "N": "raw", "no-buffer": "raw", "meta": "timing", "server": "env",
    ]

    /// What there is instead, for options of commands that send requests.
    private static let advice: [String: String] = [
        "X": method, "request": method, "method": method, "G": method, "get": method,
        "f": status, "fail": status, "check-status": status, "fail-early": status,
        "L": redirects, "location": redirects, "follow": redirects,
        "compressed": "compressed responses are asked for anyway",
        "pretty": pretty, "p": pretty, "format": pretty, "style": pretty, "indent": pretty,
        "F": parameters, "form": parameters, "multipart": parameters, "raw-field": parameters, "field": parameters,
        "auth": credentials, "a": credentials, "oauth2-bearer": credentials, "auth-type": credentials,
        "c": cookies, "cookie-jar": cookies, "session": cookies,
        "ignore-stdin": "stdin is read only for '-' and '@-'",
        "S": errors, "show-error": errors, "print": parts,
        "paginate": "--all-pages follows the pages that an endpoint declares",
    ]

    private static let method = "the endpoint declares its method"
    private static let status = "a 3xx, 4xx or 5xx is a failure anyway, with exit code 3, 4 or 5"
    private static let redirects = "redirects are followed by default; --max-redirects 0 turns that off"
    private static let errors = "errors are shown unless --quiet is given"
    private static let parts = "--include prints the headers, --verbose the request too"
    private static let pretty = "JSON is indented anyway; --compact prints one line, --table rows"
    private static let parameters = "values are given by the endpoint's own parameters"
    private static let credentials =
        "credentials come from variables, see 'help credentials', or with --netrc from a file"
    private static let cookies = "cookies are not kept; -H 'Cookie: …' sends one"

    /// What to say about `name`, which is no option here; a single letter is a short option. Nil if no tool is known to have it.
    static func hint(_ name: String, in options: [OptionSpec]) -> OptionHint? {
        if let known = names[name], options.contains(where: { $0.name == known }) { return .nearest("--" + known) }
        let sends = options.contains { $0.name == "max-redirects" }
        return sends ? advice[name].map { .advice($0) } : nil
    }
}

/// What to do instead of using an unknown option.
enum OptionHint: Sendable, Equatable {
    /// The option that was probably meant.
    case nearest(String)
    case advice(String)
}
