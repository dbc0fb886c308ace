/// A value that must never be shown: a key, a token, a password.
///
/// It always prints as `(redacted)`; only ``reveal()`` returns the value. It remembers the variable it comes from, if
/// any, so that a shell command can refer to the variable instead.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name of the environment variable that holds the value; nil if it was typed or read from a file.
    package let variable: String?
    private let value: String?
    /// Where the value would come from, such as a file; shown in place of the value.
    private let source: String?

    /// Creates a secret from a variable.
    ///
    /// - Parameters:
    ///   - variable: The name of the variable.
    ///   - value: Its value. Nil if the variable is not set, or if `source` says where the value would come from.
    ///   - source: Where the value would come from.
    package init(variable: String, value: String?, source: String? = nil) {
        self.variable = variable
        self.value = value
        self.source = source
    }

    /// Creates a secret that does not come from a variable.
    package init(_ value: String) {
        variable = nil
        self.value = value
        source = nil
    }

    /// Whether the secret has a value to send.
    package var isSet: Bool { value != nil }

    /// Returns the value itself; nil if the variable is not set.
    package func reveal() -> String? { value }

    /// The secret as it may be shown: `(redacted)`, `(not set: NAME)` if the variable is not set, or `(from SOURCE)`.
    package var description: String {
        if let source { return "(from \(source))" }
        return isSet ? "(redacted)" : "(not set: \(variable ?? "no value"))"
    }
    /// The secret as `dump` shows it: with the variable's name, and without the value.
    package var customMirror: Mirror { Mirror(self, children: ["variable": variable ?? "none"]) }
}
