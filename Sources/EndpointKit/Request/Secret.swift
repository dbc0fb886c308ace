/// A value that must never be shown: a key, a token, a password.
///
/// Printing it in any way gives `(redacted)`; only ``reveal()`` gives the value. It remembers the variable it comes from, if any, so
/// that a shell command can name the variable instead.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the environment variable that holds the value; nil where it was typed or stands in a file.
    public let variable: String?
    private let value: String?

    /// A secret from `variable`; `value` is nil where the variable is not set.
    public init(variable: String, value: String?) {
        self.variable = variable
        self.value = value
    }

    /// A secret that no variable holds.
    public init(_ value: String) {
        variable = nil
        self.value = value
    }

    /// Whether there is a value.
    public var isSet: Bool { value != nil }

    /// The value itself, or nil where the variable is not set.
    public func reveal() -> String? { value }

    /// `(redacted)`, whatever the value; `(not set: NAME)` if the variable holds none.
    public var description: String { isSet ? "(redacted)" : "(not set: \(variable ?? "no value"))" }
    /// The description as well, as in a printed array.
    public var debugDescription: String { description }
    /// The variable's name alone: `dump` finds no value.
    public var customMirror: Mirror { Mirror(self, children: ["variable": variable ?? "none"]) }
}
