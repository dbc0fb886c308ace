import EndpointTools

/// The parts of schemas that the checks of a run did not compare responses with.
struct UncomparedParts: Sendable {
    /// The parts of one API.
    private struct PartsOfAPI {
        let name: String
        /// A keyword that was not compared, as an example; nil if only whole schemas were not compared.
        let exampleKeyword: String?
        /// The parts. Several endpoints may have the same ones. A schema with very many keywords names only the first
        /// ones, and has one part that stands for all others.
        var parts: Set<UncomparedPart>

        /// A sentence with the number of the parts:
        ///
        ///     shop: 12 parts of schemas were not compared, such as the keyword pattern; …
        var remark: String {
            let namedParts = parts.filter { $0.subject != .furtherKeywords }
            let hasFurtherParts = namedParts.count < parts.count
            let count = (hasFurtherParts ? "more than " : "") + "\(namedParts.count)"
            let verb = namedParts.count == 1 ? "part of a schema was" : "parts of schemas were"
            let example = exampleKeyword.map { ", such as the keyword \($0)" } ?? ""
            return "\(name): \(count) \(verb) not compared\(example); describe \(name).ENDPOINT lists them."
        }
    }

    /// The APIs with such parts, in the order of the first check.
    private var apis: [PartsOfAPI] = []

    /// Adds the parts that the check of a result could not compare. A part that several checks have counts once.
    mutating func add(_ result: CheckResult) {
        let newParts = result.outcome.notCompared
        if newParts.isEmpty { return }
        let apiName = result.call.declaration.api.name
        if let index = apis.firstIndex(where: { $0.name == apiName }) {
            apis[index].parts.formUnion(newParts)
        } else {
            let firstKeyword = newParts.compactMap(\.keyword).first
            apis.append(PartsOfAPI(name: apiName, exampleKeyword: firstKeyword, parts: Set(newParts)))
        }
    }

    /// A sentence for each API with such parts.
    var remarks: [String] { apis.map(\.remark) }
}
