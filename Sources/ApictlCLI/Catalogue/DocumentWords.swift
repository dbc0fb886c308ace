import EndpointKit

/// The options of a command line about the OpenAPI documents that it uses: `--api shop.yaml`, `--server-variable
/// port=8080`.
///
/// They are read before all other words, whose meaning depends on the APIs of the documents.
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

    /// An option about documents.
    private enum Flag: String, CaseIterable {
        case api = "--api"
        case serverVariable = "--server-variable"
        case bodyType = "--body-type"
    }

    /// Reads the words.
    ///
    /// - Parameters:
    ///   - words: The words after the tool's name.
    ///   - end: Words after which all words are another program's.
    /// - Throws: ``UsageError`` for a wrong value.
    init(_ words: [String], stoppingAt end: Set<String>) throws(UsageError) {
        var remainingWords = words.enumerated().map { SourcedText($1, .argument($0 + 1)) }[...]
        while let word = remainingWords.popFirst(), word.text != "--", !end.contains(word.text) {
            if let flag = Flag(rawValue: word.text) {
                // A value that is missing is reported when all words are parsed.
                if let value = remainingWords.popFirst() { try take(flag, value) }
            } else if let flag = Flag.allCases.first(where: { word.text.hasPrefix($0.rawValue + "=") }) {
                let value = String(word.text.dropFirst(flag.rawValue.count + 1))
                try take(flag, word.with(value))
            }
        }
    }

    /// Keeps the value of an option.
    private mutating func take(_ flag: Flag, _ value: SourcedText) throws(UsageError) {
        switch flag {
        case .api:
            sources.append(try DocumentSource(value, of: flag.rawValue))
        case .serverVariable:
            let variable = try OptionValueType.member.read(value, flag.rawValue)
            serverVariables[variable.name] = variable.text
        case .bodyType:
            bodyType = value.text
        }
    }
}

/// A document by its file or URL, with the name of its API: `shop=shop.yaml`.
struct DocumentSource: Sendable, Equatable {
    /// The name of the API. If it is nil, the API is named after the document's title.
    let name: String?
    /// The file or URL.
    let word: SourcedText

    var isURL: Bool { CalledURL.begins(word.text) }

    /// Makes the source of a document.
    ///
    /// - Parameters:
    ///   - name: The name of the API; nil to name it after the document's title.
    ///   - word: The file or URL.
    init(name: String?, _ word: SourcedText) {
        self.name = name
        self.word = word
    }

    /// Reads the value of an option such as `--api`: `FILE`, `URL`, `NAME=FILE` or `NAME=URL`.
    ///
    /// The text before the first `=` is a name if it consists of letters, digits, dots, dashes and underscores. For a
    /// file `a=b.json`, write `./a=b.json`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - flag: The option, for messages.
    /// - Throws: ``UsageError`` if there is no file.
    init(_ value: SourcedText, of flag: String = "--api") throws(UsageError) {
        let text = value.text
        if text.isEmpty { throw .valueExpected(flag, "[NAME=]FILE|URL", value.source) }
        guard let equals = text.firstIndex(of: "="), Self.isName(text[..<equals]) else {
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
