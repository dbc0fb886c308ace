import EndpointKit
import Synchronization

/// Values that cases capture for later ones, which wait for them.
final class CaptureStore: Sendable {
    private enum State {
        case pending([CheckedContinuation<String?, Never>])
        /// Nil if the case came to an end without it.
        case known(String?)
    }

    private struct Content {
        var states: [String: State]
        var secrets: Set<String> = []
        var sources: [Request] = []
        var redactor: Redactor?

        /// With `--repeat`, each run may bring another one; so many are enough.
        private static let mostSecrets = 100

        mutating func add(secret: String) {
            guard secrets.count < Self.mostSecrets, secrets.insert(secret).inserted else { return }
            renewRedactor()
        }

        mutating func add(source: Request) {
            guard sources.count < Self.mostSecrets else { return }
            sources.append(source)
            renewRedactor()
        }

        private mutating func renewRedactor() {
            redactor = Redactor(earlier: sources, others: secrets.map { SensitiveText([.secret(Secret($0))]) })
        }
    }

    private let content: Mutex<Content>
    /// The names of values that are sent as credentials.
    private let secretNames: Set<String>

    /// `names` are all that will be captured, `secret` those of them that must not be shown.
    init(_ names: some Sequence<String>, secret: Set<String>) {
        content = Mutex(Content(states: Dictionary(names.map { ($0, .pending([])) }) { first, _ in first }))
        secretNames = secret
    }

    /// Knows the secrets that were captured so far, and those of the requests whose responses gave values; nil if there are none.
    var redactor: Redactor? { content.withLock(\.redactor) }

    /// The value of that name, as soon as it is known; nil if it was not captured.
    func value(_ name: String) async -> String? {
        await withCheckedContinuation { continuation in
            let known = content.withLock { content -> String?? in
                switch content.states[name] {
                case .known(let value): return .some(value)
                case .pending(let waiting):
                    content.states[name] = .pending(waiting + [continuation])
                    return nil
                case nil: return .some(nil)
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Adds a request whose response gives values, before they are set: the server may have repeated its secrets.
    func add(source: Request) { content.withLock { $0.add(source: source) } }

    /// Sets the value, unless it is known already; nil if there is none.
    func set(_ name: String, _ value: String?) {
        let waiting = content.withLock { content -> [CheckedContinuation<String?, Never>] in
            if let value, secretNames.contains(name) { content.add(secret: value) }
            guard case .pending(let waiting) = content.states[name] else { return [] }
            content.states[name] = .known(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}

/// What one case captures, and what it needs of earlier ones.
struct Captures: Sendable {
    let names: [String]
    let needed: [String]
    let store: CaptureStore

    /// Lets nobody wait any longer for what the case has not captured.
    func end() { for name in names { store.set(name, nil) } }
}
