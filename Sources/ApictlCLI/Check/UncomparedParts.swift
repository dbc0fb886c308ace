import EndpointTools

/// The parts of schemas that the checks of a run did not compare responses with.
struct UncomparedParts: Sendable {
    /// The parts of one API.
    private struct PartsOfAPI {
        let name: String
        /// A keyword that was not compared, as an example; nil if only whole schemas were not compared.
        let exampleKeyword: String?
        /// The parts. Several endpoints may have the same ones.
        var parts: Set<UncomparedPart>

        /// A sentence with the number of the parts:
        ///
        ///     shop: 12 parts of schemas were not compared, such as the keyword pattern; …
        var remark: String {
            let countedParts = parts.filter { $0.subject != .furtherKeywords }
            let atLeast = countedParts.count < parts.count ? "more than " : ""
            let noun = countedParts.count == 1 ? "part of a schema was" : "parts of schemas were"
            let example = exampleKeyword.map { ", such as the keyword \($0)" } ?? ""
            let start = "\(name): \(atLeast)\(countedParts.count) \(noun) not compared\(example)"
            return start + "; describe \(name).ENDPOINT lists them."
        }
    }

    /// The APIs with such parts, in the order of the first check.
    private var apis: [PartsOfAPI] = []

    /// Adds the parts that the check of a result could not compare. A part that several checks have counts once.
    mutating func add(_ result: CheckResult) {
        let newParts = result.outcome.notCompared
        if newParts.isEmpty { return }
        let name = result.call.declaration.api.name
        if let index = apis.firstIndex(where: { $0.name == name }) {
            apis[index].parts.formUnion(newParts)
        } else {
            let keyword = newParts.lazy.compactMap(\.keyword).first
            apis.append(PartsOfAPI(name: name, exampleKeyword: keyword, parts: Set(newParts)))
        }
    }

    /// A sentence for each API with such parts.
    var remarks: [String] { apis.map(\.remark) }
}
