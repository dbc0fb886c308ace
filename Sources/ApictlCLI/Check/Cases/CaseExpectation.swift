import EndpointKit
import EndpointTools
import JSONText

/// The requirements of a case for the values that a path selects in a response.
///
/// If the path selects several values, each of them must meet the requirements.
struct CaseExpectation: Decodable, Sendable {
    /// A JSON type, or `integer` as JSON Schema has it.
    enum Kind: String, CaseValue, CaseIterable {
        case string, number, integer, boolean, array, object, null

        static var expectation: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }

        static func parsed(_ json: JSONValue) -> Kind? { json.string.flatMap(Kind.init) }

        /// Whether a value is of this type. `1` and `1.0` are integers, and numbers too.
        fileprivate func includes(_ value: JSONValue) -> Bool {
            if value.kind.rawValue == rawValue { return true }
            return self == .integer && DecimalNumber.parsed(value)?.isInteger == true
        }
    }

    /// The number of values, or the number of elements or members of the value of a path that selects only one.
    let count: CaseCount?
    let equals: Nullable<JSONValue>?
    /// A regular expression that matches a part of the text.
    let matches: CaseTemplate<IRegexp>?
    /// A part of the text, or an element of the list.
    let contains: Nullable<JSONValue>?
    let min: CaseTemplate<DecimalNumber>?
    let max: CaseTemplate<DecimalNumber>?
    /// Whether there must be a value. False means that there must be none.
    let exists: CaseTemplate<Bool>?
    let type: CaseTemplate<Kind>?
    /// The number of characters of the text, or of bytes of the body.
    let length: CaseCount?
    /// The SHA-256 digest of the text in UTF-8, or of the body, in hexadecimal digits.
    let sha256: CaseTemplate<SHA256Text>?

    // MARK: Sense

    /// Whether there is no requirement, which is a mistake in the file.
    var isEmpty: Bool {
        if count?.isEmpty == true || length?.isEmpty == true { return true }
        return count == nil && exists == nil && !describesValues
    }

    /// Whether there is a requirement for the values themselves, and not only for their number or existence.
    private var describesValues: Bool {
        let describesJSON = type != nil || equals != nil || min != nil || max != nil
        return describesJSON || contains != nil || matches != nil || length != nil || sha256 != nil
    }

    /// Whether no response can meet the requirements, which is a mistake in the file.
    ///
    ///     {"exists": false, "type": "string"}
    ///     {"min": 9, "max": 1}
    var isImpossible: Bool {
        // A requirement with a captured value is not known yet, so it is not judged here. That is why errors are
        // ignored.
        let mustBeAbsent = (try? exists?.known()) == false
        if mustBeAbsent, count != nil || describesValues { return true }
        if CaseTemplate.isEmptyRange(from: min, to: max) { return true }
        return count?.isImpossible == true || length?.isImpossible == true
    }

    // MARK: Judgement

    /// Compares the values at a path with the requirements.
    ///
    /// The search for the values and the comparison together take at most as many steps as a query of the document may
    /// take, because the server chooses how many values there are, and how long they are.
    ///
    /// The path `$` is the body: its text if it is not JSON, and its bytes for `length` and `sha256`.
    ///
    /// - Parameters:
    ///   - path: The path as the case has it, for messages.
    ///   - query: The same path, parsed.
    ///   - response: The response.
    ///   - steps: Counts the work.
    /// - Returns: A problem for each requirement that is not met, or one problem if there are too many steps.
    /// - Throws: ``UsageError`` for a requirement with a captured value that can't be used.
    func problems(
        _ path: String, _ query: JSONPath, in response: CheckedResponse, _ steps: StepCounter
    ) throws -> [CheckProblem] {
        do {
            let body = path == CaseExpectation.bodyPath ? response.body : nil
            let values = try response.document.map { try query.values(in: $0, steps) } ?? [response.bodyValue]
            return try problems(
                of: SelectedValues(
                    path: path, values: values, body: body, mayBeSeveral: query.mayFindSeveral, steps: steps))
        } catch let error as JSONPathLimit {
            return [CheckProblem(.wrongValue, path: path, expected: "a shorter search", found: "\(error)")]
        }
    }

    /// Compares the values of the headers of a name with the requirements.
    ///
    /// A value is a text. With `min`, `max`, or a number in `equals`, it is compared as a number.
    ///
    /// - Throws: ``UsageError`` for a requirement with a captured value that can't be used.
    func problems(ofHeader name: String, in response: CheckedResponse) throws -> [CheckProblem] {
        let path = "header \(name)"
        let values = response.values(ofHeader: name).map { JSONValue(shown: $0) }
        do {
            let selection = SelectedValues(
                path: path, values: values, body: nil, mayBeSeveral: true, readsNumbers: true,
                steps: StepCounter(limit: Self.maxHeaderSteps))
            return try problems(of: selection).map { Self.problem($0, ofHeader: name) }
        } catch let error as JSONPathLimit {
            return [CheckProblem(.wrongValue, path: path, expected: "a shorter value", found: "\(error)")]
        }
    }

    /// Returns a problem in words about a header, without secrets of the server such as the value of a cookie.
    private static func problem(_ problem: CheckProblem, ofHeader name: String) -> CheckProblem {
        if problem.kind == .missingKey {
            return CheckProblem(.wrongValue, path: problem.path, expected: "a value", found: "no such header")
        }
        let isSecret = SecretRules.isSecret(header: name)
        let found = problem.found.map { isSecret ? SecretRules.mark : SecretRules.redacted($0) }
        return CheckProblem(
            problem.kind, path: problem.path, expected: problem.expected, found: found, count: problem.count,
            total: problem.total)
    }

    /// The path of the whole body.
    static let bodyPath = "$"
    /// The most steps for the headers of a name: enough for any regular expression and a header of usual length.
    private static let maxHeaderSteps = 1_000_000

    /// Compares values with the requirements.
    ///
    /// - Throws: `JSONPathLimit` if there are too many steps, and ``UsageError`` for a requirement with a captured value
    ///   that can't be used.
    private func problems(of selection: SelectedValues) throws -> [CheckProblem] {
        let path = selection.path
        let values = selection.values
        // If no value may exist, there can be no other requirements.
        if try exists?.known() == false {
            guard let first = values.first else { return [] }
            return [CheckProblem(.wrongValue, path: path, expected: "nothing", found: first.shown)]
        }
        // A count may be 0, so a count alone does not need a value. Every other requirement does. `exists` is true
        // here, because false has been handled above.
        let needsValue = count == nil || exists != nil || describesValues
        if values.isEmpty, needsValue { return [CheckProblem(.missingKey, path: path)] }
        return try countProblems(of: selection) + valueProblems(of: selection)
    }

    /// Compares the number of values with the expected one.
    ///
    /// - Throws: ``UsageError`` for a captured value that can't be used.
    private func countProblems(of selection: SelectedValues) throws -> [CheckProblem] {
        guard let expected = try count?.unmetExpectation(for: selection.count) else { return [] }
        let problem = CheckProblem(
            .wrongValue, path: selection.path, expected: "count \(expected)", found: "\(selection.count)")
        return [problem]
    }

    /// Compares values with all requirements except for their number.
    ///
    /// - Throws: `JSONPathLimit` if there are too many steps, and ``UsageError`` for a captured value that can't be
    ///   used.
    private func valueProblems(of selection: SelectedValues) throws -> [CheckProblem] {
        var problems: [CheckProblem?] = []
        if let type = try type?.known() {
            problems.append(try selection.problem(expected: type.rawValue, kind: .wrongType, unless: type.includes))
        }
        if let equals = equals?.json {
            problems.append(
                try selection.problem(expected: equals.shown) { value in
                    let isSameNumber = equals.kind == .number && selection.number(value)?.isSame(as: equals) == true
                    return isSameNumber || value.isSame(as: equals)
                })
        }
        if let contains = contains?.json {
            let expected = "something that contains \(contains.shown)"
            problems.append(try selection.problem(expected: expected) { $0.contains(contains) })
        }
        if let min {
            let lowest = try min.known()
            problems.append(try selection.numberProblem(expected: "at least \(min.text)") { $0 >= lowest })
        }
        if let max {
            let highest = try max.known()
            problems.append(try selection.numberProblem(expected: "at most \(max.text)") { $0 <= highest })
        }
        if let matches {
            let pattern = try matches.known()
            let expected = "text that matches \(matches.text)"
            problems.append(
                try selection.problem(expected: expected) { value in
                    guard let text = value.string else { return false }
                    return try pattern.matches(text.unicodeScalars, isWhole: false) { try selection.steps.count($0) }
                })
        }
        problems += try lengthProblems(of: selection) + digestProblems(of: selection)
        return problems.compactMap(\.self)
    }

    /// Compares the lengths of texts, or that of the body, with the expected one.
    ///
    /// - Returns: The problem of the first text of another length; empty if there is none.
    /// - Throws: `JSONPathLimit` if there are too many steps, and ``UsageError`` for a captured value that can't be
    ///   used.
    private func lengthProblems(of selection: SelectedValues) throws -> [CheckProblem] {
        guard let length else { return [] }
        for content in try selection.contents() {
            guard let content else { return [selection.problemWithoutText("length")] }
            guard let expected = try length.unmetExpectation(for: content.length) else { continue }
            let problem = CheckProblem(
                .wrongValue, path: selection.path, expected: "length \(expected)", found: "\(content.length)")
            return [problem]
        }
        return []
    }

    /// Compares the digests of texts, or that of the body, with the expected one.
    ///
    /// - Returns: The problem of the first text with another digest; empty if there is none.
    /// - Throws: `JSONPathLimit` if there are too many steps, and ``UsageError`` for a captured value that can't be
    ///   used.
    private func digestProblems(of selection: SelectedValues) throws -> [CheckProblem] {
        guard let expected = try sha256?.known().digits else { return [] }
        for content in try selection.contents() {
            guard let content else { return [selection.problemWithoutText("sha256")] }
            let digest = MessageDigest.hexadecimal(MessageDigest.sha256.digest(of: content.bytes))
            if digest == expected { continue }
            return [CheckProblem(.wrongValue, path: selection.path, expected: "sha256 \(expected)", found: digest)]
        }
        return []
    }
}

