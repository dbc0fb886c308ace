/// Swift code that is divided into lines when it is printed, in the same way as `swift format` does it.
///
///     SwiftText.list("[", ["1", "2"], "]")    →    [1, 2]
///
/// If that is too long for a line, the items are on lines of their own.
indirect enum SwiftText: ExpressibleByStringInterpolation, Sendable {
    /// Code that is never divided.
    case words(String)
    /// A string literal that is made of escaped pieces. A literal that is too long for a line is divided into lines
    /// between pieces.
    case pieces([String])
    /// Items between brackets: on one line if they fit, and otherwise on lines of their own. An array literal of
    /// several lines has a comma after its last item.
    case list(String, [SwiftText], String)
    /// Items between brackets: on one line if they fit, and otherwise each on a line of its own.
    case column(String, [SwiftText], String)
    /// Terms with an operator between them: on one line if they fit, and otherwise each on a line of its own.
    case sum([SwiftText], by: String = " + ")
    /// Texts that follow each other with nothing between them.
    case row([SwiftText])
    /// A call with a trailing closure: on one line if it fits, and otherwise with the closure's body on lines of its
    /// own.
    case closure(String, SwiftText)

    /// Collects the parts of an interpolated literal, so that `"body: \(list)"` keeps the list divisible.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [SwiftText] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ words: String) { parts.append(.words(words)) }
        mutating func appendInterpolation(_ words: String) { parts.append(.words(words)) }
        mutating func appendInterpolation(_ text: SwiftText) {
            if case .row(let innerParts) = text { parts += innerParts } else { parts.append(text) }
        }
    }

    init(stringLiteral words: String) { self = .words(words) }

    init(stringInterpolation: StringInterpolation) { self = .row(stringInterpolation.parts) }

    /// Returns a string literal: `say "hi"` → `"say \"hi\""`.
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

    /// The code on one line, however long it is.
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

    /// Where code stands on its line:
    ///
    ///     let sizes = [1, 2],
    ///     ^ indent    ^ column
    struct Layout {
        /// The number of blanks before the line.
        var indent: Int
        /// The number of characters on the line between these blanks and the code.
        var column = 0
        /// The number of characters after the code on its last line, such as a comma and a closing bracket.
        var trailing = 2
        /// The number of blanks by which the lines of a string literal are indented more than the line.
        var literalIndent = 4

        /// The blanks before the line.
        var margin: String { String(repeating: " ", count: indent) }
        /// The layout of the lines that are indented by one level more.
        var inner: Layout { Layout(indent: indent + 4) }
    }

    /// Returns the code, divided into lines where it is too long for one.
    ///
    /// - Parameters:
    ///   - indent: The number of blanks before the line.
    ///   - column: The number of characters on the line between these blanks and the code.
    func printed(indent: Int, column: Int = 0) -> String { printed(Layout(indent: indent, column: column)) }

    /// Returns the code, divided into lines where it is too long for one.
    private func printed(_ layout: Layout) -> String {
        let line = line
        let length = layout.indent + layout.column + line.count + layout.trailing
        if length <= SwiftLiteral.lineLength { return line }
        switch self {
        case .words:
            // There is nowhere to divide it.
            return line
        case .closure(let call, let body):
            let text = body.printed(layout.inner)
            return "\(call) {\n\(layout.inner.margin)\(text)\n\(layout.margin)}"
        case .row(let parts):
            return Self.dividedRow(of: parts, layout: layout)
        case .pieces(let pieces):
            // A literal that follows other code on its line is indented more than that line.
            let isAtStart = layout.column == 0
            let indent = isAtStart ? layout.indent : layout.indent + layout.literalIndent
            return Self.dividedLiteral(of: pieces, layout: Layout(indent: indent))
        case .list(let open, let items, let close):
            return Self.dividedList(open: open, items: items, close: close, layout: layout)
        case .column(let open, let items, let close):
            return Self.dividedColumn(open: open, items: items, close: close, layout: layout)
        case .sum(let terms, let sign):
            return Self.dividedSum(of: terms, spacedSign: sign, layout: layout)
        }
    }

    /// Returns a row of parts, which follow each other with nothing between them. Parts that don't fit on the line are
    /// divided into lines.
    ///
    /// Each part begins in the column where the part before ends, and leaves room for the parts after it.
    private static func dividedRow(of parts: [SwiftText], layout: Layout) -> String {
        var partLayout = layout
        // The number of characters that have to fit on the line after the part.
        partLayout.trailing += parts.reduce(0) { $0 + $1.line.count }
        var rowText = ""
        for part in parts {
            partLayout.trailing -= part.line.count
            let printedPart = part.printed(partLayout)
            if let lineBreak = printedPart.utf8.lastIndex(of: UInt8(ascii: "\n")) {
                let lastLineLength = printedPart[lineBreak...].count - 1
                partLayout.column = lastLineLength - partLayout.indent
            } else {
                partLayout.column += printedPart.count
            }
            rowText += printedPart
        }
        return rowText
    }

    /// Returns a string literal of several lines, between three quotes.
    ///
    /// A `\` at the end of each line keeps the line break out of the string.
    ///
    /// - Parameters:
    ///   - pieces: The text in escaped pieces, between which it may be divided.
    ///   - layout: The layout of each line.
    private static func dividedLiteral(of pieces: [String], layout: Layout) -> String {
        let backslashLength = 1
        let maxLength = SwiftLiteral.lineLength - layout.indent - backslashLength
        var lines: [String] = []
        var line = ""
        for piece in pieces {
            if line.utf8.count + piece.utf8.count > maxLength {
                lines.append(line)
                line = ""
            }
            line += piece
        }
        lines.append(line)
        let quotes = "\"\"\""
        let content = lines.joined(separator: "\\\n\(layout.margin)")
        return [quotes, layout.margin + content, layout.margin + quotes].joined(separator: "\n")
    }

    /// Returns items between brackets on several lines, with as many items on each line as fit.
    ///
    /// The closing bracket of a call follows the last argument:
    ///
    ///     get(
    ///         id: 1, page: 2,
    ///         size: 3)
    ///
    /// The closing bracket of an array or dictionary literal has a line of its own. A literal with several items has a
    /// comma after the last one:
    ///
    ///     [
    ///         1, 2,
    ///         3,
    ///     ]
    ///
    /// The end of a declaration, such as `) {`, has a line of its own too, but there is no comma before it.
    ///
    /// - Parameters:
    ///   - open: The code up to the opening bracket.
    ///   - items: The items, which commas separate.
    ///   - close: The closing bracket, and what follows it.
    ///   - layout: The layout of the first line.
    private static func dividedList(
        open: String, items: [SwiftText], close: String, layout: Layout
    ) -> String {
        let isLiteral = open.hasSuffix("[")
        let isDeclaration = close.hasSuffix("{")
        let closeHasOwnLine = isLiteral || isDeclaration
        let lastItemHasComma = isLiteral && items.count > 1
        var itemLayout = layout.inner
        // A string of several lines is not indented any further in an array or dictionary literal.
        if isLiteral { itemLayout.literalIndent = 0 }
        var lines: [String] = []
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            if isLast, !closeHasOwnLine {
                // The closing bracket has to fit on the line of the last item.
                itemLayout.trailing = max(itemLayout.trailing, close.count + layout.trailing)
            }
            let hasComma = !isLast || lastItemHasComma
            let itemText = item.printed(itemLayout) + (hasComma ? "," : "")
            appendItem(itemText, to: &lines, layout: itemLayout)
        }
        let closeText = closeHasOwnLine ? "\n\(layout.margin)\(close)" : close
        return ([open] + lines).joined(separator: "\n") + closeText
    }

    /// Adds an item at the end of the last line, or on a new line if it does not fit there.
    ///
    /// An item that has several lines itself shares none of them with another item.
    ///
    /// - Parameters:
    ///   - itemText: The text of the item, with its comma.
    ///   - lines: The lines so far.
    ///   - itemLayout: The layout of the item. Its trailing characters must fit on the line after the item.
    private static func appendItem(_ itemText: String, to lines: inout [String], layout itemLayout: Layout) {
        let newLine = itemLayout.margin + itemText
        guard let lastLine = lines.last else {
            lines = [newLine]
            return
        }
        let longerLine = lastLine + " " + itemText
        let hasLineBreak = longerLine.contains("\n")
        let fits = longerLine.count + itemLayout.trailing <= SwiftLiteral.lineLength
        if fits, !hasLineBreak {
            lines[lines.count - 1] = longerLine
        } else {
            lines.append(newLine)
        }
    }

    /// Returns items between brackets, each on a line of its own. The closing bracket ends the last line.
    ///
    /// - Parameters:
    ///   - open: The code up to the opening bracket.
    ///   - items: The items, which commas separate.
    ///   - close: The closing bracket, and what follows it.
    ///   - layout: The layout of the first line.
    private static func dividedColumn(
        open: String, items: [SwiftText], close: String, layout: Layout
    ) -> String {
        var lines = [open]
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            var itemLayout = layout.inner
            if isLast { itemLayout.trailing = close.count + layout.trailing }
            lines.append(itemLayout.margin + item.printed(itemLayout) + (isLast ? close : ","))
        }
        return lines.joined(separator: "\n")
    }

    /// Returns terms on lines of their own, each of which begins with the sign before the term: `+ b`.
    ///
    /// - Parameters:
    ///   - terms: The terms, such as `a` and `b` of `a + b`.
    ///   - spacedSign: The sign with the blanks around it: ` + `.
    ///   - layout: The layout of the first line.
    private static func dividedSum(of terms: [SwiftText], spacedSign: String, layout: Layout) -> String {
        let sign = spacedSign.drop { $0 == " " }
        let lines = terms.enumerated().map { index, term in
            let isFirst = index == 0
            let isLast = index == terms.count - 1
            // The first term stays on the line on which the sum begins.
            var termLayout = isFirst ? Layout(indent: layout.indent, column: layout.column) : layout.inner
            // The sign stands before each term but the first.
            if !isFirst { termLayout.column = sign.count }
            // The code after the sum follows the last term on its line.
            if isLast { termLayout.trailing = max(layout.trailing, termLayout.trailing) }
            return term.printed(termLayout)
        }
        return lines.joined(separator: "\n\(layout.inner.margin)\(sign)")
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

    /// Appends the lines to a text, each with its line break.
    ///
    /// - Parameters:
    ///   - indent: The number of blanks before each line.
    ///   - result: The text to which the lines are appended.
    fileprivate func print(indent: Int, into result: inout String) {
        let margin = String(repeating: " ", count: indent)
        switch self {
        case .text(let text):
            let line = text.printed(indent: indent)
            result += line.isEmpty ? "\n" : "\(margin)\(line)\n"
        case .comment(let text, let mark): result += SwiftLiteral.comment(text, start: margin + mark)
        case .block(let head, let lines):
            result += "\(margin)\(head.printed(indent: indent)) {\n"
            for line in lines { line.print(indent: indent + 4, into: &result) }
            result += margin + "}\n"
        case .indented(let lines): for line in lines { line.print(indent: indent + 4, into: &result) }
        }
    }
}

extension [SwiftLine] {
    /// Returns the lines as text, each with its line break.
    ///
    /// - Parameter indent: The number of blanks before each line.
    func printed(indent: Int = 0) -> String {
        reduce(into: "") { $1.print(indent: indent, into: &$0) }
    }
}
