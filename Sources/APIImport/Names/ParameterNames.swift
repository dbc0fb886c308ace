/// Makes the names of an operation's parameters, which are the labels of a case.
///
/// If two parameters would have the same name, those outside of the path have their place in front: `id` and `queryID`.
enum ParameterNames {
    /// Names that the body and the structure of a long query have.
    private static let reserved: Set = ["body", "query"]

    /// Returns a name for each parameter, in their order: `page_size` → `pageSize`.
    ///
    /// A constant, and a structure such as the whole body, keep the names that they have.
    static func names(_ parameters: [EndpointText.Parameter]) -> [String] {
        let shortNames = parameters.map { EndpointText.Parameter.name(SwiftNames.words($0.key)) }
        let namesOfValues = zip(parameters, shortNames).filter { $0.0.isSingleValue }.map { $1.lowercased() }
        let uses = Dictionary(namesOfValues.map { ($0, 1) }, uniquingKeysWith: +)
        var table = NameTable(reserved)
        return zip(parameters, shortNames).map { parameter, name in
            guard parameter.isSingleValue else { return parameter.name }
            if reserved.contains(name) { return table.unique(name + "Value") }
            let isShared = uses[name.lowercased(), default: 0] > 1
            guard isShared, parameter.place != .path else { return table.unique(name) }
            let words = [parameter.place.rawValue] + SwiftNames.words(parameter.key)
            return table.unique(EndpointText.Parameter.name(words))
        }
    }
}
