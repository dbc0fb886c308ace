import EndpointKit
import JSONText

/// Values of requests, as JSON and as Swift text.
enum RequestValue {
    // A value beyond these limits has no literal, because nobody reads so long an example.
    private static let maxDepth = 6
    private static let maxElements = 50
    private static let maxTextLength = 60
    private static let maxKeyLength = 80

    /// Returns the value of a parameter in each of several requests, from its texts such as those of query items.
    ///
    /// The values are integers or booleans if all texts are. They are lists if a request has several texts. A request
    /// without a text has no value.
    ///
    ///     ["1"], ["2"]          →    1, 2
    ///     ["1"], ["a", "b"]     →    ["1"], ["a", "b"]
    ///     ["true"], []          →    true, nil
    ///
    /// - Parameter textsOfRequests: The texts that the parameter has in each request.
    static func values(_ textsOfRequests: [[String]]) -> [JSONValue?] {
        let allTexts = textsOfRequests.joined()
        let areIntegers = allTexts.allSatisfy(Self.isInteger)
        let areBooleans = allTexts.allSatisfy { ["true", "false"].contains($0) }
        func value(of text: String) -> JSONValue {
            if areIntegers, let integer = Int(text) { return JSONValue(integer) }
            return areBooleans ? JSONValue(text == "true") : JSONValue(text)
        }
        let areLists = textsOfRequests.contains { $0.count > 1 }
        return textsOfRequests.map { texts in
            guard let firstText = texts.first else { return nil }
            return areLists ? JSONValue(texts.map(value)) : value(of: firstText)
        }
    }

    /// Whether a text is an integer in its usual form, and fits an `Int`: `7`, and not `007` or `+7`.
    private static func isInteger(_ text: String) -> Bool { Int(text).map { "\($0)" } == text }

    /// Returns the Swift literal of a JSON value on one line: `{"a": [1]}` → `["a": [1]]`.
    ///
    /// - Returns: The literal; nil if it would be too long or too deep, or if Swift would read another number from it.
    static func lineLiteral(of value: JSONValue, secrets: ImportSecrets) -> String? {
        literal(of: value, secrets: secrets)?.line
    }

    /// Returns the Swift literal of a JSON value, which is divided into lines when it is printed.
    ///
    /// - Parameters:
    ///   - value: The value of a parameter, or a part of it.
    ///   - secrets: Removes secrets from texts. A number that is a secret becomes 0.
    ///   - depth: The number of lists and objects around the value. A text alone may have any length.
    /// - Returns: The literal; nil if it would be too long or too deep, or if Swift would read another number from it.
    static func literal(of value: JSONValue, secrets: ImportSecrets, depth: Int = 0) -> SwiftText? {
        guard depth < maxDepth else { return nil }
        switch value.content {
        case .null: return ".null"
        case .bool(let isTrue): return isTrue ? "true" : "false"
        case .string(let text):
            let literal = SwiftLiteral.string(secrets.removed(from: text))
            let isTooLong = depth > 0 && literal.count > maxTextLength
            return isTooLong ? nil : "\(literal)"
        case .number(let digits):
            return secrets.findsSecret(in: digits) ? "0" : numberLiteral(digits)
        case .array(let elements):
            let literals = elements.compactMap { literal(of: $0, secrets: secrets, depth: depth + 1) }
            let haveLiterals = literals.count == elements.count
            return haveLiterals && literals.count < maxElements ? .list("[", literals, "]") : nil
        case .object(let members):
            let literals = members.compactMap { key, value in
                dictionaryElement(key, value, secrets: secrets, depth: depth + 1)
            }
            let haveLiterals = literals.count == members.count
            guard haveLiterals, literals.count < maxElements else { return nil }
            // In Swift, `[]` would be an empty list.
            return literals.isEmpty ? "[:]" : .list("[", literals, "]")
        }
    }

    /// Returns a literal of a number; nil if Swift would not read the same number from it.
    private static func numberLiteral(_ digits: String) -> SwiftText? {
        if isInteger(digits) { return "\(integerLiteral(digits))" }
        return Double(digits).map { "\($0)" } == digits ? "\(digits)" : nil
    }

    /// Returns the element of a dictionary literal for a member of an object: `"page": 1`.
    ///
    /// - Returns: The element; nil if it would be too long or too deep.
    private static func dictionaryElement(
        _ key: String, _ value: JSONValue, secrets: ImportSecrets, depth: Int
    ) -> SwiftText? {
        guard key.utf8.count <= maxKeyLength, let text = literal(of: value, secrets: secrets, depth: depth) else {
            return nil
        }
        let keyLiteral = SwiftLiteral.string(key)
        // A list opens its bracket on the line of the key. Any other value may move to a line of its own.
        if case .list = text { return "\(keyLiteral): \(text)" }
        return .sum(["\(keyLiteral):", text], by: " ")
    }

    /// Returns the Swift literal of an integer, with its digits in groups: `1234567` → `1_234_567`.
    ///
    /// The rules of `swift format` demand groups from seven digits on. Shorter numbers stay as they are.
    static func integerLiteral(_ text: String) -> String {
        let digits = text.drop { $0 == "-" }
        let fewestGroupedDigits = 7
        guard digits.count >= fewestGroupedDigits else { return text }
        var literal = text.hasPrefix("-") ? "-" : ""
        for (index, digit) in digits.enumerated() {
            let remainingCount = digits.count - index
            let beginsGroup = index > 0 && remainingCount % 3 == 0
            if beginsGroup { literal += "_" }
            literal.append(digit)
        }
        return literal
    }
}
