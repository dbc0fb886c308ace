import JSONText

extension JSONValue {
    /// A string without quotes, anything else as it is written.
    package var text: String { string ?? description }
}
