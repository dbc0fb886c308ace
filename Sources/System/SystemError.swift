/// The reason why the system refused a call.
package struct SystemError: Error, Sendable, Equatable {
    /// The system's number for the error (`errno`), or nil if the reason is not the system's.
    package let number: Int32?
    /// The system's text as the end of a sentence, such as `connection refused`.
    package let reason: String

    /// Makes an error that the system has no number for.
    package init(reason: String) {
        number = nil
        self.reason = Self.lowercasedStart(reason)
    }

    /// Makes the error for one of the system's error numbers (`errno`), with the system's text for it.
    package init(number: Int32) {
        self.number = number
        let text = strerror(number).map { String(cString: $0) }
        reason = Self.lowercasedStart(text ?? "error \(number)")
    }

    /// Returns a text with a small first letter, for the middle of a sentence: `connection refused` for `Connection
    /// refused`. A text that starts with an abbreviation, such as `RPC …`, stays as it is.
    private static func lowercasedStart(_ text: String) -> String {
        guard let second = text.dropFirst().first else { return text }
        let startsWithWord = second.isLowercase || second == " "
        guard startsWithWord else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
