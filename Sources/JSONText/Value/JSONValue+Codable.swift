extension JSONValue: Codable {
    /// Decodes a value of any kind.
    ///
    /// ``JSONTextDecoder`` takes the value as it is written. Any other decoder does not pass on the text, and is asked
    /// for each kind in turn. Then the text of a number is made from its value, and the order of keys is not kept.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            self = try decoder.decode(JSONValue.self)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self.init(value)
        } else if let number = Self.decodeNumber(from: container) {
            self = number
        } else if let value = try? container.decode(String.self) {
            self.init(value)
        } else if let values = try? container.decode([JSONValue].self) {
            self.init(values)
        } else {
            let members = try container.decode([String: JSONValue].self)
            self.init(members.map { ($0.key, $0.value) })
        }
    }

    /// Decodes a number from the container of any other decoder, with as many digits as Swift's types can hold.
    ///
    /// Integers come first, because a double holds only integers up to 2^53 exactly.
    ///
    /// - Returns: The number, or nil if the container has any other value.
    private static func decodeNumber(from container: any SingleValueDecodingContainer) -> JSONValue? {
        if let value = try? container.decode(Int64.self) { return JSONValue(value) }
        if let value = try? container.decode(UInt64.self) { return JSONValue(value) }
        // Every number can be read as a double, if not exactly.
        guard let value = try? container.decode(Double.self) else { return nil }
        // A decimal has more digits than a double, but a smaller range.
        if let decimal = try? container.decode(Decimal.self) { return JSONValue(known: "\(decimal)") }
        return JSONValue(known: "\(value)")
    }

    /// Encodes the value.
    ///
    /// ``JSONTextEncoder`` does not call this: it writes the value as it is. Any other encoder gets arrays,
    /// dictionaries, and numbers as integers, doubles or decimals.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch content {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .number(let text): try Self.encodeNumber(text, to: &container)
        case .array(let elements): try container.encode(elements)
        case .object(let members):
            // A dictionary has each key once. Of several members with the same key the first one counts, as in the
            // subscript.
            let pairs = members.map { ($0.key, $0.value) }
            try container.encode(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// Encodes a number as an integer, a double or a decimal: the first of them that holds it exactly. If none does, it
    /// is encoded as a double.
    private static func encodeNumber(_ text: String, to container: inout any SingleValueEncodingContainer) throws {
        if let integer = Int64(text) { return try container.encode(integer) }
        if let integer = UInt64(text) { return try container.encode(integer) }
        let nearestDouble = Double(text)
        if let nearestDouble, "\(nearestDouble)" == text { return try container.encode(nearestDouble) }
        if let decimal = Decimal(string: text) { return try container.encode(decimal) }
        // Every JSON number has a nearest double, which may be infinity.
        try container.encode(nearestDouble)
    }
}

extension JSONValue {
    /// Reads a JSON text in UTF-8.
    ///
    /// - Throws: ``JSONSyntaxError`` if the text is not one JSON document.
    public init(text: [UInt8]) throws {
        self.init(try JSONDocument(text))
    }

    /// JSON's `null`. In contrast, a `nil` of an optional value stands for a value that is absent.
    public static let null = JSONValue(known: "null")

    /// Makes a boolean.
    public init(_ value: Bool) { self.init(known: "\(value)") }

    /// Makes a number of an integer.
    public init(_ value: some FixedWidthInteger) { self.init(known: "\(value)") }

    /// Makes a number: the shortest text that reads back as the same double. Infinity and NaN, which JSON cannot
    /// express, become null.
    public init(_ value: Double) { self.init(known: value.isFinite ? "\(value)" : "null") }

    /// Makes a string.
    public init(_ value: String) {
        var text: [UInt8] = []
        JSONQuoting.append(value, to: &text)
        self.init(JSONDocument(known: text))
    }

    /// Makes an array.
    public init(_ elements: some Sequence<JSONValue>) {
        self.init(JSONDocument(joining: elements.map { (nil, $0) }, isObject: false))
    }

    /// Makes an object with its members in this order. A key may occur twice.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        self.init(JSONDocument(joining: members.map { ($0, $1) }, isObject: true))
    }

    /// Makes a value of a text that is known to be JSON.
    private init(known text: String) { self.init(JSONDocument(known: Array(text.utf8))) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self.init(value) }
    public init(integerLiteral value: Int) { self.init(value) }
    public init(floatLiteral value: Double) { self.init(value) }
    public init(stringLiteral value: String) { self.init(value) }
    public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
    public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}
