/// Swift text that is divided into lines when it is printed, as the formatter does it.
indirect enum SwiftText: ExpressibleByStringInterpolation, Sendable {
    case words(String)
    /// A string literal that is made of escaped pieces. A literal that is too long for a line is divided into lines
    /// between pieces.
    case pieces([String])
    /// Items between brackets: on one line if they fit, else on lines of their own. An array literal of several lines
    /// has a comma after its last item.
    case list(String, [SwiftText], String)
    /// Items between brackets: on one line if they fit, else each on its own.
    case column(String, [SwiftText], String)
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

    /// Returns the array literal of an API's servers: `[Server("main", url: "https://example.com")]`.
    static func servers(_ servers: [(name: String, url: String)]) -> SwiftText {
        .list(
            "[", servers.map { .list("Server(", [.literal($0.name), "url: \(SwiftText.literal($0.url))"], ")") }, "]")
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
        case .list(let open, let items, let close), .column(let open, let items, let close):
            open + items.map(\.line).joined(separator: ", ") + close
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
        switch self {
        case .words:
            return line
        case .closure(let call, let body):
            let text = body.printed(indent: indent + 4)
            return "\(call) {\n\(Self.blanks(indent + 4))\(text)\n\(Self.blanks(indent))}"
        case .row(let parts):
            return Self.row(parts, indent: indent, column: column, rest: rest, inner: inner)
        case .pieces(let pieces):
            return Self.literal(of: pieces, indent: column == 0 ? indent : indent + inner)
        case .list(let open, let items, let close):
            return Self.list(open, items, close, indent: indent, rest: rest)
        case .column(let open, let items, let close):
            return Self.column(open, items, close, indent: indent, rest: rest)
        case .sum(let terms, let sign):
            return Self.sum(terms, sign, indent: indent, column: column, rest: rest)
        }
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// Returns texts that follow each other without anything between them. Each of them may be divided.
    private static func row(_ parts: [SwiftText], indent: Int, column: Int, rest: Int, inner: Int) -> String {
        var column = column
        // The characters after the current part.
        var rest = rest + parts.reduce(0) { $0 + $1.line.count }
        var result = ""
        for part in parts {
            rest -= part.line.count
            let text = part.printed(indent: indent, column: column, rest: rest, inner: inner)
            if let lineBreak = text.utf8.lastIndex(of: UInt8(ascii: "\n")) {
                column = text[lineBreak...].count - 1 - indent
            } else {
                column += text.count
            }
            result += text
        }
        return result
    }

    /// Returns a string literal of several lines, whose line breaks are escaped, so that they are not in the string.
    private static func literal(of pieces: [String], indent: Int) -> String {
        let maxLength = SwiftLiteral.lineLength - 1 - indent
        var lines = [""]
        for piece in pieces {
            if lines[lines.count - 1].utf8.count + piece.utf8.count > maxLength { lines.append("") }
            lines[lines.count - 1] += piece
        }
        let margin = blanks(indent)
        return "\"\"\"\n\(margin)" + lines.joined(separator: "\\\n\(margin)") + "\n\(margin)\"\"\""
    }

    /// Returns items between brackets, with as many items on each line as fit.
    ///
    /// The closing bracket follows on the line of the last item. That of an array or dictionary literal, and of a
    /// declaration, has a line of its own.
    private static func list(_ open: String, _ items: [SwiftText], _ close: String, indent: Int, rest: Int) -> String {
        let isLiteral = open.hasSuffix("[")
        let isCloseAlone = isLiteral || close.hasSuffix("{")
        let margin = blanks(indent + 4)
        var lines: [String] = []
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            let hasComma = !isLast || (isLiteral && items.count > 1)
            let comma = hasComma ? "," : ""
            let closeLength = isLast && !isCloseAlone ? close.count + rest : 0
            // The formatter wants room for a comma at the end of a literal in an item.
            let end = max(2, comma.count + closeLength)
            let piece = item.printed(indent: margin.count, rest: end, inner: isLiteral ? 0 : 4) + comma
            let room = max(2, end - comma.count)
            if let last = lines.last, !last.contains("\n"), !piece.contains("\n"),
                last.count + 1 + piece.count + room <= SwiftLiteral.lineLength
            {
                lines[lines.count - 1] += " " + piece
            } else {
                lines.append(margin + piece)
            }
        }
        let closeLine = isCloseAlone ? "\n\(blanks(indent))\(close)" : close
        return ([open] + lines).joined(separator: "\n") + closeLine
    }

    /// Returns items between brackets, each on a line of its own. The last bracket ends the last line.
    private static func column(
        _ open: String, _ items: [SwiftText], _ close: String, indent: Int, rest: Int
    ) -> String {
        let lines = items.enumerated().map { index, item in
            let isLast = index == items.count - 1
            let end = isLast ? close : ","
            return blanks(indent + 4) + item.printed(indent: indent + 4, rest: isLast ? close.count + rest : 2) + end
        }
        return ([open] + lines).joined(separator: "\n")
    }

    /// Returns terms, each on a line of its own that begins with the sign before the term.
    private static func sum(_ terms: [SwiftText], _ sign: String, indent: Int, column: Int, rest: Int) -> String {
        let sign = sign.drop { $0 == " " }
        let lines = terms.enumerated().map { index, term in
            let termRest = index == terms.count - 1 ? max(rest, 2) : 2
            if index == 0 { return term.printed(indent: indent, column: column, rest: termRest) }
            return term.printed(indent: indent + 4, column: sign.count, rest: termRest)
        }
        return lines.joined(separator: "\n\(blanks(indent + 4))\(sign)")
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
