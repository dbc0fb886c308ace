import EndpointKit

/// An option of a command line about documents, such as `--api shop.yaml` or `--server-variable port=8080`.
///
/// These options are read before all other words, because what the others mean depends on the APIs that there are.
struct DocumentOption {
    /// The name of an option.
    enum Name: String, CaseIterable {
        case api
        case serverVariable = "server-variable"
        case bodyType = "body-type"
    }

    let name: Name
    let value: SourcedText
    /// The indexes of its words, which are two unless the value follows after `=`.
    let range: Range<Int>

    /// The options that every command has for documents.
    ///
    /// They are declared for help and for the parser, which checks them and skips their values. Their values are not
    /// used there, because ``findOptions(in:)`` has read them before.
    static let options: [Option<CommonOptions>] = [
        Option("api", .source, "use the API of an OpenAPI document too; repeatable") { _, _ in },
        Option("server-variable", .member, "set a variable in the URL of a document's server; repeatable") { _, _ in }
            .rarelyUsed(),
    ]

    /// Finds the options about documents in a command line: `--api`, `--server-variable` and `--body-type`.
    ///
    /// An endpoint may have a parameter with the name of such an option. The caller knows the endpoints, and sorts out
    /// the parameters.
    ///
    /// - Parameter words: The words after the tool's name. After `call curl`, the words belong to curl, and are not
    ///   among them.
    /// - Returns: The options in their order. An option at the end whose value is missing is left out, because the
    ///   parser reports it.
    static func findOptions(in words: some Collection<String>) -> [DocumentOption] {
        let words = Array(words)
        var options: [DocumentOption] = []
        var index = 0
        // No options follow after `--`.
        while index < words.count, words[index] != "--" {
            // Nil for any other word.
            if let option = DocumentOption(at: index, of: words) {
                options.append(option)
                index = option.range.upperBound
            } else {
                index += 1
            }
        }
        return options
    }

    /// Reads the option that begins at a word: `--api=shop.yaml`, or `--api` with the value in the next word.
    ///
    /// - Returns: Nil if the word is no such option, or if its value is missing.
    private init?(at index: Int, of words: [String]) {
        let word = words[index]
        let name = Name.allCases.first { name in
            let flag = "--" + name.rawValue
            return word == flag || word.hasPrefix(flag + "=")
        }
        guard let name else { return nil }
        self.name = name
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the `=`.
        let scalars = word.unicodeScalars
        if let equals = scalars.firstIndex(of: "=") {
            // The words of a command line are counted from 1.
            value = SourcedText(String(scalars[equals...].dropFirst()), .argument(index + 1))
            range = index..<index + 1
        } else if index + 1 < words.count {
            value = SourcedText(words[index + 1], .argument(index + 2))
            range = index..<index + 2
        } else {
            return nil
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

    /// The option `--api` for this document, quoted for a shell and without the secrets of a URL.
    ///
    /// Commands that the tool proposes begin with it: `--api shop=shop.yaml`.
    var option: String {
        var value = word.text
        if let name { value = "\(name)=\(value)" }
        return "--api " + ShellWord.quoted(SecretRules.redacted(value))
    }

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
    /// The text before the first `=` is a name if it consists of letters, digits, dots, dashes and underscores. So a
    /// file `a=b.json` must be given as `./a=b.json`.
    ///
    /// - Parameters:
    ///   - value: The value with its place on the command line.
    ///   - flag: The option, for messages.
    /// - Throws: ``UsageError`` if the value is empty, or if nothing follows after `NAME=`.
    init(_ value: SourcedText, of flag: String = "--api") throws(UsageError) {
        let text = value.text
        if text.isEmpty { throw .valueExpected(option: flag, placeholder: "[NAME=]FILE|URL", source: value.source) }
        guard let equals = text.firstIndex(of: "="), Self.isName(text[..<equals]) else {
            name = nil
            word = value
            return
        }
        let file = String(text[equals...].dropFirst())
        if file.isEmpty {
            throw .unusableValue(option: flag, problem: "expected a file or URL after '='", source: value.source)
        }
        name = String(text[..<equals])
        word = value.with(file)
    }

    /// Whether a text can be the name of an API: letters, digits, and `.`, `_` or `-` except at its start.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isLetterOrDigit else { return false }
        return text.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    }
}
