import JSONText

extension ArgumentDecoder {
    /// The path of the first key in `text` that `value`, decoded from it, does not have; it would silently be dropped.
    ///
    /// Keys with the value null are not reported, because an optional that is nil is not encoded.
    static func unknownKey<T>(in text: [UInt8], of value: T, _ coding: Coding) throws -> String? {
        guard let encodable = value as? any Encodable else { return nil }
        let given = JSONValue(try JSONDocument(text))
        let known = JSONValue(try JSONDocument(coding.encode(encodable)))
        return unknownPath(given, known, [])?.pathText
    }

    private static func unknownPath(
        _ given: JSONValue, _ known: JSONValue, _ path: [JSONPathComponent]
    ) -> [JSONPathComponent]? {
        switch (given.content, known.content) {
        case (.object(let members), .object):
            for (key, value) in members where !value.isNull {
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
