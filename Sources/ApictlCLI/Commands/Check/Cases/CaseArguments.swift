import EndpointKit
import JSONText

/// The arguments of a case as words, in the way that a command line has them.
struct CaseArguments: Sendable {
    private let words: [(path: String, text: String, isJSON: Bool)]

    /// Throws ``UnknownParameter`` for a name that the endpoint does not have.
    init(_ arguments: [String: JSONValue], of declaration: EndpointDeclaration) throws(UnknownParameter) {
        var words: [(path: String, text: String, isJSON: Bool)] = []
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
        }
        self.words = words
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
