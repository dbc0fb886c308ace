import EndpointKit
import JSONText

/// A part of a document that can't be read, with its place.
package struct OpenAPIError: Error, Equatable, Sendable {
    /// The file, as the caller named it, or its path in the directory of the document.
    package let file: String
    /// The place as a JSON pointer in a URI fragment (RFC 6901, section 6), such as `#/paths/~1pets/get`.
    package let pointer: String
    /// The line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int
    /// The expectation in words, such as `an object`.
    package let expected: String
    /// The value or circumstance that contradicts the expectation, such as `string "x"`.
    package let found: String
}

extension OpenAPIError: CustomStringConvertible {
    /// The error on one line that is safe for a terminal: `shop.json:2:5: #/paths: expected an object, found null`.
    package var description: String {
        TerminalText.escaped("\(file):\(line):\(column): \(pointer): expected \(expected), found \(found)")
    }
}

/// The reason why a part can't be read, before its line and column are counted.
struct PartFailure: Error {
    /// The value that contradicts the expectation; nil for the value that the part is read from.
    var place: JSONValue?
    /// The expectation in words, as in ``OpenAPIError/expected``.
    let expected: String
    /// The circumstance that contradicts the expectation, as in ``OpenAPIError/found``.
    let found: String

    /// Makes a failure that says in words what was found.
    init(at place: JSONValue? = nil, expected: String, found: String) {
        self.place = place
        self.expected = expected
        self.found = found
    }

    /// Makes the failure of a value that is not what was expected. The message shows the value without secrets:
    /// `string "x"`.
    init(_ value: JSONValue, expected: String) {
        self.init(
            at: value, expected: expected, found: SecretRules.redacted(value.document.valueText(of: value.slot)))
    }
}
