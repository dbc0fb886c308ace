/// What a case of an API enum looks like from outside: its name and its parameters.
public struct Signature: Sendable, Equatable {
    /// The name of the case, as in Swift.
    public let caseName: String
    /// The associated values in the order they are declared.
    public private(set) var parameters: [Parameter]

    /// The signature of a case of that name; ``init(of:)`` reads it off an example.
    public init(caseName: String, parameters: [Parameter]) {
        self.caseName = caseName
        self.parameters = parameters
    }

    /// Takes over the fields of nested structures that `other`, of the same case, knows and this one does not.
    mutating func merge(_ other: Signature) {
        parameters = zip(parameters, other.parameters).map { $0.merged(with: $1) }
    }
}

/// A parameter of an endpoint, or a field of a nested structure.
public struct Parameter: Sendable, Equatable {
    /// The name, as in Swift; `_0`, `_1` for a value without a label.
    public let name: String
    /// What a value may be; for an optional parameter the type within the `Optional`.
    public let type: ParameterType
    /// Whether it may be left out.
    public let isOptional: Bool
    /// The texts of the example's value: none where it is nil, one an element for an array.
    public let example: [String]

    /// A parameter of that name and type, without an example value unless given.
    public init(name: String, type: ParameterType, isOptional: Bool, example: [String] = []) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.example = example
    }

    /// The place among the unlabelled values, from 0; nil for a labelled one.
    public var position: Int? { name.hasPrefix("_") ? Int(name.dropFirst()) : nil }

    func merged(with other: Parameter) -> Parameter {
        Parameter(
            name: name, type: type.merged(with: other.type), isOptional: isOptional,
            example: example.isEmpty ? other.example : example)
    }
}

extension ParameterType {
    /// This type with the fields of nested structures that only `other`, of the same parameter, knows.
    fileprivate func merged(with other: ParameterType) -> ParameterType {
        switch (self, other) {
        case (.object(let own), .object(let others)):
            own.isEmpty ? other : others.isEmpty ? self : .object(zip(own, others).map { $0.merged(with: $1) })
        case (.array(let own), .array(let others)): .array(own.merged(with: others))
        default: self
        }
    }
}
