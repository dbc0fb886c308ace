import EndpointKit
import JSONText

/// The file of `--cases`: calls with what their responses must be, beyond what the models say.
struct CaseFile: Decodable, Sendable {
    /// One call.
    struct Case: Decodable, Sendable {
        let endpoint: String
        /// The parameters by their names; `{{NAME}}` in a text is replaced by what an earlier case has captured.
        let arguments: [String: JSONValue]?
        let status: Int?
        let maxLatency: String?
        let expect: [String: Expectation]?
        let capture: [String: String]?
    }

    let version: SettingsVersion
    let cases: [Case]

    /// `check --init`: a file with the examples of endpoints, to start from.
    static func template(of declarations: [EndpointDeclaration]) throws -> [UInt8] {
        let cases = try declarations.flatMap { declaration in
            try declaration.examples.map { example in
                let arguments = try CallValue.parameters(of: example).sorted { $0.name < $1.name }
                return JSONValue(
                    [("endpoint", JSONValue(declaration.name))]
                        + (arguments.isEmpty ? [] : [("arguments", JSONValue(arguments))]))
            }
        }
        let file: JSONValue = ["version": 1, "cases": JSONValue(cases)]
        return try JSONTextEncoder().encode(file, formattedBy: JSONFormatter(style: .pretty(indent: .spaces(2))))
    }
}

extension JSONPath {
    /// The values in `document`, not more than `max`. Throws `JSONPathLimit`.
    func values(in document: JSONDocument, max: Int = 10_000) throws -> [JSONValue] {
        var found: [JSONValue] = []
        try select(in: document) { slot in
            found.append(JSONValue(document, slot: slot))
            return found.count < max
        }
        return found
    }
}

/// What the values at a path must be; each of them, where there are several.
struct Expectation: Decodable, Sendable {
    /// How many there are: a number, or `{"min": 1, "max": 20}`.
    struct Count: Decodable, Sendable {
        private enum CodingKeys: CodingKey { case min, max }

        let min: Int
        let max: Int?

        init(from decoder: any Decoder) throws {
            if let number = try? decoder.singleValueContainer().decode(Int.self) {
                (min, max) = (number, number)
            } else {
                let range = try decoder.container(keyedBy: CodingKeys.self)
                min = try range.decodeIfPresent(Int.self, forKey: .min) ?? 0
                max = try range.decodeIfPresent(Int.self, forKey: .max)
            }
        }

        var text: String { max.map { min == $0 ? "\(min)" : "\(min) to \($0)" } ?? "at least \(min)" }
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

    /// What `document` does not have of it at `path`, the text of `query`.
    func problems(_ path: String, _ query: JSONPath, in document: JSONDocument) -> [CheckProblem] {
        func wrong(_ expected: String, _ found: String) -> CheckProblem {
            CheckProblem(.wrongValue, path: path, expected: expected, found: found)
        }
        let values: [JSONValue]
        do {
            values = try query.values(in: document)
        } catch {
            return [wrong("a shorter search", "\(error)")]
        }
        if exists == false { return values.first.map { [wrong("nothing", $0.shown)] } ?? [] }
        if values.isEmpty, count == nil { return [CheckProblem(.missingKey, path: path)] }
        var problems: [CheckProblem] = []
        if let count {
            let own = values.count == 1 ? values[0].elements?.count ?? values[0].members?.count : nil
            let found = own ?? values.count
            let fits = found >= count.min && found <= count.max ?? .max
            if !fits { problems.append(wrong("count \(count.text)", "\(found)")) }
        }
        func require(_ kind: CheckProblem.Kind, _ expected: String, _ holds: (JSONValue) -> Bool) {
            let others = values.filter { !holds($0) }
            guard let first = others.first else { return }
            problems.append(
                CheckProblem(
                    kind, path: path, expected: expected, found: first.shown, count: others.count, of: values.count))
        }
        if let type { require(.wrongType, type.rawValue) { $0.isOf(type) } }
        if let equals { require(.wrongValue, equals.shown) { $0 == equals } }
        if let matches { require(.wrongValue, "text that matches \(matches)") { $0.matches(matches) } }
        return problems
    }
}

extension JSONValue {
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
        guard string != nil, let path = try? JSONPath("$[?match(@, \(JSONQuoting.quoted(expression)))]"),
            let document = try? JSONDocument(Array(JSONValue([self]).written))
        else { return false }
        return (try? path.values(in: document, max: 1))?.isEmpty == false
    }
}
