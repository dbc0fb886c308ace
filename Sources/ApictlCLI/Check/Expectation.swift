import EndpointKit
import JSONText

/// What the values at a path must be; each of them, where there are several.
struct Expectation: Decodable, Sendable {
    /// How many there are: a number, or `{"min": 1, "max": 20}`.
    struct Count: Decodable, Sendable {
        private struct Range: Decodable {
            let min: Int?
            let max: Int?
        }

        let min: Int
        let max: Int?

        init(from decoder: any Decoder) throws {
            if let number = try? decoder.singleValueContainer().decode(Int.self) {
                (min, max) = (number, number)
            } else {
                let range = try Range(from: decoder)
                (min, max) = (range.min ?? 0, range.max)
            }
        }

        var text: String {
            guard let max else { return "at least \(min)" }
            return min == max ? "\(min)" : "\(min) to \(max)"
        }

        func includes(_ number: Int) -> Bool { number >= min && number <= max ?? .max }
    }

    enum Kind: String, Decodable, Sendable, CaseIterable {
        case string, number, integer, boolean, array, object, null
    }

    /// Of a list its elements, of an object its members, of anything else the values that the path finds.
    let count: Count?
    let equals: JSONValue?
    /// A regular expression (RFC 9485) for the whole text.
    let matches: String?
    let exists: Bool?
    let type: Kind?

    /// What `document` does not have of it at `path`.
    func problems(_ path: ValuePath, in document: JSONDocument) -> [CheckProblem] {
        func wrong(_ expected: String, _ found: String) -> CheckProblem {
            CheckProblem(.wrongValue, path: path.text, expected: expected, found: found)
        }
        let values: [JSONValue]
        do {
            values = try path.values(in: document)
        } catch {
            return [wrong("a shorter search", "\(error)")]
        }
        if exists == false { return values.first.map { [wrong("nothing", $0.shown)] } ?? [] }
        if values.isEmpty, count == nil { return [CheckProblem(.missingKey, path: path.text)] }
        var problems: [CheckProblem] = []
        if let count {
            let found = values.count == 1 ? values[0].length ?? 1 : values.count
            if !count.includes(found) { problems.append(wrong("count \(count.text)", "\(found)")) }
        }
        func require(_ kind: CheckProblem.Kind, _ expected: String, _ holds: (JSONValue) -> Bool) {
            let others = values.filter { !holds($0) }
            guard let first = others.first else { return }
            problems.append(
                CheckProblem(
                    kind, path: path.text, expected: expected, found: first.shown, count: others.count,
                    of: values.count))
        }
        if let type { require(.wrongType, type.rawValue) { $0.isOf(type) } }
        if let equals { require(.wrongValue, equals.shown) { $0 == equals } }
        if let matches { require(.wrongValue, "text that matches \(matches)") { $0.matches(matches) } }
        return problems
    }
}

extension JSONValue {
    fileprivate var length: Int? { elements?.count ?? members?.count }

    fileprivate func isOf(_ kind: Expectation.Kind) -> Bool {
        switch content {
        case .null: kind == .null
        case .bool: kind == .boolean
        case .number: kind == .number || kind == .integer && integer(Int.self) != nil
        case .string: kind == .string
        case .array: kind == .array
        case .object: kind == .object
        }
    }

    /// Whether it is a text that the expression matches as a whole; JSONPath has the function for it (RFC 9535, section 2.4.6).
    fileprivate func matches(_ expression: String) -> Bool {
        guard string != nil, let path = ValuePath("$[?match(@, \(JSONQuoting.quoted(expression)))]"),
            let document = try? JSONDocument(Array(JSONValue([self]).written))
        else { return false }
        return (try? path.values(in: document, max: 1))?.isEmpty == false
    }
}
