extension JSONValue: Codable {
    /// Decodes a value of any kind.
    ///
    /// ``JSONTextDecoder`` takes the value as it is written. Any other decoder is asked for each kind in turn, so that a number has the text
    /// that its value is written with, and the order of keys is the decoder's.
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
        } else if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Double.self) {
            // A decimal has more digits, but fewer magnitudes.
            let decimal = try? container.decode(Decimal.self)
            self.init(known: (decimal.map { "\($0)" } ?? "\(value)"))
        } else if let value = try? container.decode(String.self) {
            self.init(value)
        } else if let values = try? container.decode([JSONValue].self) {
            self.init(values)
        } else {
            self.init(try container.decode([String: JSONValue].self).map { ($0.key, $0.value) })
        }
    }

    /// Encodes the value: ``JSONTextEncoder`` writes it as it is; any other encoder gets arrays, dictionaries, and numbers as integers if they
    /// are, else as decimals.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch content {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .number(let text):
            if let value = Int64(text) {
                try container.encode(value)
            } else if let value = UInt64(text) {
                try container.encode(value)
            } else if let double, "\(double)" == text {
                try container.encode(double)
            } else if let value = Decimal(string: text) {
                try container.encode(value)
            } else {
                try container.encode(Double(text))
            }
        case .array(let elements): try container.encode(elements)
        case .object(let members):
            try container.encode(
                Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
        }
    }
}

extension JSONValue {
    /// The value of the JSON text `text`, in UTF-8.
    ///
    /// Throws ``JSONSyntaxError`` if it is not one JSON document.
    public init(text: [UInt8]) throws {
        self.init(try JSONDocument(text))
    }

    /// JSON's `null`; a `nil` of an optional value is one that is not there.
    public static let null = JSONValue(known: "null")

    public init(_ value: Bool) { self.init(known: "\(value)") }

    public init(_ value: some FixedWidthInteger) { self.init(known: "\(value)") }

    /// The shortest text that gives the same double again; null for infinity and NaN, for which JSON has no number.
    public init(_ value: Double) { self.init(known: value.isFinite ? "\(value)" : "null") }

    public init(_ value: String) {
        var text: [UInt8] = []
        JSONQuoting.append(value, to: &text)
        self.init(JSONDocument(known: text))
    }

    /// An array.
    public init(_ elements: some Sequence<JSONValue>) {
        self.init(JSONDocument(elements.map { (nil, $0) }, isObject: false))
    }

    /// An object with its members in this order; keys may be there twice.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        self.init(JSONDocument(members.map { ($0, $1) }, isObject: true))
    }

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
