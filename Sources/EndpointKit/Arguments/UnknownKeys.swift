import JSONText

extension ArgumentDecoder {
    /// The path of the first key in `text` that the decoded `value` knows nothing of, and that would be dropped silently.
    ///
    /// Keys with the value null need not come back: an optional leaves them out.
    static func unknownKey<T>(in text: [UInt8], of value: T) throws -> String? {
        guard let encodable = value as? any Encodable else { return nil }
        let given = try JSONCoding.decode(JSONValue.self, from: text)
        let known = try JSONCoding.decode(JSONValue.self, from: JSONCoding.encode(encodable))
        return unknownPath(given, known, []).map(JSONLocator.text(of:))
    }

    private static func unknownPath(
        _ given: JSONValue, _ known: JSONValue, _ path: [JSONPathComponent]
    ) -> [JSONPathComponent]? {
        switch (given, known) {
        case (.object(let given), .object(let known)):
            for (key, value) in given.sorted(by: { $0.key < $1.key }) where value != .null {
                guard let inner = known[key] else { return path + [.key(key)] }
                if let found = unknownPath(value, inner, path + [.key(key)]) { return found }
            }
        case (.array(let given), .array(let known)):
            for (index, pair) in zip(given, known).enumerated() {
                if let found = unknownPath(pair.0, pair.1, path + [.index(index)]) { return found }
            }
        default: break
        }
        return nil
    }
}
