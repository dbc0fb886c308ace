import EndpointKit

/// Chooses endpoints by patterns over their name, method, path and summary.
enum EndpointFilter {
    /// The endpoints that match any of `patterns`, in their own order; all of them without patterns.
    ///
    /// Throws ``UsageError`` for a pattern that matches nothing.
    static func endpoints(
        matching patterns: [Word], in all: [EndpointSummary], apis: [String]
    ) throws(UsageError) -> [EndpointSummary] {
        if patterns.isEmpty { return all }
        var chosen = Set<String>()
        for pattern in patterns {
            // Names in Swift's spelling match too.
            let kebab = pattern.text.split(separator: ".", omittingEmptySubsequences: false)
                .map { KebabCase.text(String($0)) }.joined(separator: ".")
            let (plain, name) = (NamePattern(pattern.text), NamePattern(kebab))
            let found = all.filter { endpoint in
                name.matches(endpoint.name)
                    || [endpoint.name, endpoint.method, endpoint.path, endpoint.summary].contains(where: plain.matches)
            }
            guard !found.isEmpty else {
                let nearest = Nearest.matches(pattern.text, in: apis + all.map(\.name))
                throw UsageError.noMatch(pattern.text, position: pattern.position, nearest: nearest)
            }
            chosen.formUnion(found.map(\.name))
        }
        return all.filter { chosen.contains($0.name) }
    }
}
