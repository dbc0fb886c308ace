import JSONText

/// Writes rows as tab-separated or comma-separated values, in chunks.
struct SeparatedRows {
    private static let writeSize = 64 * 1024

    let style: RowStyle
    let output: any ByteOutput
    private var text: [UInt8] = []

    init(style: RowStyle, output: any ByteOutput) {
        self.style = style
        self.output = output
    }

    mutating func write(_ cells: [String]) throws {
        let isCSV = style == .csv
        for (index, cell) in cells.enumerated() {
            if index > 0 { text.append(UInt8(ascii: isCSV ? "," : "\t")) }
            let shown = output.isTerminal ? TerminalText.escaped(cell) : cell
            text += isCSV ? Self.quoted(shown.utf8) : Self.escaped(shown.utf8)
        }
        // RFC 4180, section 2: lines end with CRLF.
        text += isCSV && !output.isTerminal ? [0x0D, 0x0A] : [0x0A]
        if text.count >= Self.writeSize { try flush() }
    }

    /// Writes what is left.
    mutating func flush() throws {
        if !text.isEmpty { try output.write(text) }
        text.removeAll(keepingCapacity: true)
    }

    /// In quotes if it holds a comma, quote or line break (RFC 4180, section 2).
    private static func quoted(_ cell: String.UTF8View) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard cell.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }) else {
            return Array(cell)
        }
        return [quote] + cell.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// With `\t`, `\n`, `\r` and `\\` for the characters that would end a cell or a row.
    private static func escaped(_ cell: String.UTF8View) -> [UInt8] {
        let letters: [UInt8: Character] = [0x09: "t", 0x0A: "n", 0x0D: "r", UInt8(ascii: "\\"): "\\"]
        return cell.flatMap { byte in
            letters[byte].map { [UInt8(ascii: "\\")] + Array(String($0).utf8) } ?? [byte]
        }
    }
}
