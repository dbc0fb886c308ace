import EndpointKit
import JSONText

/// Where a parameter is in a request, and how its text is written there.
struct CallBinding: Sendable {
    let parameter: Parameter
    let place: CallParts.Place
    /// What stands around the text, such as `bytes=` in a Range header, and the values of other parameters.
    var pattern = TextPattern([[], []])
    /// Which of the pattern's values is this parameter's.
    var index = 0
    /// What separates the elements of an array in one text; nil if each has its own.
    var separator: String?
    /// The kind of a single value in JSON.
    var kind: String?

    /// Elements of an array that are read, at most; a longer one is not checked.
    private static let maxElements = 10_000

    /// What a request has at the place.
    enum Value {
        case texts([String])
        case json(JSONValue)
        /// The parameter is there, but what it was is not.
        case present
        case invalid(problem: String)
    }

    /// The parameter's value in `parts`; nil if it is not there.
    func value(in parts: CallParts) -> Value? {
        if case .json(let keys) = place { return json(keys, parts.json) }
        let texts = parts.texts(at: place)
        if texts.isEmpty { return nil }
        if case .file = place { return .present }
        return unwrapped(texts)
    }

    private func unwrapped(_ texts: [String]) -> Value {
        var found: [String] = []
        for text in texts {
            // What stands alone may be empty.
            let isAlone = pattern.literals == [[], []]
            guard let inner = isAlone ? text : pattern.values(in: text.exactBytes)?[index] else {
                let form = pattern.literals.map { String(exactBytes: $0) }.joined(separator: "…")
                return .invalid(problem: "\(placePhrase): expected \(form), got '\(text)'")
            }
            if let separator {
                let parts = Array(inner.utf8).split(
                    separator: Array(separator.utf8), omittingEmptySubsequences: false)
                found += inner.isEmpty ? [] : parts.map { String(exactBytes: $0) }
            } else {
                found.append(inner)
            }
        }
        return .texts(found)
    }

    private func json(_ keys: [String], _ body: JSONValue?) -> Value? {
        guard let value = keys.reduce(body, { $0?[$1] }), !value.isNull else { return nil }
        guard let kind else { return .json(value) }
        let values = parameter.type.isArray ? value.elements.map { Array($0.prefix(Self.maxElements + 1)) } : [value]
        // A small body must not take much memory.
        if let values, values.count > Self.maxElements { return .present }
        guard let other = values.map({ $0.first { $0.kind != kind } }) ?? value else {
            return .texts(values?.map(\.plainText) ?? [])
        }
        let expected = values == nil ? "an array" : kind
        return .invalid(problem: "\(phrase): expected \(expected), got \(other.kind)")
    }

    /// What the parameter is called in a sentence.
    var phrase: String { (pattern.literals.count > 2 ? "\(parameter.name) in " : "") + placePhrase }

    /// What the place is called in a sentence; the parameter's own name is enough if it is the place's.
    var placePhrase: String {
        switch place {
        case .path: "\(parameter.name.hasPrefix("_") ? "the value" : parameter.name) in the path"
        case .query(let name): "query item \(name)"
        case .header(let name): "header \(name)"
        case .field(let name): "form field \(name)"
        case .file(let name): "file \(name)"
        case .json(let keys): keys.isEmpty ? "the body" : "$" + keys.map { FoldedPlaces.step($0) }.joined()
        case .body: "the body"
        }
    }

    /// Whether the texts are the same, or in JSON the same numbers.
    func areAlike(_ found: [String], _ texts: [String]) -> Bool {
        let type = kind == "a number" ? .number : parameter.type
        return found.map(type.canonicalText) == texts.map(type.canonicalText)
    }
}

extension ParameterType {
    /// The text of a value that is the same for equal numbers, such as `2` and `2.0`.
    package func canonicalText(_ text: String) -> String {
        element == .number ? Double(text).map { "\($0)" } ?? text : text
    }
}

extension JSONValue {
    /// The kind in the words of messages.
    var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The text of a scalar: of a string without its quotes and escapes.
    var plainText: String { string ?? description }
}
