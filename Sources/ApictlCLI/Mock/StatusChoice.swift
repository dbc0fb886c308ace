import EndpointKit
import EndpointTools

/// A value of `mock --status`: the endpoints and the status of their responses, such as `movies.*=500`.
struct StatusChoice {
    /// The name of an endpoint, or a pattern for names.
    private let nameOrPattern: SourcedText
    let status: Int

    /// Reads a value of `--status`, such as `movies.video=503`.
    ///
    /// - Throws: ``UsageError`` if the word is not a name, `=` and the status of a final response (200 to 599).
    init(_ word: SourcedText) throws(UsageError) {
        let nameAndStatus = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard nameAndStatus.count == 2, let status = Int(nameAndStatus[1]), (200...599).contains(status) else {
            throw .invalidValue(
                option: "--status", value: word.text, expected: "an endpoint and a status such as movies.video=503",
                source: word.source)
        }
        nameOrPattern = word.with(String(nameAndStatus[0]))
        self.status = status
    }

    /// Returns the names of the chosen endpoints, without those whose APIs are not served.
    ///
    /// - Parameters:
    ///   - apis: The APIs that are served.
    ///   - registry: All APIs.
    /// - Throws: ``UsageError`` if no endpoint has the name or matches the pattern, or if none of them is served.
    func endpoints(servedBy apis: [CatalogueAPI], in registry: APIRegistry) throws -> [String] {
        let isPattern = nameOrPattern.text.contains("*") || nameOrPattern.text.contains("?")
        let chosenNames: [String]
        if isPattern {
            chosenNames = try registry.description(matching: [nameOrPattern]).endpoints.map(\.name)
        } else {
            chosenNames = [try registry.endpoint(nameOrPattern).name]
        }
        let servedNames = chosenNames.filter { name in apis.contains { name.hasPrefix($0.name + ".") } }
        if servedNames.isEmpty {
            throw UsageError.unusableValue(
                option: "--status", problem: "\(chosenNames[0]) is not served", source: nameOrPattern.source)
        }
        return servedNames
    }
}
