/// A member of a dictionary as a command line has it: `KEY=VALUE`.
package struct MemberText: Sendable, Equatable {
    package let key: String
    package let value: String

    /// Nil if `text` has no `=`, or if it is JSON (`{`), a file (`@`) or stdin (`-`).
    package init?(_ text: String) {
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the equals sign.
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first != "{", first != "@", let equals = scalars.firstIndex(of: "=") else {
            return nil
        }
        key = String(scalars[..<equals])
        value = String(scalars[equals...].dropFirst())
    }
}
