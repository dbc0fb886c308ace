import EndpointKit

/// Gives each parameter of an operation an identifier. The kebab case of the identifier is the parameter's flag.
///
///     name            identifier      flag
///     X-Request-ID    xRequestID      --x-request-id
///     filter[name]    filterName      --filter-name
///     _limit          limit           --limit
///
/// Parameters that would have the same flag get their location in front: `pathID` and `queryID`. If that is not
/// enough, they are numbered. Identifiers do not depend on the order of the parameters.
enum ParameterIdentifiers {
    /// The name and location of a parameter that needs an identifier.
    struct LocatedName: Hashable {
        /// The name in the document.
        let name: String
        let location: CallParameter.Location
    }

    /// A parameter with the words of its identifier.
    private struct Candidate {
        let parameter: LocatedName
        /// Whether the location was added as the first word, because another parameter has the same name.
        let hasLocation: Bool
        /// The words of the identifier, such as `x`, `request` and `ID`.
        var words: [String]

        /// The rank among the candidates with the same flag. The candidate with the least rank gets no number.
        ///
        /// A candidate without a location has the least rank.
        var rank: (Int, String, String) { (hasLocation ? 1 : 0, parameter.location.rawValue, parameter.name) }
    }

    /// Returns an identifier for each parameter, in the order of the parameters. No two of them have the same flag.
    ///
    ///     id in path, limit in query      →  id, limit
    ///     id in path, id in query         →  pathID, queryID
    ///
    /// - Parameters:
    ///   - parameters: The parameters. Each one has another name or location.
    ///   - reservedFlag: A flag that no parameter may have; nil if there is none. A parameter with this flag gets its
    ///     location in front.
    static func identifiers(for parameters: [LocatedName], reservedFlag: String?) -> [String] {
        let wordLists = parameters.map { words(of: $0.name) }
        let flagCounts = Dictionary(wordLists.map { (flag($0), 1) }, uniquingKeysWith: +)
        let candidates = zip(parameters, wordLists).map { parameter, words in
            let flag = flag(words)
            let needsLocation = flagCounts[flag] != 1 || flag == reservedFlag
            return Candidate(
                parameter: parameter, hasLocation: needsLocation,
                words: needsLocation ? [parameter.location.rawValue] + words : words)
        }
        return numberEqualFlags(of: candidates).map { identifier($0.words) }
    }

    /// Returns the candidates in the same order, and makes equal flags unique by a number as the last word.
    ///
    /// If two candidates have the flag `query-id`, the one with the greater ``Candidate/rank`` gets the flag
    /// `query-id-2`. If another candidate has that flag, it gets `query-id-3`.
    private static func numberEqualFlags(of candidates: [Candidate]) -> [Candidate] {
        let flags = candidates.map { flag($0.words) }
        // All flags are reserved, so that a number never leads to the flag of another candidate.
        var uniqueFlags = UniqueNames(separator: "-", reserved: Set(flags))
        let indicesByRank = candidates.indices.sorted { candidates[$0].rank < candidates[$1].rank }
        var numberedCandidates = candidates
        for index in indicesByRank {
            // The first candidate with a flag gets no number.
            guard let number = uniqueFlags.addReturningNumber(flags[index]) else { continue }
            numberedCandidates[index].words.append("\(number)")
        }
        return numberedCandidates
    }

    // MARK: Words

    /// Returns the flag that consists of some words, without the leading `--`.
    ///
    ///     x, request, ID    →  x-request-id
    private static func flag(_ words: [String]) -> String { words.joined(separator: "-").lowercased() }

    /// Splits the name of a parameter into words.
    ///
    ///     X-Request-ID    →  x, request, ID
    ///     petName         →  pet, name
    ///     0               →  value, 0
    ///
    /// Only abbreviations such as `ID` keep their capitals. A name that does not begin with a letter gets the word
    /// `value`, because a flag such as `--0` would look like the position of an argument.
    private static func words(of name: String) -> [String] {
        var nameWords: [String] = []
        for part in name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            if part.count > 1, part.allSatisfy({ $0.isUppercase || $0.isNumber }) {
                nameWords.append(String(part))
            } else {
                nameWords += EndpointNames.words(String(part))
            }
        }
        let startsWithLetter = nameWords.first?.first?.isLetter ?? false
        return startsWithLetter ? nameWords : ["value"] + nameWords
    }

    /// Returns the identifier that consists of some words, in camel case if possible, or else in snake case.
    ///
    ///     x, request, ID    →  xRequestID, with the flag --x-request-id
    ///     a, b, c           →  a_b_c, with the flag --a-b-c
    ///
    /// The kebab case of an identifier has to be the flag of its words. In camel case, the second one would be `aBC`,
    /// and its flag `--a-bc`.
    private static func identifier(_ words: [String]) -> String {
        var camelCase = words.first?.lowercased() ?? ""
        for word in words.dropFirst() {
            // An abbreviation such as `ID` keeps its capitals.
            let isAbbreviation = word.count > 1 && word.contains(where: \.isUppercase)
            camelCase += isAbbreviation ? word : word.prefix(1).uppercased() + word.dropFirst()
        }
        let hasFlagOfWords = KebabCase.text(camelCase) == flag(words)
        return hasFlagOfWords ? camelCase : words.joined(separator: "_").lowercased()
    }
}
