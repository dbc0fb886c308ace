/// Finds the word that was probably meant.
enum NearestWord {
    /// The longest word that is compared, in bytes.
    static let maxLength = 64

    /// `; did you mean 'one' or 'other'?`; nothing for no word.
    static func question(_ words: [String]) -> String {
        guard let last = words.last else { return "" }
        let others = words.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? "" : others + " or ")'\(last)'?"
    }

    /// The question about the candidate nearest to `word`.
    static func question(_ word: String, in candidates: some Sequence<String>) -> String {
        question(match(word, in: candidates).map { [$0] } ?? [])
    }

    /// The candidate that was probably meant.
    static func match(_ word: String, in candidates: some Sequence<String>) -> String? {
        matches(word, in: candidates, mayContain: false).first
    }

    /// Up to five candidates that may have been meant: by edits, at most a third of the length, then those that start with `word`, then those
    /// that contain it.
    static func matches(
        _ word: String, in candidates: some Sequence<String>, mayContain: Bool = true
    ) -> [String] {
        guard word.utf8.count <= maxLength else { return [] }
        let word = word.lowercased()
        let letters = Array(word)
        let found = candidates.enumerated().compactMap {
            offset, candidate -> (rank: Int, offset: Int, candidate: String)? in
            let (text, other) = (candidate.lowercased(), Array(candidate.lowercased()))
            let limit = max(1, (max(letters.count, other.count) + 1) / 3)
            if abs(letters.count - other.count) <= limit, case let edits = distance(letters, other), edits <= limit {
                return (edits, offset, candidate)
            }
            if letters.count > 1, text.hasPrefix(word) { return (maxLength, offset, candidate) }
            return mayContain && letters.count > 2 && text.contains(word) ? (maxLength + 1, offset, candidate) : nil
        }
        // Of two alike, the first declared comes first.
        return found.sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.prefix(5).map(\.candidate)
    }

    /// The edits between two words; swapping neighbours is one edit (optimal string alignment).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in 1...one.count {
            var current = [row]
            for column in 1...other.count {
                let cost = one[row - 1] == other[column - 1] ? 0 : 1
                var edits = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    edits = min(edits, beforeLast[column - 2] + 1)
                }
                current.append(edits)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}

/// Options of other tools (curl, HTTPie, xh, gh, jq), and how the same is said here.
enum ForeignOptions {
    /// The names of options, single letters for short ones, and the option that does the same here, or what there is instead.
    private static let rows: [(names: String, text: String)] = [
        ("d data data-raw data-binary T upload-file input raw-body", "--body"),
        ("O remote-name download", "--output"),
        ("A user-agent b cookie", "--header"),
        ("headers", "--include"),
        ("connect-to", "--resolve"),
        ("socks5 socks5-hostname", "--proxy"),
        ("max-redirs", "--max-redirects"),
        ("max-filesize", "--max-bytes"),
        ("timeout", "--max-time"),
        ("verify", "--insecure"),
        ("continue-at", "--continue"),
        ("url-query", "--query"),
        ("jq q filter template t", "--select"),
        ("raw-output", "--raw-strings"),
        ("ascii-output stream N no-buffer", "--raw"),
        ("offline", "--dry-run"),
        ("hostname", "--base-url"),
        ("meta", "--timing"),
        ("json", "the result is JSON by default; --body sends JSON"),
        ("X request method", "the endpoint declares its method"),
        ("G get", "the endpoint declares its method; for a URL, it is GET"),
        ("I head", "the endpoint declares its method, for a URL: -X HEAD; -i prints the headers before the body"),
        ("s silent", "only the result goes to stdout; -q prints nothing"),
        ("S show-error", "errors are shown unless --quiet is given"),
        (
            "u user auth a oauth2-bearer auth-type",
            "credentials come from environment variables; --auth NAME chooses one, -n reads ~/.netrc"
        ),
        ("f fail check-status fail-early", "a 3xx, 4xx or 5xx fails by default, with exit code 3, 4 or 5"),
        ("L location follow", "redirects are followed by default; --max-redirects 0 turns that off"),
        ("compressed", "compressed responses are requested by default"),
        ("pretty p format style indent", "JSON is indented by default; --compact prints one line, --table prints rows"),
        ("F form multipart raw-field field", "values are given by the endpoint's own parameters"),
        ("c cookie-jar session", "cookies are not kept; -H 'Cookie: …' sends one"),
        ("ignore-stdin", "stdin is read only for '-' and '@-'"),
        ("print", "--include prints the headers, --verbose the request too"),
        ("paginate", "--all-pages follows the pages that an endpoint declares"),
    ]

    /// What to say about `name`, which is no option here; nil if no tool is known to have it.
    static func hint(_ name: String, in options: [OptionSpec]) -> String? {
        guard let row = rows.first(where: { $0.names.split(separator: " ").contains(Substring(name)) }) else {
            return nil
        }
        let isOption = row.text.hasPrefix("--") && !row.text.contains(" ")
        // Advice is for commands that send requests.
        let isKnown = options.contains { isOption ? $0.flag == row.text : $0.name == "max-redirects" }
        return isKnown ? isOption ? NearestWord.question([row.text]) : "; \(row.text)" : nil
    }
}
