import EndpointKit
import EndpointTools
import JSONText

/// Judges how responses differ from their models, as `--strict` and `--baseline` ask for.
///
/// The file of `--baseline` lists differences that are known and accepted. Of a response, the differences are keys
/// that the model does not have. If a document is compared (`--document`), they are all differences between it and
/// the endpoints.
struct CheckBaseline: Sendable {
    /// The most different keys that are remembered. A hostile server must not fill the memory with them.
    private static let maxKeys = 1_000_000

    /// The path of the file; nil without `--baseline`.
    private let path: String?
    /// The entries of the file.
    private let known: [Key: Entry]
    /// Whether a difference that is not known fails a check.
    private let failsUnknown: Bool
    /// Whether an OpenAPI document is compared. Then the file may also list differences that would otherwise fail a
    /// check.
    private let comparesDocument: Bool
    /// The entries that may still exist, although no response has shown their keys, by the names of endpoints.
    ///
    /// An entry is removed once a response has the object that could have the key. A list may have been empty in all
    /// responses, so that its elements were never compared.
    private var notCompared: [String: [Entry]]
    /// The keys of the differences that were found in this run.
    private var seen: Set<Key> = []

    /// Reads the file of `--baseline`. It may be missing if it is to be written.
    ///
    /// - Parameters:
    ///   - options: The options of the command.
    ///   - environment: The files, and stdin.
    ///   - endpoints: The names of all endpoints. Entries of other names can no longer be compared.
    /// - Throws: ``FileError``, and ``UsageError`` for a file that is wrong.
    init(_ options: CheckOptions, _ environment: ProcessEnvironment, endpoints: Set<String>) throws {
        let comparesDocument = options.running.document != nil
        path = options.judging.baseline?.text
        let entries = try path.map { try Self.entries($0, environment, options) } ?? []
        known = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
        // An endpoint that does not exist any more will never be compared, so its entries are not needed.
        let comparableEntries = known.values.filter { comparesDocument || endpoints.contains($0.name) }
        notCompared = Dictionary(grouping: comparableEntries, by: \.name)
        self.comparesDocument = comparesDocument
        failsUnknown = !options.judging.updatesBaseline && (options.judging.strict || path != nil)
    }

    // MARK: Judging

    /// Judges a result by the baseline.
    ///
    /// A known difference is removed from the result's problems and only counted. With `--strict` or `--baseline`,
    /// any other difference fails the check.
    ///
    /// - Parameter result: The result, whose problems and verdict are changed.
    mutating func judge(_ result: inout CheckResult) {
        removeCompared(result)
        guard result.outcome.problems.contains(where: isJudged) else { return }
        var hasUnknown = false
        var remaining: [CheckProblem] = []
        for problem in result.outcome.problems {
            guard isJudged(problem), let path = problem.path else {
                remaining.append(problem)
                continue
            }
            if noteDifference(of: result.name, at: path, problem.kind) {
                result.outcome.known += 1
            } else {
                hasUnknown = true
                remaining.append(problem)
            }
        }
        result.outcome.problems = remaining
        if failsUnknown, hasUnknown {
            result.outcome.verdict = .failed
        } else if comparesDocument {
            // The verdict counted the known differences, which are accepted. So it is made again from the problems
            // that remain.
            result.outcome.verdict = failsUnknown ? .passed : remaining.verdict
        }
    }

    /// Whether a problem is a difference that the baseline can list. Of a response, only unexpected keys are.
    private func isJudged(_ problem: CheckProblem) -> Bool { comparesDocument || problem.kind.verdict == .drifted }

    /// Removes the entries that a result shows, or would have shown if their keys still existed.
    ///
    /// An entry for `results[*].id` is removed if the response has an element of `results`, with or without `id`.
    private mutating func removeCompared(_ result: CheckResult) {
        if comparesDocument {
            notCompared[result.name] = nil
            return
        }
        guard result.outcome.verdict != .failed, let compared = result.outcome.evidence.compared else { return }
        guard let entries = notCompared[result.name], !entries.isEmpty else { return }
        let objectPaths = compared.places.objectPaths
        notCompared[result.name] = entries.filter { !objectPaths.contains($0.parentPath) }
    }

    /// Remembers a difference as seen.
    ///
    /// - Returns: Whether the baseline lists it, so that it is accepted.
    private mutating func noteDifference(of name: String, at path: String, _ kind: CheckProblem.Kind) -> Bool {
        var key = Key(name: name, path: path)
        // An entry without a kind accepts all differences at its path.
        if comparesDocument, known[key] == nil { key.kind = kind.rawValue }
        if seen.count < Self.maxKeys { seen.insert(key) }
        return known[key] != nil
    }

    // MARK: After the run

    /// The entries whose differences are gone: a response could have shown them and did not. In order.
    var fixed: [Entry] {
        let unseenKeys = Set(unseenEntries.map(\.key))
        return known.values.filter { !seen.contains($0.key) && !unseenKeys.contains($0.key) }.sorted()
    }

