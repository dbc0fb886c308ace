import EndpointKit
import JSONText

/// The file of `--cases`: calls with what their responses must be, beyond what the models say.
struct CaseFile: Decodable, Sendable {
    /// One call.
    struct Case: Decodable, Sendable {
        /// The endpoint's name: `movies.popular`.
        let endpoint: String
        /// The parameters by their names; `{{NAME}}` in a text is replaced by what an earlier case has captured.
        let arguments: [String: JSONValue]?
        /// The status to expect; nil is any from 200 to 299.
        let status: Int?
        let maxLatency: LatencyLimit?
        /// What is expected of the values at a path.
        let expect: [String: Expectation]?
        /// The path of the value to remember under each name.
        let capture: [String: ValuePath]?

        var captures: [String: ValuePath] { capture ?? [:] }
    }

    let version: SettingsVersion
    let cases: [Case]

    /// `check --init`: a file with the examples of endpoints, to start from. Throws `Signature.NotACase`.
    static func template(of declarations: [EndpointDeclaration]) throws -> [UInt8] {
        let cases = try declarations.flatMap { declaration in
            try declaration.examples.map { example in
                let arguments = try arguments(of: example)
                return JSONValue(
                    [("endpoint", JSONValue(declaration.name))]
                        + (arguments.isEmpty ? [] : [("arguments", JSONValue(arguments))]))
            }
        }
        let file: JSONValue = ["version": 1, "cases": JSONValue(cases)]
        return try JSONTextEncoder().encode(file, formattedBy: JSONFormatter(style: .pretty(indent: .spaces(2))))
    }

    private static func arguments(of example: any API) throws -> [(String, JSONValue)] {
        try Signature(of: example).parameters.filter { !$0.example.isEmpty }
            .map { parameter in
                if case .dictionary(let type) = parameter.type {
                    return (parameter.name, try object(parameter, type))
                }
                let values = try parameter.example.map { try value($0, parameter.type) }
                return (parameter.name, parameter.type.isArray ? JSONValue(values) : values[0])
            }
            .sorted { $0.0 < $1.0 }
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

/// A longest time: `500ms`.
struct LatencyLimit: SettingsText {
    static let expectation = DurationText.expectation

    let text: String
    let duration: Duration

    init?(_ text: String) {
        guard let duration = DurationText.parse(text) else { return nil }
        (self.text, self.duration) = (text, duration)
    }
}

/// Where values stand in a body: `results.0.id`, or JSONPath.
struct ValuePath: SettingsText {
    static let expectation = "a path such as results.0.id or $.results[0].id"

    let text: String
    private let path: JSONPath

    init?(_ text: String) {
        guard let path = try? JSONPath(text) else { return nil }
        (self.text, self.path) = (text, path)
    }

    /// The values in `document`, not more than `max`. Throws `JSONPathLimit`.
    func values(in document: JSONDocument, max: Int = 10_000) throws -> [JSONValue] {
        var found: [JSONValue] = []
        try path.select(in: document) { slot in
            found.append(JSONValue(document, slot: slot))
            return found.count < max
        }
        return found
    }
}
