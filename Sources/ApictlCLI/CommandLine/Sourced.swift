import EndpointKit

/// A value of a call with the place that it came from.
struct Sourced<Value: Sendable>: Sendable {
    let value: Value
    let source: ValueSource

    /// Makes a value that came from `source`.
    init(_ value: Value, _ source: ValueSource) {
        self.value = value
        self.source = source
    }
}

extension Sourced: Equatable where Value: Equatable {}

/// The place that a value of a call came from, so that an error can name it.
enum ValueSource: Sendable, Equatable {
    /// A word of the command line, by its position. The first word after the name of the tool is 1.
    case argument(Int)
    /// A variable of the environment, by its name.
    case environment(String)
    /// A value of the configuration file.
    case configuration(JSONPlace)
    /// A value of a case of `check --cases`.
    case caseFile(JSONPlace)
    /// An argument of a tool that an agent calls.
    case agent
    /// The tool itself.
    case preset

    /// The position of a word of the command line; nil for any other source.
    var position: Int? { if case .argument(let position) = self { position } else { nil } }

    /// The place of a value in a file that a person has written; nil for any other source.
    var file: JSONPlace? {
        switch self {
        case .configuration(let place), .caseFile(let place): place
        case .argument, .environment, .agent, .preset: nil
        }
    }

    /// Whether the source is the configuration file.
    var isConfiguration: Bool { if case .configuration = self { true } else { false } }

    /// The position of a word of the command line in parentheses, to follow a noun: ` (argument 2)`. Empty for any
    /// other source.
    var suffix: String {
        guard let position else { return "" }
        return " (argument \(position))"
    }
}

// MARK: Texts

/// A text that stands for a value: a name, the value of an option or parameter, a file.
typealias SourcedText = Sourced<String>

extension SourcedText {
    var text: String { value }

    /// Whether the value is read from stdin.
    var isStdin: Bool { text == "-" || text == "@-" }

    /// The path of the file that the value is read from, `pet.json` for `@pet.json`. It may be empty. Nil if the text
    /// is the value itself.
    var filePath: String? {
        // Unicode scalars, because a name may start with a combining mark, which makes one character with the `@`.
        guard text.unicodeScalars.first == "@" else { return nil }
        return String(text.unicodeScalars.dropFirst())
    }

    /// The text before the first blank, for messages. The text after it may be a secret.
    var start: String { String(text.prefix { !$0.isWhitespace }) }

    /// The text in quotes, with its position on the command line: `'word' (argument 2)`.
    var shown: String { "'\(text)'" + source.suffix }

    /// Returns another text from the same place, such as a part of this one.
    func with(_ text: String) -> SourcedText { SourcedText(text, source) }
}
