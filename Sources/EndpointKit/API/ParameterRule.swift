/// A rule for the values of parameters that their types do not express.
///
/// A rule is checked before a request is sent, and help shows it.
///
///     .get("/search", query: …, rules: [.range("page", 1...500), .mutuallyExclusive("id", "name")])
public struct ParameterRule: Sendable, Hashable {
    /// A rule with the names of its parameters.
    package enum Kind: Sendable, Hashable {
        /// The number must be within bounds. A bound of -infinity or infinity means that there is none.
        case range(String, ClosedRange<Double>)
        /// The number must be within an empty range such as `0..<0`, so no number is allowed.
        case noNumber(String)
        /// At most one of the parameters may be given.
        case mutuallyExclusive([String])
    }

    /// The demand of the rule, with the names of its parameters.
    package let kind: Kind

    /// Returns the rule that a number is within bounds: `.range("page", 1...500)`, `.range(0, 1...9)`.
    ///
    /// If the parameter is an array, each of its elements must be within the bounds.
    ///
    /// - Parameters:
    ///   - parameter: The label of the parameter, or its position if it has none.
    ///   - bounds: A range such as `1...500`, `0...`, `...1` or `0..<1`. An empty range, such as `0..<0`, allows no
    ///     number.
    public static func range(_ parameter: ParameterName, _ bounds: some RangeExpression<Double>) -> ParameterRule {
        if let range = bounds as? Range<Double>, range.isEmpty { return ParameterRule(kind: .noNumber(parameter.text)) }
        return ParameterRule(kind: .range(parameter.text, closedRange(bounds)))
    }

    /// Returns a range of any type as a closed range.
    ///
    ///     0...     →    0...infinity
    ///     0..<1    →    0...0.9999999999999999, the next smaller Double
    ///
    /// Precondition: The range is not empty.
    private static func closedRange(_ bounds: some RangeExpression<Double>) -> ClosedRange<Double> {
        switch bounds {
        case let range as ClosedRange<Double>: range
        case let range as PartialRangeFrom<Double>: range.lowerBound...(.infinity)
        case let range as PartialRangeThrough<Double>: -.infinity...range.upperBound
        case let range as Range<Double>: range.lowerBound...range.upperBound.nextDown
        case let range as PartialRangeUpTo<Double>: -.infinity...range.upperBound.nextDown
        // The only other range of numbers, `...`, has no bounds.
        default: -Double.infinity...(.infinity)
        }
    }

    /// Returns the rule that at most one of these parameters is given: `.mutuallyExclusive("id", "name")`.
    public static func mutuallyExclusive(_ parameters: ParameterName...) -> ParameterRule {
        ParameterRule(kind: .mutuallyExclusive(parameters.map(\.text)))
    }

    /// The names of the parameters that the rule is about.
    package var parameters: [String] {
        switch kind {
        case .range(let parameter, _), .noNumber(let parameter): [parameter]
        case .mutuallyExclusive(let parameters): parameters
        }
    }

    /// The bounds in words: `1 to 500`, `at least 1`, `at most 5`, `no number`. Nil for a rule without bounds.
    package var bounds: String? {
        switch kind {
        case .range(_, let range): Self.text(of: range)
        case .noNumber: "no number"
        case .mutuallyExclusive: nil
        }
    }

    /// Returns a range in words: `1 to 500`, `at least 1`, `at most 5`.
    private static func text(of range: ClosedRange<Double>) -> String {
        let lowerBound = text(of: range.lowerBound)
        let upperBound = text(of: range.upperBound)
        if range.upperBound == .infinity { return "at least \(lowerBound)" }
        if range.lowerBound == -.infinity { return "at most \(upperBound)" }
        return "\(lowerBound) to \(upperBound)"
    }

    /// Returns a bound as text, an integer without `.0`.
    private static func text(of bound: Double) -> String {
        if let integer = Int(exactly: bound) { return "\(integer)" }
        return "\(bound)"
    }
}

/// A call whose parameters break a rule of its endpoint.
public enum RuleViolation: DescribedError, Sendable, Equatable {
    /// The value is not within `bounds`, such as `1 to 500`.
    case outOfBounds(parameter: String, value: String, bounds: String)
    /// Both parameters are given, and only one may be.
    case mutuallyExclusive(String, String)

