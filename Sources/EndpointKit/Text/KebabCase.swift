/// Converts Swift names to the form used on the command line.
package enum KebabCase {
    /// `newMovies` becomes `new-movies`, `collectionID` `collection-id`, `userIDs` `user-ids`, `HTTPStatus` `http-status`.
    package static func text(_ name: String) -> String {
        // Most names.
        if name.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) { return name }
        let letters = Array(name.unicodeScalars)
        // The plural of an acronym at the end.
        let plural = letters.last == "s" && letters.dropLast().suffix(2).count(where: \.isUppercase) == 2
        let end = letters.count - (plural ? 1 : 0)
        var result = ""
        for (index, letter) in letters.enumerated() {
            let startsWord =
                index > 0 && letter.isUppercase && letters[index - 1] != "_"
                && (!letters[index - 1].isUppercase || index + 1 < end && letters[index + 1].isLowercase)
            result += (startsWord ? "-" : "") + (letter == "_" ? "-" : letter.properties.lowercaseMapping)
        }
        return result
    }
}

// Faster than `properties` for ASCII, which avoids its table lookups.
extension Unicode.Scalar {
    var isUppercase: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    var isLowercase: Bool { isASCII ? ("a"..."z").contains(self) : properties.isLowercase }
}
