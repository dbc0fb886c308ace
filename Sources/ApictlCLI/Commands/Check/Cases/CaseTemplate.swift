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
            let values = try parameter.example.map { try Self.value($0, parameter.type) }
            return (parameter.name, parameter.type.isArray ? JSONValue(values) : values[0])
        }
        return pairs.isEmpty ? nil : Dictionary(pairs) { first, _ in first }
    }

    private static func value(_ text: String, _ type: ParameterType) throws -> JSONValue {
        switch type {
        case .array(let element): try value(text, element)
        case .bool, .integer, .number: (try? JSONValue(text: Array(text.utf8))) ?? JSONValue(text)
        case .object, .json: try JSONValue(text: Array(text.utf8))
        case .string, .url, .uuid, .date, .choice: JSONValue(text)
        }
    }
}