    /// The message of the violation, with the Swift names of the parameters: `page: expected 1 to 500, got '0'`.
    public var description: String { text { parameter in parameter } }

    /// Returns the message of the violation: `--page: expected 1 to 500, got '0'`.
    ///
    /// - Parameter shownName: Returns the name by which the reader knows a parameter, such as that of an option.
    package func text(_ shownName: (_ parameter: String) -> String) -> String {
        switch self {
        case .outOfBounds(let parameter, let value, let bounds):
            "\(shownName(parameter)): expected \(bounds), got '\(value)'"
        case .mutuallyExclusive(let first, let second):
            "\(shownName(first)) and \(shownName(second)) can't be used together"
        }
    }
}

extension API {
    /// Checks that this call breaks no rule of its endpoint.
    ///
    /// Only the parameters that rules name are encoded, because a body may be large.
    ///
    /// - Parameter endpoint: The endpoint of this call.
    /// - Throws: ``RuleViolation`` for the first rule that is broken. ``NotAnEnumCase`` if the type does not encode
    ///   itself as an enum does.
    package func checkRules(_ endpoint: Endpoint) throws {
        if endpoint.rules.isEmpty { return }
        var parameters = try CallParameters(of: self)
        parameters.removeParameters(notNamedBy: endpoint.rules)
        let call = try CallValue(parameters, of: Self.self)
        for rule in endpoint.rules { try rule.check(call) }
    }
}

extension CallParameters {
    /// Removes the parameters that no rule names, so that they need not be encoded.
    ///
    /// A rule may also name a field of a structure without a label: `page` for `.search(Filter(page: 1))`. So if a name
    /// in the rules is not that of a parameter, every parameter without a label stays.
    fileprivate mutating func removeParameters(notNamedBy rules: [ParameterRule]) {
        var namesInRules: Set<String> = []
        for path in rules.flatMap(\.parameters) {
            // The path `pet.name` names a field in the parameter `pet`.
            if let name = path.split(separator: ".").first { namesInRules.insert(String(name)) }
        }
        let rulesNameFields = !namesInRules.isSubset(of: parameters.map(\.name))
        removeAll { parameter in
            let isNamed = namesInRules.contains(parameter.name)
            let mayHaveNamedField = rulesNameFields && !parameter.hasLabel
            return !isNamed && !mayHaveNamedField
        }
    }
}

extension ParameterRule {
    /// Checks that a call keeps this rule, such as `page` from 1 to 500, or not both `id` and `name`.
    ///
    /// - Parameter call: The values of the call's parameters.
    /// - Throws: ``RuleViolation`` if the call breaks the rule.
    package func check(_ call: CallValue) throws(RuleViolation) {
        switch kind {
        case .range(let parameter, let range):
            try checkNumbers(of: parameter, in: call, isAllowed: range.contains)
        case .noNumber(let parameter):
            try checkNumbers(of: parameter, in: call, isAllowed: { _ in false })
        case .mutuallyExclusive(let parameters):
            let parametersWithValue = parameters.filter { !call.values(named: $0).isEmpty }
            if parametersWithValue.count > 1 {
                throw .mutuallyExclusive(parametersWithValue[0], parametersWithValue[1])
            }
        }
    }

    /// Checks the numbers among the values of a parameter.
    ///
    /// A text that is not a number is for the server to judge.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter.
    ///   - call: The values of the call's parameters.
    ///   - isAllowed: Returns whether a number is within the bounds of this rule.
    /// - Throws: ``RuleViolation/outOfBounds(parameter:value:bounds:)`` for the first number that is not allowed.
    private func checkNumbers(
        of parameter: String, in call: CallValue, isAllowed: (Double) -> Bool
    ) throws(RuleViolation) {
        for value in call.values(named: parameter) {
            guard let number = Double(value.text) else { continue }
            if isAllowed(number) { continue }
            throw .outOfBounds(parameter: parameter, value: value.text, bounds: bounds ?? "")
        }
    }
}
