import Testing

/// A row of a table: a named input with its expected output.
package struct Row<Input: Sendable, Output: Sendable>: Sendable, CustomTestStringConvertible {
    package let id: String
    package let input: Input
    package let expected: Output

    package init(_ id: String, _ input: Input, _ expected: Output) {
        self.id = id
        self.input = input
        self.expected = expected
    }

    package var testDescription: String { id }
}

extension String {
    /// The text in UTF-8.
    package var bytes: [UInt8] { Array(utf8) }
}
