/// Lays out Swift text as the formatter does.
enum SwiftText {
    /// `items` between brackets, on one line if they fit, else on lines of their own; of a literal, which ends with `]`, with a comma after the
    /// last.
    ///
    /// - Parameters:
    ///   - indent: How far the line with `open` is indented.
    ///   - column: How much is on that line before `open`, besides.
    static func list(_ open: String, _ items: [String], _ close: String, indent: Int, column: Int = 0) -> String {
        let line = open + items.joined(separator: ", ") + close
        // A comma and a closing bracket may follow.
        if !line.contains("\n"), indent + column + line.count + 2 <= SwiftLiteral.lineLength { return line }
        let margin = String(repeating: " ", count: indent + 4)
        let isLiteral = open.hasSuffix("[")
        var lines: [String] = []
        for (index, item) in items.enumerated() {
            let piece = item + (index < items.count - 1 || isLiteral && items.count > 1 ? "," : "")
            if let last = lines.last, !last.contains("\n"), !piece.contains("\n"),
                last.count + 1 + piece.count + 2 <= SwiftLiteral.lineLength
            {
                lines[lines.count - 1] += " " + piece
            } else {
                lines.append(margin + piece)
            }
        }
        return ([open] + lines).joined(separator: "\n") + (isLiteral ? "\n\(margin.dropFirst(4))" : "") + close
    }

    /// Terms with `+` between them: on one line if they fit, else each on its own; the first stays where it is unless something stands around.
    static func sum(_ open: String, _ terms: [String], _ close: String, indent: Int) -> String {
        let line = open + terms.joined(separator: " + ") + close
        if !line.contains("\n"), indent + line.count + 2 <= SwiftLiteral.lineLength { return line }
        let margin = "\n" + String(repeating: " ", count: indent + 4)
        let (start, inner) = close.isEmpty ? (open, margin) : (open + margin, margin + "    ")
        return start + terms.joined(separator: "\(inner)+ ") + close
    }

    /// A literal of a path with parameters in it; a long one in several lines.
    static func path(_ text: String, margin: Int = 16) -> String {
        guard text.count > SwiftLiteral.lineLength - margin - 8 else { return "\"\(text)\"" }
        let width = margin
        let margin = String(repeating: " ", count: width)
        var pieces = [""]
        var depth = 0
        for character in text {
            // Lines are broken before a segment, and in long ones, but not in an expression.
            if depth == 0, "/\\".contains(character) || pieces[pieces.count - 1].count > 60 { pieces.append("") }
            pieces[pieces.count - 1].append(character)
            guard pieces[pieces.count - 1].hasPrefix("\\") else { continue }
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            if depth == 0, character == ")" { pieces.append("") }
        }
        var lines = [""]
        for piece in pieces {
            if lines[lines.count - 1].count + piece.count > SwiftLiteral.lineLength - width - 2 { lines.append("") }
            lines[lines.count - 1] += piece
        }
        return "\"\"\"\n\(margin)" + lines.joined(separator: "\\\n\(margin)") + "\n\(margin)\"\"\""
    }

    /// A name with arguments, if it has any.
    static func call(_ name: String, _ arguments: [String], indent: Int, column: Int = 0) -> String {
        arguments.isEmpty ? name : list(name + "(", arguments, ")", indent: indent, column: column)
    }

    /// The arm of a switch for a case with these values, and the endpoint that it is.
    static func arm(
        _ name: String, _ values: [String], method: String, _ arguments: [String], indent: Int, usesReturn: Bool
    ) -> String {
        let pattern = call("case .\(name)", values.map { "let \(SwiftNames.quoted($0))" }, indent: indent)
        let isUsual = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"].contains(method)
        let start = (usesReturn ? "return " : "") + (isUsual ? ".\(method.lowercased())(" : "Endpoint(")
        let all = (isUsual ? [] : [SwiftLiteral.string(method)]) + arguments
        let margin = String(repeating: " ", count: indent)
        return "\(margin)\(pattern):\n\(margin)    \(list(start, all, ")", indent: indent + 4))\n"
    }
}
