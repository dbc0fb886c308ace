import EndpointKit
import JSONText

/// Values of requests, as JSON and as Swift text.
enum RequestValue {
    // A longer literal is nothing to read in an example.
    private static let maxDepth = 6
    private static let maxParts = 50
    private static let maxTextLength = 60
    private static let maxKeyLength = 80

    /// Returns the values of the texts that each of several requests has at one place: integers or booleans if all texts
    /// are, and lists if a request has several texts.
    ///
    ///     ["1"], ["2"]    →    1, 2
    ///     ["1"], ["a", "b"]    →    ["1"], ["a", "b"]
    static func values(_ texts: [[String]]) -> [JSONValue?] {
        let all = texts.joined()
        let isInteger = all.allSatisfy(Self.isInteger)
        let isBool = all.allSatisfy { ["true", "false"].contains($0) }
        let isList = texts.contains { $0.count > 1 }
        return texts.map { texts in
            let values = texts.map { text in
                if isInteger { return JSONValue(Int(text) ?? 0) }
                return isBool ? JSONValue(text == "true") : JSONValue(text)
            }
            return isList && !values.isEmpty ? JSONValue(values) : values.first
        }
    }

    /// Whether a text is an integer as it would be written, which an `Int` holds exactly.
    private static func isInteger(_ text: String) -> Bool { Int(text).map { "\($0)" } == text }

    /// Returns a literal of a JSON value on one line; nil if it would be too long, too deep, or not the same number.
    static func expression(_ value: JSONValue, _ sweep: SecretSweep) -> String? { text(value, sweep)?.line }

    /// Returns a literal of a JSON value, on as many lines as it takes; nil if it would be too long, too deep, or not the
    /// same number.
    static func text(_ value: JSONValue, _ sweep: SecretSweep, depth: Int = 0) -> SwiftText? {
        guard depth < maxDepth else { return nil }
        switch value.content {
        case .null: return ".null"
        case .bool(let value): return value ? "true" : "false"
        case .string(let text):
            let literal = SwiftLiteral.string(sweep.cleaned(text))
            return depth > 0 && literal.count > maxTextLength ? nil : "\(literal)"
        case .number(let text):
            let text = sweep.cleaned(text) == text ? text : "0"
            if isInteger(text) { return "\(grouped(text))" }
            return value.double.map { String($0) } == text ? "\(text)" : nil
        case .array(let elements):
            let texts = elements.compactMap { self.text($0, sweep, depth: depth + 1) }
            guard texts.count == elements.count, texts.count < maxParts else { return nil }
            return .list("[", texts, "]")
        case .object(let members):
            let texts = members.compactMap { key, value -> SwiftText? in
                guard key.utf8.count <= maxKeyLength else { return nil }
                guard let value = text(value, sweep, depth: depth + 1) else { return nil }
                let name = SwiftLiteral.string(key)
                if case .list = value { return "\(name): \(value)" }
                return .sum(["\(name):", value], by: " ")
            }
            guard texts.count == members.count, texts.count < maxParts else { return nil }
            return texts.isEmpty ? "[:]" : .list("[", texts, "]")
        }
    }

    /// Returns the digits of an integer in groups, as the formatter's rules demand from seven digits on.
    static func grouped(_ text: String) -> String {
        let digits = text.drop { $0 == "-" }
        guard digits.count >= 7 else { return text }
        var grouped = text.hasPrefix("-") ? "-" : ""
        for (index, digit) in digits.enumerated() {
            let remainingCount = digits.count - index
            if index > 0, remainingCount % 3 == 0 { grouped += "_" }
            grouped.append(digit)
        }
        return grouped
    }
}
