/// Converts Swift names to the form used on the command line.
package enum KebabCase {
    /// `newMovies` becomes `new-movies`, `collectionID` `collection-id`, `HTTPStatus` `http-status`.
    package static func text(_ name: String) -> String {
        // Most names.
        if name.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) { return name }
        let letters = Array(name.unicodeScalars)
        var result = ""
        for (index, letter) in letters.enumerated() {
            let startsWord =
                index > 0 && letter.isUppercase
                && (!letters[index - 1].isUppercase || index + 1 < letters.count && letters[index + 1].isLowercase)
            if startsWord, letters[index - 1] != "_" { result += "-" }
            result += letter == "_" ? "-" : letter.lowercased
        }
        return result
    }
}

// Faster than `properties` for ASCII, which avoids its table lookups.
extension Unicode.Scalar {
    fileprivate var isUppercase: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    fileprivate var isLowercase: Bool { isASCII ? ("a"..."z").contains(self) : properties.isLowercase }

    /// The lower-case form, which may be more than one scalar.
    fileprivate var lowercased: String {
        guard isASCII else { return properties.lowercaseMapping }
        return String(isUppercase ? Unicode.Scalar(UInt8(value) | 0x20) : self)
    }
}
