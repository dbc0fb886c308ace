/// The layout in which ``JSONFormatter`` prints documents.
package enum JSONStyle: Equatable, Sendable {
    /// One member or element in a line.
    case pretty(indent: Indent)
    /// One line for each document, without spaces outside strings.
    case compact
    /// Nothing is printed: the input is only checked.
    case none

    /// The indentation for one level of nesting.
    package enum Indent: Equatable, Sendable {
        /// This number of spaces, limited to 0 to 8.
        case spaces(Int)
        case tab
    }
}
