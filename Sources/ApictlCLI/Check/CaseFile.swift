import EndpointKit
import EndpointTools
import JSONText

/// The file of `--cases`: calls with what their responses must be, beyond what the models say.
struct CaseFile: Decodable, Sendable {
    /// One call. `{{NAME}}` in a text is replaced by what an earlier case has captured; a text that is nothing else becomes the captured value.
    struct Case: Decodable, Sendable {
        let name: String?
        let endpoint: String
        /// The parameters by their names.
        let arguments: [String: JSONValue]?
        let query: [String: JSONValue]?
        /// Null leaves a header out.
        let headers: [String: JSONValue]?
        /// Null is sent as such.
        let body: Nullable<JSONValue>?
        /// A credential's name, or `none`.
        let auth: String?
        let status: CaseTemplate<ClosedRange<Int>>?
        let maxLatency: CaseTemplate<Duration>?
        let retry: CaseTemplate<Int>?
        let expect: [String: CaseExpectation]?
        let capture: [String: CaseTemplate<JSONPath>]?
    }

    let version: SettingsVersion
    let cases: [Case]

    /// `check --init`: a file with the examples of endpoints, to start from.
    static func template(of declarations: [EndpointDeclaration]) throws -> [UInt8] {
        let cases = try declarations.flatMap { declaration in
            try declaration.examples.map { example in
                let arguments = try example.values().parameters.sorted { $0.name < $1.name }
                return JSONValue(
                    [("endpoint", JSONValue(declaration.name))]
                        + (arguments.isEmpty ? [] : [("arguments", JSONValue(arguments))]))
            }
        }
        let file: JSONValue = ["version": 1, "cases": JSONValue(cases)]
        return try JSONFormatter(style: .pretty(indent: .spaces(2))).formatted(JSONTextEncoder().encode(file))
    }
}

/// What a value of a case is parsed into.
protocol CaseValue: Sendable {
    static var expectation: String { get }
    /// Nil if the value is not as expected.
    static func parsed(_ json: JSONValue) -> Self?
}

/// A value of a case, parsed; a text with `{{NAME}}` in it is parsed once the case is carried out.
struct CaseTemplate<Value: CaseValue>: Decodable, Sendable {
    private let json: JSONValue
    private let value: Value?

    init(from decoder: any Decoder) throws {
        json = try JSONValue(from: decoder)
        let isDeferred = json.string?.placeholders.isEmpty == false
        value = isDeferred ? nil : Value.parsed(json)
        guard isDeferred || value != nil else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: Value.expectation))
        }
    }

    /// As it is in the file, a string without quotes.
    var text: String { json.text }

    /// Throws ``UsageError`` if what was captured has such a text itself.
    func known() throws(UsageError) -> Value {
        if let value { return value }
        throw UsageError("it contains {{…}}")
    }
}

/// The statuses that a case expects: `404`, or `"4xx"` for all of its class.
extension ClosedRange<Int>: CaseValue {
    static var expectation: String { "a status such as 404, or \"4xx\"" }

    static func parsed(_ json: JSONValue) -> Self? {
        if let status = json.integer(Int.self) { return (100...599).contains(status) ? status...status : nil }
        guard let text = json.string, text.dropFirst() == "xx", let first = Int(text.prefix(1)), (1...5).contains(first)
        else { return nil }
        return first * 100...first * 100 + 99
    }
}

extension Duration: CaseValue {
    static let expectation = DurationText.expectation

    static func parsed(_ json: JSONValue) -> Duration? { DurationText.parse(json.text) }
}

extension Int: CaseValue {
    static let expectation = "a whole number from 0"

    static func parsed(_ json: JSONValue) -> Int? { json.integer().flatMap { $0 < 0 ? nil : $0 } }
}

extension Bool: CaseValue {
    static let expectation = "boolean"

    static func parsed(_ json: JSONValue) -> Bool? { json.bool }
}

extension JSONPath: CaseValue {
    static let expectation = "a path such as results.0.id or $.results[0].id"

    static func parsed(_ json: JSONValue) -> JSONPath? { json.string.flatMap { try? JSONPath($0) } }

    /// The values in `document`, not more than `max`. Throws `JSONPathLimit`.
    func values(in document: JSONDocument, max: Int = .max) throws -> [JSONValue] {
        var found: [JSONValue] = []
        try select(in: document) { slot in
            found.append(JSONValue(document, slot: slot))
            return found.count < max
        }
        return found
    }
}

extension IRegexp: CaseValue {
    static let expectation = "a regular expression (RFC 9485)"

    private static let maxSteps = 50_000_000

    static func parsed(_ json: JSONValue) -> IRegexp? { try? json.string.flatMap(compile)?.get() }

    /// Whether a part of `text` fits. One that takes too long to search does not.
    fileprivate func fits(_ text: String) -> Bool {
        var steps = 0
        let isFound = try? matches(text.unicodeScalars, isWhole: false) { count in
            steps += count
            if steps > Self.maxSteps { throw JSONPathLimit.tooManySteps(Self.maxSteps) }
        }
        return isFound ?? false
    }
}

extension DecimalNumber: CaseValue {
    static let expectation = "number"

    static func parsed(_ json: JSONValue) -> DecimalNumber? { json.number.map { DecimalNumber($0) } }
}

/// What the values at a path must be; each of them, if there are several.
struct CaseExpectation: Decodable, Sendable {
    /// How many there are: a number, or `{"equals": 3}`, `{"min": 1, "max": 20}`.
    struct Count: Decodable, Sendable {
        private enum CodingKeys: CodingKey { case equals, min, max }

        private let equals: CaseTemplate<Int>?
        private let min: CaseTemplate<Int>?
        private let max: CaseTemplate<Int>?

