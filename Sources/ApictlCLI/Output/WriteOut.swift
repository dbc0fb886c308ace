import EndpointKit
import JSONText

/// The text of `--write-out`, in curl's notation: `%{http_code}`, `%header{name}`, `%%`, `\n`, `\r` and `\t`.
///
/// It is written to stderr. `%{stdout}` and `%{stderr}` switch to the other stream.
struct WriteOut: Sendable {
    /// A part of the text between two changes of what is written or where.
    private struct Segment {
        enum Content {
            case literal(String)
            /// The value of a header of the response; empty if the response does not have it.
            case header(String)
            case variable(WriteOutVariable)
        }

        let content: Content
        /// Whether the segment is written to stdout instead of stderr.
        let isForStdout: Bool

        /// Returns the segment's text for a call.
        func text(_ facts: WriteOutFacts) -> String {
            switch content {
            case .literal(let text): text
            case .header(let name): (facts.log.head?[name] ?? "").safeToShow
            case .variable(let variable): variable.value(facts).safeToShow
            }
        }
    }

    private var segments: [Segment] = []

    /// Whether nothing is written to stderr.
    var isForStdout: Bool { segments.allSatisfy(\.isForStdout) }

    /// Reads the text of `--write-out`, such as `%{http_code}\n`.
    ///
    /// The variables `stdout` and `stderr` print nothing. They choose the output for the text after them.
    ///
    /// - Parameters:
    ///   - text: The text, with variables in curl's notation.
    ///   - source: The place of the text, for messages.
    /// - Throws: ``UsageError`` for an unknown variable.
    init(_ text: String, from source: ValueSource) throws(UsageError) {
        var tokens = WriteOutTokens(text)
        var isForStdout = false
        while let token = tokens.next() {
            switch token {
            case .text(let text):
                segments.append(Segment(content: .literal(text), isForStdout: isForStdout))
            case .header(let name):
                segments.append(Segment(content: .header(name), isForStdout: isForStdout))
            case .variable("stdout"):
                isForStdout = true
            case .variable("stderr"):
                isForStdout = false
            case .variable(let name):
                guard let variable = WriteOutVariable.all.first(where: { $0.name == name }) else {
                    throw Self.unknownVariable(name, source: source)
                }
                segments.append(Segment(content: .variable(variable), isForStdout: isForStdout))
            }
        }
    }

    /// Returns the error about an unknown variable. It suggests the nearest name, and lists all known ones.
    private static func unknownVariable(_ name: String, source: ValueSource) -> UsageError {
        let names = WriteOutVariable.all.map(\.name)
        let question = NearestWord.match(name, in: names).map { "; did you mean '%{\($0)}'?" } ?? ""
        let knownNames = (["stdout", "stderr"] + names).joined(separator: ", ")
        return .unusableValue(
            option: "--write-out", problem: "unknown variable '%{\(name)}'\(question) (known: \(knownNames))",
            source: source)
    }

    /// Writes the text with the values of a call in place of its variables, each segment to stdout or stderr.
    ///
    /// - Throws: The error of the output.
    func write(_ facts: WriteOutFacts, to environment: ProcessEnvironment) throws {
        for segment in segments {
            let output: any ByteOutput = segment.isForStdout ? environment.stdout : environment.stderr
            try output.write(segment.text(facts))
        }
    }
}

/// Splits the text of `--write-out` into its tokens.
private struct WriteOutTokens {
    enum Token {
        case text(String)
        /// `%header{name}`
        case header(String)
        /// `%{name}`
        case variable(String)
    }

    /// The escapes, each of two characters, and the characters that they stand for.
    private static let escapes = ["%%": "%", "\\n": "\n", "\\r": "\r", "\\t": "\t"]

    /// The text after the last token. It is searched by scalars, because CR and LF together are one character.
    private var remaining: Substring.UnicodeScalarView

    init(_ text: String) { remaining = text.unicodeScalars[...] }

    /// Removes the next token from the remaining text and returns it; nil at the end of the text.
    mutating func next() -> Token? {
        if remaining.isEmpty { return nil }
        if let name = takeName(after: "%header{") { return .header(name) }
        if let name = takeName(after: "%{") { return .variable(name) }
        if let character = Self.escapes[String(remaining.prefix(2))] {
            remaining = remaining.dropFirst(2)
            return .text(character)
        }
        // Plain text ends before the next percent sign or backslash. A first character of this kind has begun none of
        // the tokens above, so that it stands for itself.
        let end = remaining.dropFirst().firstIndex { $0 == "%" || $0 == "\\" } ?? remaining.endIndex
        let text = String(remaining[..<end])
        remaining = remaining[end...]
        return .text(text)
    }

    /// Removes a prefix, a name and a closing brace from the start of the remaining text, and returns the name.
    ///
    ///     prefix %{, text "%{http_code} and more"  →  name http_code, remaining text " and more"
    ///
    /// - Returns: The name; nil if the text does not start that way. Then it stays as it is.
    private mutating func takeName(after prefix: String) -> String? {
        guard remaining.starts(with: prefix.unicodeScalars), let end = remaining.firstIndex(of: "}") else { return nil }
        let name = remaining[..<end].dropFirst(prefix.unicodeScalars.count)
        remaining = remaining[end...].dropFirst()
        return String(name)
    }
}
