import EndpointKit
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
        let body: JSONValue?
        /// A credential's name, or `none`.
        let auth: String?
        let status: Deferred<ExpectedStatus>?
        let maxLatency: Deferred<Latency>?
        let retry: Deferred<UInt8>?
        let expect: [String: Expectation]?
        let capture: [String: Deferred<CasePath>]?
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

/// A value of a case, or a text with `{{NAME}}` in its place, which is known once the case is carried out.
struct Deferred<Value: Decodable & Sendable>: Decodable, Sendable {
    private let value: Value?

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(JSONValue.self).string
        value = text?.placeholders.isEmpty == false ? nil : try Value(from: decoder)
    }

    /// Throws ``UsageError`` if what was captured has such a text itself.
    func known() throws(UsageError) -> Value {
        if let value { return value }
        throw UsageError("it contains {{…}}")
    }
}

/// The status that a case expects: `404`, or `"4xx"` for all of its class.
struct ExpectedStatus: Decodable, Sendable {
    let range: ClosedRange<Int>

    init(from decoder: any Decoder) throws {
        let json = try decoder.singleValueContainer().decode(JSONValue.self)
        let text = json.string ?? ""
        if let status = json.integer(), (100...599).contains(status) {
            range = status...status
        } else if let first = Int(text.prefix(1)), (1...5).contains(first), text.dropFirst() == "xx" {
            range = first * 100...first * 100 + 99
        } else {
            throw decoder.mismatch("a status such as 404, or \"4xx\"")
        }
    }
}

struct Latency: Decodable, Sendable {
    let limit: Duration

    init(from decoder: any Decoder) throws {
        guard let limit = DurationText.parse(try String(from: decoder)) else {
            throw decoder.mismatch(DurationText.expectation)
        }
        self.limit = limit
    }
}

/// A path to values of the response.
struct CasePath: Decodable, Sendable {
    static let expectation = "a path such as results.0.id or $.results[0].id"

    let text: String
    let query: JSONPath

    init(from decoder: any Decoder) throws {
        text = try String(from: decoder)
        guard let query = try? JSONPath(text) else { throw decoder.mismatch(Self.expectation) }
        self.query = query
    }
}

/// A regular expression (RFC 9485).
struct TextPattern: Decodable, Sendable {
    private static let maxSteps = 50_000_000

    let text: String
    private let expression: IRegexp

    init(from decoder: any Decoder) throws {
        text = try String(from: decoder)
        guard case .success(let expression)? = IRegexp.compile(text) else {
            throw decoder.mismatch("a regular expression (RFC 9485)")
        }
        self.expression = expression
    }

    /// Whether a part of `text` fits. One that takes too long to search does not.
    func matches(_ text: String) -> Bool {
        var steps = 0
        let isFound = try? expression.matches(text.unicodeScalars, isWhole: false) { count in
            steps += count
            if steps > Self.maxSteps { throw JSONPathLimit.tooManySteps(Self.maxSteps) }
        }
        return isFound ?? false
    }
}

extension Decoder {
    fileprivate func mismatch(_ expected: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: expected))
    }
}

extension JSONPath {
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

/// What the values at a path must be; each of them, if there are several.
struct Expectation: Decodable, Sendable {
    /// How many there are: a number, or `{"equals": 3}`, `{"min": 1, "max": 20}`.
    struct Count: Decodable, Sendable {
        private enum CodingKeys: CodingKey { case equals, min, max }

        private let equals: Deferred<Int>?
        private let min: Deferred<Int>?
        private let max: Deferred<Int>?

        init(from decoder: any Decoder) throws {
            if let number = try? decoder.singleValueContainer().decode(Deferred<Int>.self) {
                (equals, min, max) = (number, nil, nil)
            } else {
                let range = try decoder.container(keyedBy: CodingKeys.self)
                equals = try range.decodeIfPresent(Deferred<Int>.self, forKey: .equals)
                min = try range.decodeIfPresent(Deferred<Int>.self, forKey: .min)
                max = try range.decodeIfPresent(Deferred<Int>.self, forKey: .max)
            }
        }

        /// What is expected of a list with so many elements that is not so; nil if it fits.
        func problem(_ count: Int) throws -> String? {
            if let equals = try equals?.known(), count != equals { return "\(equals)" }
            let (least, most) = (try min?.known() ?? 0, try max?.known())
            if count >= least, count <= most ?? .max { return nil }
            return most.map { "\(least) to \($0)" } ?? "at least \(least)"
        }
    }

    enum Kind: String, Decodable, Sendable, CaseIterable {
        case string, number, integer, boolean, array, object, null
    }

