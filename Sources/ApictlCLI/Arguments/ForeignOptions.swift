/// Maps options of other tools, mainly curl, to the options here that do the same.
enum ForeignOptions {
    private static let names: [String: String] = [
        "d": "body", "data": "body", "data-raw": "body", "data-binary": "body", "json": "body",
        "s": "quiet", "silent": "quiet", "w": "timing", "write-out": "timing",
        "O": "output", "remote-name": "output", "A": "header", "user-agent": "header", "b": "header",
        "cookie": "header", "u": "netrc", "user": "netrc", "I": "include", "head": "include",
        "connect-to": "resolve", "socks5": "proxy", "socks5-hostname": "proxy", "max-redirs": "max-redirects",
        "max-filesize": "max-bytes", "timeout": "max-time", "verify": "insecure", "continue-at": "continue",
        "url-query": "query", "jq": "select", "q": "select", "filter": "select", "raw-output": "raw-strings",
        "follow": "max-redirects", "L": "max-redirects", "location": "max-redirects",
    ]

    /// The option among `options` that does what `name` does elsewhere; a single letter is a short option.
    static func match(_ name: String, in options: [OptionSpec]) -> String? {
        names[name].flatMap { known in options.contains { $0.name == known } ? known : nil }
    }
}
