/// A rule for the values of parameters that their types do not express; checked before a request is sent and shown in
/// help.
///
///     .get("/search", query: …, rules: [.range("page", 1...500), .mutuallyExclusive("id", "name")])
public struct ParameterRule: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The number is within bounds; -infinity and infinity are none.
        case range(String, ClosedRange<Double>)
        /// The number is within an empty range such as `0..<0`, so no number is allowed.
        case noNumber(String)
        /// At most one of the parameters is given.
        case mutuallyExclusive([String])
    }

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

    /// Returns a range of any type, which is not empty, as a closed one. A bound that it does not have is infinite:
    /// `0...` → `0...inf`.
    ///
    /// An upper bound that is excluded, as in `0..<1`, becomes the next smaller `Double`.
    private static func closedRange(_ bounds: some RangeExpression<Double>) -> ClosedRange<Double> {
        switch bounds {
        case let range as ClosedRange<Double>: range
        case let range as PartialRangeFrom<Double>: range.lowerBound...(.infinity)
        case let range as PartialRangeThrough<Double>: -.infinity...range.upperBound
        case let range as Range<Double>: range.lowerBound...range.upperBound.nextDown
        case let range as PartialRangeUpTo<Double>: -.infinity...range.upperBound.nextDown
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

    /// The bounds in words: `1 to 500`, `at least 1`, `no number`; nil for a rule without bounds.
    package var bounds: String? {
        if case .noNumber = kind { return "no number" }
        guard case .range(_, let range) = kind else { return nil }
        let lower = Self.text(of: range.lowerBound)
        let upper = Self.text(of: range.upperBound)
        if range.upperBound == .infinity { return "at least \(lower)" }
        if range.lowerBound == -.infinity { return "at most \(upper)" }
        return "\(lower) to \(upper)"
    }

    /// Returns a bound without `.0`.
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

    /// A sentence that names the parameter and the rule.
    public var description: String { text { $0 } }

    /// Returns the message of the violation.
    ///
    /// - Parameter shown: Returns the name that the reader knows a parameter by, such as that of an option.
    package func text(_ shown: (_ parameter: String) -> String) -> String {
        switch self {
        case .outOfBounds(let name, let value, let bounds): "\(shown(name)): expected \(bounds), got '\(value)'"
        case .mutuallyExclusive(let first, let second): "\(shown(first)) and \(shown(second)) can't be used together"
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
        parameters.keepOnly(namedBy: endpoint.rules)
        let call = try CallValue(parameters, of: Self.self)
        for rule in endpoint.rules { try rule.check(call) }
    }
}

extension CallParameters {
    /// Removes the parameters that no rule names, so that they need not be encoded.
    ///
    /// A rule may also name a field of a structure without a label: `page` for `.search(Filter(page: 1))`. So such a
    /// structure stays if a rule has a name that is not that of another parameter of the call.
    fileprivate mutating func keepOnly(namedBy rules: [ParameterRule]) {
        // A rule names a parameter, or a field in one: the parameter of `pet.name` is `pet`.
        var ruledNames: Set<String> = []
        for path in rules.flatMap(\.parameters) {
            if let name = path.split(separator: ".").first { ruledNames.insert(String(name)) }
        }
        let someAreFields = !ruledNames.isSubset(of: given.map(\.name))
        removeAll { parameter in
            let mayHoldFields = someAreFields && !parameter.hasLabel
            return !ruledNames.contains(parameter.name) && !mayHoldFields
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
            for value in call.values(named: parameter) {
                // A text that is not a number is for the server to judge.
                guard let number = Double(value.text) else { continue }
                if !range.contains(number) {
                    throw .outOfBounds(parameter: parameter, value: value.text, bounds: bounds ?? "")
                }
            }
        case .noNumber(let parameter):
            for value in call.values(named: parameter) where Double(value.text) != nil {
                throw .outOfBounds(parameter: parameter, value: value.text, bounds: bounds ?? "")
            }
        case .mutuallyExclusive(let parameters):
            let givenParameters = parameters.filter { !call.values(named: $0).isEmpty }
            if givenParameters.count > 1 { throw .mutuallyExclusive(givenParameters[0], givenParameters[1]) }
        }
    }
}
