import EndpointKit
import JSONText

/// `list`: prints one line per endpoint.
struct ListCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var json = false
        var lint = false
    }

    static let name = "list"
    static let usage = "list [PATTERN…] [--json]"
    static let summary = "list endpoints"
    static let operands = Operands.patterns
    static let table = OptionTable<Options>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("json", "print JSON") { $0.json = true },
                Option("lint", "show what is probably wrong in the declarations; exit 1 if anything is") {
                    $0.lint = true
                },
            ])
    ])

    static let patternNote =
        "PATTERN is a part of an endpoint's name, method, path or summary; with * or ?, a glob for the whole."

    static func notes(_ context: RunContext) -> CommandNotes { CommandNotes(paragraphs: [patternNote]) }

    /// Endpoints that match any of these are listed; none lists everything.
    let patterns: [Word]
    let options: Options

    init(_ words: CommandWords<Options>) {
        patterns = words.others
        options = words.options
    }

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        if options.lint { return try printLint(context) }
        let endpoints = try context.registry.summaries(matching: patterns)
        try context.print(
            asJSON: options.json, options.common, EndpointList(endpoints: endpoints), or: text(endpoints, context))
        return .success
    }

    /// `--lint`: prints what is probably wrong with the APIs or endpoints that match.
    private func printLint(_ context: RunContext) throws -> ExitCode {
        var findings = context.registry.apis.flatMap { $0.lint() }
        if !patterns.isEmpty {
            let names = try context.registry.summaries(matching: patterns).map(\.name)
            // Some are about a whole API.
            let matching = patterns.map { NamePattern($0.text) }
            findings = findings.filter { finding in
                names.contains(finding.name) || matching.contains { $0.matches(finding.name) }
            }
        }
        try context.print(
            asJSON: options.json, options.common,
            LintReport(findings: findings), or: findings.map { "\($0.description.safeToShow)\n" }.joined())
        return findings.isEmpty ? .success : .failure
    }

    /// The endpoints grouped by API, under the API's name and summary.
    private func text(_ endpoints: [EndpointSummary], _ context: RunContext) -> String {
        let table = context.table
        return context.registry.apis.map { api in
            let rows = endpoints.filter { $0.name.hasPrefix(api.name + ".") }.map(\.row)
            return rows.isEmpty ? "" : "\(api.title)\n\(table.text(rows))"
        }.joined()
    }
}

/// What `list --json` prints.
private struct EndpointList: Encodable {
    let version = 1
    let endpoints: [EndpointSummary]
}

/// What `list --lint --json` prints.
private struct LintReport: Encodable {
    let version = 1
    let findings: [LintFinding]
}

extension Registry {
    /// The endpoints of which name, method, path or summary match any of `patterns`, in their own order; all of them without patterns.
    ///
    /// Throws ``UsageError`` for a pattern that matches nothing.
    func summaries(matching patterns: [Word]) throws -> [EndpointSummary] {
        let all = try summaries()
        if patterns.isEmpty { return all }
        var chosen = Set<String>()
        for word in patterns {
            let pattern = NamePattern(word.text)
            let found = all.filter { $0.row.contains(where: pattern.matches) }.map(\.name)
            guard !found.isEmpty else {
                let nearest = Nearest.matches(word.text, in: apis.map { $0.name } + all.map(\.name))
                throw UsageError("no endpoint matches \(word.shown)" + Nearest.question(nearest), see: "list")
            }
            chosen.formUnion(found)
        }
        return all.filter { chosen.contains($0.name) }
    }
}

/// Matches a text that contains the pattern, or as a whole if the pattern is a glob with `*` and `?`; case is ignored.
struct NamePattern {
    /// The pattern as a glob, and in kebab case, because names in Swift's spelling match too.
    private let globs: Set<String>

    /// In how many bytes one may be spelled otherwise, as letters with separate accents.
    private static let maxPerByte = 8

    init(_ text: String) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        let spellings = [text, words.map { KebabCase.text(String($0)) }.joined(separator: ".")]
        let isGlob = text.contains { "*?".contains($0) }
        globs = Set(spellings.map { isGlob ? $0.lowercased() : "*\($0.lowercased())*" })
    }

    func matches(_ text: String) -> Bool {
        globs.contains { glob in
            // To compare a letter with a hundred thousand accents takes long.
            glob.utf8.count { $0 != UInt8(ascii: "*") } <= Self.maxPerByte * text.utf8.count
                && Self.isGlob(glob, of: Array(text.lowercased()))
        }
    }

    private static func isGlob(_ pattern: String, of text: [Character]) -> Bool {
        // Whether the pattern so far matches the first 0, 1, 2 … characters.
        var matched = [true] + text.map { _ in false }
        for symbol in pattern {
            if symbol == "*" {
                let first = matched.firstIndex(of: true) ?? matched.endIndex
                matched = matched.indices.map { $0 >= first }
            } else {
                matched = [false] + zip(text, matched).map { $1 && (symbol == "?" || symbol == $0) }
            }
        }
        return matched.last == true
    }
}
