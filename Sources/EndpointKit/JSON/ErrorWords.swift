import JSONText

/// What an API says about a failure, found in the body of its answer.
public enum ErrorWords {
    /// The reason that `body` gives in its own words, or nil where it is not JSON or says nothing.
    ///
    /// Looked for under the keys that APIs use: `status_message`, `message`, `error_message`, `errors`, `error`, and a
    /// textual `status`; in this order, first in the object itself, then in what the key holds. The time grows with the length of the
    /// body, and the memory with the number of members of one object.
    public static func find(in body: [UInt8]) -> String? {
        var formatter = JSONFormatter(style: .none)
        var nothing: [UInt8] = []
        guard (try? formatter.feed(body, into: &nothing)) != nil, (try? formatter.finish(into: &nothing)) != nil,
            let whole = JSONElements.whole(of: body)
        else { return nil }
        var search = Search(body: body)
        return search.words(of: whole)
    }

    private struct Search {
        static let keys = ["status_message", "message", "error_message", "errors", "error", "status"]

        /// Nobody nests a reason deeper; a hostile body may.
        private static let maxDepth = 8

        /// Nobody reads more reasons.
        private static let most = 100

        let body: [UInt8]
        private var count = 0

        init(body: [UInt8]) { self.body = body }

        mutating func words(of value: Range<Int>, depth: Int = 0) -> String? {
            guard depth < Self.maxDepth, count < Self.most else { return nil }
            switch body[value.lowerBound] {
            case UInt8(ascii: "\""):
                guard let text = JSONElements.text(of: value, in: body), !text.isEmpty else { return nil }
                count += 1
                return text
            case UInt8(ascii: "["):
                var found: [String] = []
                var elements = JSONElements(of: value, in: body)
                while count < Self.most, let element = elements.next() {
                    if let words = words(of: element.value, depth: depth + 1) { found.append(words) }
                }
                return joined(found)
            case UInt8(ascii: "{"):
                return words(ofMembers: value, depth)
            default:
                return nil
            }
        }

        private mutating func words(ofMembers object: Range<Int>, _ depth: Int) -> String? {
            var known: [String: Range<Int>] = [:]
            var others: [(key: String, value: Range<Int>)] = []
            var members = JSONElements(of: object, in: body)
            while let member = members.next() {
                let key = member.key ?? ""
                if Self.keys.contains(key) {
                    // As in a decoder, the first of several counts.
                    if known[key] == nil { known[key] = member.value }
                } else if depth > 0, others.count < Self.most {
                    others.append((key, member.value))
                }
            }
            for key in Self.keys {
                if let found = known[key].flatMap({ words(of: $0, depth: depth + 1) }) { return found }
            }
            // Errors by field: {"title": ["can't be blank"]}.
            return joined(
                others.sorted { $0.key < $1.key }.compactMap { key, value in
                    words(of: value, depth: depth + 1).map { "\(key): \($0)" }
                })
        }

        private func joined(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: "; ") }
    }
}
