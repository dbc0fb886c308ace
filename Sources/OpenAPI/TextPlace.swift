/// A place in a text, as editors count it: the line and the column in Unicode scalars, both from 1.
package struct TextPlace: Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place in words: `line 3, column 7`.
    package var description: String { "line \(line), column \(column)" }
}
