/// What the value of a parameter must be, besides its type; checked before a request is sent and shown in help.
///
///     .get("/search", query: …, rules: [.range("page", 1...500), .exclusive("id", "name")])
///
/// Parameters are named as in the notes of an ``Endpoint``.
public struct ParameterRule: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case range(String, ClosedRange<Double>)
        case exclusive([String])
    }

    package let kind: Kind

    /// A number within bounds, such as `1...500`, `0...` or `...1`; of an array, every element.
    public static func range(_ parameter: String, _ bounds: some RangeExpression<Double>) -> ParameterRule {
        let range =
            switch bounds {
            case let bounds as ClosedRange<Double>: bounds
            case let bounds as PartialRangeFrom<Double>: bounds.lowerBound...(.infinity)
            case let bounds as PartialRangeThrough<Double>: -.infinity...bounds.upperBound
            case let bounds as Range<Double>: bounds.lowerBound...bounds.upperBound.nextDown
            case let bounds as PartialRangeUpTo<Double>: -.infinity...bounds.upperBound.nextDown
            default: -Double.infinity...(.infinity)
            }
        return ParameterRule(kind: .range(parameter, range))
    }

    /// Of these parameters at most one is given.
    public static func exclusive(_ parameters: String...) -> ParameterRule {
        ParameterRule(kind: .exclusive(parameters))
    }

    package var parameters: [String] {
        switch kind {
        case .range(let parameter, _): [parameter]
        case .exclusive(let parameters): parameters
        }
    }

    /// What a value must be: `1 to 500`, `at least 1`; nil unless it is about one value.
    package var bounds: String? {
        guard case .range(_, let range) = kind else { return nil }
        let (lower, upper) = (Self.shown(range.lowerBound), Self.shown(range.upperBound))
        if range.upperBound == .infinity { return "at least \(lower)" }
        return range.lowerBound == -.infinity ? "at most \(upper)" : "\(lower) to \(upper)"
    }

    private static func shown(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
}

/// A call whose parameters break a rule of its endpoint.
public enum RuleViolation: DescribedError, Sendable, Equatable {
    /// The value is not within the bounds, which are in words: `1 to 500`.
    case outOfBounds(parameter: String, value: String, bounds: String)
    /// Both parameters are given, and only one may be.
    case exclusive(String, String)

    public var description: String { text { $0 } }

    /// What is wrong, with what `shown` calls the parameters.
    package func text(_ shown: (_ parameter: String) -> String) -> String {
        switch self {
        case .outOfBounds(let name, let value, let bounds): "\(shown(name)): expected \(bounds), got '\(value)'"
        case .exclusive(let one, let other): "\(shown(one)) and \(shown(other)) can't be used together"
        }
    }
}

extension API {
    /// Throws ``RuleViolation`` if this call breaks a rule of `endpoint`, which it declares.
    package func checkRules(_ endpoint: Endpoint) throws {
        guard !endpoint.rules.isEmpty else { return }
        let call = try CallValue(self, caseName)
        for rule in endpoint.rules {
            switch rule.kind {
            case .range(let name, let range):
                let texts = call.values(named: name).map(\.text)
                if let text = texts.first(where: { Double($0).map(range.contains) == false }) {
                    throw RuleViolation.outOfBounds(parameter: name, value: text, bounds: rule.bounds ?? "")
                }
            case .exclusive(let names):
                let given = names.filter { !call.values(named: $0).isEmpty }
                if given.count > 1 { throw RuleViolation.exclusive(given[0], given[1]) }
            }
        }
    }
}
