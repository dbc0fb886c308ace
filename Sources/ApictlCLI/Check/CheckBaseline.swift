import EndpointKit
import EndpointTools
import JSONText

/// Judges keys that are not in the models: by `--strict`, and by the file of `--baseline`, which lists those that are known.
struct CheckBaseline: Sendable {
    /// A key that is accepted.
    struct Entry: Codable, Sendable, Comparable {
        let name: String
        var path: String
        /// What is accepted there, of a document; without it, all that is.
        var kind: String?
        /// Why it is accepted, for those who read the file.
        var reason: String?

        var key: [String] { [name, path] + (kind.map { [$0] } ?? []) }
        /// The path as checks tell it; nil if they never tell such a one. A secret may have been in a name.
        var toldPath: String? {
            let mark = "(redacted)"
            let told = (try? JSONPath(path.replacingBytes(of: mark, with: "_")))?.foldedText
            return told != nil && path.contains(mark) ? path : told
        }
        /// The path to the object that has the key.
        var parent: String {
            let last = path.hasSuffix("']") ? path.ranges(of: "['").last?.lowerBound : path.lastIndex(of: ".")
            return String(path[..<(last ?? path.endIndex)])
        }

        static func < (one: Entry, other: Entry) -> Bool { one.key.lexicographicallyPrecedes(other.key) }
    }

    /// What the file holds.
    private struct Content: Codable, Sendable {
        var version = SettingsVersion.first
        let known: [Entry]
    }

    /// Different keys that are remembered, at most.
    private static let maxKeys = 1_000_000

    private let path: String?
    private let known: [[String]: Entry]
    private let failsNew: Bool
    /// Whether what fails is known too, not only drift.
    private let takesFailures: Bool
    /// The entries that no response could have shown yet, by name: lists may have been empty.
    private var notCompared: [String: [Entry]]
    /// The keys that responses had, as their entries have them.
    private var seen: Set<[String]> = []

    /// Reads the file, which may be missing if it is to be written; `endpoints` are the names of all there are. Throws ``UsageError`` and
    /// ``FileError``.
    init(_ options: CheckOptions, _ environment: ProcessEnvironment, endpoints: Set<String>) throws {
        path = options.judging.baseline?.text
        let entries = try path.map { try Self.entries($0, environment, options) }
        known = Dictionary((entries ?? []).map { ($0.key, $0) }) { _, last in last }
        // Of an endpoint that is no more nothing will ever be compared.
        let open = known.values.filter { options.running.document != nil || endpoints.contains($0.name) }
        notCompared = Dictionary(grouping: open, by: \.name)
        takesFailures = options.running.document != nil
        failsNew = !options.judging.updatesBaseline && (options.judging.strict || path != nil)
    }

    private static func entries(
        _ path: String, _ environment: ProcessEnvironment, _ options: CheckOptions
    ) throws -> [Entry] {
        if path == "-", options.judging.updatesBaseline {
            throw UsageError.conflict("--baseline -", "--update-baseline")
        }
        do {
            let (bytes, name) = try environment.file(path)
            let file = try StrictDocument(Content.self, bytes, path: name)
            return try file.content.known.enumerated().map { place, entry in
                // Those of a document have other paths.
                if options.running.document != nil || entry.kind != nil { return entry }
                guard let path = entry.toldPath else {
                    let problem = "$.known[\(place)].path: expected a JSON path such as $.results[*].id"
                    throw file.error(problem, at: [.key("known"), .index(place), .key("path")])
                }
                var entry = entry
                entry.path = path
                return entry
            }
        } catch let error as FileError where options.judging.updatesBaseline && error.isMissing {
            return []
        }
    }

    /// Fails a result that has a key that is not known; known ones are only counted.
    mutating func judge(_ result: inout CheckResult) {
        if takesFailures {
            notCompared[result.name] = nil
        } else if result.outcome.verdict != .failed, let places = result.outcome.evidence.compared?.places,
            let entries = notCompared[result.name], !entries.isEmpty
        {
            let paths = places.objectPaths
            notCompared[result.name] = entries.filter { !paths.contains($0.parent) }
        }
        func isJudged(_ problem: CheckProblem) -> Bool { takesFailures || problem.kind.verdict == .drifted }
        guard result.outcome.problems.contains(where: isJudged) else { return }
        if takesFailures { result.outcome.verdict = .passed }
        result.outcome.problems = result.outcome.problems.compactMap { problem in
            guard isJudged(problem), let path = problem.path else { return problem }
            var key = Entry(name: result.name, path: path).key
            if takesFailures, known[key] == nil { key.append(problem.kind.rawValue) }
            if seen.count < Self.maxKeys { seen.insert(key) }
            if known[key] != nil {
                result.outcome.known += 1
                return nil
            }
            if failsNew { result.outcome.verdict = .failed }
            return problem
        }
        if takesFailures, !failsNew { result.outcome.verdict = result.outcome.problems.verdict }
    }

    /// The entries that no response had any more, in order.
    var fixed: [Entry] {
        let open = Set(unjudged.map(\.key))
        return known.values.filter { !seen.contains($0.key) && !open.contains($0.key) }.sorted()
    }

    /// The entries that responses neither had nor could have had.
    private var unjudged: [Entry] { notCompared.values.joined().filter { !seen.contains($0.key) } }

    /// Replaces the file with one that accepts what was seen, without what is fixed, and says so on `output`. Throws ``FileError``, and
    /// what `output` does.
    func write(_ files: any FileSystem, _ output: any ByteOutput) throws {
        guard let path else { return }
        let drift = seen.map { known[$0] ?? Entry(name: $0[0], path: $0[1], kind: $0.dropFirst(2).first) }
        let content = Content(known: (unjudged + drift).sorted())
        let formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
        try files.replace(path, with: formatter.formatted(JSONTextEncoder().encode(content)))
        let (count, new) = (content.known.count, seen.subtracting(known.keys).count)
        let removed = known.count + new - count
        try output.write(
            "Wrote \(path.safeToShow): \(count.counted("known key")), \(new) new, \(removed) removed\n")
    }
}
