/// A credential that a request needs is not set.
public struct MissingCredential: DescribedError, Sendable, Equatable {
    /// Sets of variables, any one of which would be enough.
    public let alternatives: [[String]]
    /// For each of ``alternatives``, the page where a person gets the secret; nil if the API does not name it. Empty if
    /// it names none.
    package let sources: [String?]

    /// Creates an error that asks for any one of several sets of variables.
    ///
    /// - Parameters:
    ///   - alternatives: The sets. One that occurs a second time is left out.
    ///   - sources: The pages where a person gets the secrets, one for each set, or none at all.
    public init(alternatives: [[String]], sources: [String?] = []) {
        let firstIndices = alternatives.indices.filter { !alternatives[..<$0].contains(alternatives[$0]) }
        self.alternatives = firstIndices.map { alternatives[$0] }
        let hasSources = sources.contains { $0 != nil }
        self.sources = hasSources ? firstIndices.map { sources[$0] } : []
    }

    /// A sentence that names the variables to set.
    public var description: String { "a credential is missing: set \(choices(", or "))" }

    /// Returns the sets of variables with `separator` between them, such as `TOKEN, or USER and PASSWORD`.
    package func choices(_ separator: String) -> String {
        alternatives.map { $0.joined(separator: " and ") }.joined(separator: separator)
    }
}
