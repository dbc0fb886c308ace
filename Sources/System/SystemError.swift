/// Why the system refused a call.
package struct SystemError: Error, Sendable, Equatable {
    /// The system's text, such as `Connection refused`.
    package let reason: String

    package init(reason: String) { self.reason = reason }

    /// The error of that number (`errno`).
    package init(number: Int32) { reason = strerror(number).map { String(cString: $0) } ?? "error \(number)" }

    /// The error of the last call that failed on this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// The reason in the middle of a sentence: `connection refused`, but `RPC …` as it is.
    package var inSentence: String {
        guard let second = reason.dropFirst().first, second.isLowercase || second == " " else { return reason }
        return reason.prefix(1).lowercased() + reason.dropFirst()
    }
}