// MARK: - Counts

/// The number of values that a case expects: `3`, or `{"equals": 3}`, or `{"min": 1, "max": 20}`.
struct CaseCount: Decodable, Sendable {
    private enum CodingKeys: CodingKey { case equals, min, max }

    private let equals: CaseTemplate<Int>?
    private let min: CaseTemplate<Int>?
    private let max: CaseTemplate<Int>?

    /// Decodes a number, `3`, or an object such as `{"min": 1, "max": 20}`.
    init(from decoder: any Decoder) throws {
        // Both forms are tried, the number first. A decoder that learns the shape of a case then learns both forms.
        let number = Result { try decoder.singleValueContainer().decode(CaseTemplate<Int>.self) }
        // If the JSON is no object, the error of the number is the one to throw.
        guard let object = try? decoder.container(keyedBy: CodingKeys.self) else {
            equals = try number.get()
            min = nil
            max = nil
            return
        }
        equals = try object.decodeIfPresent(CaseTemplate.self, forKey: .equals)
        min = try object.decodeIfPresent(CaseTemplate.self, forKey: .min)
        max = try object.decodeIfPresent(CaseTemplate.self, forKey: .max)
    }

    /// Whether any number is accepted.
    var isEmpty: Bool { equals == nil && min == nil && max == nil }

