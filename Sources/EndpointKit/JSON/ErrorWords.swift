import JSONText

/// Finds the API's own error message in the body of a failed response.
package enum ErrorWords {
    /// The message in `body`; nil if it is not JSON or has none.
    ///
    /// The keys that APIs commonly use are searched in this order: `status_message`, `message`, `error_message`, `errors`,
    /// `error`, and `status` if it is a string. Nested objects and arrays under these keys are searched too.
    package static func find(in body: [UInt8]) -> String? {
        guard let document = try? JSONDocument(body) else { return nil }
        var search = ReasonSearch()
        return search.words(of: JSONValue(document))
    }
}

private struct ReasonSearch {
    private static let keys = ["status_message", "message", "error_message", "errors", "error", "status"]
    /// The deepest nesting searched; a hostile body may be nested deeper.
    private static let deepest = 8
    /// The most messages collected.
    private static let most = 100

    private var count = 0

    mutating func words(of value: JSONValue, depth: Int = 0) -> String? {
        guard depth < Self.deepest, count < Self.most else { return nil }
        switch value.content {
        case .string(let text):
            guard !text.isEmpty else { return nil }
            count += 1
            return text
        case .array(let elements):
            var found: [String] = []
            for element in elements where count < Self.most {
                if let words = words(of: element, depth: depth + 1) { found.append(words) }
            }
            return joined(found)
        case .object(let members):
            for key in Self.keys {
                if let value = value[key], let found = words(of: value, depth: depth + 1) { return found }
            }
            if depth == 0 { return nil }
            // Errors by field: {"title": ["can't be blank"]}.
            var found: [String] = []
            for (key, value) in members where count < Self.most {
                if !Self.keys.contains(key), let words = words(of: value, depth: depth + 1) {
                    found.append("\(key): \(words)")
                }
            }
            return joined(found)
        case .null, .bool, .number:
            return nil
        }
    }

    private func joined(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: "; ") }
}