    /// Of a list its elements, of an object its members, of anything else the values that the path finds.
    let count: Count?
    let equals: JSONValue?
    /// An expression that a part of the text fits.
    let matches: Deferred<TextPattern>?
    /// A part of a text, or an element of a list.
    let contains: JSONValue?
    let min: Deferred<Double>?
    let max: Deferred<Double>?
    let exists: Deferred<Bool>?
    let type: Deferred<Kind>?

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
        let isOnlyCounted =
            count != nil && exists == nil && type == nil && equals == nil && contains == nil && min == nil
            && max == nil && matches == nil
        if values.isEmpty, !isOnlyCounted { return [CheckProblem(.missingKey, path: path)] }
        var problems: [CheckProblem] = []
        let own = values.count == 1 ? values[0].elements?.count ?? values[0].members?.count : nil
        if let expected = try count?.problem(own ?? values.count) {
            problems.append(wrong("count \(expected)", "\(own ?? values.count)"))
        }
        func require(_ kind: CheckProblem.Kind, _ expected: String, _ holds: (JSONValue) -> Bool) {
            let others = values.filter { !holds($0) }
            guard let first = others.first else { return }
            problems.append(
                CheckProblem(
                    kind, path: path, expected: expected, found: first.shown, count: others.count, of: values.count))
        }
        if let type = try type?.known() { require(.wrongType, type.rawValue) { $0.isOf(type) } }
        if let equals { require(.wrongValue, equals.shown) { $0.isSame(as: equals) } }
        if let contains { require(.wrongValue, "something that contains \(contains.shown)") { $0.holds(contains) } }
        if let min = try min?.known() {
            require(.wrongValue, "at least \(min.shown)") { $0.double.map { $0 >= min } ?? false }
        }
        if let max = try max?.known() {
            require(.wrongValue, "at most \(max.shown)") { $0.double.map { $0 <= max } ?? false }
        }
        if let pattern = try matches?.known() {
            require(.wrongValue, "text that matches \(pattern.text)") { $0.string.map(pattern.matches) ?? false }
        }
        return problems
    }
}

extension Double {
    fileprivate var shown: String { description.hasSuffix(".0") ? String(description.dropLast(2)) : description }
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

    /// Whether it is a text with that part, or a list with that element.
    fileprivate func holds(_ part: JSONValue) -> Bool {
        if let string, let part = part.string { return string.exactBytes.holds(part.exactBytes) }
        return elements?.contains { $0.isSame(as: part) } ?? false
    }

    /// Whether it is the same value: `1` and `1.0` are, and so are objects with the same members in another order.
    func isSame(as other: JSONValue) -> Bool {
        switch (content, other.content) {
        case (.number(let one), .number(let other)): one == other || DecimalNumber(one) == DecimalNumber(other)
        case (.array(let ones), .array(let others)):
            ones.count == others.count && zip(ones, others).allSatisfy { $0.isSame(as: $1) }
        case (.object(let ones), .object(let others)):
            Self.areSame(Self.byKey(ones), Self.byKey(others))
        default: self == other
        }
    }

    private static func areSame(_ ones: [[UInt8]: JSONValue], _ others: [[UInt8]: JSONValue]) -> Bool {
        ones.count == others.count && ones.allSatisfy { key, value in others[key].map(value.isSame) ?? false }
    }

    /// Of several members with the same key the first counts.
    private static func byKey(_ members: [(key: String, value: JSONValue)]) -> [[UInt8]: JSONValue] {
        Dictionary(members.map { ($0.key.exactBytes, $0.value) }) { first, _ in first }
    }
}

extension [UInt8] {
    /// Whether `part` is somewhere in these bytes. Time is in both lengths (Knuth, Morris and Pratt).
    fileprivate func holds(_ part: [UInt8]) -> Bool {
        if part.isEmpty { return true }
        // How many bytes of the part are still matched if the next one differs.
        var borders = [0]
        func next(_ byte: UInt8, after count: Int) -> Int {
            var count = count
            while count > 0, part[count] != byte { count = borders[count - 1] }
            return part[count] == byte ? count + 1 : 0
        }
        for byte in part.dropFirst() { borders.append(next(byte, after: borders[borders.count - 1])) }
        var count = 0
        return contains { byte in
            count = next(byte, after: count)
            return count == part.count
        }
    }
}

/// A number of any length by its value: digits that count, times a power of ten.
private struct DecimalNumber: Equatable {
    private let isNegative: Bool
    private let digits: String
    private let exponent: Int

    /// `text` is a JSON number.
    init(_ text: String) {
        let parts = text.lowercased().split(separator: "e")
        let number = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let all = number.joined().drop { $0 == "0" }
        let zeros = all.reversed().prefix { $0 == "0" }.count
        digits = String(all.dropLast(zeros))
        isNegative = text.hasPrefix("-") && !digits.isEmpty
        let power = parts.count > 1 ? Int(parts[1].drop { $0 == "+" }) ?? .max : 0
        let shift = zeros - (number.count > 1 ? number[1].count : 0)
        exponent = digits.isEmpty ? 0 : power.addingReportingOverflow(shift).partialValue
    }
}
