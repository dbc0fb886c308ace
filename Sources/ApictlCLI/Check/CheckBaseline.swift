import EndpointKit
import EndpointTools
import JSONText

/// Judges how responses differ from their models, as `--strict` and `--baseline` ask for.
///
/// The file of `--baseline` lists differences that are known and accepted. If responses are checked, a difference is a
/// key that the model does not have. If a document is compared (`--document`), any problem is a difference between it
/// and the endpoints.
struct CheckBaseline: Sendable {
    /// The most different keys that are remembered. A hostile server must not fill the memory with them.
    private static let maxKeys = 1_000_000

    /// The path of the file; nil without `--baseline`.
    private let path: String?
    /// The entries of the file.
    private let listedEntries: [Key: Entry]
    /// Whether a difference that the file does not list fails a check.
    private let failsUnlisted: Bool
    /// Whether an OpenAPI document is compared. Then the file may also list differences that would otherwise fail a
    /// check.
    private let comparesDocument: Bool
    /// The entries whose differences may still exist, although no response has shown them so far, by the names of
    /// endpoints.
    ///
    /// An entry is removed once a response has the object that could have the key. An entry can remain to the end: a
    /// list may have been empty in all responses, so that its elements were never compared.
    private var untestedEntries: [String: [Entry]]
    /// The keys of the differences that were found in this run.
    private var foundKeys: Set<Key> = []

    /// Reads the file of `--baseline`. It may be missing if it is to be written.
    ///
    /// - Parameters:
    ///   - options: The options of the command.
    ///   - context: The context, whose endpoints the entries of the file may name.
    /// - Throws: ``FileError``, ``Failure`` for a missing file that is not to be written, and ``UsageError`` for a file
    ///   that is wrong.
    init(_ options: CheckOptions, _ context: CommandContext) throws {
        path = options.judging.baseline?.text
        comparesDocument = options.running.document != nil
        // A run that writes the file accepts all differences.
        failsUnlisted = !options.judging.updatesBaseline && (options.judging.strict || path != nil)
        let entries = try path.map { try Self.readEntries(ofFile: $0, context.environment, options) } ?? []
        // If the file lists a difference twice, the last entry counts.
        listedEntries = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
        untestedEntries = Dictionary(grouping: listedEntries.values, by: \.name)
        // Without a document, responses test the entries. Those of an endpoint that does not exist any more are removed,
        // because no response will ever test them.
        if !comparesDocument, !untestedEntries.isEmpty {
            let endpointNames = Set(try context.registry.endpoints().map(\.name))
            untestedEntries = untestedEntries.filter { endpointName, _ in endpointNames.contains(endpointName) }
        }
    }

    // MARK: Judging

    /// Judges a result by the baseline, which is a file of accepted differences between responses and models, or
    /// between endpoints and a document.
    ///
    /// A difference that the file lists is removed from the result's problems and only counted. With `--strict` or
    /// `--baseline`, any other difference fails the check. All differences are recorded, so that `--update-baseline`
    /// can list them in the file.
    ///
    /// - Parameter result: The result, whose problems and verdict are changed.
    mutating func judge(_ result: inout CheckResult) {
        removeTestedEntries(by: result)
        let hadDifferences = result.outcome.problems.contains(where: isDifference)
        if !hadDifferences { return }
        let remainingProblems = recordDifferences(of: result)
        result.outcome.acceptedKeyCount += result.outcome.problems.count - remainingProblems.count
        result.outcome.problems = remainingProblems
        if failsUnlisted, remainingProblems.contains(where: isDifference) {
            result.outcome.verdict = .failed
        } else if comparesDocument {
            // The old verdict also counted the listed differences, which are accepted. The new one is made from the
            // problems that remain.
            result.outcome.verdict = remainingProblems.verdict
        }
    }

    /// Whether a problem is a difference that the baseline can list. It has a path, and in a response, it is a key that
    /// the model does not have.
    private func isDifference(_ problem: CheckProblem) -> Bool {
        problem.path != nil && (comparesDocument || problem.kind.verdict == .drifted)
    }

