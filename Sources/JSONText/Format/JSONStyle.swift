/// How ``JSONFormatter`` lays out what it prints.
package enum JSONStyle: Equatable, Sendable {
    /// One member or element per line.
    case pretty(indent: Indent)
    /// One line per document, no space anywhere outside strings.
    case compact
    /// Nothing is printed: the input is only checked.
    case none

    /// What one level of nesting is indented by.
    package enum Indent: Equatable, Sendable {
        /// That many spaces, limited to 0 to 8.
        case spaces(Int)
        /// One tab.
        case tab
    }
}

/// The indentation per level: the same byte, repeated.
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