        init(from decoder: any Decoder) throws {
            let number = Result { try decoder.singleValueContainer().decode(CaseTemplate<Int>.self) }
            if let range = try? decoder.container(keyedBy: CodingKeys.self) {
                equals = try range.decodeIfPresent(CaseTemplate.self, forKey: .equals)
                min = try range.decodeIfPresent(CaseTemplate.self, forKey: .min)
                max = try range.decodeIfPresent(CaseTemplate.self, forKey: .max)
            } else {
                (equals, min, max) = (try number.get(), nil, nil)
            }
        }

        var isEmpty: Bool { equals == nil && min == nil && max == nil }
        var isImpossible: Bool { CaseExpectation.isEmpty(min, max) }

        /// What is expected of a list with so many elements that is not so; nil if it fits.
        func problem(_ count: Int) throws -> String? {
            if let equals = try equals?.known(), count != equals { return "\(equals)" }
            let (least, most) = (try min?.known() ?? 0, try max?.known())
            if count >= least, count <= most ?? .max { return nil }
            return most.map { "\(least) to \($0)" } ?? "at least \(least)"
        }
    }

    enum Kind: String, CaseValue, CaseIterable {
        case string, number, integer, boolean, array, object, null

        static var expectation: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }

        static func parsed(_ json: JSONValue) -> Kind? { json.string.flatMap(Kind.init) }

        fileprivate func includes(_ value: JSONValue) -> Bool {
            value.kind.rawValue == rawValue || self == .integer && DecimalNumber.parsed(value)?.isInteger == true
        }
    }

    /// Of a list its elements, of an object its members, of anything else the values that the path finds.
    let count: Count?
    let equals: Nullable<JSONValue>?
    /// An expression that a part of the text fits.
    let matches: CaseTemplate<IRegexp>?
    /// A part of a text, or an element of a list.
    let contains: Nullable<JSONValue>?
    let min: CaseTemplate<DecimalNumber>?
    let max: CaseTemplate<DecimalNumber>?
    let exists: CaseTemplate<Bool>?
    let type: CaseTemplate<Kind>?

    /// What is expected besides a count.
    private var ofValues: [Any?] { [exists, type, equals, contains, min, max, matches] }

    var isEmpty: Bool { count.map(\.isEmpty) ?? !ofValues.contains { $0 != nil } }

    /// Whether bounds leave nothing between them, or what must not be there must be something.
    var isImpossible: Bool {
        let excludes = (try? exists?.known()) == false && (count != nil || ofValues.dropFirst().contains { $0 != nil })
        return excludes || Self.isEmpty(min, max) || count?.isImpossible == true
    }

    fileprivate static func isEmpty<Value: Comparable>(_ least: CaseTemplate<Value>?, _ most: CaseTemplate<Value>?)
        -> Bool
    {
        guard let least = try? least?.known(), let most = try? most?.known() else { return false }
        return least > most
    }

    /// What `document` does not have of it at `path`. Throws ``UsageError`` for a captured value that can't be used.
    func problems(_ path: String, _ query: JSONPath, in document: JSONDocument) throws -> [CheckProblem] {
        func wrong(_ expected: String, _ found: String) -> CheckProblem {
            CheckProblem(.wrongValue, path: path, expected: expected, found: found)
        }
        let values: [JSONValue]
        do {
            values = try query.values(in: document)
        } catch {
            return [wrong("a shorter search", "\(error)")]
        }
        if try exists?.known() == false { return values.first.map { [wrong("nothing", $0.shown)] } ?? [] }
        if values.isEmpty, count == nil || ofValues.contains(where: { $0 != nil }) {
            return [CheckProblem(.missingKey, path: path)]
        }
        var problems: [CheckProblem] = []
        let own = values.count == 1 ? values[0].elements?.count ?? values[0].members?.count : nil
        if let expected = try count?.problem(own ?? values.count) {
            problems.append(wrong("count \(expected)", "\(own ?? values.count)"))
        }
        func require(_ expected: String, _ kind: CheckProblem.Kind = .wrongValue, _ fits: (JSONValue) -> Bool) {
            let others = values.filter { !fits($0) }
            guard let first = others.first else { return }
            problems.append(
                CheckProblem(
                    kind, path: path, expected: expected, found: first.shown, count: others.count, total: values.count))
        }
        func require(
            _ bound: CaseTemplate<DecimalNumber>?, _ words: String, _ fits: (DecimalNumber, DecimalNumber) -> Bool
        )
            throws
        {
            guard let bound, case let number = try bound.known() else { return }
            require("\(words) \(bound.text)") { DecimalNumber.parsed($0).map { fits($0, number) } ?? false }
        }
        if let type = try type?.known() { require(type.rawValue, .wrongType, type.includes) }
        if let equals = equals?.json { require(equals.shown) { $0.isSame(as: equals) } }
        if let contains = contains?.json { require("something that contains \(contains.shown)") { $0.holds(contains) } }
        try require(min, "at least", >=)
        try require(max, "at most", <=)
        if let matches, case let pattern = try matches.known() {
            require("text that matches \(matches.text)") { $0.string.map(pattern.fits) ?? false }
        }
        return problems
    }
}

extension Nullable<JSONValue> {
    var json: JSONValue { if case .value(let value) = self { value } else { .null } }
}

extension JSONValue {
    /// Whether it is a text with that part, or a list with that element.
    fileprivate func holds(_ part: JSONValue) -> Bool {
        if let string, let part = part.string { return string.exactBytes.contains(part.exactBytes) }
        return elements?.contains { $0.isSame(as: part) } ?? false
    }
}
