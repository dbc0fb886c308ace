import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ArgumentWriter {
    /// Throws ``ArgumentError`` if something of an argument given as JSON would silently be dropped or changed by sending `call`: a key, a null,
    /// the digits of a number.
    func checkLoss(in call: some API, _ caseName: String) throws {
        var whole: CallValue?
        for part in parts {
            guard case .json(let text, let source) = part.argument.value else { continue }
            var problem: String?
            do {
                whole = try whole ?? CallValue(call, caseName)
                let sent = part.place.reduce(whole) { $0?[$1] }
                problem = try sent.flatMap { Self.loss(of: try JSONValue(text: text), in: $0.shown) }
            } catch EncodingError.invalidValue(_, let context) {
                problem = context.debugDescription
            }
            if let problem {
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
                if Double(number) == Double(other), !areSame(number, other) {
                    return "\(pair.path.pathText): \(number) would be sent as \(other)"
                }
            default: break
            }
        }
        return nil
    }

    /// Whether two texts are the same number, whatever their spelling: `1.0`, `1` and `10e-1` are the same. A decimal holds 38 digits.
    private static func areSame(_ one: String, _ other: String) -> Bool {
        one == other || max(one.utf8.count, other.utf8.count) <= 38 && Decimal(string: one) == Decimal(string: other)
    }
}
