import EndpointKit

extension Parameter {
    /// The flag without its dashes, nested names joined by dots.
    static func flagName(_ path: [String]) -> String {
        path.map(KebabCase.text).joined(separator: ".")
    }

    /// The options that set this parameter: its own flag and, for a structure, one for each field.
    func options(under parents: [String] = []) -> [ParameterOption] {
        guard position == nil else { return [] }
        let path = parents + [name]
        let spec = OptionSpec(Self.flagName(path), value: type == .bool ? nil : type.placeholder)
        guard case .object(let fields) = type else { return [ParameterOption(spec: spec, path: path, type: type)] }
        return [ParameterOption(spec: spec, path: path, type: type)] + fields.flatMap { $0.options(under: path) }
    }
}

/// An option that sets a parameter or one of its fields.
struct ParameterOption: Sendable {
    let spec: OptionSpec
    let path: [String]
    let type: ParameterType
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
        case .object, .json: "JSON|@FILE|-"
        }
    }
}

/// A parameter's value as given on the command line.
struct ParameterWord: Sendable, Equatable {
    let path: [String]
    let word: Word
    /// Whether the value is JSON: the word itself, or the content of a file (`@FILE`) or stdin (`-`).
    let isJSON: Bool
}
