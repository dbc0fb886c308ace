/// Converts Swift names to the form used on the command line.
package enum KebabCase {
    /// Returns a Swift name with hyphens between its words, in lower case.
    ///
    ///     newMovies       new-movies
    ///     collectionID    collection-id
    ///     userIDs         user-ids
    ///     HTTPStatus      http-status
    package static func text(_ name: String) -> String {
        // Most names are one word.
        if name.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) { return name }
        let letters = Array(name.unicodeScalars)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if startsWord(at: index, of: letters) { result += "-" }
            result += letter == "_" ? "-" : letter.properties.lowercaseMapping
        }
        return result
    }

    /// Whether a capital letter is the first one of a word other than the first word.
    ///
    /// In a row of capitals, which is an acronym, only the last one starts a word, and only if a small letter follows:
    /// the `S` of `HTTPStatus`. The `s` of a plural at the end of the name, `userIDs`, belongs to the acronym.
    private static func startsWord(at index: Int, of letters: [Unicode.Scalar]) -> Bool {
        guard index > 0, letters[index].isUppercase, letters[index - 1] != "_" else { return false }
        if !letters[index - 1].isUppercase { return true }
        let end = endsInPlural(letters) ? letters.count - 1 : letters.count
        return index + 1 < end && letters[index + 1].isLowercase
    }

    /// Whether the name ends in an acronym with the `s` of a plural.
    private static func endsInPlural(_ letters: [Unicode.Scalar]) -> Bool {
        letters.last == "s" && letters.dropLast().suffix(2).count(where: \.isUppercase) == 2
    }
}

// Faster than `properties` for ASCII, which avoids its table lookups.
extension Unicode.Scalar {
    var isUppercase: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    var isLowercase: Bool { isASCII ? ("a"..."z").contains(self) : properties.isLowercase }
}