    /// The entries that no response could have shown, so that nobody knows whether they are gone.
    private var unseenEntries: [Entry] { notCompared.values.joined().filter { !seen.contains($0.key) } }

    /// Replaces the file with one that accepts the differences which were found. Reports on `output` how many entries
    /// are new and removed.
    ///
    /// The new file has no entries for differences that are gone. Entries that no response could have shown stay.
    ///
    /// - Throws: ``FileError``, and the error of the output.
    func write(_ files: any FileSystem, _ output: any ByteOutput) throws {
        guard let path else { return }
        let seenEntries = seen.map { known[$0] ?? Entry($0) }
        let content = FileContent(known: (unseenEntries + seenEntries).sorted())
        let formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
        try files.replace(path, with: formatter.formatted(JSONTextEncoder().encode(content)))
        let count = content.known.count
        let newCount = seen.subtracting(known.keys).count
        let removedCount = known.count + newCount - count
        try output.write(
            "Wrote \(path.safeToShow): \(count.counted("known key")), \(newCount) new, \(removedCount) removed\n")
    }
}

// MARK: - The file

extension CheckBaseline {
    /// Identifies a difference: the endpoint, the path and, if a document is compared, the kind of problem.
    struct Key: Hashable, Sendable, Comparable {
        let name: String
        let path: String
        var kind: String?

        /// The parts that are set, in order.
        var words: [String] { [name, path] + [kind].compactMap(\.self) }

        static func < (left: Key, right: Key) -> Bool { left.words.lexicographicallyPrecedes(right.words) }
    }

    /// A known difference.
    struct Entry: Codable, Sendable, Comparable {
        let name: String
        var path: String
        /// The kind of difference that a document may have at the path; nil if it may have any.
        var kind: String?
        /// The reason why the difference is accepted, for the readers of the file.
        var reason: String?

        /// Makes an entry for a difference.
        init(_ key: Key) {
            name = key.name
            path = key.path
            kind = key.kind
        }

        var key: Key { Key(name: name, path: path, kind: kind) }

        /// The path in the notation of the problems of checks: `results[*].id` → `$.results[*].id`. Nil if no problem
        /// can have such a path.
        ///
        /// A path may have `(redacted)` in place of a secret, as problems do. It is no JSON path, but is accepted.
        var canonicalPath: String? {
            let redaction = "(redacted)"
            // `(redacted)` is replaced by a valid name for the test.
            guard let jsonPath = try? JSONPath(path.replacingBytes(of: redaction, with: "_")) else { return nil }
            guard let folded = jsonPath.foldedText else { return nil }
            return path.contains(redaction) ? path : folded
        }

        /// The path of the object that has the key: `$.results[*]` for `$.results[*].id`, and `$` for `$['a.b']`.
        var parentPath: String {
            let isBracketed = path.hasSuffix("']")
            let start = isBracketed ? path.ranges(of: "['").last?.lowerBound : path.lastIndex(of: ".")
            return String(path[..<(start ?? path.endIndex)])
        }

        static func < (left: Entry, right: Entry) -> Bool { left.key < right.key }
    }

    /// The content of the file.
    private struct FileContent: Codable, Sendable {
        var version = SettingsVersion.first
        let known: [Entry]
    }

    /// Reads the entries of a file.
    ///
    /// - Returns: The entries; none for a missing file that is to be written.
    /// - Throws: ``FileError``, ``Failure`` for a missing file, and ``UsageError`` with the place of what is wrong.
    private static func entries(
        _ path: String, _ environment: ProcessEnvironment, _ options: CheckOptions
    ) throws -> [Entry] {
        let updatesBaseline = options.judging.updatesBaseline
        if path == "-", updatesBaseline { throw UsageError.conflict("--baseline -", "--update-baseline") }
        do {
            let (bytes, name) = try environment.file(path)
            let file = try StrictDocument(FileContent.self, bytes, path: name)
            // The paths of documents are not JSON paths.
            if options.running.document != nil { return file.content.known }
            return try file.content.known.indices.map { try entry(at: $0, in: file) }
        } catch let error as FileError where error.isMissing {
            if updatesBaseline { return [] }
            var failure = Failure(error)
            failure.hints.append(.options("To write it with the keys of today: --update-baseline"))
            throw failure
        }
    }

    /// Returns an entry of the file with its path in the notation of problems. An entry with a kind is for documents,
    /// and is returned unchanged.
    ///
    /// - Throws: ``UsageError`` for a path that no response can have.
    private static func entry(at index: Int, in file: StrictDocument<FileContent>) throws(UsageError) -> Entry {
        var entry = file.content.known[index]
        if entry.kind != nil { return entry }
        guard let canonicalPath = entry.canonicalPath else {
            let problem = "$.known[\(index)].path: expected a JSON path such as $.results[*].id"
            throw file.error(problem, at: [.key("known"), .index(index), .key("path")])
        }
        entry.path = canonicalPath
        return entry
    }
}
