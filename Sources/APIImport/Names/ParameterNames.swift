/// Makes the names of an operation's parameters, which are the labels of a case.
///
/// If two parameters would have the same name, those outside of the path have their place in front: `id` and `queryID`.
enum ParameterNames {
    /// Names that the body and the structure of a long query have.
    private static let reserved: Set = ["body", "query"]

    /// Returns a name for each parameter, in their order.
    ///
    /// | Parameter | Name |
    /// |---|---|
    /// | `page_size` | `pageSize` |
    /// | `id` in the path, and `id` in the query | `id`, and `queryID` |
    /// | `body` in the query | `bodyValue`, because the body as a whole is called `body` |
    /// | a constant, or a structure such as the whole body | the name that it has already |
    static func names(_ parameters: [EndpointText.Parameter]) -> [String] {
        let shortNames = parameters.map { EndpointText.Parameter.label(of: SwiftNames.words($0.key)) }
        var useCounts: [String: Int] = [:]
        for (parameter, shortName) in zip(parameters, shortNames) where parameter.isSingleValue {
            useCounts[shortName.lowercased(), default: 0] += 1
        }
        var takenNames = NameTable(reserved)
        return zip(parameters, shortNames).map { parameter, shortName in
            // The name of a constant or structure is not made from its key.
            guard parameter.isSingleValue else { return parameter.name }
            if reserved.contains(shortName) { return takenNames.unique(shortName + "Value") }
            let isShared = useCounts[shortName.lowercased(), default: 0] > 1
            if !isShared || parameter.place == .path { return takenNames.unique(shortName) }
            let wordsWithPlace = [parameter.place.rawValue] + SwiftNames.words(parameter.key)
            return takenNames.unique(EndpointText.Parameter.label(of: wordsWithPlace))
        }
    }
}
