import EndpointKit
import EndpointTools
import JSONText

extension Shape {
    /// Whether a parameter may be given several times: once for each element of a list or member of a dictionary.
    var takesSeveral: Bool { isArray || isDictionary }

    /// Whether the value of a parameter may be null. Only JSON can say null, so only a value with parts may be.
    var takesNull: Bool { hasParts }

    /// Whether a word for a parameter of this shape is read as JSON.
    ///
    /// A value with parts, such as an object, is always given as JSON. For a list of texts, numbers or booleans, each
    /// word is an element. Only the empty list, which no elements can express, is given as `[]`.
    func mayBeJSON(_ word: String) -> Bool {
        if hasParts { return true }
        return isArray && word == "[]"
    }

    /// Returns the words that give a parameter a value on the command line.
    ///
    /// | Parameter | Value | Words |
    /// |---|---|---|
    /// | an integer | `3.0` | `3` |
    /// | a list of texts | `["a", "b"]` | `a`, `b` |
    /// | a list | `[]` | `[]` |
    /// | a structure | `{"name": "Rex"}` | `{"name": "Rex"}` |
    /// | a structure, from an agent | `"{\"name\": \"Rex\"}"` | `{"name": "Rex"}` |
    ///
    /// - Parameters:
    ///   - value: The value. Agents often put JSON into quotes, which are removed.
    ///   - name: The name of the parameter, for messages.
    ///   - source: The origin of the value, such as a case file or the call of an agent.
    /// - Returns: A word for each element of a list; otherwise one word.
    /// - Throws: ``UsageError`` for a value that the parameter can't have.
    func texts(of value: JSONValue, for name: String, from source: ValueSource) throws(UsageError) -> [String] {
        let unquotedValue = source == .agent ? try readingQuotedJSON(value, for: name) : value
        guard isArray else { return [try text(of: unquotedValue, for: name, from: source)] }
        // `list` also makes a list of one element from a single value, which is accepted in place of a list.
        let elementValues = unquotedValue.list
        // No words at all would leave the parameter out.
        if elementValues.isEmpty { return ["[]"] }
        return try elementValues.map { elementValue throws(UsageError) in
            try text(of: elementValue, for: name, from: source)
        }
    }

    /// Returns the list or object that an agent has put into quotes, as agents often do.
    ///
    ///     "[\"a\",\"b\"]"   →   ["a", "b"]
    ///     "{\"a\": 1}"        →   {"a": 1}
    ///
    /// - Parameters:
    ///   - value: The value from the agent.
    ///   - name: The name of the parameter, for messages.
    /// - Returns: The list or object. Any other value is returned unchanged, and so is any text if the parameter
    ///   accepts texts.
    /// - Throws: ``UsageError`` for a text that begins like JSON and is not JSON.
    func readingQuotedJSON(_ value: JSONValue, for name: String) throws(UsageError) -> JSONValue {
        guard excludesTexts, let text = value.string else { return value }
        // A text for a list is its only element, unless it is written as a list.
        let openingBrackets: Set<Unicode.Scalar> = isArray ? ["["] : ["[", "{"]
        // Every blank that JSON allows is at or below the space.
        let firstScalar = text.unicodeScalars.first { $0 > " " }
        guard let firstScalar, openingBrackets.contains(firstScalar) else { return value }
        do {
            return JSONValue(try JSONDocument(text.exactBytes))
        } catch {
            throw .unusableValue(option: name, problem: "the text is not JSON: \(error)", source: .agent)
        }
    }

    /// Whether every value of this shape is a list or an object, so that a text is never one.
    private var excludesTexts: Bool {
        switch self {
        case .array, .dictionary, .object, .open, .variants: true
        case .nullable(let shape): shape.excludesTexts
        case .alternatives(let shapes): shapes.allSatisfy(\.excludesTexts)
        case .scalar, .values, .model, .null, .any: false
        }
    }

    /// Returns the word for a value, or for one element of a list.
    ///
    /// If the parameter takes values with parts, such as objects, the word is JSON. Otherwise it is the text itself,
    /// such as `3`.
    ///
    /// - Throws: ``UsageError`` for null, and for a list or object in place of a text, number or boolean.
    private func text(of value: JSONValue, for name: String, from source: ValueSource) throws(UsageError) -> String {
        if hasParts {
            // Agents often put the JSON of an object into quotes.
            let json = source == .agent ? try element.readingQuotedJSON(value, for: name) : value
            return json.description
        }
        if value.isNull {
            throw .unusableValue(option: name, problem: "null would not be sent; leave it out", source: source)
        }
        let isListOrObject = value.elements != nil || value.members != nil
        if isListOrObject {
            throw .invalidValue(option: name, value: value.shown, expected: self.phrase, source: source)
        }
        // In JSON, 1.0 is an integer too.
        if case .scalar(.integer) = element, let integer = value.integer(Int.self) { return String(integer) }
        return value.text
    }
}
