/// A word of the command line with its position, counted from 1.
struct Word: Sendable, Equatable {
    let text: String
    let position: Int

    /// Whether the value comes from stdin.
    var isStdin: Bool { text == "-" || text == "@-" }

    /// The name after `@`, which may be empty; nil if the value names no file.
    var file: String? {
        // Unicode scalars, because a name may start with a combining mark, which makes one character with the `@`.
        text.unicodeScalars.first == "@" ? String(text.unicodeScalars.dropFirst()) : nil
    }
}
