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
    /// Returns the parts of a form. Reads the files of fields such as `name=<notes.txt`. Files of parts such as
    /// `name=@cat.png` are only opened, and read while the form is sent.
    ///
    /// - Parameter words: The values of `--form`.
    /// - Throws: ``UsageError`` for a part that can't be sent, and ``FileError`` for a file that can't be opened.
    static func parts(_ words: [SourcedText], environment: ProcessEnvironment) throws -> [Part] {
        try words.map { try makePart(from: $0, environment: environment) }
    }

    /// Makes the part of a form from a value of `--form`.
    ///
    /// | Value | Part |
    /// |---|---|
    /// | `name=@cat.png` | a file |
    /// | `name=<notes.txt` | a field with the content of a file |
    /// | `name=text` | a field with a text |
    private static func makePart(from word: SourcedText, environment: ProcessEnvironment) throws -> Part {
        let (name, value) = try split(word)
        let curlPart = CurlFormPart(value)
        if let problem = problem(of: curlPart) { throw unusable(word, problem: problem) }
        switch curlPart.source {
        case .file:
            let path = curlPart.content
            // The file is read while the form is sent. One that can't be opened is an error before anything is sent.
            _ = try environment.files.open(path)
            let contentType = curlPart.contentType ?? CurlFormPart.contentType(ofFile: path)
            return .file(name, path: path, filename: curlPart.filename, contentType: contentType)
        case .contentOfFile:
            let path = curlPart.content
            let fileWord = word.with(path == "-" ? "-" : "@" + path)
            let content = try environment.readBytes(of: fileWord, for: "--form")
            return makeField(name, text: String(exactBytes: content), contentType: curlPart.contentType)
        case .text: return makeField(name, text: curlPart.content, contentType: curlPart.contentType)
        }
    }

    /// Makes the part of a field.
    ///
    /// - Parameter contentType: The type of the text; nil sends none, which means plain text.
    private static func makeField(_ name: String, text: String, contentType: String?) -> Part {
        if let contentType { return .text(name, text, contentType: contentType) }
        return .field(name, text)
    }

    /// Splits a word `name=value` at its first `=`.
    ///
    /// - Throws: ``UsageError`` for a word without a name or without `=`.
    private static func split(_ word: SourcedText) throws(UsageError) -> (name: String, value: String) {
        let scalars = word.text.unicodeScalars
        guard let separator = scalars.firstIndex(of: "="), separator > scalars.startIndex else {
            throw unusable(word, problem: "expected NAME=TEXT, NAME=@FILE or NAME=<FILE")
        }
        return (String(scalars[..<separator]), String(scalars[separator...].dropFirst()))
    }

    /// Returns why a part can't be sent; nil if it can.
    private static func problem(of formPart: CurlFormPart) -> String? {
        if formPart.hasSeveralFiles { return "it has several files; give each with a --form of its own" }
        if let key = formPart.ignoredKeys.first { return "'\(key)' is not supported; only type= and filename= are" }
        switch formPart.source {
        case .file where formPart.content == "-": return "a file can't come from stdin; NAME=<- sends stdin as a field"
        case .file, .contentOfFile: return formPart.content.isEmpty ? "expected a file name after '@' or '<'" : nil
        case .text: return formPart.filename == nil ? nil : "only a file has 'filename='; send one with NAME=@FILE"
        }
    }

    /// Returns the error that a value of `--form` can't be used.
    private static func unusable(_ word: SourcedText, problem: String) -> UsageError {
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
