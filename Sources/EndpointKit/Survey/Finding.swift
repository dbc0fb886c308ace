/// One way in which responses differ from the model, at all places with the same folded path.
package struct Finding: Sendable, Equatable {
    /// The kind of deviation.
    package enum Kind: String, Sendable, CaseIterable {
        /// A key was sent that the model never asks for.
        case unexpectedKey = "unexpected-key"
        /// A key that the model requires was not sent.
        case missingKey = "missing-key"
        /// A key that may be absent was never sent.
        case absentKey = "absent-key"
        /// A value of another kind than the model reads, such as a string for an integer.
        case wrongType = "wrong-type"
        /// A value of the right kind that the model refuses, such as one that its enum does not have.
        case wrongValue = "wrong-value"

        /// Whether decoding fails because of it.
        package var isMismatch: Bool {
            switch self {
            case .missingKey, .wrongType, .wrongValue: true
            case .unexpectedKey, .absentKey: false
            }
        }
    }

    package let kind: Kind
    /// The path with positions of lists folded: `$.results[*].adult`, `$.reactions['+1']`; members of a dictionary are `.*`. Safe to print at a
    /// terminal.
    package let path: String
    /// How many places it was found at.
    package let count: Int
    /// How many places of that path there were: values, or for keys the objects that could have had them.
    package let of: Int
    /// What was expected: `integer`; nil if it is a key that is missing or that the model does not have.
    package let expected: String?
    /// The value at the first place: `string "x"`; nil if there is none. Not escaped for a terminal.
    package let found: String?
    /// Where the first place is, from 1; of a key that is not there, its object.
    package let line: Int
    /// Unicode scalars, not bytes, from the start of the line.
    package let column: Int
}
