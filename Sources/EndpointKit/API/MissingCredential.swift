/// The error of a request that needs a credential whose variables are not set.
public struct MissingCredential: DescribedError, Sendable, Equatable {
    /// Sets of variables, any one of which would be enough.
    public let alternatives: [[String]]
    /// For each of ``alternatives``, the page where a person gets the secret; nil if the API does not name it. Empty if
    /// it names none.
    package let sources: [String?]

    /// Creates an error that asks for any one of several sets of variables.
    ///
    /// - Parameters:
    ///   - alternatives: The sets of variables. A set that occurs a second time is left out.
    ///   - sources: The pages where a person gets the secrets, one for each set, or none at all.
    public init(alternatives: [[String]], sources: [String?] = []) {
        let hasSources = sources.contains { $0 != nil }
        var distinctAlternatives: [[String]] = []
        var distinctSources: [String?] = []
        for (index, variables) in alternatives.enumerated() where !distinctAlternatives.contains(variables) {
            distinctAlternatives.append(variables)
            if hasSources { distinctSources.append(sources[index]) }
        }
        self.alternatives = distinctAlternatives
        self.sources = distinctSources
    }

    /// A sentence that names the variables to set, such as `a credential is missing: set TOKEN`.
    public var description: String { "a credential is missing: set \(choices(", or "))" }

    /// Returns the sets of variables with `separator` between them, such as `TOKEN, or USER and PASSWORD`.
    package func choices(_ separator: String) -> String {
        alternatives.map { $0.joined(separator: " and ") }.joined(separator: separator)
    }
}
