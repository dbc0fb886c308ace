/// Converts Swift names to the form used on the command line.
package enum KebabCase {
    /// Returns a Swift name with hyphens between its words, in lower case.
    ///
    ///     newMovies       new-movies
    ///     collectionID    collection-id
    ///     userIDs         user-ids
    ///     HTTPStatus      http-status
    package static func text(_ name: String) -> String {
        let isOneWord = name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        if isOneWord { return name }
        let letters = Array(name.unicodeScalars)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if startsWord(at: index, of: letters) { result += "-" }
            result += letter == "_" ? "-" : letter.properties.lowercaseMapping
        }
        return result
    }

    /// Returns whether the letter at `index` starts a word other than the first one: it is an uppercase letter.
    ///
    /// Several uppercase letters in a row are an acronym. Only the last of them starts a word, and only if a lowercase
    /// letter follows: the `S` of `HTTPStatus`. The `s` of a plural at the end of the name, as in `userIDs`, belongs to
    /// the acronym.
    private static func startsWord(at index: Int, of letters: [Unicode.Scalar]) -> Bool {
        guard index > 0, letters[index].isUppercase, letters[index - 1] != "_" else { return false }
        if !letters[index - 1].isUppercase { return true }
        let endWithoutPlural = endsInPlural(letters) ? letters.count - 1 : letters.count
        return index + 1 < endWithoutPlural && letters[index + 1].isLowercase
    }

    /// Returns whether the name ends in an acronym with the `s` of a plural: two uppercase letters and an `s`.
    private static func endsInPlural(_ letters: [Unicode.Scalar]) -> Bool {
        let twoLettersBefore = letters.dropLast().suffix(2)
        return letters.last == "s" && twoLettersBefore.count(where: \.isUppercase) == 2
    }
}
