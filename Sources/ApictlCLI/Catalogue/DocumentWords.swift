import EndpointKit

/// The words of a command line about documents whose APIs it uses: `--api shop.yaml`, `--server-variable port=8080`.
///
/// They are read before all other words, because what these mean depends on the APIs that there are.
struct DocumentWords {
    /// The values of `--api`.
    private(set) var sources: [DocumentSource] = []
    /// The values of `--server-variable`.
    private(set) var serverVariables: [String: String] = [:]
    /// The value of `--body-type`; nil if there is none.
    private(set) var bodyType: String?

    /// The options that every command has for documents. They have no effect here, because ``init(_:stoppingAt:)`` has
    /// read them.
    static let options: [Option<CommonOptions>] = [
        Option("api", .source, "use the API of an OpenAPI document too; repeatable") { _, _ in },
        Option("server-variable", .member, "set a variable in the URL of a document's server; repeatable") { _, _ in },
    ]

    /// Reads the words.
    ///
    /// - Parameters:
    ///   - words: The words after the tool's name.
    ///   - end: Words after which all words are another program's.
    /// - Throws: ``UsageError`` for a value that is missing or wrong.
    init(_ words: [String], stoppingAt end: Set<String>) throws(UsageError) {
        var index = 0
        while index < words.count, words[index] != "--", !end.contains(words[index]) {
            let word = words[index]
            let source = ValueSource.argument(index + 1)
            index += 1
            for name in ["--api", "--server-variable", "--body-type"] {
                if word == name {
                    guard index < words.count else { continue }
                    try take(name, SourcedText(words[index], .argument(index + 1)))
                    index += 1
                } else if word.hasPrefix(name + "=") {
                    try take(name, SourcedText(String(word.dropFirst(name.count + 1)), source))
                }
            }
        }
    }

    /// Keeps the value of an option.
    private mutating func take(_ option: String, _ value: SourcedText) throws(UsageError) {
        switch option {
        case "--api":
            sources.append(try DocumentSource(value))
        case "--server-variable":
            let (name, text) = try OptionValueType.member.read(value, option)
            serverVariables[name] = text
        default:
            bodyType = value.text
        }
    }

}

/// A document by its file or URL, with the name of its API: `shop=shop.yaml`.
struct DocumentSource: Sendable, Equatable {
    /// The name of the API; nil for that of the document's title.
    let name: String?
    /// The file or URL.
    let word: SourcedText

    var isURL: Bool { CalledURL.begins(word.text) }

    /// Makes the source of a document.
    ///
    /// - Parameters:
    ///   - name: The name of the API; nil for that of the document's title.
    ///   - word: The file or URL.
    init(name: String?, _ word: SourcedText) {
        self.name = name
        self.word = word
    }

    /// Reads the value of an option such as `--api`: `FILE`, `URL`, `NAME=FILE` or `NAME=URL`.
    ///
    /// The text before the first `=` is a name if it consists of letters, digits, dots, dashes and underscores. A file
    /// whose name looks so is given as `./a=b.json`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - flag: The option, for messages.
    /// - Throws: ``UsageError`` if there is no file.
    init(_ value: SourcedText, of flag: String = "--api") throws(UsageError) {
        let text = value.text
        guard let equals = text.firstIndex(of: "="), Self.isName(text[..<equals]) else {
            guard !text.isEmpty else { throw .valueExpected(flag, "[NAME=]FILE|URL", value.source) }
            name = nil
            word = value
            return
        }
        let file = String(text[equals...].dropFirst())
        guard !file.isEmpty else {
            throw .unusableValue(option: flag, problem: "expected a file or URL after '='", source: value.source)
        }
        name = String(text[..<equals])
        word = value.with(file)
    }

    /// Whether a text can be the name of an API.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetterOrDigit else { return false }
        return text.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    }
}
