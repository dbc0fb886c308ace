import JSONText

/// Changes JSON texts into other JSON texts. Each seed always makes the same changes.
public struct JSONMutator {
    private var random: SeededRandom

    public init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Returns `sample` after one to three changes, each of any of its values.
    ///
    /// - Throws: `JSONSyntaxError` if `sample` is not JSON.
    public mutating func changed(_ sample: [UInt8]) throws -> [UInt8] {
        var text = sample
        for _ in 0...random.number(below: 3) {
            let values = Self.values(of: try JSONValue(text: text))
            let value = random.pick(values)
            text.replaceSubrange(value.written.indices, with: replacement(for: value, among: values))
        }
        return text
    }

    /// Returns the start of `sample`, cut off anywhere before its last byte.
    public mutating func cut(_ sample: [UInt8]) -> [UInt8] { Array(sample.prefix(random.number(below: sample.count))) }

    /// Returns the text of another value, of `value` in a list, of an edited copy, or of a scalar.
    private mutating func replacement(for value: JSONValue, among values: [JSONValue]) -> [UInt8] {
        switch random.number(below: 8) {
        case 0: return Array(random.pick(values).written)
        case 1: return Array(JSONValue([value]).written)
        case 2: return Array("null".utf8)
        case 3, 4, 5:
            if let edited = edited(value) { return Array(edited.written) }
            return Array(random.pick(Self.scalars).utf8)
        default: return Array(random.pick(Self.scalars).utf8)
        }
    }

    /// Returns a value of the same kind with other content; nil for numbers, booleans and null.
    private mutating func edited(_ value: JSONValue) -> JSONValue? {
        switch value.content {
        case .string(let text): return JSONValue(edited(text))
        case .array(let elements): return JSONValue(edited(Array(elements), [1]))
        case .object(let members):
            let pairs = members.map { ($0.key, $0.value) }
            return JSONValue(edited(pairs, [("added", 1), ("a", [])]) { ($0.0 + "_", $0.1) })
        case .null, .bool, .number: return nil
        }
    }

    /// Returns `elements` with one element dropped, repeated, added or changed.
    private mutating func edited<Element>(
        _ elements: [Element], _ others: [Element], _ change: (Element) -> Element = { $0 }
    ) -> [Element] {
        guard !elements.isEmpty else { return others }
        var elements = elements
        let index = random.number(below: elements.count)
        switch random.number(below: 5) {
        case 0, 1: elements.remove(at: index)
        case 2: elements.insert(random.pick(elements), at: index)
        case 3: elements.insert(random.pick(others), at: index)
        default: elements[index] = change(elements[index])
        }
        return elements
    }

    /// Returns `text` with one character dropped, repeated, added or replaced.
    private mutating func edited(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        let index = random.number(below: scalars.count + 1)
        switch random.number(below: 4) {
        case 0 where index < scalars.count: scalars.remove(at: index)
        case 1 where index < scalars.count: scalars.insert(scalars[index], at: index)
        case 2 where index < scalars.count: scalars[index] = random.pick(Self.characters)
        default: scalars.insert(random.pick(Self.characters), at: index)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static let characters = Array("0123456789-+:.TZ aé\u{0}\n\"\\/\u{301}😀".unicodeScalars)

    /// Returns `value` and all values inside it, the outermost first.
    private static func values(of value: JSONValue) -> [JSONValue] {
        switch value.content {
        case .array(let elements): [value] + elements.flatMap { values(of: $0) }
        case .object(let members): [value] + members.flatMap { values(of: $0.value) }
        default: [value]
        }
    }

    /// Numbers at the bounds of every width and in every form, dates, and values of the other kinds.
    public static let scalars: [String] = [
        "0", "-0", "-0.0", "0.0", "0e0", "0E-5", "0e-5", "-0e5", "0.0e5", "0e+50", "0.0e-7",
        "1", "-1", "1.0", "1e0", "1e2", "1E+2", "100e-2", "1.5", "12e-1", "127", "128", "-128", "-129", "255", "256",
        "255.0", "256.0", "32767", "32768", "-32768", "-32769", "65535", "65536", "2147483647", "2147483648",
        "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740991", "9007199254740992",
        "9007199254740993", "9007199254740993.0", "-9007199254740993.0", "9007199254740993.5", "9007199254740992.5",
        "900719925474099300e-2", "9223372036854775807", "9223372036854775808", "9223372036854775807.0",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "18446744073709551615.0", "1e18", "1e19", "1e20", "9.3e18", "12345678901234567890123e-5",
        "170141183460469231731687303715884105727", "170141183460469231731687303715884105728",
        "-170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211456", "1e38", "1e39",
        "1.0000000000000001", "0.1", "0.3", "1e-7", "5e-324", "2e-324", "1e-400", "1e308", "1.7976931348623157e308",
        "1.7976931348623159e308", "1e309", "1e400", "-1e400", "3.4028235e38", "3.4028236e38", "3.5e38", "1.4e-45",
        "1e-46", "16777217", "16777216.5", "0.1000000014901161193847656", "123456789012345678",
        "1234567890123456789", "0.000000000000000000000001", "123456.789e-10", "8.5", "1e22", "1e23",
        "99999999999999999e22", "4503599627370497.5", "12345678901234567890123456789012345678",
        "123456789012345678901234567890123456789", "1234567890123456789012345678901234567890", "1e127", "1e128",
        "1e165", "1e-127", "1e-128", "0.12345678901234567890123456789012345678901", "1.10", "100", "1e0005",
        #""2026-11-21T09:30:00Z""#, #""2026-11-21T09:30:00.250Z""#, #""2026-11-21T10:30:00+01:00""#,
        #""1969-12-31T19:00:00-0500""#, #""2026-11-21""#, #""2016-12-31T23:59:60Z""#, #""2026-02-30T00:00:00Z""#,
        #""0001-01-01T00:00:00Z""#, #""9999-12-31T23:59:59Z""#,
        "true", "false", "null", #""""#, #""a""#, #""1""#, #""NaN""#, #""+Inf""#, #""-Inf""#, #""very-large""#,
        #""\ud800""#, #""\udc00""#, #""\ud83d\u0041""#, #""\u0000""#, #""a b""#, #""aGVsbG8""#, #""aGVsbG8=""#,
        #""aGVs bG8=""#, #""é""#, #""e\u0301""#, #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, #""http://[""#, "[]",
        "[1]", "{}", #"{"a":1}"#, #"[null]"#, #"{"\ud800":1}"#, #"{"a":1,"\ud800":1}"#,
    ]
}
