import JSONText

extension JSONValue {
    /// The text of a string without quotes, or any other value as it is written in JSON.
    package var text: String { string ?? description }
}
