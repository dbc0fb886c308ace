import EndpointKit
import EndpointTools
import JSONText

/// The values that a path selects in a response, or the values of a header, to be compared with the requirements of a
/// case.
struct SelectedValues {
    /// The path as the case has it, or `header` and the header's name. Problems name it.
    let path: String
    let values: [JSONValue]
    /// The bytes of the body if the path is that of the whole body; otherwise nil.
    let body: [UInt8]?
    /// Whether the path may select several values, such as `$.results[*]`, even if it has selected one here.
    let mayBeSeveral: Bool
    /// Whether a text with a number is compared as a number, as the values of headers are.
    var readsNumbers = false
    /// Counts the bytes of the values that are compared, and the steps of regular expressions.
    let stepCounter: StepCounter

    /// The number of values, or the number of elements or members of the value of a path that selects only one.
    var count: Int {
        guard values.count == 1, !mayBeSeveral else { return values.count }
        let onlyValue = values[0]
        return onlyValue.elements?.count ?? onlyValue.members?.count ?? 1
    }

    // MARK: Texts

    /// The bytes and the length of a text or of a body.
    struct Content {
        let bytes: [UInt8]
        /// The number of characters (Unicode scalars) of a text, or of bytes of a body.
        let length: Int
    }

    /// Returns the bytes and the length of each selected text. If the path selects the whole body, there is only the
    /// body.
    ///
    /// The bytes of the texts are counted as steps, so that the check of very many or long texts ends with an error.
    ///
    /// - Returns: The contents in the order of ``values``. Nil stands for a value that is no text.
    /// - Throws: `JSONPathLimit` if there are too many steps.
    func readContents() throws -> [Content?] {
        if let body { return [Content(bytes: body, length: body.count)] }
        return try values.map { value in
            try stepCounter.count(value.written.count)
            return value.string.map { Content(bytes: $0.exactBytes, length: $0.unicodeScalars.count) }
        }
    }

    /// Returns the problem that a value is no text, although a requirement is only for texts.
    ///
    /// - Parameter requirement: The name of the requirement: `length`.
    func problemWithoutText(_ requirement: String) -> CheckProblem {
        let firstOtherValue = values.first { $0.string == nil }
        return CheckProblem(
            .wrongType, path: path, expected: "a text, which has a \(requirement)", found: firstOtherValue?.shown)
    }

    // MARK: Problems

    /// Compares each value with a requirement. Counts the bytes of the values as steps.
    ///
    /// - Parameters:
    ///   - expected: The words for the requirement.
    ///   - kind: The kind of the problem.
    ///   - isMet: Whether a value meets the requirement. It takes time in proportion to the length of the value, or
    ///     else counts its steps.
    /// - Returns: One problem about all values that do not meet the requirement; nil if all of them meet it.
    /// - Throws: `JSONPathLimit` if there are too many steps, and the error of `isMet`.
    func problem(
        expected: String, kind: CheckProblem.Kind = .wrongValue, unless isMet: (JSONValue) throws -> Bool
    ) throws -> CheckProblem? {
        let wrongValues = try values.filter { value in
            try stepCounter.count(value.written.count)
            return try !isMet(value)
        }
        guard let firstWrongValue = wrongValues.first else { return nil }
        return CheckProblem(
            kind, path: path, expected: expected, found: firstWrongValue.shown, count: wrongValues.count,
            total: values.count)
    }

    /// Compares each value with a requirement for numbers. A value that is no number does not meet it.
    ///
    /// - Parameters:
    ///   - expected: The words for the requirement.
    ///   - isMet: Whether a number meets the requirement.
    /// - Returns: One problem about all values that do not meet the requirement; nil if all of them meet it.
    /// - Throws: `JSONPathLimit` if the values have more bytes than steps are left.
    func numberProblem(expected: String, unless isMet: (DecimalNumber) -> Bool) throws -> CheckProblem? {
        try problem(expected: expected) { value in
            guard let json = number(in: value), let number = DecimalNumber.parsed(json) else { return false }
            return isMet(number)
        }
    }

    /// Returns the number that a value is, or that a text holds if ``readsNumbers`` is true. Nil if there is none.
    func number(in value: JSONValue) -> JSONValue? {
        if value.kind == .number { return value }
        guard readsNumbers, let text = value.string else { return nil }
        guard let parsedText = try? JSONValue(text: text.exactBytes), parsedText.kind == .number else { return nil }
        return parsedText
    }
}

extension CheckedResponse {
    /// The body as a JSON string, or null if it is not text. It stands for the document of a body that is not JSON.
    var bodyValue: JSONValue { text.map { JSONValue($0) } ?? .null }
}
