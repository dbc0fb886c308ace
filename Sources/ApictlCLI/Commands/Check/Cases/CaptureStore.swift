import Synchronization

/// Values that cases capture for later ones, which wait for them.
final class CaptureStore: Sendable {
    private enum State {
        case pending([CheckedContinuation<String?, Never>])
        /// Nil if the case came to an end without it.
        case known(String?)
    }

    private let states: Mutex<[String: State]>

    /// `names` are all that will be captured.
    init(_ names: some Sequence<String>) {
        states = Mutex(Dictionary(names.map { ($0, .pending([])) }) { first, _ in first })
    }

    /// The value of that name, as soon as it is known; nil if it was not captured.
    func value(_ name: String) async -> String? {
        await withCheckedContinuation { continuation in
            let known = states.withLock { states -> String?? in
                switch states[name] {
                case .known(let value): return .some(value)
                case .pending(let waiting):
                    states[name] = .pending(waiting + [continuation])
                    return nil
                case nil: return .some(nil)
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Sets the value, unless it is known already; nil if there is none.
    func set(_ name: String, _ value: String?) {
        let waiting = states.withLock { states -> [CheckedContinuation<String?, Never>] in
            guard case .pending(let waiting) = states[name] else { return [] }
            states[name] = .known(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}

/// What one case captures.
struct Captures: Sendable {
    let names: [String]
    let store: CaptureStore

    /// Lets nobody wait any longer for what the case has not captured.
    func end() { for name in names { store.set(name, nil) } }
}
