/// Finds the word that was probably meant.
enum Nearest {
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

    /// The candidate with the fewest edits from `word`; where every one is too far, more than a third of its length, the only one
    /// that starts with `word`; else nil.
    static func match(_ word: String, in candidates: some Sequence<String>) -> String? {
        if let best = similar(to: word, in: candidates).first { return best }
        let longer = longer(than: word, in: candidates)
        return longer.count == 1 ? longer[0] : nil
    }

    /// Up to five candidates that may have been meant, the most similar first: by edits, then those that start with `word` or contain it.
    static func matches(_ word: String, in candidates: some Sequence<String>) -> [String] {
        guard word.utf8.count <= maxLength else { return [] }
        var found = similar(to: word, in: candidates)
        let containing = word.count > 2 ? candidates.filter { $0.lowercased().contains(word.lowercased()) } : []
        for candidate in longer(than: word, in: candidates) + containing where !found.contains(candidate) {
            found.append(candidate)
        }
        return Array(found.prefix(5))
    }

    /// The candidates within a third of the length in edits, in the order of their edits.
    private static func similar(to word: String, in candidates: some Sequence<String>) -> [String] {
        guard word.utf8.count <= maxLength else { return [] }
        let letters = Array(word.lowercased())
        let found = candidates.compactMap { candidate -> (candidate: String, distance: Int)? in
            let other = Array(candidate.lowercased())
            let limit = max(1, (max(letters.count, other.count) + 1) / 3)
            guard abs(letters.count - other.count) <= limit else { return nil }
            let distance = distance(letters, other)
            return distance <= limit ? (candidate, distance) : nil
        }
        // The sort must be stable: of two at the same distance, the first declared comes first.
        return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .map(\.element.candidate)
    }

    private static func longer(than word: String, in candidates: some Sequence<String>) -> [String] {
        word.count > 1 ? candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) } : []
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
        ("d data data-raw data-binary json T upload-file input raw-body", "--body"),
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
        ("server", "--env"),
        ("X request method G get", "the endpoint declares its method"),
        ("I head", "the endpoint declares its method; -i prints the headers before the body"),
        ("s silent", "stdout has the result alone anyway; -q prints nothing at all"),
        ("S show-error", "errors are shown unless --quiet is given"),
        (
            "u user auth a oauth2-bearer auth-type",
            "credentials come from variables, see 'help credentials'; --auth NAME chooses one, -n reads ~/.netrc"
        ),
        ("f fail check-status fail-early", "a 3xx, 4xx or 5xx is a failure anyway, with exit code 3, 4 or 5"),
        ("L location follow", "redirects are followed by default; --max-redirects 0 turns that off"),
        ("compressed", "compressed responses are asked for anyway"),
        ("pretty p format style indent", "JSON is indented anyway; --compact prints one line, --table rows"),
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
        return isKnown ? isOption ? Nearest.question([row.text]) : "; \(row.text)" : nil
    }
}