    /// Whether no number is accepted.
    var isImpossible: Bool { CaseTemplate.isEmptyRange(from: min, to: max) }

    /// Returns the words for the expected number, such as `1 to 20`; nil if `count` is as expected.
    ///
    /// - Throws: ``UsageError`` for a captured value that can't be used.
    func unmetExpectation(for count: Int) throws -> String? {
        if let equals = try equals?.known(), count != equals { return "\(equals)" }
        let lowest = try min?.known() ?? 0
        guard let highest = try max?.known() else { return count < lowest ? "at least \(lowest)" : nil }
        return lowest <= count && count <= highest ? nil : "\(lowest) to \(highest)"
    }
}

extension CaseTemplate where Value: Comparable {
    /// Whether the lower bound is above the upper one, so that no value is between them.
    ///
    /// If a bound is missing or has a placeholder, the result is false.
    fileprivate static func isEmptyRange(from lower: CaseTemplate?, to upper: CaseTemplate?) -> Bool {
        // An error means that a bound has a placeholder, so that its value is not known yet.
        guard let lower = try? lower?.known(), let upper = try? upper?.known() else { return false }
        return lower > upper
    }
}

// MARK: - Values

/// The values that a path selects in a response.
private struct SelectedValues {
    let path: String
    let values: [JSONValue]
    /// The bytes of the body if the path is that of the whole body; otherwise nil.
    let body: [UInt8]?
    /// Whether the path may select several values, such as `$.results[*]`, even if it has selected one here.
    let mayBeSeveral: Bool
    /// Whether a text with a number is compared as a number, as the values of headers are.
    var readsNumbers = false
    /// Counts the bytes of the values that are compared, and the steps of regular expressions.
    let steps: StepCounter

