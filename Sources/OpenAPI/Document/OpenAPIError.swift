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

/// The parts of a list that could be read, and the errors of the others.
package struct ReadParts<Part> {
    /// The most errors that are kept.
    ///
    /// A reader fixes the first ones. Each error costs a pass over the text to count its lines, so a list of 100,000
    /// broken parts must not have as many errors.
    private static var maxErrors: Int { 20 }

    package private(set) var parts: [Part] = []
    package private(set) var errors: [OpenAPIError] = []

    /// Appends the part that `read` returns.
    ///
    /// - Parameters:
    ///   - place: The value that the part is read from.
    ///   - references: Makes the error with the position of `place`.
    ///   - read: Reads the part. A nil result appends nothing.
    mutating func append(
        _ place: JSONValue, _ references: ReferenceResolver, _ read: () throws(PartFailure) -> Part?
    ) {
        do {
            if let part = try read() { parts.append(part) }
        } catch {
            guard errors.count < Self.maxErrors else { return }
            errors.append(references.error(error, at: place))
        }
    }

    /// Appends the parts and errors that `read` returns, or the error that it throws.
    mutating func append(
        listAt place: JSONValue, _ references: ReferenceResolver, _ read: () throws(PartFailure) -> ReadParts
    ) {
        do {
            let list = try read()
            parts += list.parts
            appendErrors(of: list)
        } catch {
            guard errors.count < Self.maxErrors else { return }
            errors.append(references.error(error, at: place))
        }
    }

    /// Appends the errors of a list of anything.
    mutating func appendErrors<Other>(of other: ReadParts<Other>) {
        errors += other.errors.prefix(Self.maxErrors - errors.count)
    }

    /// Replaces the parts.
    func replacing(_ parts: [Part]) -> ReadParts {
        var result = self
        result.parts = parts
        return result
    }
}

extension ReadParts: Sendable where Part: Sendable {}

/// The reason why a part can't be read, before its line and column are counted.
struct PartFailure: Error {
    /// The value that contradicts the expectation; nil for the value that the part is read from.
    var place: JSONValue?
    let expected: String
    let found: String

    init(at place: JSONValue? = nil, expected: String, found: String) {
        self.place = place
        self.expected = expected
        self.found = found
    }

    /// Makes the failure of a value of the wrong kind.
    init(_ value: JSONValue, expected: String) {
        self.init(at: value, expected: expected, found: value.document.valueText(of: value.slot))
    }
}
