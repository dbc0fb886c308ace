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

    /// A parameter with the words of its identifier.
    private struct Candidate {
        let parameter: Subject
        /// Whether the location is the first word, because another flag would be equal without it.
        let hasLocation: Bool
        var words: [String]

        /// The rank among the parameters with the same flag: the one with the least rank gets no number.
        ///
        /// A parameter without its location in front keeps its flag, whatever the others are called.
        var rank: (Int, String, String) { (hasLocation ? 1 : 0, parameter.location.rawValue, parameter.name) }
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
        // The number of parameters with each flag.
        let uses = Dictionary(wordLists.map { (flag($0), 1) }, uniquingKeysWith: +)
        let candidates = zip(parameters, wordLists).map { parameter, words in
            let isTaken = uses[flag(words)] != 1 || flag(words) == reserved
            return Candidate(
                parameter: parameter, hasLocation: isTaken,
                words: isTaken ? [parameter.location.rawValue] + words : words)
        }
        return numbered(candidates).map { identifier($0.words) }
    }

    /// Returns candidates with a number as the last word of each one whose flag a candidate with a lesser rank has.
    ///
    /// Of three parameters with the flag `query-id`, the second becomes `query-id-2`, or `query-id-3` if another
    /// parameter is called `query-id-2` already.
    private static func numbered(_ candidates: [Candidate]) -> [Candidate] {
        let flags = candidates.map { flag($0.words) }
        // All flags are reserved, so that a flag with a number is never that of another parameter.
        var uniqueFlags = UniqueNames(separator: "-", reserved: Set(flags))
        var result = candidates
        for index in candidates.indices.sorted(by: { candidates[$0].rank < candidates[$1].rank }) {
            guard let number = uniqueFlags.number(for: flags[index]) else { continue }
            result[index].words.append("\(number)")
        }
        return result
    }

    // MARK: Words

    /// Returns the flag of words, without its hyphens at the start: `x-request-id` for `x`, `request` and `ID`.
    private static func flag(_ words: [String]) -> String { words.joined(separator: "-").lowercased() }

    /// Returns the words of a name, of which its identifier and its flag are made.
    ///
    ///     X-Request-ID    x, request, ID
    ///     petName         pet, name
    ///     0               value, 0
    ///
    /// A part of at least two capitals keeps them. All other words are in lower case. A name that does not begin with a
    /// letter has the word `value` in front, because a flag such as `--0` would be taken for a position.
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

    /// Returns words in camel case: `xRequestID` for `x`, `request`, `ID`.
    ///
    /// Words whose flag would change in camel case have `_` between them: `a`, `b`, `c` are `a_b_c`, because the flag
    /// of `aBC` is `--a-bc`.
    private static func identifier(_ words: [String]) -> String {
        var camelCase = words.first?.lowercased() ?? ""
        for word in words.dropFirst() {
            let isCapitals = word.count > 1 && word.contains(where: \.isUppercase)
            camelCase += isCapitals ? word : word.prefix(1).uppercased() + word.dropFirst()
        }
        return KebabCase.text(camelCase) == flag(words) ? camelCase : words.joined(separator: "_").lowercased()
    }
}
