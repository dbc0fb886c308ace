import EndpointTools

/// The parts of schemas that the checks of a run did not compare responses with, by the names of APIs.
struct UncomparedParts: Sendable {
    private var parts: [String: Set<UncomparedPart>] = [:]
    /// The names of the APIs in the order of the first check, each with a keyword as an example.
    private var apis: [(name: String, keyword: String?)] = []

    /// Adds the parts of a result. Several endpoints of an API may have the same ones.
    mutating func add(_ result: CheckResult) {
        let newParts = result.outcome.notCompared
        if newParts.isEmpty { return }
        let name = result.call.declaration.api.name
        if parts[name] == nil { apis.append((name, newParts.lazy.compactMap(\.keyword).first)) }
        parts[name, default: []].formUnion(newParts)
    }

    /// A sentence for each API with such parts.
    ///
    ///     shop: 12 parts of schemas were not compared, such as the keyword pattern; describe shop.ENDPOINT lists them.
    var remarks: [String] {
        apis.map { name, keyword in
            let parts = parts[name] ?? []
            let counted = parts.filter { $0.subject != .furtherKeywords }.count
            let atLeast = counted < parts.count ? "more than " : ""
            let verb = counted == 1 ? "part of a schema was" : "parts of schemas were"
            let example = keyword.map { ", such as the keyword \($0)" } ?? ""
            return "\(name): \(atLeast)\(counted) \(verb) not compared\(example); describe \(name).ENDPOINT lists them."
        }
    }
}
