import JSONText

extension ArgumentDecoder {
    /// What of the JSON in `text` would silently be dropped or changed by sending `value`, which was decoded from it: a key, a null, the digits of
    /// a number; nil if nothing.
    static func loss<T>(of text: [UInt8], in value: T, _ coding: Coding) throws -> String? {
        guard let encodable = value as? any Encodable else { return nil }
        let given = JSONValue(try JSONDocument(text))
        let sent = JSONValue(try JSONDocument(coding.encode(encodable)))
        return loss(given, sent, [])
    }

    private static func loss(_ given: JSONValue, _ sent: JSONValue, _ path: [JSONPathComponent]) -> String? {
        switch (given.content, sent.content) {
        case (.object(let members), .object(let sentMembers)):
            var keys: Set<String> = []
            for (key, value) in members {
                let path = path + [.key(key)]
                if !keys.insert(key).inserted, sentMembers.count(where: { $0.key == key }) < 2 {
                    return "\(path.pathText): given twice"
                }
                guard let inner = sent[key] else {
                    let problem = value.isNull ? "null would not be sent; leave the key out" : "unknown key"
                    return "\(path.pathText): \(problem)"
                }
                if let found = loss(value, inner, path) { return found }
            }
        case (.array(let given), .array(let sent)):
            for (index, pair) in zip(given, sent).enumerated() {
                if let found = loss(pair.0, pair.1, path + [.index(index)]) { return found }
            }
        case (.number(let number), .number(let other)):
            // A number that is another one on purpose, such as in another unit, is not a loss of digits.
            if Double(number) == Double(other), DecimalDigits(number) != DecimalDigits(other) {
                return "\(path.pathText): \(number) would be sent as \(other)"
            }
        default: break
        }
        return nil
    }
}

/// The value of a JSON number, whatever its spelling: `1.0`, `1` and `10e-1` are equal.
private struct DecimalDigits: Equatable {
    private var isNegative = false
    /// Without zeros at either end.
    private var digits: [UInt8] = []
    /// Of the last digit.
    private var exponent = 0

    init(_ text: String) {
        var hasPoint = false
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): hasPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // An exponent that is no Int makes zero or infinity, which are not decoded from such a text.
                exponent &+= Int(String(Substring(rest))) ?? 0
                rest = rest.suffix(0)
            default:
                if hasPoint { exponent &-= 1 }
                if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent &+= 1
        }
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }
}