    /// Records the differences among the problems of a result in ``foundKeys``, until there are ``maxKeys`` keys.
    ///
    /// - Returns: The problems without the differences that the file of `--baseline` lists.
    private mutating func recordDifferences(of result: CheckResult) -> [CheckProblem] {
        var remainingProblems: [CheckProblem] = []
        for problem in result.outcome.problems {
            guard isDifference(problem), let path = problem.path else {
                remainingProblems.append(problem)
                continue
            }
            let differenceKey = key(of: problem.kind, endpointName: result.name, path: path)
            // A hostile server must not fill the memory with keys.
            if foundKeys.count < Self.maxKeys { foundKeys.insert(differenceKey) }
            let isListed = listedEntries[differenceKey] != nil
            if !isListed { remainingProblems.append(problem) }
        }
        return remainingProblems
    }

    /// Returns the key of a difference.
    ///
    /// Only a document can have differences of several kinds at a path, so that only then the kind is part of the key.
    /// An entry of the file without a kind stands for all of them.
    private func key(of kind: CheckProblem.Kind, endpointName: String, path: String) -> Key {
        let keyOfAllKinds = Key(name: endpointName, path: path)
        if !comparesDocument || listedEntries[keyOfAllKinds] != nil { return keyOfAllKinds }
        return Key(name: endpointName, path: path, kind: kind.rawValue)
    }

    /// Removes the entries that a result has tested from ``untestedEntries``. A result tests an entry if it shows the
    /// entry's difference, or would show the difference if it still existed.
    ///
    /// An entry for `results[*].id` is tested if the response has an element of `results`, with or without `id`. A
    /// comparison with a document always tests all entries of the endpoint.
    private mutating func removeTestedEntries(by result: CheckResult) {
        let endpointName = result.name
        if comparesDocument {
            untestedEntries[endpointName] = nil
            return
        }
        guard let entries = untestedEntries[endpointName], !entries.isEmpty else { return }
        // A response that does not fit the model tests nothing.
        guard result.outcome.verdict != .failed, let comparison = result.outcome.evidence.compared else { return }
        let comparedObjects = comparison.places.objectPaths
        untestedEntries[endpointName] = entries.filter { !comparedObjects.contains($0.parentPath) }
    }

    // MARK: After the run

    /// The entries whose differences are gone, in order: a response could have shown them and did not.
    var fixed: [Entry] {
        let keptKeys = foundKeys.union(entriesToKeep.map(\.key))
        return listedEntries.values.filter { !keptKeys.contains($0.key) }.sorted()
    }

    /// The entries whose differences were not found, but that no response could have shown, so that nobody knows
    /// whether they are gone.
    private var entriesToKeep: [Entry] { untestedEntries.values.joined().filter { !foundKeys.contains($0.key) } }

    /// Replaces the file of `--baseline` by one that lists the differences which were found, so that they are accepted
    /// in later runs. Does nothing without `--baseline`.
    ///
    /// The new file has no entries for differences that are gone. Entries that no response could have shown stay.
    ///
    /// - Parameters:
    ///   - files: The file system.
    ///   - messages: The output for a line about how many entries are new and removed.
    /// - Throws: ``FileError``, and the error of the output.
    func updateFile(in files: any FileSystem, messages: any ByteOutput) throws {
        guard let path else { return }
        // An entry that the file has already keeps its reason, which a person may have written.
        let foundEntries = foundKeys.map { listedEntries[$0] ?? Entry($0) }
        let content = FileContent(known: (entriesToKeep + foundEntries).sorted())
        let formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
        try files.replace(path, with: formatter.formatted(JSONTextEncoder().encode(content)))
        let count = content.known.count
        let newCount = foundKeys.subtracting(listedEntries.keys).count
        // The listed and the new entries are all that there can be. Those missing from the new file have been removed.
        let removedCount = listedEntries.count + newCount - count
        let countsText = "\(count.counted("known key")), \(newCount) new, \(removedCount) removed"
        try messages.write("Wrote \(path.safeToShow): \(countsText)\n")
    }
}

