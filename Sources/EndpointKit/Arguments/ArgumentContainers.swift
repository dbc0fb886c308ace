/// A keyed container over the parameters of a case or the fields of a structure; with `caseName`, over the enum itself.
struct ArgumentFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let caseName: String?
    let tree: ArgumentTree
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        if let caseName { return Key(stringValue: caseName).map { [$0] } ?? [] }
        return tree.fields.keys.sorted().compactMap(Key.init(stringValue:))
    }

    func contains(_ key: Key) -> Bool { caseName == key.stringValue || tree.fields[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let field = tree.fields[key.stringValue] else {
            // A structure without any given field reports its own missing fields; a list must not silently be empty.
            throw ArgumentError.missing([tree.path + [key.stringValue]])
        }
        return try ArgumentDecoder.decode(type, field)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let inner = caseName == nil ? tree.fields[key.stringValue] ?? ArgumentTree(path: tree.path, tree.coding) : tree
        return KeyedDecodingContainer(ArgumentFields<NestedKey>(caseName: nil, tree: inner))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ArgumentElements(tree: tree.fields[key.stringValue] ?? ArgumentTree(path: tree.path, tree.coding))
    }

    func superDecoder() throws -> any Decoder { ArgumentDecoder(tree: tree) }
    func superDecoder(forKey key: Key) throws -> any Decoder { ArgumentDecoder(tree: tree) }
}

/// The elements of a list: one per argument, or one per position if their fields are given.
struct ArgumentElements: UnkeyedDecodingContainer {
    private let tree: ArgumentTree
    private let elements: [ArgumentTree]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(tree: ArgumentTree) throws(ArgumentError) {
        self.tree = tree
        if tree.fields.isEmpty {
            elements = tree.arguments.map(tree.only)
        } else if let argument = tree.arguments.first {
            throw .bothWholeAndFields(tree.path, position: argument.position)
        } else {
            elements = try tree.numberedFields()
        }
    }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try ArgumentDecoder.decode(type, next())
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try ArgumentDecoder(tree: next()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ArgumentElements(tree: next())
    }

    mutating func superDecoder() throws -> any Decoder { try ArgumentDecoder(tree: next()) }

    private mutating func next() throws(ArgumentError) -> ArgumentTree {
        guard !isAtEnd else { throw .missing([tree.path]) }
        defer { currentIndex += 1 }
        return elements[currentIndex]
    }
}

/// A single value.
struct ArgumentValueContainer: SingleValueDecodingContainer {
    let tree: ArgumentTree
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
    func decode(_ type: String.Type) throws -> String { try scalar(type) }
    func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
    func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
    func decode(_ type: Int.Type) throws -> Int { try scalar(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try scalar(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try scalar(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try scalar(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try scalar(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try ArgumentDecoder.decode(type, tree) }

    private func scalar<T>(_ type: T.Type) throws(ArgumentError) -> T {
        try ScalarText.parse(type, tree.single(), tree.coding)
    }
}
