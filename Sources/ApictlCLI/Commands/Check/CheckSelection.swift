import EndpointKit

/// Finds the endpoints that patterns match, and their examples.
struct CheckSelection {
    let patterns: [Word]
    let preparation: CheckPreparation

    /// The endpoints in the order of the catalogue. Throws ``UsageError`` for a pattern that matches nothing.
    func declarations() throws -> [EndpointDeclaration] {
        let registry = preparation.context.registry
        let all = try registry.endpoints()
        guard !patterns.isEmpty else { return all }
        let chosen = try EndpointFilter.endpoints(
            matching: patterns, in: registry.summaries(), apis: registry.apis.map { $0.name })
        let names = Set(chosen.map(\.name))
        return all.filter { names.contains($0.name) }
    }

    /// A check of each example, if it is in the part that is run. Throws as ``declarations()`` does, and what resolving a plan throws.
    func cases() throws -> [CheckCase] {
        let examples = try declarations().flatMap { declaration in
            declaration.examples.enumerated().map { (declaration, $0 + 1, $1) }
        }
        let shard = preparation.options.shard
        return try examples.enumerated()
            .filter { place, _ in shard?.includes(place) ?? true }
            .map { _, example in try checkCase(example.0, example.1, example.2) }
    }

    private func checkCase(_ declaration: EndpointDeclaration, _ number: Int, _ example: any API) throws -> CheckCase {
        let prepared = try preparation.prepare(declaration) { try $0.plan(for: example) }
        let endpoint = example.endpoint
        return CheckCase(
            declaration: declaration, example: number, title: "example \(number)",
            label: declaration.examples.count > 1 ? "\(declaration.name) #\(number)" : declaration.name,
            method: endpoint.method, source: endpoint.source, request: prepared.request, action: prepared.action)
    }
}
