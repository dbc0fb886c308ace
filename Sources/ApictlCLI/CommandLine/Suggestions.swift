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
    private static let advice: [(names: [String], text: String)] = [
        (["X", "request", "method", "G", "get"], "the endpoint declares its method"),
        (
            ["f", "fail", "check-status", "fail-early"],
            "a 3xx, 4xx or 5xx is a failure anyway, with exit code 3, 4 or 5"
        ),
        (["L", "location", "follow"], "redirects are followed by default; --max-redirects 0 turns that off"),
        (["compressed"], "compressed responses are asked for anyway"),
        (
            ["pretty", "p", "format", "style", "indent"],
            "JSON is indented anyway; --compact prints one line, --table rows"
        ),
        (["F", "form", "multipart", "raw-field", "field"], "values are given by the endpoint's own parameters"),
        (
            ["auth", "a", "oauth2-bearer", "auth-type"],
            "credentials come from variables, see 'help credentials', or with --netrc from a file"
        ),
        (["c", "cookie-jar", "session"], "cookies are not kept; -H 'Cookie: …' sends one"),
        (["ignore-stdin"], "stdin is read only for '-' and '@-'"),
        (["S", "show-error"], "errors are shown unless --quiet is given"),
        (["print"], "--include prints the headers, --verbose the request too"),
        (["paginate"], "--all-pages follows the pages that an endpoint declares"),
    ]

    /// What to say about `name`, which is no option here; a single letter is a short option. Nil if no tool is known to have it.
    static func hint(_ name: String, in options: [OptionSpec]) -> String? {
        if let known = names[name], options.contains(where: { $0.name == known }) {
            return Nearest.question(["--" + known])
        }
        guard options.contains(where: { $0.name == "max-redirects" }) else { return nil }
        return advice.first { $0.names.contains(name) }.map { "; \($0.text)" }
    }
}
