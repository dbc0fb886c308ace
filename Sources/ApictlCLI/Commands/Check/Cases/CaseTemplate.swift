import EndpointKit
import JSONText

/// `check --init`: a file of cases with the examples of endpoints, to start from.
struct CaseTemplate {
    let declarations: [EndpointDeclaration]

    /// The text of the file. Throws `EncodingError`, and `Signature.NotACase`.
    func text() throws -> [UInt8] {
        let cases = try declarations.flatMap { declaration in
            try declaration.examples.map { example in
                CaseFile.Case(endpoint: declaration.name, arguments: try arguments(of: example))
            }
        }
        return try JSONTextEncoder().encode(
            CaseFile(cases: cases), formattedBy: JSONFormatter(style: .pretty(indent: .spaces(2))))
    }

    private func arguments(of example: any API) throws -> [String: JSONValue]? {
        let parameters = try Signature(of: example).parameters.filter { !$0.example.isEmpty }
        let pairs = try parameters.map { parameter in
            if case .dictionary(let type) = parameter.type { return (parameter.name, try Self.object(parameter, type)) }
            let values = try parameter.example.map { try Self.value($0, parameter.type) }
            return (parameter.name, parameter.type.isArray ? JSONValue(values) : values[0])
        }
        return pairs.isEmpty ? nil : Dictionary(pairs) { first, _ in first }
    }

    /// The dictionary of an example, which is `KEY=VALUE` texts or JSON.
    private static func object(_ parameter: Parameter, _ type: ParameterType) throws -> JSONValue {
        let members = parameter.example.compactMap { MemberText($0) }
        guard !members.isEmpty else { return try value(parameter.example[0], .json) }
        var keys: [String] = []
        for member in members where !keys.contains(member.key) { keys.append(member.key) }
        return JSONValue(
            try keys.map { key in
                let values = try members.filter { $0.key == key }.map { try value($0.value, type) }
                return (key, type.isArray ? JSONValue(values) : values[0])
            })
    }

    private static func value(_ text: String, _ type: ParameterType) throws -> JSONValue {
        switch type {
        case .array(let element): try value(text, element)
        case .bool, .integer, .number: (try? JSONValue(text: Array(text.utf8))) ?? JSONValue(text)
        case .object, .variants, .dictionary, .json: try JSONValue(text: Array(text.utf8))
        case .string, .url, .uuid, .date, .choice: JSONValue(text)
        }
    }
}
