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
        let capturingCase: CaseEntry.ID
        /// The name in the file, such as `id` for `{{id}}`.
        let text: String
    }

    /// The captured values and secrets. Cases of several files run at the same time, so that a lock guards them.
    private struct State {
        var values: [Name: JSONValue] = [:]
        /// The names whose values are sent as credentials.
        var secretNames: Set<Name> = []
        /// The secrets that ``redactor`` removes.
        var secrets: Set<String> = []
        var redactor = Redactor()
    }

    private let state = Mutex(State())

    /// Removes the captured secrets, which a server may repeat in later responses.
    var redactor: Redactor { state.withLock(\.redactor) }

    /// Marks a name as that of a secret, because a case sends its value as a credential. The value itself is captured
    /// later.
    func markAsSecret(_ name: Name) { state.withLock { _ = $0.secretNames.insert(name) } }

    /// Returns the captured value; nil if there is none yet.
    func value(of name: Name) -> JSONValue? { state.withLock { $0.values[name] } }

    /// Keeps captured values for later cases, and extends ``redactor`` by the secrets among them.
    ///
    /// - Parameters:
    ///   - values: The values by their names. A case that is repeated replaces its earlier values.
    ///   - request: The request whose response has the values. Its secrets are removed from later texts too.
    func add(_ values: [Name: JSONValue], from request: Request) {
        if values.isEmpty { return }
        let requestSecrets = Redactor.secrets(of: [request])
        state.withLock { state in
            state.values.merge(values) { _, newValue in newValue }
            let secretValues = values.filter { state.secretNames.contains($0.key) }.values
            let secrets = requestSecrets.union(secretValues.flatMap(\.scalarTexts))
            let newSecrets = secrets.subtracting(state.secrets)
            state.secrets.formUnion(newSecrets)
            state.redactor.add(newSecrets)
        }
    }
}

extension JSONValue {
    /// The texts of all scalars (strings, numbers, booleans and nulls) in this value: of itself, or of its elements and
    /// members at any depth.
    fileprivate var scalarTexts: [String] {
        if let elements { return elements.flatMap(\.scalarTexts) }
        if let members { return members.flatMap(\.value.scalarTexts) }
        return [text]
    }
}
