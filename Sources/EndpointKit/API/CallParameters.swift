import JSONText

/// The parameters of a call as values, which have not been encoded.
///
/// The synthesised `encode(to:)` of an enum writes `{"caseName": {"parameter": value, …}}`. An encoder that only
/// records what it gets finds the parameters without writing them, so that a large body costs nothing.
struct CallParameters {
    /// A parameter of the call. A parameter that is nil is left out.
    struct Parameter {
        /// The Swift name, or `_0` for a value without a label.
        let name: String
        /// The value, which has not been encoded.
        let value: any Encodable
        /// Whether the associated value has a label in the enum.
        var hasLabel: Bool { !name.hasPrefix("_") }
    }

    /// The parameters of the call that are not nil, in order.
    private(set) var parameters: [Parameter]

    /// Records the parameters of a call.
    ///
    /// - Throws: ``NotAnEnumCase`` if the type does not encode itself as the case of an enum. The error of an
    ///   `encode(to:)` that was written by hand.
    init(of call: some API) throws {
        let recorder = ParameterRecorder()
        try call.encode(to: CallEncoder(recorder: recorder))
        guard recorder.hasCase else { throw NotAnEnumCase(type(of: call)) }
        parameters = recorder.parameters
    }

    /// Removes the parameters for which `shouldRemove` returns true.
    mutating func removeAll(where shouldRemove: (Parameter) -> Bool) { parameters.removeAll(where: shouldRemove) }
}

extension CallParameters: Encodable {
    /// Encodes an object whose keys are the Swift names, whatever the strategy for keys.
    func encode(to encoder: any Encoder) throws {
        // No strategy changes a key of this type.
        var container = encoder.container(keyedBy: PositionKey.self)
        for parameter in parameters {
            try container.encode(parameter.value, forKey: PositionKey(stringValue: parameter.name))
        }
    }
}

/// Collects the parameters of one call.
private final class ParameterRecorder {
    /// The parameters that have been recorded so far.
    var parameters: [CallParameters.Parameter] = []
    /// Whether the call has encoded itself as the case of an enum.
    var hasCase = false
}

/// The encoder that a call gets: it records the parameters of the call's case.
///
/// Anything else that an `encode(to:)` written by hand may encode is ignored.
private struct CallEncoder: Encoder {
    let recorder: ParameterRecorder
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CaseContainer<Key>(recorder: recorder))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { IgnoredContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { IgnoredContainer() }
}

/// The object that holds the case of a call.
private struct CaseContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let recorder: ParameterRecorder
    var codingPath: [any CodingKey] { [] }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        recorder.hasCase = true
        return KeyedEncodingContainer(ParameterContainer<NestedKey>(recorder: recorder))
    }

    // An enum's synthesised `encode(to:)` calls none of these functions. What another one encodes is ignored.
    func encodeNil(forKey key: Key) {}
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {}
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { IgnoredContainer() }
    func superEncoder() -> any Encoder { CallEncoder(recorder: ParameterRecorder()) }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// The object that holds the parameters of a call.
private struct ParameterContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let recorder: ParameterRecorder
    var codingPath: [any CodingKey] { [] }

    /// Records a parameter and its value, which is not encoded.
    private func record(_ value: any Encodable, forKey key: Key) {
        recorder.parameters.append(.init(name: key.stringValue, value: value))
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) { record(value, forKey: key) }
    // The protocol has default implementations of these, which refuse 128 bits.
    @available(iOS 18, macOS 15, *)
    func encode(_ value: Int128, forKey key: Key) { record(value, forKey: key) }
    @available(iOS 18, macOS 15, *)
    func encode(_ value: UInt128, forKey key: Key) { record(value, forKey: key) }

    // An enum's synthesised `encode(to:)` calls none of these functions. What another one encodes is ignored.
    func encodeNil(forKey key: Key) {}
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { IgnoredContainer() }
    func superEncoder() -> any Encoder { CallEncoder(recorder: ParameterRecorder()) }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// A container whose values are ignored, for a type that is not encoded as an enum's case.
private struct IgnoredContainer: SingleValueEncodingContainer, UnkeyedEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() {}
    func encode<Value: Encodable>(_ value: Value) {}
    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        superEncoder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { CallEncoder(recorder: ParameterRecorder()) }
}
