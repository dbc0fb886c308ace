import JSONText

/// The members of an object. Of several with the same key the first counts, as in `JSONDecoder`.
struct DiagnosingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let value: DiagnosedValue
    /// In the order of the text.
    private var keys: [String] = []
    private var nodes: [String: Int] = [:]

    init(_ value: DiagnosedValue) throws {
        guard value.kind == .object else { throw value.mismatch([String: Any].self) }
        self.value = value
        let children = value.children
        for position in stride(from: 0, to: children.count - 1, by: 2) {
            let name = DiagnosedValue(tree: value.tree, node: children[position], path: value.path)
            guard let key = try? name.string() else {
                throw value.unfit("object with keys without half a surrogate pair")
            }
            guard nodes[key] == nil else { continue }
            keys.append(key)
            nodes[key] = children[position + 1]
        }
    }

    var codingPath: [any CodingKey] { value.path.codingPath }
    var allKeys: [Key] { keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { nodes[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).kind == .null }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(key).decode(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try KeyedDecodingContainer(DiagnosingKeyedContainer<NestedKey>(member(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try DiagnosingUnkeyedContainer(member(key))
    }

    func superDecoder() throws -> any Decoder { superDecoder(PositionKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

    private func superDecoder(_ key: any CodingKey) -> any Decoder {
        DiagnosingDecoder(value: value.child(nodes[key.stringValue], key))
    }

    fileprivate func member(_ key: Key) throws -> DiagnosedValue {
        guard let node = nodes[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing key"))
        }
        return value.child(node, key)
    }
}

/// The elements of an array, one after the other.
struct DiagnosingUnkeyedContainer: UnkeyedDecodingContainer {
    private let value: DiagnosedValue
    private let nodes: [Int]
    private(set) var currentIndex = 0

    init(_ value: DiagnosedValue) throws {
        guard value.kind == .array else { throw value.mismatch([Any].self) }
        self.value = value
        nodes = value.children
    }

    var codingPath: [any CodingKey] { value.path.codingPath }
    var count: Int? { nodes.count }
    var isAtEnd: Bool { currentIndex >= nodes.count }

    mutating func decodeNil() throws -> Bool {
        guard try element(Any?.self).kind == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try next(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next([String: Any].self) { try KeyedDecodingContainer(DiagnosingKeyedContainer<NestedKey>($0)) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try DiagnosingUnkeyedContainer($0) }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { DiagnosingDecoder(value: $0) }
    }

    /// Goes on only if `read` does not throw: a model may try another type for the same element.
    fileprivate mutating func next<Result>(_ type: Any.Type, _ read: (DiagnosedValue) throws -> Result) throws -> Result
    {
        let result = try read(element(type))
        currentIndex += 1
        return result
    }

    private func element(_ type: Any.Type) throws -> DiagnosedValue {
        let key = PositionKey(intValue: currentIndex)
        guard !isAtEnd else { throw value.child(nil, key).mismatch(type) }
        return value.child(nodes[currentIndex], key)
    }
}

/// One value.
struct DiagnosingValueContainer: SingleValueDecodingContainer {
    let value: DiagnosedValue

    var codingPath: [any CodingKey] { value.path.codingPath }

    func decodeNil() -> Bool { value.kind == .null }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value.decode(type) }
}

// The protocols have members of their own for the widest integers, which fail unless they are replaced.

extension DiagnosingKeyedContainer {
    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).decode(type) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).decode(type) }
}

extension DiagnosingUnkeyedContainer {
    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.decode(type) } }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.decode(type) } }
}

extension DiagnosingValueContainer {
    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try value.decode(type) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try value.decode(type) }
}
