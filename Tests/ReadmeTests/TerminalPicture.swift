/// A picture (SVG) of commands and what they print on a terminal with colors.
struct TerminalPicture {
    private static let columns = 84
    private static let characterWidth = 8.4
    private static let lineHeight = 19
    private static let margin = 16

    /// The lines as a terminal gets them, with escape sequences for colors.
    let lines: [String]

    /// The text of the SVG file.
    var svg: String {
        let width = Int(Double(Self.columns) * Self.characterWidth) + 2 * Self.margin
        let height = lines.count * Self.lineHeight + 2 * Self.margin
        let rows = lines.enumerated().map { number, line in
            let y = Self.margin + (number + 1) * Self.lineHeight - 5
            return "<text x=\"\(Self.margin)\" y=\"\(y)\" xml:space=\"preserve\">\(Self.spans(of: line))</text>"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)">
            <rect width="100%" height="100%" rx="8" fill="#1e1e2e"/>
            <g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#cdd6f4">
            \(rows.joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    /// A line as SVG text: its escape sequences (SGR of ECMA-48) become attributes.
    private static func spans(of line: String) -> String {
        let escape = "\u{1B}["
        let pieces = line.split(separator: escape, omittingEmptySubsequences: false)
        let first = escaped(pieces[0])
        let others = pieces.dropFirst().map { piece in
            let parts = piece.split(separator: "m", maxSplits: 1, omittingEmptySubsequences: false)
            let text = escaped(parts.count == 2 ? parts[1] : "")
            let attributes = parts[0].split(separator: ";").compactMap { attribute(forCode: $0) }
            if text.isEmpty || attributes.isEmpty { return String(text) }
            return "<tspan \(attributes.joined(separator: " "))>\(text)</tspan>"
        }
        return first + others.joined()
    }

    /// Returns the attribute of SVG text for a code of an SGR sequence.
    ///
    /// It is nil for codes that the commands of the picture do not use.
    private static func attribute(forCode code: Substring) -> String? {
        if code == "1" { return #"font-weight="bold""# }
        guard let color = colors[code] else { return nil }
        return "fill=\"\(color)\""
    }

    /// Colors by the code of an SGR sequence.
    private static let colors: [Substring: String] = [
        "2": "#9399b2", "31": "#f38ba8", "32": "#a6e3a1", "33": "#f9e2af", "34": "#89b4fa", "35": "#cba6f7",
        "36": "#94e2d5", "90": "#9399b2",
    ]

    private static func escaped(_ text: Substring) -> String {
        String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
