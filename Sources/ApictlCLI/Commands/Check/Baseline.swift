import EndpointKit
import JSONText

/// The file of `--baseline`: keys that are known not to be in the models.
struct Baseline: Sendable {
    /// A key that is accepted.
    struct Entry: Codable, Sendable, Hashable {
        /// The endpoint's name.
        let name: String
        let path: String
        /// The last day on which it is accepted; nil is no limit.
        var until: CalendarDay?
        /// Why it is accepted, for those who read the file.
        var reason: String?
    }

    /// What the file holds.
    private struct Content: Codable, Sendable {
        /// The only one there is.
        enum Version: Int, Codable, Sendable, CaseIterable { case first = 1 }

        var version = Version.first
        var known: [Entry]
    }

    let path: String
    let entries: [Entry]
    private let today: CalendarDay

    /// Reads the file; one that is missing is empty if it may be. Throws ``UsageError`` and ``FileError``.
    init(path: String, mayBeMissing: Bool, _ environment: ProcessEnvironment) throws {
        self.path = path
        today = CalendarDay(secondsSince1970: environment.secondsSince1970())
        do {
            entries = try SettingsFile(Content.self, path: path, environment.files).content.known
        } catch let error as FileError where mayBeMissing && error.isMissing {
            entries = []
        }
    }

    /// Whether the entry still accepts its key.
    func isCurrent(_ entry: Entry) -> Bool { entry.until.map { today <= $0 } ?? true }

    /// Replaces the file with `entries`. Throws ``FileError``.
    func write(_ entries: [Entry], _ files: any FileSystem) throws {
        try files.replace(path) { file in
            let formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
            try file.write(JSONTextEncoder().encode(Content(known: entries), formattedBy: formatter))
        }
    }
}
