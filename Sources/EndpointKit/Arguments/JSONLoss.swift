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
        for part in parts {
            guard case .json(let text, let source) = part.argument.value else { continue }
            let written: JSONValue
            do {
                let coding = type(of: call).coding.keepingKeys(depth: part.depth)
                written = try JSONValue(text: coding.encode(call))
            } catch EncodingError.invalidValue(_, let context) {
                throw ArgumentError.invalidJSON(
                    part.argument.path, source: source, problem: context.debugDescription,
                    position: part.argument.position)
            }
            var sent = written[caseName]
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
                if Double(number) == Double(other), !pair.given.isSameNumber(as: other) {
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

extension JSONValue {
    /// Whether the number is the same as one with the text `other`, whatever their spelling: `1.0`, `1` and `10e-1` are the same.
    fileprivate func isSameNumber(as other: String) -> Bool {
        let texts = [description, other]
        if texts[0] == texts[1] { return true }
        guard Double(texts[0]) == Double(texts[1]) else { return false }
        // A decimal holds 38 digits.
        return texts.allSatisfy { $0.utf8.count <= 38 } && Decimal(string: texts[0]) == Decimal(string: texts[1])
    }
}
