/// A syntax error in a query: its place, and what was expected there.
package struct JSONPathError: Error, Equatable, CustomStringConvertible {
    /// The column of the error in Unicode scalars, from 1.
    package let column: Int
    /// The syntax that was expected there, such as `']'`.
    package let expected: String
    /// The text that was found there, such as `'x'` or `the end of the query`.
    package let found: String

    /// `column 7: expected ']', found 'x'`
    package var description: String { "column \(column): expected \(expected), found \(found)" }
}

/// The error for a query that takes too many steps.
package enum JSONPathLimit: Error, Equatable, CustomStringConvertible {
    /// The query visits more values and compares more bytes than this number.
    case tooManySteps(Int)
    /// A regular expression of the query has more states than this number.
    case tooLargeExpression(Int)

    package var description: String {
        switch self {
        case .tooManySteps(let limit):
            "the query is too much work in this document: more than \(limit) values visited and bytes compared; "
                + "name fewer values, or compare shorter ones"
        case .tooLargeExpression(let limit): "a regular expression of the query has more than \(limit) states"
        }
    }
}
