/// A value that must never be shown: a key, a token, a password.
///
/// It always prints as `(redacted)`; only ``reveal()`` returns the value. It remembers the variable it comes from, if any, so that
/// a shell command can refer to the variable instead.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name of the environment variable that holds the value; nil if it was typed or read from a file.
    package let variable: String?
    private let value: String?
    /// Where the value would come from.
    private let source: String?

    /// A secret from `variable`; `value` is nil if the variable is not set, or if `source` says where it would come from.
    package init(variable: String, value: String?, source: String? = nil) {
        (self.variable, self.value, self.source) = (variable, value, source)
    }

    /// A secret that does not come from a variable.
    package init(_ value: String) { (variable, self.value, source) = (nil, value, nil) }

    package var isSet: Bool { value != nil }

    /// The value itself; nil if the variable is not set.
    package func reveal() -> String? { value }

    /// `(redacted)`, or `(not set: NAME)` if the variable is not set.
    package var description: String {
        if let source { return "(from \(source))" }
        return isSet ? "(redacted)" : "(not set: \(variable ?? "no value"))"
    }
    /// Only the variable's name, so that `dump` can't show the value.
    package var customMirror: Mirror { Mirror(self, children: ["variable": variable ?? "none"]) }
}
