/// A place in a text that a person has written: a configuration, a file of cases, a document.
struct SourceLocation: Sendable, Equatable, CustomStringConvertible {
    /// The path of the file, or the name of another input in messages, such as `stdin`.
    let file: String
    /// The number of the line, counted from 1.
    let line: Int
    /// The number of the character in the line, counted from 1.
    let column: Int

    /// The place as editors recognise it: `FILE:LINE:COLUMN`.
    var description: String { "\(file):\(line):\(column)" }
}
