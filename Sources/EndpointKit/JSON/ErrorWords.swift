import JSONText

/// What an API says about a failure, found in the body of its response.
public enum ErrorWords {
    /// The reason that `body` gives in its own words; nil if it is not JSON or says nothing.
    ///
    /// Looked for under the keys that APIs use: `status_message`, `message`, `error_message`, `errors`, `error`, and a
    /// textual `status`; in this order, first in the object itself, then in what the key holds.
    public static func find(in body: [UInt8]) -> String? {
        guard let document = try? JSONDocument(body) else { return nil }
        return words(of: JSONValue(document))
    }

    private static let keys = ["status_message", "message", "error_message", "errors", "error", "status"]

    /// Nobody nests a reason deeper; a hostile body may.
    private static let deepest = 8

    private static func words(of value: JSONValue, depth: Int = 0) -> String? {
        guard depth < deepest else { return nil }
        switch value.content {
        case .string(let text):
            return text.isEmpty ? nil : text
        case .array(let elements):
            return joined(elements.compactMap { words(of: $0, depth: depth + 1) })
        case .object(let members):
            for key in keys {
                if let found = value[key].flatMap({ words(of: $0, depth: depth + 1) }) { return found }
            }
            // Errors by field: {"title": ["can't be blank"]}.
            return depth == 0
                ? nil
                : joined(
                    members.filter { !keys.contains($0.key) }.compactMap { key, value in
                        words(of: value, depth: depth + 1).map { "\(key): \($0)" }
                    })
        case .null, .bool, .number:
            return nil
        }
    }

    private static func joined(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
