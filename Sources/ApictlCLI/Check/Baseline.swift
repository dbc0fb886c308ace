import EndpointKit
import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Judges keys that are not in the models: by `--strict`, and by the file of `--baseline`, which lists those that are known.
struct Baseline: Sendable {
    /// A key that is accepted.
    struct Entry: Codable, Sendable {
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
        var version = SettingsVersion.first
        let known: [Entry]
    }

    private struct Key: Hashable, Sendable {
        let name: String
        let path: String
    }

    /// Different keys that are remembered, at most.
    private static let maxKeys = 50_000

    private let path: String?
    private let known: [Key: Entry]
    /// Those of ``known`` that have run out.
    private let expired: Set<Key>
    /// Whether a key that is not known fails the check.
    private let failsNew: Bool
    /// The endpoints of which at least one whole response was compared.
    private var compared: Set<String> = []
    private var seen: Set<Key> = []

    /// Reads the file, which may be missing if it is to be written. Throws ``UsageError`` and ``FileError``.
    init(_ options: CheckOptions, _ environment: ProcessEnvironment) throws {
        var entries: [Entry] = []
        if let path = options.baseline {
            do {
                entries = try SettingsFile(Content.self, path: path, environment.files).content.known
            } catch let error as FileError where options.updatesBaseline && error.isMissing {}
        }
        path = options.baseline
        known = Dictionary(entries.map { (Key(name: $0.name, path: $0.path), $0) }) { _, last in last }
        let now = Date(timeIntervalSince1970: Double(environment.secondsSince1970()))
        let today = String(Coding().text(of: now).prefix(10))
        expired = Set(known.filter { $0.value.until.map { $0.text < today } ?? false }.keys)
        failsNew = !options.updatesBaseline && (options.strict || path != nil)
    }

    /// Fails `outcome`, of a check of the endpoint `name`, if it has a key that is not known, and says which ones are.
    mutating func judge(_ outcome: inout CheckOutcome, name: String, isSurveyed: Bool) {
        if isSurveyed, outcome.verdict != .failed { compared.insert(name) }
        for (place, problem) in outcome.problems.enumerated() where problem.kind == .unexpectedKey {
            let key = Key(name: name, path: problem.path ?? "")
            if seen.count < Self.maxKeys { seen.insert(key) }
            let isAccepted = known[key] != nil && !expired.contains(key)
            if failsNew, !isAccepted { outcome.verdict = .failed }
            if isAccepted {
                outcome.problems[place].hint = "It is in the baseline."
            } else if let day = known[key]?.until {
                outcome.problems[place].hint = "The baseline accepted it until \(day.text)."
            }
        }
    }

    /// The entries that no response shows any more.
    var fixed: [Entry] { unseen { compared.contains($0.name) }.sorted(by: Self.areInOrder) }

    private func unseen(_ isIncluded: (Key) -> Bool) -> [Entry] {
        known.filter { !seen.contains($0.key) && isIncluded($0.key) }.map(\.value)
    }

    private static func areInOrder(_ one: Entry, _ other: Entry) -> Bool {
        (one.name, one.path) < (other.name, other.path)
    }

    /// Replaces the file with one that accepts what was seen, without what is fixed. Throws ``FileError``.
    func write(_ files: any FileSystem) throws {
        guard let path else { return }
        let drift = seen.map { key in
            var entry = known[key] ?? Entry(name: key.name, path: key.path)
            // What has run out was accepted anew.
            if expired.contains(key) { entry.until = nil }
            return entry
        }
        let entries = (unseen { !compared.contains($0.name) } + drift).sorted(by: Self.areInOrder)
        let formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
        let bytes = try JSONTextEncoder().encode(Content(known: entries), formattedBy: formatter)
        try files.replace(path, with: bytes)
    }
}

/// The only version of a file of settings that there is.
enum SettingsVersion: Int, Codable, Sendable, CaseIterable { case first = 1 }

extension FileSystem {
    /// Replaces the file at `path` with one that holds `bytes`. Throws ``FileError``.
    func replace(_ path: String, with bytes: [UInt8]) throws {
        let file = try replace(path)
        do {
            try file.write(bytes)
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }
}

/// A day in UTC, `2027-01-01`. Years have four digits, so that texts compare as the days do.
struct CalendarDay: SettingsText {
    static let expectation = "a day such as 2027-01-01"

    let text: String

    init?(_ text: String) {
        guard text.utf8.count == 10, let json = try? Coding().encode(text + "T00:00:00Z"),
            (try? Coding().decode(Date.self, from: json)) != nil
        else { return nil }
        self.text = text
    }
}

/// A value that is a text in a file of settings.
protocol SettingsText: Codable, Sendable {
    /// What is expected, for messages.
    static var expectation: String { get }
    var text: String { get }
    /// Nil if `text` is not such a value.
    init?(_ text: String)
}

extension SettingsText {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.expectation)
        }
        self = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
