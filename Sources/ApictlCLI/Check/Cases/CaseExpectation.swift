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

        /// Returns the type of a name such as `string`; nil for anything else.
        static func parsed(_ json: JSONValue) -> Kind? { json.string.flatMap(Kind.init) }

        /// Whether a value is of this type. `1` and `1.0` are integers, and numbers too.
        fileprivate func includes(_ value: JSONValue) -> Bool {
            switch self {
            case .integer: DecimalNumber.parsed(value)?.isInteger == true
            case .string, .number, .boolean, .array, .object, .null: value.kind.rawValue == rawValue
            }
        }
    }

    /// The number of values that the path selects. If the path can select only one value, the number of its elements
    /// or members.
    let count: CaseCount?
    /// The value, which may be null.
    let equals: Nullable<JSONValue>?
    /// A regular expression that matches a part of the text.
    let matches: CaseTemplate<IRegexp>?
    /// A part of the text, or an element of the list.
    let contains: Nullable<JSONValue>?
    /// The lowest number that is accepted.
    let min: CaseTemplate<DecimalNumber>?
    /// The highest number that is accepted.
    let max: CaseTemplate<DecimalNumber>?
    /// Whether there must be a value. False means that there must be none.
    let exists: CaseTemplate<Bool>?
    let type: CaseTemplate<Kind>?
    /// The number of characters of the text, or of bytes of the body.
    let length: CaseCount?
    /// The SHA-256 digest of the text in UTF-8, or of the body, in hexadecimal digits.
    let sha256: CaseTemplate<SHA256Text>?

    // MARK: Mistakes in the file

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

    /// Whether the path must select no value (`"exists": false`). False if that depends on a captured value which is
    /// not known yet.
    private var mustBeAbsent: Bool { (try? exists?.knownValue()) == false }

    /// Whether no response can meet the requirements, which is a mistake in the file.
    ///
    ///     {"exists": false, "type": "string"}
    ///     {"min": 9, "max": 1}
    ///
    /// Requirements with a captured value are not known yet, so they are not judged here.
    var isImpossible: Bool {
        if mustBeAbsent, count != nil || describesValues { return true }
        if CaseTemplate.isEmptyRange(from: min, to: max) { return true }
        return count?.isImpossible == true || length?.isImpossible == true
    }

    // MARK: Bodies and headers

    /// The path of the whole body.
    static let bodyPath = "$"
    /// The most steps for the headers of a name: enough for any regular expression and a header of usual length.
    private static let maxHeaderSteps = 1_000_000

    /// Compares the values at a path with the requirements.
    ///
    /// The server chooses how many values there are, and how long they are. So the search and the comparison together
    /// have a limit of steps.
    ///
    /// The path `$` is the body: its text if it is not JSON, and its bytes for `length` and `sha256`.
    ///
    /// - Parameters:
    ///   - jsonPath: The path.
    ///   - path: The text of the path in the case, for messages.
    ///   - response: The response.
    ///   - stepCounter: Counts and limits the work.
    /// - Returns: A problem for each requirement that is not met, or one problem if there are too many steps.
    /// - Throws: ``UsageError`` for a requirement with a captured value that can't be used.
    func problems(
        at jsonPath: JSONPath, writtenAs path: String, in response: CheckedResponse, counting stepCounter: StepCounter
    ) throws -> [CheckProblem] {
        do {
            var values = [response.bodyValue]
            if let document = response.document {
                values = try jsonPath.values(in: document, counting: stepCounter)
            }
            let isWholeBody = path == Self.bodyPath
            let selection = SelectedValues(
                path: path, values: values, body: isWholeBody ? response.body : nil,
                mayBeSeveral: jsonPath.mayFindSeveral, stepCounter: stepCounter)
            return try problems(of: selection)
        } catch let error as JSONPathLimit {
            return [CheckProblem(.wrongValue, path: path, expected: "a shorter search", found: "\(error)")]
        }
    }

    /// Compares the values of a response's headers of one name with the requirements.
    ///
    /// A value is a text. With `min`, `max`, or a number in `equals`, it is compared as a number.
    ///
    /// - Returns: A problem for each requirement that is not met, or one problem if there are too many steps.
    /// - Throws: ``UsageError`` for a requirement with a captured value that can't be used.
    func problems(ofHeader name: String, in response: CheckedResponse) throws -> [CheckProblem] {
        let path = "header \(name)"
        let values = response.values(ofHeader: name).map { JSONValue(shown: $0) }
        do {
            // A response may have several headers of a name, such as `Set-Cookie`.
            let selection = SelectedValues(
                path: path, values: values, body: nil, mayBeSeveral: true, readsNumbers: true,
                stepCounter: StepCounter(limit: Self.maxHeaderSteps))
            return try problems(of: selection).map { Self.headerProblem(from: $0, headerName: name) }
        } catch let error as JSONPathLimit {
            return [CheckProblem(.wrongValue, path: path, expected: "a shorter value", found: "\(error)")]
        }
    }

    /// Returns a problem of a header's value in words for headers, without secrets of the server such as the value of
    /// a cookie.
    ///
    /// - Parameters:
    ///   - problem: The problem in the words for values in a body, where a missing header is a missing key.
    ///   - headerName: The name of the header.
    private static func headerProblem(from problem: CheckProblem, headerName: String) -> CheckProblem {
        if problem.kind == .missingKey {
            return CheckProblem(.wrongValue, path: problem.path, expected: "a value", found: "no such header")
        }
        let isSecret = SecretRules.isSecret(header: headerName)
        let found = problem.found.map { isSecret ? SecretRules.mark : SecretRules.redacted($0) }
        return CheckProblem(
            problem.kind, path: problem.path, expected: problem.expected, found: found, count: problem.count,
            total: problem.total)
    }

    // MARK: Values

    /// Compares values with the requirements.
    ///
    /// - Returns: A problem for each requirement that is not met. If a value is missing, that is the only problem.
    /// - Throws: `JSONPathLimit` if there are too many steps, and ``UsageError`` for a requirement with a captured
    ///   value that can't be used.
    private func problems(of selection: SelectedValues) throws -> [CheckProblem] {
        let mustExist = try exists?.knownValue()
        if mustExist == false {
            // There are no further requirements to compare: with `exists: false`, they would be a mistake in the file.
            guard let found = selection.values.first?.shown else { return [] }
            return [CheckProblem(.wrongValue, path: selection.path, expected: "nothing", found: found)]
        }
        // A count may be 0, so a count alone does not need a value. Every other requirement does.
        let hasOnlyCount = count != nil && mustExist == nil && !describesValues
        if selection.values.isEmpty, !hasOnlyCount { return [CheckProblem(.missingKey, path: selection.path)] }
        return try countProblems(of: selection) + valueProblems(of: selection)
    }

    /// Compares how many values there are with `count`.
    ///
    /// - Throws: ``UsageError`` for a captured value that can't be used.
    private func countProblems(of selection: SelectedValues) throws -> [CheckProblem] {
        guard let expected = try count?.unmetExpectation(for: selection.count) else { return [] }
        let problem = CheckProblem(
            .wrongValue, path: selection.path, expected: "count \(expected)", found: "\(selection.count)")
        return [problem]
    }

    /// Compares values with all requirements except for `count` and `exists`.
    ///
    /// - Returns: At most one problem for each requirement.
    /// - Throws: `JSONPathLimit` if there are too many steps, and ``UsageError`` for a captured value that can't be
    ///   used.
    private func valueProblems(of selection: SelectedValues) throws -> [CheckProblem] {
        let problems = [
            try typeProblem(of: selection), try equalityProblem(of: selection), try containmentProblem(of: selection),
            try minimumProblem(of: selection), try maximumProblem(of: selection), try patternProblem(of: selection),
            try lengthProblem(of: selection), try digestProblem(of: selection),
        ]
        return problems.compactMap(\.self)
    }

    /// Compares the types of values with `type`. Returns nil if all are of this type or there is no such requirement.
    private func typeProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let expectedType = try type?.knownValue() else { return nil }
        return try selection.problem(expected: expectedType.rawValue, kind: .wrongType, unless: expectedType.includes)
    }

    /// Compares values with `equals`. Returns nil if all are equal to it or there is no such requirement.
    private func equalityProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let expectedValue = equals?.json else { return nil }
        return try selection.problem(expected: expectedValue.shown) { value in
            if value.isSame(as: expectedValue) { return true }
            // The value of a header is a text, which may hold the expected number.
            guard expectedValue.kind == .number, let number = selection.number(in: value) else { return false }
            return number.isSame(as: expectedValue)
        }
    }

    /// Compares values with `contains`. Returns nil if all contain it or there is no such requirement.
    private func containmentProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let expectedPart = contains?.json else { return nil }
        return try selection.problem(expected: "something that contains \(expectedPart.shown)") { value in
            value.contains(expectedPart)
        }
    }

    /// Compares numbers with `min`. Returns nil if none is lower or there is no such requirement.
    private func minimumProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let min else { return nil }
        let lowest = try min.knownValue()
        return try selection.numberProblem(expected: "at least \(min.text)") { $0 >= lowest }
    }

    /// Compares numbers with `max`. Returns nil if none is higher or there is no such requirement.
    private func maximumProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let max else { return nil }
        let highest = try max.knownValue()
        return try selection.numberProblem(expected: "at most \(max.text)") { $0 <= highest }
    }

    /// Compares each text with the regular expression of the requirement `matches`.
    ///
    /// - Returns: The problem; nil if a part of each text matches, or if there is no such requirement.
    private func patternProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let matches else { return nil }
        let pattern = try matches.knownValue()
        return try selection.problem(expected: "text that matches \(matches.text)") { value in
            guard let text = value.string else { return false }
            // A regular expression may take many steps for a short text, so they are counted one by one.
            return try pattern.matches(text.unicodeScalars, isWhole: false) { stepCount in
                try selection.stepCounter.count(stepCount)
            }
        }
    }

    /// Compares the length of each text in Unicode scalars, or of the body in bytes, with the requirement `length`.
    ///
    /// - Returns: A problem if a text has another length, or if a value is no text. Only the first one is returned. Nil
    ///   if all lengths are as expected, or if there is no such requirement.
    private func lengthProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let length else { return nil }
        for content in try selection.readContents() {
            guard let content else { return selection.problemWithoutText("length") }
            if let expected = try length.unmetExpectation(for: content.length) {
                return CheckProblem(
                    .wrongValue, path: selection.path, expected: "length \(expected)", found: "\(content.length)")
            }
        }
        return nil
    }

    /// Compares the SHA-256 digest of each text, or of the body, with the requirement `sha256`.
    ///
    /// - Returns: A problem if a text has another digest, or if a value is no text. Only the first one is returned. Nil
    ///   if all digests are as expected, or if there is no such requirement.
    private func digestProblem(of selection: SelectedValues) throws -> CheckProblem? {
        guard let expectedDigits = try sha256?.knownValue().digits else { return nil }
        for content in try selection.readContents() {
            guard let content else { return selection.problemWithoutText("sha256") }
            let digits = MessageDigest.hexadecimal(MessageDigest.sha256.digest(of: content.bytes))
            if digits != expectedDigits {
                return CheckProblem(
                    .wrongValue, path: selection.path, expected: "sha256 \(expectedDigits)", found: digits)
            }
        }
        return nil
    }
}

extension JSONValue {
    /// Whether the value is a text with this part, or a list with this element.
    fileprivate func contains(_ part: JSONValue) -> Bool {
        if let text = string, let partText = part.string {
            return text.exactBytes.contains(partText.exactBytes)
        }
        return elements?.contains { $0.isSame(as: part) } == true
    }
}
