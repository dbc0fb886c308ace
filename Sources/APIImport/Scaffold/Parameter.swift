import EndpointKit
import JSONText

/// A parameter of an endpoint in the making, with the values that it has in the requests.
struct Parameter {
    /// The type of a parameter.
    indirect enum Kind: Equatable {
        case int, double, bool, string, json
        case list(Kind)

        /// The type in Swift.
        var text: String {
            switch self {
            case .int: "Int"
            case .double: "Double"
            case .bool: "Bool"
            case .string: "String"
            case .json: "JSONValue"
            case .list(let element): "[\(element.text)]"
            }
        }
    }

    /// A value: JSON, or the texts of an item, which has several if its name is repeated.
    enum Value {
        case texts([String])
        case json(JSONValue)
    }

    /// The name in the request.
    let key: String
    /// The name in Swift.
    let name: String
    let kind: Kind
    var isOptional: Bool
    /// The value in the example; nil if it has none.
    let value: Value?

    /// A parameter with the values of several requests, the first of which is the example.
    init(_ key: String, name: String, _ values: [Value?], isOptional: Bool) {
        self.key = key
        self.name = name
        self.isOptional = isOptional
        value = values.first ?? nil
        let texts = values.compactMap { if case .texts(let texts) = $0 { texts } else { nil } }
        let kinds = values.compactMap { if case .json(let json) = $0 { Self.kind(json) } else { nil } }
        if texts.isEmpty {
            kind =
                kinds.dropFirst().reduce(kinds.first) {
                    $0 == $1 || $0 == .double && $1 == .int ? $0 : $0 == .int && $1 == .double ? $1 : .json
                } ?? .json
        } else {
            let all = texts.joined()
            let element: Kind =
                all.allSatisfy(Self.isInteger)
                ? .int : all.allSatisfy { ["true", "false"].contains($0) } ? .bool : .string
            kind = texts.contains { $0.count > 1 } ? .list(element) : element
        }
    }

    /// The type that a value shows; nil for null.
    private static func kind(_ value: JSONValue) -> Kind? {
        switch value.content {
        case .null: return nil
        case .bool: return .bool
        case .string: return .string
        case .number(let text): return isInteger(text) ? .int : value.double.map { "\($0)" } == text ? .double : .json
        case .object: return .json
        case .array(let elements):
            let kinds = elements.map(kind)
            guard let first = kinds.first ?? nil, first != .json, kinds.allSatisfy({ $0 == first }) else {
                return .json
            }
            return .list(first)
        }
    }

    /// Whether a text is an integer as it would be written, which every language reads without loss.
    static func isInteger(_ text: String) -> Bool {
        guard text.utf8.count <= 17, let number = Int(text) else { return false }
        return "\(number)" == text && number.magnitude < 1 << 53
    }

    /// The example's value, if it is a Boolean one.
    var bool: Bool? {
        switch value {
        case .texts(let texts)? where kind == .bool: texts == ["true"]
        case .json(let value)? where kind == .bool: value.bool
        default: nil
        }
    }

    /// The type in the declaration.
    var type: String { kind.text + (isOptional ? "?" : "") }

    /// The example's value as an expression; nil if it can't be written, and `nil` if there is none.
    func expression(_ sweep: SecretSweep) -> String? {
        switch value {
        case nil: return isOptional ? "nil" : "\"\""
        case .texts(let texts):
            let elements = texts.map { Self.expression($0, kind, sweep) }
            guard case .list = kind else { return elements[0] }
            // A list of long texts is nothing to read.
            return elements.contains { $0.contains("\n") } ? "[]" : "[\(elements.joined(separator: ", "))]"
        case .json(let value):
            return value.isNull ? isOptional && kind != .json ? "nil" : ".null" : Self.expression(value, sweep)
        }
    }

    private static func expression(_ text: String, _ kind: Kind, _ sweep: SecretSweep) -> String {
        switch kind {
        case .int, .list(.int): grouped(text)
        case .bool, .list(.bool): text
        default: SwiftLiteral.string(sweep.cleaned(text), column: 60, indent: 12)
        }
    }

    /// A literal of a JSON value; nil if it would be too long, too deep, or not the same number.
    static func expression(_ value: JSONValue, _ sweep: SecretSweep, depth: Int = 0) -> String? {
        guard depth < 6 else { return nil }
        switch value.content {
        case .null: return ".null"
        case .bool(let value): return "\(value)"
        case .string(let text):
            let literal = SwiftLiteral.string(sweep.cleaned(text), column: 60, indent: 12)
            return depth > 0 && literal.contains("\n") ? nil : literal
        case .number(let text):
            if isInteger(text) { return grouped(text) }
            return value.double.map { "\($0)" } == text ? text : nil
        case .array(let elements):
            let texts = elements.compactMap { expression($0, sweep, depth: depth + 1) }
            return texts.count == elements.count && texts.count < 50 ? "[\(texts.joined(separator: ", "))]" : nil
        case .object(let members):
            let texts = members.compactMap { key, value in
                key.utf8.count > 80
                    ? nil : expression(value, sweep, depth: depth + 1).map { "\(SwiftLiteral.string(key)): \($0)" }
            }
            guard texts.count == members.count, texts.count < 50 else { return nil }
            return texts.isEmpty ? "[:]" : "[\(texts.joined(separator: ", "))]"
        }
    }

    /// The digits of an integer in groups, as the formatter's rules demand from seven digits on.
    static func grouped(_ text: String) -> String {
        let digits = text.drop { $0 == "-" }
        guard digits.count >= 7 else { return text }
        let groups = digits.enumerated().map { ((digits.count - $0) % 3 == 0 && $0 > 0 ? "_" : "") + String($1) }
        return (text.hasPrefix("-") ? "-" : "") + groups.joined()
    }
}
