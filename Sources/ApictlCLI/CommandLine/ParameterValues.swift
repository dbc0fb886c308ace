import EndpointKit
import EndpointTools
import JSONText

extension Shape {
    /// Whether a parameter may be given several times: once for each element of a list or member of a dictionary.
    var takesSeveral: Bool { isArray || isDictionary }

    /// Whether the value of a parameter may be null. Only JSON can say null, so only a value with parts may be.
    var takesNull: Bool { hasParts }

    /// Whether a word for a parameter is read as JSON: for a value with parts always, for a list of texts, numbers or
    /// booleans only the empty list `[]`, which no elements can express.
    func mayBeJSON(_ text: String) -> Bool { hasParts || (isArray && text == "[]") }

    /// Returns the words that give a parameter a value on the command line.
    ///
    /// | Parameter | Value | Words |
    /// |---|---|---|
    /// | an integer | `3.0` | `3` |
    /// | a list of texts | `["a", "b"]` | `a`, `b` |
    /// | a list | `[]` | `[]` |
    /// | a structure | `{"name": "Rex"}` | `{"name": "Rex"}` |
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the parameter, for messages.
    ///   - source: The place of the value.
    /// - Returns: A word for each element of a list; otherwise one word.
    /// - Throws: ``UsageError`` for a value that the parameter can't have.
    func texts(of value: JSONValue, for name: String, from source: ValueSource) throws(UsageError) -> [String] {
        let value = source == .agent ? try unquoted(value, for: name) : value
        guard isArray else { return [try text(of: value, for: name, from: source)] }
        let elements = value.list
        if elements.isEmpty { return ["[]"] }
        var texts: [String] = []
        for element in elements { texts.append(try text(of: element, for: name, from: source)) }
        return texts
    }

    /// Returns the list or object that an agent has written as a text. Agents often put JSON into quotes.
    ///
    ///     "[\"a\",\"b\"]"   →   ["a", "b"]
    ///     "{\"a\": 1}"        →   {"a": 1}
    ///
    /// - Parameters:
    ///   - value: The value. It is returned unchanged if it is no text, or if a text is a value of this shape.
    ///   - name: The name of the parameter, for messages.
    /// - Throws: ``UsageError`` for a text that begins like JSON and is not JSON.
    func unquoted(_ value: JSONValue, for name: String) throws(UsageError) -> JSONValue {
        guard holdsNoText, let text = value.string else { return value }
        // A text for a list is its only element, unless it is written as a list.
        let brackets: Set<Unicode.Scalar> = isArray ? ["["] : ["[", "{"]
        guard let first = text.unicodeScalars.first(where: { $0 > " " }), brackets.contains(first) else { return value }
        do {
            return JSONValue(try JSONDocument(text.exactBytes))
        } catch {
            throw .unusableValue(option: name, problem: "the text is not JSON: \(error)", source: .agent)
        }
    }

    /// Whether every value is a list or an object, so that a text is none.
    private var holdsNoText: Bool {
        switch self {
        case .array, .dictionary, .object, .open, .variants: true
        case .nullable(let shape): shape.holdsNoText
        case .alternatives(let shapes): shapes.allSatisfy(\.holdsNoText)
        case .scalar, .values, .model, .null, .any: false
        }
    }

    /// Returns the word for a value, or for one element of a list.
    private func text(of value: JSONValue, for name: String, from source: ValueSource) throws(UsageError) -> String {
        if hasParts { return (source == .agent ? try element.unquoted(value, for: name) : value).description }
        if value.isNull {
            throw .unusableValue(option: name, problem: "null would not be sent; leave it out", source: source)
        }
        let isContainer = value.elements != nil || value.members != nil
        if isContainer {
            throw .invalidValue(option: name, value: value.shown, expected: phrase, source: source)
        }
        // In JSON, 1.0 is an integer too.
        if case .scalar(.integer) = element, let integer = value.integer(Int.self) { return String(integer) }
        return value.text
    }
}
