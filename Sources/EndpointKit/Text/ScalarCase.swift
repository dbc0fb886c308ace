// The case of letters. ASCII is tested first, because `properties` looks letters up in tables, which takes longer.

extension Unicode.Scalar {
    /// Whether the scalar is an uppercase letter.
    var isUppercase: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    /// Whether the scalar is a lowercase letter.
    var isLowercase: Bool { isASCII ? ("a"..."z").contains(self) : properties.isLowercase }
    /// Whether the scalar is a letter, in any script.
    var isLetter: Bool { isASCII ? isLowercase || isUppercase : properties.isAlphabetic }
}