// MARK: - The file

extension CheckBaseline {
    /// Identifies a difference: the endpoint, the path and, if a document is compared, the kind of problem.
    struct Key: Hashable, Sendable, Comparable {
        /// The name of the endpoint.
        let name: String
        let path: String
        /// The kind of problem; nil for all kinds.
        var kind: String?

        /// The name, the path, and the kind if there is one.
        var words: [String] { if let kind { [name, path, kind] } else { [name, path] } }

        static func < (left: Key, right: Key) -> Bool { left.words.lexicographicallyPrecedes(right.words) }
    }

    /// A difference that the file lists, so that it is accepted.
    struct Entry: Codable, Sendable, Comparable {
        /// The name of the endpoint.
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
        /// A problem has `(redacted)` in place of a secret in its path. Such a path is no JSON path, but is accepted as
        /// it is.
        var canonicalPath: String? {
            let redaction = "(redacted)"
            let pathWithoutRedaction = path.replacingBytes(of: redaction, with: "_")
            guard let canonicalPath = (try? JSONPath(pathWithoutRedaction))?.foldedText else { return nil }
            let isRedacted = path.contains(redaction)
            return isRedacted ? path : canonicalPath
        }

        /// The path of the object that has the key, which is the path without its last name: `$.results[*]` for
        /// `$.results[*].id`, and `$` for `$['a.b']`.
        var parentPath: String {
            let isLastNameInBrackets = path.hasSuffix("']")
            let endOfParent =
                isLastNameInBrackets ? path.ranges(of: "['").last?.lowerBound : path.lastIndex(of: ".")
            return String(path[..<(endOfParent ?? path.endIndex)])
        }

        static func < (left: Entry, right: Entry) -> Bool { left.key < right.key }
    }

    /// The content of the file.
    private struct FileContent: Codable, Sendable {
        var version = SettingsVersion.first
        let known: [Entry]
    }

    /// Reads the entries of a baseline, which is a file of accepted differences.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` is stdin.
    ///   - environment: The files, and stdin.
    ///   - options: The options of the command, which may ask to write the file (`--update-baseline`).
    /// - Returns: The entries; none for a missing file that is to be written.
    /// - Throws: ``FileError``, ``Failure`` for a missing file, and ``UsageError`` with the place of what is wrong.
    private static func readEntries(
        ofFile path: String, _ environment: ProcessEnvironment, _ options: CheckOptions
    ) throws -> [Entry] {
        let updatesBaseline = options.judging.updatesBaseline
        if path == "-", updatesBaseline { throw UsageError.conflict("--baseline -", "--update-baseline") }
        do {
            let (bytes, shownPath) = try environment.readFile(path)
            let file = try StrictDocument(FileContent.self, bytes, path: shownPath)
            let entries = file.content.known
            // The paths of documents are not JSON paths, so they are not checked.
            if options.running.document != nil { return entries }
            return try entries.indices.map { try canonicalEntry(at: $0, in: file) }
        } catch let error as FileError where error.isMissing {
            if updatesBaseline { return [] }
            var failure = Failure(error)
            failure.hints.append(.options("To write it with the keys of today: --update-baseline"))
            throw failure
        }
    }

    /// Returns an entry of the file, with its path written as in the problems of checks.
    ///
    ///     results[*].id   →   $.results[*].id
    ///
    /// An entry with a kind is for comparisons with documents. Its path is no JSON path, so it is returned unchanged.
    ///
    /// - Throws: ``UsageError`` for a path that no response can have.
    private static func canonicalEntry(
        at index: Int, in file: StrictDocument<FileContent>
    ) throws(UsageError) -> Entry {
        var entry = file.content.known[index]
        let isForDocument = entry.kind != nil
        if isForDocument { return entry }
        guard let canonicalPath = entry.canonicalPath else {
            let problem = "$.known[\(index)].path: expected a JSON path such as $.results[*].id"
            throw file.error(problem, at: [.key("known"), .index(index), .key("path")])
        }
        entry.path = canonicalPath
        return entry
    }
}
