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
        let endpoints = try EndpointFilter.endpoints(
            matching: patterns, in: context.registry.summaries(), apis: context.registry.apis.map { $0.name })
        try context.print(
            asJSON: options.json, options.common, EndpointList(endpoints: endpoints), or: text(endpoints, context))
        return .success
    }

    /// `--lint`: prints what is probably wrong with the APIs or endpoints that match.
    private func printLint(_ context: RunContext) throws -> ExitCode {
        let apis = context.registry.apis
        var findings = apis.flatMap { $0.lint() }
        if !patterns.isEmpty {
            let endpoints = apis.flatMap { (try? EndpointSummary.all(of: $0)) ?? [] }
            var names: Set<String> = []
            for pattern in patterns {
                // Findings are also about APIs, and about cases that are no endpoints because no example shows them.
                let found = findings.map(\.name).filter(EndpointFilter(pattern).matches)
                do throws(UsageError) {
                    names.formUnion(
                        try EndpointFilter.endpoints(matching: [pattern], in: endpoints, apis: apis.map { $0.name })
                            .map(\.name))
                } catch {
                    if found.isEmpty { throw error }
                }
                names.formUnion(found)
            }
            findings = findings.filter { names.contains($0.name) }
        }
        try context.print(
            asJSON: options.json, options.common,
            LintReport(findings: findings), or: findings.map { "\($0.description.safeToShow)\n" }.joined())
        return findings.isEmpty ? .success : .failure
    }

    /// The endpoints grouped by API, under the API's name and summary.
    private func text(_ endpoints: [EndpointSummary], _ context: RunContext) -> String {
        let table = Table(width: context.textWidth)
        let colors = HeadColors(options.common.color, for: context.environment.stdout, context.environment)
        var text = ""
        for api in context.registry.apis {
            let prefix = api.name + "."
            let own = endpoints.filter { $0.name.hasPrefix(prefix) }
            let rows = own.map(\.row) + (patterns.isEmpty ? api.rowsWithoutExample(own) : [])
            let title = api.name + (api.summary.isEmpty ? "" : ": " + api.summary)
            if !rows.isEmpty { text += title + "\n" }
            for (row, line) in zip(rows, table.lines(rows)) { text += colored(line, method: row[1], colors) + "\n" }
        }
        return text
    }

    /// The row `line` with its method in colour.
    private func colored(_ line: String, method: String, _ colors: HeadColors) -> String {
        guard colors.isOn, !method.isEmpty,
            let place = line.indices.first(where: { line[$0...].hasPrefix("  \(method)  ") })
        else { return line }
        let rest = line[place...].dropFirst(2 + method.count)
        return line[..<place] + "  " + colors.method(method) + rest
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

/// A pattern over the names, methods, paths and summaries of endpoints.
struct EndpointFilter {
    private let plain: NamePattern
    /// The same in kebab case, because names in Swift's spelling match too.
    private let kebab: NamePattern

    init(_ pattern: Word) {
        plain = NamePattern(pattern.text)
        kebab = NamePattern(
            pattern.text.split(separator: ".", omittingEmptySubsequences: false).map { KebabCase.text(String($0)) }
                .joined(separator: "."))
    }

    func matches(_ name: String) -> Bool { kebab.matches(name) || plain.matches(name) }

    /// The endpoints that match any of `patterns`, in their own order; all of them without patterns.
    ///
    /// Throws ``UsageError`` for a pattern that matches nothing.
    static func endpoints(
        matching patterns: [Word], in all: [EndpointSummary], apis: [String]
    ) throws(UsageError) -> [EndpointSummary] {
        if patterns.isEmpty { return all }
        var chosen = Set<String>()
        for pattern in patterns {
            let filter = EndpointFilter(pattern)
            let found = all.filter { endpoint in
                filter.matches(endpoint.name)
                    || [endpoint.method, endpoint.path, endpoint.summary].contains(where: filter.plain.matches)
            }
            guard !found.isEmpty else {
                let nearest = Nearest.matches(pattern.text, in: apis + all.map(\.name))
                throw UsageError.unknownName("no endpoint matches \(pattern.shown)", nearest: nearest)
            }
            chosen.formUnion(found.map(\.name))
        }
        return all.filter { chosen.contains($0.name) }
    }
}

/// Matches a text that contains the pattern, or as a whole if the pattern is a glob with `*` and `?`; case is ignored.
struct NamePattern: Sendable, Equatable {
    private let text: String
    private let pattern: [Character]
    private let isGlob: Bool
    /// The length of what must be in a name, in bytes.
    private let length: Int

    /// In how many bytes one may be spelled otherwise, as letters with separate accents.
    private static let maxPerByte = 8

    init(_ text: String) {
        self.text = text.lowercased()
        pattern = Array(self.text)
        isGlob = pattern.contains { $0 == "*" || $0 == "?" }
        length = self.text.utf8.count { $0 != UInt8(ascii: "*") }
    }

    func matches(_ name: String) -> Bool {
        // To compare a letter with a hundred thousand accents takes long.
        guard length <= Self.maxPerByte * name.utf8.count else { return false }
        guard isGlob else { return pattern.count <= name.count && name.lowercased().contains(text) }
        let letters = Array(name.lowercased())
        var (index, place) = (0, 0)
        var star: (place: Int, index: Int)?
        while index < letters.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == letters[index] {
                index += 1
                place += 1
            } else if let last = star {
                // Backtrack: let the last star match one more letter.
                star = (last.place, last.index + 1)
                index = last.index + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
