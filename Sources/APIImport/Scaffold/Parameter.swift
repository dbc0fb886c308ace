import EndpointKit
import JSONText

/// A parameter of an endpoint in the making, with the type of its values in the requests.
struct Parameter {
    /// The name in Swift.
    let name: String
    let kind: InferredType
    let isOptional: Bool
    /// The value in the example; nil if it has none.
    let value: JSONValue?

    /// A parameter with the texts that it has in several requests, the first of which is the example.
    init(name: String, texts: [[String]], isOptional: Bool) {
        let all = texts.joined()
        let isInteger = all.allSatisfy(Self.isInteger)
        let isBool = all.allSatisfy { ["true", "false"].contains($0) }
        let isList = texts.contains { $0.count > 1 }
        let values = texts.map { texts -> JSONValue? in
            let values = texts.map { text in
                isInteger ? JSONValue(Int(text) ?? 0) : isBool ? JSONValue(text == "true") : JSONValue(text)
            }
            return isList && !values.isEmpty ? JSONValue(values) : values.first
        }
        self.init(name: name, json: values, isOptional: isOptional)
    }

    /// A parameter with the values that it has in several requests, the first of which is the example.
    init(name: String, json values: [JSONValue?], isOptional: Bool) {
        var inference = Inference(Coding(dates: .secondsSince1970), maps: [], structures: [])
        let type = inference.type(of: values.compactMap(\.self), at: Inference.Place()).unwrapped.type
        self.name = name
        self.isOptional = isOptional
        kind = Self.isPlain(type) ? type : .json("")
        value = values[0]
    }

    /// Whether a command line has a word for each value, or for each element.
    private static func isPlain(_ type: InferredType) -> Bool {
        switch type {
        case .bool, .integer, .double, .string: true
        case .array(let element): isPlain(element)
        default: false
        }
    }

    /// Whether a text is an integer as it would be written, which every language reads without loss.
    static func isInteger(_ text: String) -> Bool {
        guard text.utf8.count <= 17, let number = Int(text) else { return false }
        return "\(number)" == text && number.magnitude < 1 << 53
    }

    /// The associated value, with the example.
    func value(_ sweep: SecretSweep) -> EndpointText.Value {
        let type = kind.text { _ in "" } + (isOptional ? "?" : "")
        return .init(label: name, name: name, type: type, example: example(sweep))
    }

    /// The words of the example's value on a command line.
    func words(_ sweep: SecretSweep) -> [String] {
        let option = KebabCase.text(name)
        if kind == .bool, let isTrue = value?.bool { return [(isTrue ? "--" : "--no-") + option] }
        let isList = if case .array = kind { true } else { false }
        let values = isList ? value?.elements : value.map { [$0] }
        return (values ?? []).flatMap { ["--" + option, sweep.cleaned($0.string ?? $0.description)] }
    }

    private func example(_ sweep: SecretSweep) -> SwiftText {
        guard let value else { return isOptional ? "nil" : "\"\"" }
        if value.isNull { return isOptional && kind != .json("") ? "nil" : ".null" }
        if let text = value.string { return .literal(sweep.cleaned(text)) }
        // A list of long texts is nothing to read.
        return Self.expression(value, sweep).map { "\($0)" } ?? "[]"
    }

    /// A literal of a JSON value; nil if it would be too long, too deep, or not the same number.
    static func expression(_ value: JSONValue, _ sweep: SecretSweep, depth: Int = 0) -> String? {
        guard depth < 6 else { return nil }
        switch value.content {
        case .null: return ".null"
        case .bool(let value): return "\(value)"
        case .string(let text):
            let literal = SwiftLiteral.string(sweep.cleaned(text))
            return depth > 0 && literal.count > 60 ? nil : literal
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
