import EndpointKit
import JSONText

/// The arguments of a case as words, in the way that a command line has them.
struct CaseArguments: Sendable {
    private let words: [(path: String, text: String, isJSON: Bool)]
    /// The names in `{{NAME}}` whose values are sent as credentials.
    let secretCaptures: [String]

    /// Throws ``UnknownParameter`` for a name that the endpoint does not have.
    init(_ arguments: [String: JSONValue], of declaration: EndpointDeclaration) throws(UnknownParameter) {
        var words: [(path: String, text: String, isJSON: Bool)] = []
        var used: [(name: String, parameter: String, key: String)] = []
        for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
            let parameters = declaration.signature.parameters
            guard let parameter = parameters.first(where: { KebabCase.text($0.name) == KebabCase.text(name) }) else {
                throw UnknownParameter(
                    name: name, nearest: Nearest.match(name, in: parameters.map(\.name)))
            }
            let isJSON = parameter.type.isJSON || parameter.type.isDictionary
            // Null leaves out what may be left out.
            if value.isNull, !isJSON { continue }
            let values = parameter.type.isArray ? value.elements.map { Array($0) } ?? [value] : [value]
            words += values.map { (parameter.name, isJSON ? $0.text : $0.string ?? $0.text, isJSON) }
            used += Self.captures(in: value, of: parameter.name, under: parameter.name)
        }
        self.words = words
        let credentials = used.isEmpty ? [] : ParameterPlaces(of: declaration).credentials
        secretCaptures = used.filter { credentials.contains($0.parameter) || SecretName.isCredential($0.key) }
            .map(\.name)
    }

    /// The names in `{{NAME}}` in the strings of `value`, each with the key that it stands under.
    private static func captures(
        in value: JSONValue, of parameter: String, under key: String
    ) -> [(name: String, parameter: String, key: String)] {
        switch value.content {
        case .string(let text): parts(text).filter(\.isName).map { ($0.text, parameter, key) }
        case .array(let elements): elements.flatMap { captures(in: $0, of: parameter, under: key) }
        case .object(let members): members.flatMap { captures(in: $0.value, of: parameter, under: $0.key) }
        case .null, .bool, .number: []
        }
    }

    struct UnknownParameter: Error {
        let name: String
        let nearest: String?
    }

    /// The names in `{{NAME}}`, in order.
    var captures: [String] { words.flatMap { Self.parts($0.text).compactMap { $0.isName ? $0.text : nil } } }

    /// The words, with each `{{NAME}}` replaced.
    func parameters(_ captured: [String: String]) -> [ParameterWord] {
        words.map { word in
            let text = Self.parts(word.text).map { part in
                guard part.isName, let value = captured[part.text] else { return part.text }
                return word.isJSON ? Self.escaped(value) : value
            }.joined()
            return ParameterWord(
                path: [word.path], word: Word(text: text, position: 0), form: word.isJSON ? .json : .text)
        }
    }

    /// The text between the quotes of a JSON string.
    private static func escaped(_ text: String) -> String { String(JSONValue(text).text.dropFirst().dropLast()) }

    private static func parts(_ text: String) -> [(text: String, isName: Bool)] {
        var parts: [(text: String, isName: Bool)] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            parts.append((String(rest[..<start.lowerBound]), false))
            parts.append((String(rest[start.upperBound..<end.lowerBound]), true))
            rest = rest[end.upperBound...]
        }
        return parts + [(String(rest), false)]
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: written, as: UTF8.self) }
}
