import APIImport
import EndpointKit

/// The parts of a form that a request to a URL sends as `multipart/form-data` (RFC 7578), as `--form` gives them.
///
/// | Value | Part |
/// |---|---|
/// | `name=text` | a field |
/// | `name=text;type=application/json` | a field with a content type |
/// | `name=<notes.txt` | a field with the content of a file |
/// | `name=@cat.png` | a file, with its name and a content type by the end of its name |
/// | `name=@cat.png;type=image/webp;filename=tom.webp` | a file with another type and name |
enum URLForm {
    /// Returns the parts of a form. Files of parts such as `name=@cat.png` are read only while the form is sent.
    ///
    /// - Throws: ``UsageError`` for a part that can't be sent, and ``FileError`` for a file that can't be opened.
    static func parts(_ words: [SourcedText], _ environment: ProcessEnvironment) throws -> [Part] {
        try words.map { try part($0, environment) }
    }

    /// Returns the part that a value of `--form` gives.
    private static func part(_ word: SourcedText, _ environment: ProcessEnvironment) throws -> Part {
        let (name, text) = try split(word)
        let value = CurlFormPart(text)
        if let problem = problem(with: value) { throw unusable(word, problem) }
        switch value.source {
        case .file:
            // A file that can't be opened is an error now, before anything is sent.
            _ = try environment.files.open(value.content)
            return .file(
                name, path: value.content, filename: value.filename,
                contentType: value.contentType ?? CurlFormPart.contentType(ofFile: value.content))
        case .contentOfFile:
            let file = value.content == "-" ? word.with("-") : word.with("@" + value.content)
            let content = String(exactBytes: try environment.bytes(file, of: "--form").bytes)
            return field(name, content, value.contentType)
        case .text: return field(name, value.content, value.contentType)
        }
    }

    private static func field(_ name: String, _ text: String, _ contentType: String?) -> Part {
        contentType.map { .text(name, text, contentType: $0) } ?? .field(name, text)
    }

    /// Splits a value at its first `=`.
    ///
    /// - Throws: ``UsageError`` for a value without a name or without `=`.
    private static func split(_ word: SourcedText) throws(UsageError) -> (name: String, text: String) {
        let scalars = word.text.unicodeScalars
        guard let separator = scalars.firstIndex(of: "="), separator > scalars.startIndex else {
            throw unusable(word, "expected NAME=TEXT, NAME=@FILE or NAME=<FILE")
        }
        return (String(scalars[..<separator]), String(scalars[separator...].dropFirst()))
    }

    /// Returns why a part can't be sent; nil if it can.
    private static func problem(with value: CurlFormPart) -> String? {
        if value.hasSeveralFiles { return "it has several files; give each with a --form of its own" }
        if let key = value.ignored.first { return "'\(key)' is not supported; only type= and filename= are" }
        switch value.source {
        case .file where value.content == "-": return "a file can't come from stdin; NAME=<- sends stdin as a field"
        case .file, .contentOfFile: return value.content.isEmpty ? "expected a file name after '@' or '<'" : nil
        case .text: return value.filename == nil ? nil : "only a file has 'filename='; send one with NAME=@FILE"
        }
    }

    private static func unusable(_ word: SourcedText, _ problem: String) -> UsageError {
        .unusableValue(option: "--form", problem: problem, source: word.source)
    }
}

extension SourcedText {
    /// Whether this value of `--form` reads stdin: `name=<-`.
    var isFormFromStdin: Bool {
        let scalars = text.unicodeScalars
        guard let separator = scalars.firstIndex(of: "=") else { return false }
        let part = CurlFormPart(String(scalars[separator...].dropFirst()))
        return part.source == .contentOfFile && part.content == "-"
    }
}
