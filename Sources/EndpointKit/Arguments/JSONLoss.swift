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

    private static func loss(of given: JSONValue, in sent: JSONValue) -> String? {
        // Without recursion, because the text may be nested deeply; the last pair is the next one.
        var open: [(given: JSONValue, sent: JSONValue?, path: [JSONPathComponent])] = [(given, sent, [])]
        while let (given, sent, path) = open.popLast() {
            let place = path.pathText
            guard let sent else {
                return place + (given.isNull ? ": null would not be sent; leave the key out" : ": unknown key")
            }
            switch (given.content, sent.content) {
            case (.object(let members), .object(let others)):
                var keys: Set<String> = []
                if let twice = members.first(where: { !keys.insert($0.key).inserted }),
                    others.count(where: { $0.key == twice.key }) < 2
                {
                    return (path + [.key(twice.key)]).pathText + ": given twice"
                }
                open += members.map { ($1, sent[$0], path + [.key($0)]) }.reversed()
            case (.array(let elements), .array(let others)):
                open += zip(elements, others).enumerated().map { ($1.0, $1.1, path + [.index($0)]) }.reversed()
            case (.number(let number), .number(let other)):
                // A number that is another one on purpose, such as in another unit, is not a loss of digits.
                if Double(number) == Double(other), !areSame(number, other) {
                    return "\(place): \(number) would be sent as \(other)"
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
