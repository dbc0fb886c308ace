import EndpointKit
import EndpointTools
import JSONText
import Synchronization

/// The values that the cases of a run have captured so far, and the secrets among them.
final class CaseCaptures: Sendable {
    /// Identifies a captured value by its name and the case that captures it. Several cases may capture values with
    /// the same name.
    struct Name: Sendable, Hashable {
        /// The case that captures the value.
        let owner: CaseEntry.ID
        let text: String
    }

    private struct State {
        var values: [Name: JSONValue] = [:]
        /// The names whose values are sent as credentials.
        var secretNames: Set<Name> = []
        /// The secrets that `redactor` has.
        var secrets: Set<String> = []
        var redactor = Redactor()
    }

    private let state = Mutex(State())

    /// Removes the captured secrets, which a server may repeat in later responses.
    var redactor: Redactor { state.withLock(\.redactor) }

    /// Marks a value as secret, because a case sends it as a credential. The value itself is captured later.
    func setSecret(_ name: Name) { state.withLock { _ = $0.secretNames.insert(name) } }

    /// Returns the captured value; nil if there is none yet.
    func value(of name: Name) -> JSONValue? { state.withLock { $0.values[name] } }

    /// Keeps captured values.
    ///
    /// - Parameters:
    ///   - values: The values by their names.
    ///   - request: The request of the response with the values, whose own secrets are removed from later texts too.
    func add(_ values: [Name: JSONValue], from request: Request) {
        if values.isEmpty { return }
        state.withLock { state in
            state.values.merge(values) { _, newValue in newValue }
            let secretValues = values.filter { state.secretNames.contains($0.key) }.values
            let secrets = Redactor.secrets(of: [request]).union(secretValues.flatMap(\.scalarTexts))
            let newSecrets = secrets.subtracting(state.secrets)
            state.secrets.formUnion(newSecrets)
            state.redactor.add(newSecrets)
        }
    }
}

extension JSONValue {
    /// The texts of all values in this one that are neither lists nor objects.
    fileprivate var scalarTexts: [String] {
        if let elements { return elements.flatMap(\.scalarTexts) }
        if let members { return members.flatMap(\.value.scalarTexts) }
        return [text]
    }
}
