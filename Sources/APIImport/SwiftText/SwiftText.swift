/// Swift text that is divided into lines when it is printed, as the formatter does it.
indirect enum SwiftText: ExpressibleByStringInterpolation, Sendable {
    case words(String)
    /// A string literal that is made of escaped pieces. A literal that is too long for a line is divided into lines
    /// between pieces.
    case pieces([String])
    /// Items between brackets: on one line if they fit, else on lines of their own. An array literal of several lines
    /// has a comma after its last item.
    case list(String, [SwiftText], String)
    /// Terms with an operator between them: on one line if they fit, else each on its own.
    case sum([SwiftText], by: String = " + ")
    /// Texts that follow each other with nothing between them.
    case row([SwiftText])
    /// A call with a trailing closure: on one line if it fits, else with the body of the closure on lines of its own.
    case closure(String, SwiftText)

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [SwiftText] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ words: String) { parts.append(.words(words)) }
        mutating func appendInterpolation(_ words: String) { parts.append(.words(words)) }
        mutating func appendInterpolation(_ text: SwiftText) {
            if case .row(let all) = text { parts += all } else { parts.append(text) }
        }
    }

    init(stringLiteral words: String) { self = .words(words) }

    init(stringInterpolation: StringInterpolation) { self = .row(stringInterpolation.parts) }

    /// Returns a string literal for a text, which is escaped.
    static func literal(_ text: String) -> SwiftText { .pieces(SwiftLiteral.pieces(text)) }

    /// Returns the array literal of an API's servers: `[Server("main", "https://example.com")]`.
    static func servers(_ servers: [(name: String, url: String)]) -> SwiftText {
        .list("[", servers.map { .list("Server(", [.literal($0.name), .literal($0.url)], ")") }, "]")
    }

    /// Returns a call, or only the name if there are no arguments: `get(id: 1)`, `list`.
    static func call(_ name: String, _ arguments: [SwiftText]) -> SwiftText {
        arguments.isEmpty ? .words(name) : .list(name + "(", arguments, ")")
    }

    /// The whole text on one line, however long it is.
    var line: String {
        switch self {
        case .words(let words): words
        case .pieces(let pieces): "\"\(pieces.joined())\""
        case .list(let open, let items, let close): open + items.map(\.line).joined(separator: ", ") + close
        case .sum(let terms, let sign): terms.map(\.line).joined(separator: sign)
        case .row(let parts): parts.map(\.line).joined()
        case .closure(let call, let body): "\(call) { \(body.line) }"
        }
    }

    /// Returns the text, divided into lines where it is too long for one.
    ///
    /// - Parameters:
    ///   - indent: The number of blanks before the line.
    ///   - column: The number of characters between these blanks and the text.
    ///   - rest: The number of characters after the text on its last line, such as a comma and a closing bracket.
    ///   - inner: The number of blanks by which the lines of a string literal are indented more.
    func printed(indent: Int, column: Int = 0, rest: Int = 2, inner: Int = 4) -> String {
        let line = line
        if indent + column + line.count + rest <= SwiftLiteral.lineLength { return line }
        let margin = String(repeating: " ", count: indent + 4)
        switch self {
        case .words: return line
        case .closure(let call, let body):
            let text = body.printed(indent: indent + 4)
            return "\(call) {\n\(margin)\(text)\n\(margin.dropFirst(4))}"
        case .row(let parts):
            var (column, rest, result) = (column, rest + line.count, "")
            for part in parts {
                rest -= part.line.count
                let text = part.printed(indent: indent, column: column, rest: rest, inner: inner)
                let end = text.utf8.lastIndex(of: UInt8(ascii: "\n"))
                column = end.map { text[$0...].count - 1 - indent } ?? column + text.count
                result += text
            }
            return result
        case .pieces(let pieces):
            let margin = String(repeating: " ", count: column == 0 ? indent : indent + inner)
            var lines = [""]
            for piece in pieces {
                if lines[lines.count - 1].utf8.count + piece.utf8.count > SwiftLiteral.lineLength - 1 - margin.count {
                    lines.append("")
                }
                lines[lines.count - 1] += piece
            }
            return "\"\"\"\n\(margin)" + lines.joined(separator: "\\\n\(margin)") + "\n\(margin)\"\"\""
        case .list(let open, let items, let close):
            let isLiteral = open.hasSuffix("[")
            var lines: [String] = []
            let isAlone = isLiteral || close.hasSuffix("{")
            for (index, item) in items.enumerated() {
                let isLast = index == items.count - 1
                let comma = !isLast || isLiteral && items.count > 1 ? "," : ""
                // The closing bracket follows on the line of the last item, unless it has a line of its own. The
                // formatter also wants room for a comma at the end of a literal in an item.
                let end = max(2, comma.count + (isLast && !isAlone ? close.count + rest : 0))
                let piece = item.printed(indent: margin.count, rest: end, inner: isLiteral ? 0 : 4) + comma
                if let last = lines.last, !last.contains("\n"), !piece.contains("\n"),
                    last.count + 1 + piece.count + max(2, end - comma.count) <= SwiftLiteral.lineLength
                {
                    lines[lines.count - 1] += " " + piece
                } else {
                    lines.append(margin + piece)
                }
            }
            return ([open] + lines).joined(separator: "\n") + (isAlone ? "\n\(margin.dropFirst(4))" : "") + close
        case .sum(let terms, let sign):
            let sign = sign.drop { $0 == " " }
            let lines = terms.enumerated().map { index, term in
                term.printed(
                    indent: index == 0 ? indent : margin.count, column: index == 0 ? column : sign.count,
                    rest: index == terms.count - 1 ? max(rest, 2) : 2)
            }
            return lines.joined(separator: "\n\(margin)\(sign)")
        }
    }
}

/// One or more lines of a Swift file. The indentation is added when they are printed.
enum SwiftLine: ExpressibleByStringInterpolation, Sendable {
    case text(SwiftText)
    case comment(String, mark: String = "///")
    /// A text such as a declaration, followed by lines between braces.
    case block(SwiftText, [SwiftLine])
    case indented([SwiftLine])

    init(stringLiteral words: String) { self = .text(SwiftText(stringLiteral: words)) }

    init(stringInterpolation: SwiftText.StringInterpolation) {
        self = .text(SwiftText(stringInterpolation: stringInterpolation))
    }

    /// Adds the lines to a text, each with its line break.
    fileprivate func print(_ indent: Int, into result: inout String) {
        let margin = String(repeating: " ", count: indent)
        switch self {
        case .text(let text):
            let line = text.printed(indent: indent)
            result += line.isEmpty ? "\n" : "\(margin)\(line)\n"
        case .comment(let text, let mark): result += SwiftLiteral.comment(text, start: margin + mark)
        case .block(let head, let lines):
            result += "\(margin)\(head.printed(indent: indent)) {\n"
            for line in lines { line.print(indent + 4, into: &result) }
            result += margin + "}\n"
        case .indented(let lines): for line in lines { line.print(indent + 4, into: &result) }
        }
    }
}

extension [SwiftLine] {
    /// The lines with their line breaks.
    func printed(indent: Int = 0) -> String {
        reduce(into: "") { $1.print(indent, into: &$0) }
    }
}
