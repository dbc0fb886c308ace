import EndpointKit
import JSONText

/// Where a parameter is in a request, and how its text is written there.
struct CallBinding: Sendable {
    let parameter: Parameter
    let place: CallParts.Place
    /// What stands around the text, such as `bytes=` in a Range header.
    var prefix = ""
    var suffix = ""
    /// What separates the elements of an array in one text; nil if each has its own.
    var separator: String?
    /// The kind of a single value in JSON.
    var kind: JSONKind?

    /// Elements of an array that are read, at most; a longer one is not checked.
    private static let maxElements = 10_000

    /// What a request has at the place.
    enum Value {
        case texts([String])
        case json(JSONValue)
        /// The parameter is there, but what it was is not.
        case present
        case invalid(expected: String, found: String)
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
            guard text.hasPrefix(prefix), text.hasSuffix(suffix),
                text.utf8.count >= prefix.utf8.count + suffix.utf8.count
            else { return .invalid(expected: "\(prefix)…\(suffix)", found: "'\(text)'") }
            let inner = String(text.dropFirst(prefix.count).dropLast(suffix.count))
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
        guard let values else { return .invalid(expected: "an array", found: JSONKind(value).rawValue) }
        // A small body must not take much memory.
        if values.count > Self.maxElements { return .present }
        if let other = values.first(where: { JSONKind($0) != kind }) {
            return .invalid(expected: kind.rawValue, found: JSONKind(other).rawValue)
        }
        return .texts(values.map(\.plainText))
    }

    /// What the place is called in a sentence; the parameter's own name is enough if it is the place's.
    var phrase: String {
        switch place {
        case .path: "\(parameter.name.hasPrefix("_") ? "the value" : parameter.name) in the path"
        case .query(let name): "query item \(name)"
        case .header(let name): "header \(name)"
        case .field(let name): "form field \(name)"
        case .file(let name): "file \(name)"
        case .json(let keys):
            keys.isEmpty ? "the body" : Self.path(keys)
        case .body: "the body"
        }
    }

    /// The path of a value in a JSON body.
    static func path(_ keys: [String]) -> String { "$" + keys.map { FoldedPlaces.step($0) }.joined() }
}

/// The kind of a JSON value, in the words of messages.
enum JSONKind: String, Sendable {
    case null
    case bool = "true or false"
    case number = "a number"
    case string = "a string"
    case array = "an array"
    case object = "an object"

    init(_ value: JSONValue) {
        self =
            switch value.content {
            case .null: .null
            case .bool: .bool
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }
}

extension JSONValue {
    /// The text of a scalar: of a string without its quotes and escapes.
    var plainText: String { string ?? description }
}
