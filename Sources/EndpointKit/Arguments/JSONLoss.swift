import JSONText

extension ArgumentWriter {
    /// Throws ``ArgumentError`` if something of an argument given as JSON would silently be dropped or changed by sending `call`: a key, a null,
    /// the digits of a number.
    func checkLoss(in call: some API, _ caseName: String) throws {
        for part in parts {
            guard case .json(let text, let source) = part.argument.value else { continue }
            let written = type(of: call).coding.keepingKeys(depth: part.depth)
            var sent = try JSONValue(text: written.encode(call))[caseName]
            for name in part.argument.path { sent = sent.flatMap { $0[name] ?? $0.element(Int(name)) } }
            if let index = part.index { sent = sent?.element(index) }
            if let sent, let problem = Self.loss(of: try JSONValue(text: text), in: sent) {
                throw ArgumentError.invalidJSON(
                    part.argument.path, source: source, problem: problem, position: part.argument.position)
            }
        }
    }

    /// Two values at the same place, or what is wrong there.
    private struct Pair {
        let given: JSONValue
        let sent: JSONValue
        let path: [JSONPathComponent]
        var problem: String?
    }

    private static func loss(of given: JSONValue, in sent: JSONValue) -> String? {
        // Without recursion, because the text may be nested deeply; the last pair is the next one.
        var open = [Pair(given: given, sent: sent, path: [])]
        while let pair = open.popLast() {
            if let problem = pair.problem { return "\(pair.path.pathText): \(problem)" }
            switch (pair.given.content, pair.sent.content) {
            case (.object(let members), .object(let sentMembers)):
                var keys: Set<String> = []
                let pairs = members.map { key, value in
                    let sent = pair.sent[key]
                    var inner = Pair(given: value, sent: sent ?? .null, path: pair.path + [.key(key)])
                    if !keys.insert(key).inserted, sentMembers.count(where: { $0.key == key }) < 2 {
                        inner.problem = "given twice"
                    } else if sent == nil {
                        inner.problem = value.isNull ? "null would not be sent; leave the key out" : "unknown key"
                    }
                    return inner
                }
                open += pairs.reversed()
            case (.array(let given), .array(let sent)):
                let pairs = zip(given, sent).enumerated().map { index, values in
                    Pair(given: values.0, sent: values.1, path: pair.path + [.index(index)])
                }
                open += pairs.reversed()
            case (.number(let number), .number(let other)):
                // A number that is another one on purpose, such as in another unit, is not a loss of digits.
                if Double(number) == Double(other), DecimalDigits(number) != DecimalDigits(other) {
                    return "\(pair.path.pathText): \(number) would be sent as \(other)"
                }
            default: break
            }
        }
        return nil
    }
}

extension JSONValue {
    fileprivate func element(_ index: Int?) -> JSONValue? {
        guard let index, let elements else { return nil }
        return elements.dropFirst(index).first { _ in true }
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
