/// A member of a dictionary on a command line: `KEY=VALUE`.
package struct MemberText: Sendable, Equatable {
    package let key: String
    package let value: String

    /// Splits `KEY=VALUE` at its first equals sign.
    ///
    /// - Returns: Nil if the text has no equals sign, or if it starts like JSON (`{`) or like the name of a file (`@`).
    package init?(_ text: String) {
        // As unicode scalars, because a combining mark at the start of the value makes one character with the equals
        // sign.
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first != "{", first != "@" else { return nil }
        guard let equals = scalars.firstIndex(of: "=") else { return nil }
        key = String(scalars[..<equals])
        value = String(scalars[equals...].dropFirst())
    }
}