    /// The number of values, or the number of elements or members of the value of a path that selects only one.
    var count: Int {
        guard values.count == 1, !mayBeSeveral else { return values.count }
        return values[0].elements?.count ?? values[0].members?.count ?? 1
    }

    /// A text or a body, for requirements about its length and its bytes.
    struct Content {
        let bytes: [UInt8]
        /// The number of characters (Unicode scalars) of a text, or of bytes of a body.
        let length: Int
    }

    /// Returns the body, or else the content of each value; nil stands for a value that is no text.
    ///
    /// - Throws: `JSONPathLimit` if there are too many steps.
    func contents() throws -> [Content?] {
        if let body { return [Content(bytes: body, length: body.count)] }
        return try values.map { value in
            try steps.count(value.written.count)
            return value.string.map { Content(bytes: $0.exactBytes, length: $0.unicodeScalars.count) }
        }
    }

    /// Returns the problem that a value is no text, although a requirement is only for texts.
    ///
    /// - Parameter requirement: The name of the requirement.
    func problemWithoutText(_ requirement: String) -> CheckProblem {
        let found = values.first { $0.string == nil }?.shown
        return CheckProblem(.wrongType, path: path, expected: "a text, which has a \(requirement)", found: found)
    }

    /// Returns the problem of the values that do not meet a requirement; nil if all of them meet it.
    ///
    /// - Parameters:
    ///   - expected: The words for the requirement.
    ///   - isMet: Whether a value meets the requirement. It takes time in proportion to the length of the value, or
    ///     else counts its steps.
    /// - Throws: `JSONPathLimit` if there are too many steps, and the error of `isMet`.
    func problem(
        expected: String, kind: CheckProblem.Kind = .wrongValue, unless isMet: (JSONValue) throws -> Bool
    ) throws -> CheckProblem? {
        let wrongValues = try values.filter { value in
            try steps.count(value.written.count)
            return try !isMet(value)
        }
        guard let first = wrongValues.first else { return nil }
        return CheckProblem(
            kind, path: path, expected: expected, found: first.shown, count: wrongValues.count, total: values.count)
    }

    /// Returns the problem of the values that are no numbers or do not meet a requirement; nil if all of them meet
    /// it.
    ///
    /// - Throws: `JSONPathLimit` if there are too many steps.
    func numberProblem(expected: String, unless isMet: (DecimalNumber) -> Bool) throws -> CheckProblem? {
        try problem(expected: expected) { value in
            guard let number = number(value).flatMap(DecimalNumber.parsed) else { return false }
            return isMet(number)
        }
    }

    /// Returns the number that a value is; nil if it is none.
    func number(_ value: JSONValue) -> JSONValue? {
        if value.kind == .number { return value }
        guard readsNumbers, let text = value.string else { return nil }
        guard let number = try? JSONValue(text: text.exactBytes), number.kind == .number else { return nil }
        return number
    }
}

extension CheckedResponse {
    /// The body as a JSON string, or null if it is not text. It stands for the document of a body that is not JSON.
    var bodyValue: JSONValue { text.map { JSONValue($0) } ?? .null }
}

extension JSONValue {
    /// Whether the value is a text with this part, or a list with this element.
    fileprivate func contains(_ part: JSONValue) -> Bool {
        if let text = string, let partText = part.string {
            return text.exactBytes.contains(partText.exactBytes)
        }
        guard let elements else { return false }
        return elements.contains { $0.isSame(as: part) }
    }
}
