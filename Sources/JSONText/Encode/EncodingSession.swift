/// What all encoders and containers of one `encode` call share.
final class EncodingSession {
    let userInfo: [CodingUserInfoKey: Any]
    /// The text of all scalars, one after the other.
    private var scalars: [UInt8] = []
    /// A mistake where `Encoder` does not allow to throw; the first one counts.
    private(set) var problem: EncodingError?

    init(userInfo: [CodingUserInfoKey: any Sendable]) {
        self.userInfo = userInfo
    }

    func report(_ mistake: String, at path: CodingPath) {
        guard problem == nil else { return }
        let context = EncodingError.Context(codingPath: path.codingPath, debugDescription: mistake)
        problem = .invalidValue(mistake, context)
    }

    // Paths are asked for only where they are needed: making one takes memory, and most values are plain scalars.

    /// Encodes any value; nil if it encodes nothing.
    func encode<Value: Encodable>(_ value: Value, at path: @autoclosure () -> CodingPath) throws -> EncodedValue? {
        // Elements of arrays come this way even if they are plain scalars.
        if Value.self == String.self, let value = value as? String { return string(value) }
        if Value.self == Int.self, let value = value as? Int { return unquoted(value.description) }
        if Value.self == Double.self, let value = value as? Double { return try number(value, at: path()) }
        if let known = try knownType(value, at: path()) { return known }
        let encoder = ValueEncoder(session: self, path: path())
        try value.encode(to: encoder)
        if case .container(let container)? = encoder.value, container.isObject,
            let dictionary = Value.self as? any UnorderedMembers.Type
        {
            container.sortKeys(asIntegers: dictionary.hasIntegerKeys)
        }
        return encoder.value
    }

    /// Encodes a value inside a container, where one that encodes nothing is an empty object.
    func encodeMember<Value: Encodable>(
        _ value: Value, at path: @autoclosure () -> CodingPath
    ) throws -> EncodedValue {
        try encode(value, at: path()) ?? .container(EncodedContainer(isObject: true))
    }

    func null() -> EncodedValue { unquoted("null") }

    func boolean(_ value: Bool) -> EncodedValue { unquoted(value ? "true" : "false") }

    func integer(_ value: some BinaryInteger) -> EncodedValue { unquoted(value.description) }

    func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, at path: @autoclosure () -> CodingPath
    ) throws -> EncodedValue {
        guard value.isFinite else { throw notANumber(value, at: path()) }
        let text = value.description
        return unquoted(text.hasSuffix(".0") ? text.dropLast(2) : text[...])
    }

    func notANumber(_ value: Any, at path: CodingPath) -> EncodingError {
        .invalidValue(
            value, .init(codingPath: path.codingPath, debugDescription: "JSON has no number for \(value)."))
    }

    func string(_ value: String) -> EncodedValue {
        let start = scalars.count
        JSONQuoting.append(value, to: &scalars)
        return .scalar(start..<scalars.count)
    }

    func unquoted(_ text: some StringProtocol) -> EncodedValue {
        let start = scalars.count
        scalars.append(contentsOf: text.utf8)
        return .scalar(start..<scalars.count)
    }

    /// The JSON text of a value and all it contains.
    func text(of value: EncodedValue) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(scalars.count + scalars.count / 2)
        var open: [(container: EncodedContainer, next: Int)] = []
        var value: EncodedValue? = value
        while true {
            switch value {
            case .scalar(let range): output.append(contentsOf: scalars[range])
            case .container(let container): open.append((container, 0))
            case .encoder(let encoder):
                value = encoder.value ?? .container(EncodedContainer(isObject: true))
                continue
            case nil: break
            }
            guard let (container, next) = open.last else { return output }
            if next == 0 { output.append(container.isObject ? UInt8(ascii: "{") : UInt8(ascii: "[")) }
            guard next < container.values.count else {
                output.append(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                open.removeLast()
                value = nil
                continue
            }
            if next > 0 { output.append(UInt8(ascii: ",")) }
            if container.isObject {
                JSONQuoting.append(container.keys[next], to: &output)
                output.append(UInt8(ascii: ":"))
            }
            open[open.count - 1].next += 1
            value = container.values[next]
        }
    }
}

/// Dictionaries, whose members come in another order in each run of a program.
protocol UnorderedMembers {
    static var hasIntegerKeys: Bool { get }
}

extension Dictionary: UnorderedMembers {
    static var hasIntegerKeys: Bool { Key.self == Int.self }
}
