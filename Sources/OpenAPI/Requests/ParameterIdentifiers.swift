import EndpointKit

/// Gives each parameter of an operation an identifier, whose kebab case is its flag on a command line.
///
/// Identifiers depend on the parameters alone, and not on their order:
///
///     X-Request-ID      xRequestID      --x-request-id
///     filter[name]      filterName      --filter-name
///     _limit            limit           --limit
///
/// Parameters with the same flag have their location in front: `pathID` and `queryID`. If that is not enough, they are
/// numbered.
enum ParameterIdentifiers {
    /// A parameter that needs an identifier.
    struct Subject: Hashable {
        /// The name in the document.
        let name: String
        let location: CallParameter.Location
    }

    /// Returns an identifier for each parameter, in the order of `parameters`. All flags are different.
    ///
    /// A name whose flag no other parameter has becomes the identifier. Names with the same flag get their location in
    /// front. If flags are equal even then, all but the first get a number.
    ///
    /// - Parameters:
    ///   - parameters: The parameters, which are all different.
    ///   - reserved: A flag that is taken by something else; nil if there is none. A parameter that would have it gets
    ///     its location in front.
    static func identifiers(_ parameters: [Subject], reserved: String?) -> [String] {
        let wordLists = parameters.map { words(of: $0.name) }
        let counts = Dictionary(wordLists.map { (flag($0), 1) }, uniquingKeysWith: +)
        let isPrefixed = wordLists.map { counts[flag($0)] != 1 || flag($0) == reserved }
        let prefixed = parameters.indices.map { index in
            isPrefixed[index] ? [parameters[index].location.rawValue] + wordLists[index] : wordLists[index]
        }
        /// The rank of a parameter among those with the same flag: the one with the least rank gets no number.
        func rank(_ index: Int) -> (Int, String, String) {
            // A name without a location in front keeps its flag, whatever the others would be called.
            (isPrefixed[index] ? 1 : 0, parameters[index].location.rawValue, parameters[index].name)
        }
        let order = parameters.indices.sorted { rank($0) < rank($1) }
        return numbered(prefixed, order).map(identifier)
    }

    /// Returns the words of each parameter, with a number as last word where an earlier parameter has the same flag.
    ///
    /// Of three parameters with the flag `query-id`, the second becomes `query-id-2`, or `query-id-3` if another
    /// parameter is called `query-id-2` already.
    ///
    /// - Parameters:
    ///   - wordLists: The words of each parameter.
    ///   - order: The indexes of `wordLists` in the order in which flags are given.
    private static func numbered(_ wordLists: [[String]], _ order: [Int]) -> [[String]] {
        let flags = wordLists.map(flag)
        var uniqueFlags = UniqueNames(separator: "-", reserved: Set(flags))
        var result = wordLists
        for index in order {
            guard let number = uniqueFlags.number(for: flags[index]) else { continue }
            result[index].append("\(number)")
        }
        return result
    }

    // MARK: Words

    /// Returns the flag of words, without its hyphens at the start: `x-request-id`.
    private static func flag(_ words: [String]) -> String { words.joined(separator: "-").lowercased() }

    /// Returns the words of a name. A word in capitals that stands alone keeps them: `X`, `request`, `ID`.
    ///
    /// A name without letters and digits, or one that begins with a digit, has `value` in front: a parameter called
    /// `0` would be taken for a position.
    private static func words(of name: String) -> [String] {
        var result: [String] = []
        for part in name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            if part.count > 1, part.allSatisfy({ $0.isUppercase || $0.isNumber }) {
                result.append(String(part))
            } else {
                result += EndpointNames.words(String(part))
            }
        }
        let startsWithLetter = result.first?.first?.isLetter ?? false
        return startsWithLetter ? result : ["value"] + result
    }

    /// Returns words in camel case, or with `_` between them if their flag would not be that of camel case: `a_b_c`,
    /// because `aBC` is `--a-bc`.
    private static func identifier(_ words: [String]) -> String {
        var camelCase = words.first?.lowercased() ?? ""
        for word in words.dropFirst() {
            let isCapitals = word.count > 1 && word.contains(where: \.isUppercase)
            camelCase += isCapitals ? word : word.prefix(1).uppercased() + word.dropFirst()
        }
        return KebabCase.text(camelCase) == flag(words) ? camelCase : words.joined(separator: "_").lowercased()
    }
}
