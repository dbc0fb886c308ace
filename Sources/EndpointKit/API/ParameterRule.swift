/// What the value of a parameter must be, besides its type; checked before a request is sent and shown in help.
///
///     .get("/search", query: …, rules: [.range("page", 1...500), .exclusive("id", "name")])
///
/// Parameters are named as in the notes of an ``Endpoint``.
public struct ParameterRule: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case range(String, minimum: Double?, maximum: Double?)
        case exclusive([String])
    }

    package let kind: Kind

    /// A number within bounds; of an array, every element.
    public static func range(_ parameter: String, _ bounds: ClosedRange<Double>) -> ParameterRule {
        ParameterRule(kind: .range(parameter, minimum: bounds.lowerBound, maximum: bounds.upperBound))
    }

    /// A number that has a lower bound.
    public static func range(_ parameter: String, _ bounds: PartialRangeFrom<Double>) -> ParameterRule {
        ParameterRule(kind: .range(parameter, minimum: bounds.lowerBound, maximum: nil))
    }

    /// A number that has an upper bound.
    public static func range(_ parameter: String, _ bounds: PartialRangeThrough<Double>) -> ParameterRule {
        ParameterRule(kind: .range(parameter, minimum: nil, maximum: bounds.upperBound))
    }

    /// Of these parameters at most one is given.
    public static func exclusive(_ parameters: String...) -> ParameterRule {
        ParameterRule(kind: .exclusive(parameters))
    }

    /// The parameters that it names.
    package var parameters: [String] {
        switch kind {
        case .range(let parameter, _, _): [parameter]
        case .exclusive(let parameters): parameters
        }
    }

    /// What a value must be: `1 to 500`, `at least 1`; nil unless it is about one value.
    package var bounds: String? {
        guard case .range(_, let minimum, let maximum) = kind else { return nil }
        return switch (minimum, maximum) {
        case (let minimum?, let maximum?): "\(Self.shown(minimum)) to \(Self.shown(maximum))"
        case (let minimum?, nil): "at least \(Self.shown(minimum))"
        case (nil, let maximum?): "at most \(Self.shown(maximum))"
        case (nil, nil): nil
        }
    }

    private static func shown(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
}

/// A call whose parameters break a rule of its endpoint.
public enum RuleViolation: Error, Sendable, Equatable {
    /// The value is not within the bounds, which are in words: `1 to 500`.
    case outOfBounds(parameter: String, value: String, bounds: String)
    /// Both parameters are given, and only one may be.
    case exclusive(String, String)
}

extension API {
    /// Throws ``RuleViolation`` if this call breaks a rule of `endpoint`, which it declares.
    package func checkRules(_ endpoint: Endpoint) throws {
        guard !endpoint.rules.isEmpty else { return }
        let call = try CallValue(self, caseName)
        for rule in endpoint.rules {
            switch rule.kind {
            case .range(let name, let minimum, let maximum):
                for value in call.values(named: name) {
                    let text = value.text
                    guard let number = Double(text), number < minimum ?? -.infinity || number > maximum ?? .infinity
                    else {
                        continue
                    }
                    throw RuleViolation.outOfBounds(parameter: name, value: text, bounds: rule.bounds ?? "")
                }
            case .exclusive(let names):
                let given = names.filter { !call.values(named: $0).isEmpty }
                if given.count > 1 { throw RuleViolation.exclusive(given[0], given[1]) }
            }
        }
    }
}
