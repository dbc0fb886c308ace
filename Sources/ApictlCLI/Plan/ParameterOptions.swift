import EndpointKit

/// An option that sets a parameter or one of its fields.
struct ParameterOption: Sendable, Equatable {
    /// Stands for the position of a list's element in a path and in the name of a flag: `--records.N.name`.
    static let anyPosition = "N"

    let spec: OptionSpec
    let path: [String]
    let parameter: Parameter

    var type: ParameterType { parameter.type }

    /// This option with the positions that are in the name of `spec`; nil if that is another option.
    func matching(_ spec: OptionSpec) -> ParameterOption? {
        if spec == self.spec { return self }
        let names = spec.name.split(separator: ".").map(String.init)
        guard spec.pattern == self.spec.name else { return nil }
        var positions = names.filter { OptionSpec.isPosition($0) }[...]
        let path = path.map { $0 == Self.anyPosition ? positions.popFirst() ?? $0 : $0 }
        return ParameterOption(spec: spec, path: path, parameter: parameter)
    }
}

extension Signature {
    /// The flag of a parameter or field without its dashes, nested names joined by dots.
    func flagName(_ path: [String]) -> String {
        names(of: path).map { $0 == ParameterOption.anyPosition ? $0 : KebabCase.text($0) }.joined(separator: ".")
    }

    /// The options that set parameters and, for a structure, its fields.
    func options() -> [ParameterOption] { parameters.flatMap { options($0, under: []) } }

    /// The options of one parameter or field, its own first.
    func options(_ parameter: Parameter, under parents: [String]) -> [ParameterOption] {
        let path = parents + [parameter.name]
        let hasFlag = parameter.position == nil || !parents.isEmpty
        let own = hasFlag ? [option(parameter, path, isSwitch: parameter.type == .bool)] : []
        return own + fields(of: parameter.type, at: path, hasFlag: hasFlag)
    }

    private func fields(of type: ParameterType, at path: [String], hasFlag: Bool) -> [ParameterOption] {
        switch type {
        case .object(let fields): fields.flatMap { options($0, under: path) }
        case .variants(let cases):
            cases.flatMap { variant in
                let place = path + [variant.name]
                return variant.type.hasFields
                    ? self.fields(of: variant.type, at: place, hasFlag: true)
                    : [option(variant, place, isSwitch: true)]
            }
        case .array(let element) where hasFlag:
            self.fields(of: element, at: path + [ParameterOption.anyPosition], hasFlag: true)
        default: []
        }
    }

    private func option(_ parameter: Parameter, _ path: [String], isSwitch: Bool) -> ParameterOption {
        let spec = OptionSpec(flagName(path), value: isSwitch ? nil : parameter.type.placeholder)
        return ParameterOption(spec: spec, path: path, parameter: parameter)
    }

    /// The type of a parameter or field; nil if there is none.
    func type(at path: some Collection<String>) -> ParameterType? {
        var type: ParameterType? = .object(parameters)
        for name in path {
            if case .array(let element) = type {
                type = element
            } else {
                type = type?.fields.first { $0.name == name }?.type
            }
        }
        return type
    }

    /// What notes and rules call a parameter or field.
    func key(of path: [String]) -> String {
        names(of: path).filter { $0 != ParameterOption.anyPosition && !OptionSpec.isPosition($0) }
            .joined(separator: ".")
    }
}

extension ParameterType {
    /// The name of a value of this type in help.
    var placeholder: String {
        switch self {
        case .bool: "BOOL"
        case .integer: "INTEGER"
        case .number: "NUMBER"
        case .string: "TEXT"
        case .url: "URL"
        case .uuid: "UUID"
        case .date: "DATE"
        case .choice(let values): values.joined(separator: "|")
        case .array(let element): element.placeholder
        case .dictionary(let value): "KEY=" + (value.isJSON ? "JSON" : value.placeholder)
        case .object, .variants, .json: "JSON|@FILE|-"
        }
    }
}

/// A parameter's value as given on the command line.
struct ParameterWord: Sendable, Equatable {
    /// How the word is read.
    enum Form: Sendable, Equatable {
        case text
        /// JSON: the word itself, or the content of a file (`@FILE`) or stdin (`-`).
        case json
        /// `KEY=VALUE`, or the whole dictionary as JSON.
        case member(isJSON: Bool)

        init(_ type: ParameterType) {
            switch type {
            case .dictionary(let value): self = .member(isJSON: value.isJSON)
            default: self = type.isJSON ? .json : .text
            }
        }
    }

    let path: [String]
    let word: Word
    let form: Form

    /// Whether the word may stand for a file or stdin.
    var mayBeJSON: Bool { form != .text }
}
