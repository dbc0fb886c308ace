/// The reason why arguments can't be decoded into a case.
package enum ArgumentError: Error, Sendable, Equatable {
    /// These required parameters are missing.
    case missing([[String]])
    /// The parameter takes one value and was given several.
    case repeated([String], position: Int?)
    /// The value does not fit the parameter's type.
    case invalid([String], text: String, expected: String, position: Int?)
    /// The JSON for the parameter is malformed, or does not fit its type.
    case invalidJSON([String], source: String, problem: String, position: Int?)
    /// An object in the JSON for the parameter lacks a key that its type requires.
    case missingKeyInJSON([String], source: String, problem: String, position: Int?)
    /// A structure was given both as a whole in JSON and by its fields.
    case bothWholeAndFields([String], position: Int?)
}
