/// Records the fields of a structure, or, for the enum itself, the key that names the case.
struct FieldContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let recorder: FieldRecorder
    let onNested: (Key) -> FieldRecorder
    var codingPath: [any CodingKey] { [] }

    private func record<T: Encodable>(_ value: T?, _ key: Key, isOptional: Bool) throws {
        try recorder.record(key.stringValue, T.self, value, isOptional: isOptional)
    }

    mutating func encodeNil(forKey key: Key) throws {
        recorder.parameters.append(Parameter(name: key.stringValue, type: .json, isOptional: true))
    }

    mutating func encode(_ value: Bool, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: String, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try record(value, key, isOptional: false) }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try record(value, key, isOptional: false)
    }

    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        try record(value, key, isOptional: true)
    }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        try record(value, key, isOptional: true)
    }
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try record(value, key, isOptional: true) }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        try record(value, key, isOptional: true)
    }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        try record(value, key, isOptional: true)
    }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        try record(value, key, isOptional: true)
    }
    mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        try record(value, key, isOptional: true)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        onNested(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        onNested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { FieldRecorder(recorder.coding) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { FieldRecorder(recorder.coding) }
}

/// Records the elements of a list.
struct ElementContainer: UnkeyedEncodingContainer {
    let recorder: FieldRecorder
    var codingPath: [any CodingKey] { [] }
    var count: Int { recorder.texts.count }

    mutating func encodeNil() throws {}

    mutating func encode<T: Encodable>(_ value: T) throws {
        guard recorder.detail == .everything else { return }
        let inner = FieldRecorder(recorder.coding)
        try inner.take(value)
        let type = inner.type(of: value)
        recorder.elementType = recorder.elementType.map { $0.merged(with: type) } ?? type
        recorder.texts += inner.texts
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        FieldRecorder(recorder.coding).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        FieldRecorder(recorder.coding).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { FieldRecorder(recorder.coding) }
}

/// Records a type that is encoded as a single value.
struct ValueContainer: SingleValueEncodingContainer {
    let recorder: FieldRecorder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws {}
    mutating func encode<T: Encodable>(_ value: T) throws { try recorder.take(value) }
}
