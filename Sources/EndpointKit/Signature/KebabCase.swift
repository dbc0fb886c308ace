/// Swift names in the form of the command line.
public enum KebabCase {
    /// `newMovies` becomes `new-movies`, `collectionID` `collection-id`, `HTTPStatus` `http-status`.
    public static func text(_ name: String) -> String {
        let letters = Array(name)
        var result = ""
        for (index, letter) in letters.enumerated() {
            let startsWord =
                index > 0 && letter.isUppercase
                && (!letters[index - 1].isUppercase || index + 1 < letters.count && letters[index + 1].isLowercase)
            if startsWord, letters[index - 1] != "_" { result += "-" }
            result += letter == "_" ? "-" : letter.lowercased()
        }
        return result
    }
}
