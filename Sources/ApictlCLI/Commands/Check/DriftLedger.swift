import EndpointKit

/// Judges keys that are not in the models: by `--strict`, and by the baseline.
struct DriftLedger: Sendable {
    private struct Key: Hashable, Sendable {
        let name: String
        let path: String
    }

    /// Different keys that are remembered, at most.
    private static let mostKeys = 50_000

    private let known: [Key: Baseline.Entry]
    private let current: Set<Key>
    /// Whether a key that is not known fails the check.
    private let failsNew: Bool
    /// The endpoints of which at least one whole response was compared.
    private var compared: Set<String> = []
    private var seen: Set<Key> = []

    init(baseline: Baseline?, isStrict: Bool, updates: Bool) {
        let entries = baseline?.entries ?? []
        known = Dictionary(entries.map { (Key(name: $0.name, path: $0.path), $0) }) { _, last in last }
        current = Set(known.filter { baseline?.isCurrent($0.value) ?? false }.keys)
        failsNew = !updates && (isStrict || baseline != nil)
    }

    /// Fails `outcome`, of a check of the endpoint `name`, if it has a key that is not known, and says which ones are.
    mutating func judge(_ outcome: inout CheckOutcome, name: String, isSurveyed: Bool) {
        if isSurveyed, outcome.verdict != .failed { compared.insert(name) }
        for (place, problem) in outcome.problems.enumerated() where problem.kind == .unexpectedKey {
            let key = Key(name: name, path: problem.path ?? "")
            if seen.count < Self.mostKeys { seen.insert(key) }
            if failsNew, !current.contains(key) { outcome.verdict = .failed }
            if let entry = known[key] { outcome.problems[place].hint = hint(entry, isCurrent: current.contains(key)) }
        }
    }

    /// An entry without a last day is current.
    private func hint(_ entry: Baseline.Entry, isCurrent: Bool) -> String {
        guard !isCurrent, let until = entry.until else { return "It is in the baseline." }
        return "The baseline accepted it until \(until.text)."
    }

    /// The entries of the baseline that no response shows any more.
    var fixed: [Baseline.Entry] {
        known.filter { compared.contains($0.key.name) && !seen.contains($0.key) }.values.sorted()
    }

    /// The entries of a baseline that accepts what was seen: sorted, without those that are fixed.
    var updated: [Baseline.Entry] {
        let kept = known.filter { !compared.contains($0.key.name) && !seen.contains($0.key) }.values
        let drift = seen.map { key in
            // What has run out was accepted anew.
            var entry = known[key] ?? Baseline.Entry(name: key.name, path: key.path)
            if !current.contains(key) { entry.until = nil }
            return entry
        }
        return (kept + drift).sorted()
    }
}

extension Baseline.Entry: Comparable {
    static func < (one: Baseline.Entry, other: Baseline.Entry) -> Bool {
        (one.name, one.path) < (other.name, other.path)
    }
}
