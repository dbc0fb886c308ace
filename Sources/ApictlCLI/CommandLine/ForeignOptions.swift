/// The options of other tools (curl, HTTPie, xh, gh, jq), and what to use in their place.
enum ForeignOptions {
    /// The advice for an option of another tool.
    private enum Replacement {
        /// An option that does the same, by its long name.
        case option(String)
        /// A sentence, if no option is needed or several are.
        case advice(String)
    }

    /// Options of other tools for the same purpose.
    private struct Row {
        /// The long names, and the letters of short options.
        let names: [Substring]
        let replacement: Replacement

        /// Makes a row of names that are separated by spaces.
        init(_ names: String, _ replacement: Replacement) {
            self.names = names.split(separator: " ")
            self.replacement = replacement
        }
    }

    /// The options of other tools, in groups with the same advice.
    private static let rows: [Row] = [
        Row("d data data-raw data-binary T upload-file input raw-body", .option("body")),
        Row("download", .option("output")),
        Row("A user-agent b cookie", .option("header")),
        Row("headers", .option("include")),
        Row("connect-to", .option("resolve")),
        Row("socks5 socks5-hostname", .option("proxy")),
        Row("max-redirs", .option("max-redirects")),
        Row("max-filesize", .option("max-bytes")),
        Row("timeout", .option("max-time")),
        Row("verify", .option("insecure")),
        Row("continue-at", .option("continue")),
        Row("url-query", .option("query")),
        Row("jq filter template t", .option("select")),
        Row("raw-output", .option("raw-strings")),
        Row("ascii-output stream N no-buffer", .option("raw")),
        Row("offline", .option("dry-run")),
        Row("hostname", .option("base-url")),
        Row("meta", .option("timing")),
        Row("json", .advice("the result is JSON by default; --body sends JSON")),
        Row("X request method", .advice("the endpoint declares its method")),
        Row("G get", .advice("the endpoint declares its method; for a URL, it is GET")),
        Row(
            "I head",
            .advice("the endpoint declares its method, for a URL: -X HEAD; -i prints the headers before the body")),
        Row("s silent", .advice("only the result goes to stdout; -q prints nothing")),
        Row("S show-error", .advice("errors are shown unless --quiet is given")),
        Row(
            "u user auth a oauth2-bearer auth-type",
            .advice("credentials come from environment variables; --auth NAME chooses one, -n reads ~/.netrc")),
        Row("f fail check-status fail-early", .advice("a 3xx, 4xx or 5xx fails by default, with exit code 3, 4 or 5")),
        Row("L location follow", .advice("redirects are followed by default; --max-redirects 0 turns that off")),
        Row("compressed", .advice("compressed responses are requested by default")),
        Row(
            "pretty p format style indent",
            .advice("JSON is indented by default; --compact prints one line, --table prints rows")),
        Row("F form multipart raw-field field", .advice("values are given by the endpoint's own parameters")),
        Row("c cookie-jar session session-read-only", .option("session")),
        Row("ignore-stdin", .advice("stdin is read only for '-' and '@-'")),
        Row("print", .advice("--include prints the headers, --verbose the request too")),
        Row("paginate", .advice("--all-pages follows the pages that an endpoint declares")),
    ]

    /// Returns the end of the message about an unknown option that another tool, such as curl, has.
    ///
    ///     advice(about: "data", in: …)       // "; did you mean '--body'?"
    ///     advice(about: "location", in: …)   // "; redirects are followed by default …"
    ///
    /// - Parameters:
    ///   - name: The long name, or the letter of a short option.
    ///   - options: The options of the command.
    /// - Returns: The end of the message; nil if no tool is known to have the option, or if the command can't do the
    ///   same.
    static func advice(about name: String, in options: [OptionSpec]) -> String? {
        // Long names and letters are in the same list, because no letter is a long name.
        guard let row = rows.first(where: { $0.names.contains(Substring(name)) }) else { return nil }
        switch row.replacement {
        case .option(let replacementName):
            let hasReplacement = options.contains { $0.name == replacementName }
            return hasReplacement ? NearestWord.question(["--" + replacementName]) : nil
        case .advice(let sentence):
            // All advice is about requests, and exactly the commands that send requests have this option.
            let sendsRequests = options.contains { $0.name == "max-redirects" }
            return sendsRequests ? "; " + sentence : nil
        }
    }
}
