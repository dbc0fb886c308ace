/// How ``JSONFormatter`` lays out what it prints.
public enum JSONStyle: Equatable, Sendable {
    /// One member or element per line.
    case pretty(indent: Indent)
    /// One line per document, no space anywhere outside strings.
    case compact
    /// Nothing is printed: the input is only checked.
    case none

    /// What one level of nesting is indented by.
    public enum Indent: Equatable, Sendable {
        /// So many spaces; taken as 0 to 8.
        case spaces(Int)
        /// One tab.
        case tab
    }
}

/// What stands at the start of a line: the same byte, so many times per level.
struct IndentUnit {
    /// Levels beyond this one are not indented further, so that hostile nesting cannot multiply the output.
    static let deepestLevel = 256
    static let widest = 8

    let byte: UInt8
    let width: Int

    init(_ indent: JSONStyle.Indent) {
        switch indent {
        case .spaces(let count):
            byte = UInt8(ascii: " ")
            width = max(0, min(count, Self.widest))
        case .tab:
            byte = UInt8(ascii: "\t")
            width = 1
        }
    }
}
