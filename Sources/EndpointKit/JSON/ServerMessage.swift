import JSONText

/// Finds the API's own error message in the body of a failed response.
package enum ServerMessage {
    private static let keys = ["status_message", "message", "error_message", "errors", "error", "status"]
    /// The deepest nesting searched, and the most messages collected: a hostile body may have more.
    private static let (deepest, most) = (8, 100)

    /// The message in `body`; nil if it is not JSON or has none.
    ///
    /// The keys that APIs commonly use are searched in this order: `status_message`, `message`, `error_message`, `errors`,
    /// `error`, and `status` if it is a string. Nested objects and arrays under these keys are searched too.
    package static func find(in body: [UInt8]) -> String? {
        var count = 0
        return (try? JSONDocument(body)).flatMap { words(of: JSONValue($0), 0, &count) }
    }

    private static func words(of value: JSONValue, _ depth: Int, _ count: inout Int) -> String? {
        guard depth < deepest, count < most else { return nil }
        var found: [String] = []
        switch value.content {
        case .string(let text):
            guard !text.isEmpty else { return nil }
            count += 1
            return text
        case .array(let elements):
            for element in elements where count < most {
                if let words = words(of: element, depth + 1, &count) { found.append(words) }
            }
        case .object(let members):
            for key in keys {
                if let value = value[key], let words = words(of: value, depth + 1, &count) { return words }
            }
            // Errors by field: {"title": ["can't be blank"]}.
            for (key, value) in members where depth > 0 && count < most {
                if !keys.contains(key), let words = words(of: value, depth + 1, &count) {
                    found.append("\(key): \(words)")
                }
            }
        case .null, .bool, .number: break
        }
        return found.isEmpty ? nil : found.joined(separator: "; ")
    }
}
