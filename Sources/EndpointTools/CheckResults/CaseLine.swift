/// A line of a file of cases.
package struct CaseLine: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file, or `stdin`.
    package let file: String
    /// The number of the line, from 1.
    package let line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// The line as editors and terminals recognise it: `cases.json:7`.
    package var description: String { "\(file):\(line)" }
}
