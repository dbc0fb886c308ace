import EndpointKit
import JSONText

/// The error of a part of a document that can't be read.
package struct OpenAPIError: Error, Equatable, Sendable {
    /// The path or URL of the file.
    package let file: String
    /// The JSON pointer to the part (RFC 6901, section 6), such as `#/paths/~1pets/get`.
    package let pointer: String
    /// The line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int
    /// The part that was expected, in words such as `an object`.
    package let expected: String
    /// The part that was found, in words such as `string "x"`.
    package let found: String
}

extension OpenAPIError: CustomStringConvertible {
    /// The error on one line that is safe for a terminal: `shop.json:2:5: #/paths: expected an object, found null`.
    package var description: String {
        TerminalText.escaped("\(file):\(line):\(column): \(pointer): expected \(expected), found \(found)")
    }
}

/// The reason why a part of a document can't be read.
///
/// ``ReferenceResolver/error(_:at:)`` adds the file, line and column, and makes an ``OpenAPIError`` of it.
struct PartFailure: Error {
    /// The value that is wrong; nil for the part as a whole.
    var place: JSONValue?
    /// The part that was expected, in words, as in ``OpenAPIError/expected``.
    let expected: String
    /// The part that was found, in words, as in ``OpenAPIError/found``.
    let found: String

    /// Creates a failure with words for what was found.
    init(at place: JSONValue? = nil, expected: String, found: String) {
        self.place = place
        self.expected = expected
        self.found = found
    }

    /// Creates a failure whose message shows the value that was found, such as `string "x"`. Secrets are removed from
    /// it.
    init(foundValue value: JSONValue, expected: String) {
        self.init(
            at: value, expected: expected, found: SecretRules.redacted(value.document.valueText(of: value.slot)))
    }
}
