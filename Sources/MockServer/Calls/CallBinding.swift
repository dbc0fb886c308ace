import EndpointKit
import JSONText

/// Where a parameter is in a request, and how its text is written there.
struct CallBinding: Sendable {
    enum Place: Sendable, Hashable {
        /// The value of that number in the path.
        case path(Int)
        case query(String)
        case header(String)
        /// A field of a form, multipart or not.
        case field(String)
        /// A file of a multipart body: its content is not the parameter.
        case file(String)
        /// The value at those keys of a JSON body.
        case json([String])
        /// The whole body.
        case body
    }

    let parameter: Parameter
    let place: Place
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
        switch place {
        case .path(let index): parts.path.indices.contains(index) ? unwrapped([parts.path[index]]) : nil
        case .query(let name): unwrapped(parts.query.filter { $0.name == name }.map(\.value))
        case .header(let name): unwrapped(parts.headers.filter { $0.name.isSameName(as: name) }.map(\.value))
        case .field(let name):
            switch parts.content {
            case .form(let fields), .multipart(let fields, _):
                unwrapped(fields.filter { $0.name == name }.map(\.value))
            default: nil
            }
        case .file(let name):
            if case .multipart(_, let files) = parts.content, files.contains(name) { .present } else { nil }
        case .body: if case .text(let text) = parts.content { unwrapped([text]) } else { nil }
        case .json(let keys): json(keys, parts.content)
        }
    }

    private func unwrapped(_ texts: [String]) -> Value? {
        guard !texts.isEmpty else { return nil }
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

    private func json(_ keys: [String], _ content: CallParts.Content) -> Value? {
        guard case .json(var value) = content else { return nil }
        for key in keys {
            guard let next = value[key] else { return nil }
            value = next
        }
        if value.isNull { return nil }
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
