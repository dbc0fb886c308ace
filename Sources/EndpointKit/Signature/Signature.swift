/// The name and parameters of a case of an API enum.
package struct Signature: Sendable, Equatable {
    /// The Swift name of the case.
    package let caseName: String
    /// The associated values in declaration order.
    package private(set) var parameters: [Parameter]

    /// A signature with that name and those parameters; ``init(of:)`` derives one from an example.
    package init(caseName: String, parameters: [Parameter]) {
        self.caseName = caseName
        self.parameters = parameters
    }

    /// Adds what only `other`, of the same case, knows about fields of nested structures.
    mutating func merge(_ other: Signature) {
        parameters = zip(parameters, other.parameters).map { $0.merged(with: $1) }
    }
}

/// A parameter of an endpoint, or a field of a nested structure.
package struct Parameter: Sendable, Equatable {
    /// The Swift name; `_0`, `_1` and so on for values without a label.
    package let name: String
    /// The type; for an optional parameter, the wrapped type.
    package let type: ParameterType
    /// The Swift name of the type of a value without a label, if it is the app's own.
    package let typeName: String?
    /// Whether it may be omitted.
    package let isOptional: Bool
    /// The texts of the example's value: none if it is nil, one per element for an array, `KEY=VALUE` for a dictionary.
    package let example: [String]

    /// A parameter of that name and type.
    package init(
        name: String, type: ParameterType, typeName: String? = nil, isOptional: Bool, example: [String] = []
    ) {
        self.name = name
        self.type = type
        self.typeName = typeName
        self.isOptional = isOptional
        self.example = example
    }

    /// The index among values without a label, from 0; nil for a labelled one.
    package var position: Int? { name.hasPrefix("_") ? Int(name.dropFirst()) : nil }

    func merged(with other: Parameter) -> Parameter {
        Parameter(
            name: name, type: type.merged(with: other.type), typeName: typeName, isOptional: isOptional,
            example: example.isEmpty ? other.example : example)
    }
}

extension ParameterType {
    /// This type, with what only `other`, of the same parameter, knows about nested fields.
    func merged(with other: ParameterType) -> ParameterType {
        switch (self, other) {
        case (.object([]), _): other
        case (.object(let own), .object(let others)): .object(Self.merged(own, others))
        case (.variants(let own), .variants(let others)): .variants(Self.merged(own, others))
        case (.array(let own), .array(let others)): .array(own.merged(with: others))
        case (.dictionary(let own), .dictionary(let others)): .dictionary(own.merged(with: others))
        default: self
        }
    }

    private static func merged(_ own: [Parameter], _ others: [Parameter]) -> [Parameter] {
        own.map { field in others.first { $0.name == field.name }.map(field.merged) ?? field }
            + others.filter { other in !own.contains { $0.name == other.name } }
    }
}
