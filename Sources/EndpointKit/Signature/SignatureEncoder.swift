#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Derives a signature from an example by encoding it.
//
//     Movies.recommended(id: 550, page: nil)
//
// is encoded by the synthesised conformance as a container with the key `recommended` and, nested in it, a container with
// calls of `encode` for `id` and of `encodeIfPresent` for `page`. The latter is called for nil too, so the
// recorder sees every parameter, its type, and whether it is optional.

extension Signature {
    /// The signature of `example`'s case. Throws ``NotACase`` if the type's `Codable` is not the synthesised one with the cases' own names.
    package init<A: API>(of example: A) throws {
        let recorder = CaseRecorder(A.coding)
        let caseName = try recorder.record(example)
        guard try caseName == example.caseName else { throw NotACase(A.self) }
        self.init(caseName: caseName, parameters: recorder.fields.parameters)
    }

    /// The parameters of `example` whose value is a single text, with that text. Throws ``NotACase`` as ``init(of:)`` does.
    static func texts(of example: some API) throws -> [(name: String, text: String)] {
        let recorder = CaseRecorder(type(of: example).coding)
        recorder.fields.detail = .texts
        _ = try recorder.record(example)
        return recorder.fields.namedTexts
    }

    /// A type whose `Codable` is not the one synthesised for enums.
    package struct NotACase: Error, Sendable, Equatable {
        /// The Swift name of the type.
        package let type: String

        init(_ type: Any.Type) { self.type = String(describing: type) }
    }
}

extension API {
    /// The Swift name of the case. Throws ``Signature/NotACase`` for a type that is not an enum.
    var caseName: String {
        get throws {
            if let name = EnumCases(of: Self.self)?.name(of: self) { return name }
            let recorder = CaseRecorder(Self.coding)
            recorder.fields.detail = .nothing
            return try recorder.record(self)
        }
    }
}

/// Encodes the enum to learn the name of its case.
private final class CaseRecorder: Encoder {
    var caseName: String?
    let fields: FieldRecorder
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ coding: Coding) { fields = FieldRecorder(coding) }

    /// Encodes `example` and returns the name of its case.
    func record<A: API>(_ example: A) throws -> String {
        try example.encode(to: self)
        guard let caseName else { throw Signature.NotACase(A.self) }
        return caseName
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            FieldContainer<Key>(recorder: FieldRecorder(fields.coding)) { key in
                self.caseName = key.stringValue
                return self.fields
            })
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementContainer(recorder: fields) }
    func singleValueContainer() -> any SingleValueEncodingContainer { ValueContainer(recorder: fields) }
}

/// Encodes a structure to collect its fields, or finds that it is a single value or a list.
final class FieldRecorder: Encoder {
    enum Shape { case fields, value, list }
    /// What is recorded of each field; finding its type is the slowest part.
    enum Detail { case nothing, texts, everything }

    /// How the API writes dates and JSON.
    let coding: Coding
    var detail = Detail.everything
    /// The fields that have a single text, if ``detail`` is `texts`.
    private(set) var namedTexts: [(name: String, text: String)] = []
    var shape = Shape.fields
    var parameters: [Parameter] = []
    /// The text of a single value, the texts of a list.
    var texts: [String] = []
    var valueType: ParameterType?
    /// The type of a list's elements, from all of them.
    var elementType: ParameterType?
    /// The containers under keys of this one, as an enum with associated values has one under the name of its case.
    private var nested: [(name: String, recorder: FieldRecorder)] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ coding: Coding) { self.coding = coding }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            FieldContainer<Key>(recorder: self) { key in
                let recorder = FieldRecorder(self.coding)
                self.nested.append((key.stringValue, recorder))
                return recorder
            })
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .list
        return ElementContainer(recorder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        shape = .value
        return ValueContainer(recorder: self)
    }

    func record<T: Encodable>(_ name: String, _ type: T.Type, _ value: T?, isOptional: Bool) throws {
        switch detail {
        case .nothing: return
        case .texts:
            if let text = try value.flatMap({ try commonText(of: $0) ?? encodedText(of: $0) }) {
                namedTexts.append((name, text))
            }
            return
        case .everything: break
        }
        var found = ParameterType(type)
        var texts: [String] = []
        if let value {
            if found != .json {
                let inner = FieldRecorder(coding)
                try inner.take(value)
                texts = inner.texts
                switch found {
                case nil: found = inner.type(of: value)
                case .array(let element): found = .array(inner.elementType.map { element.merged(with: $0) } ?? element)
                case .dictionary(let element):
                    found = .dictionary(inner.parameters.reduce(element) { $0.merged(with: $1.type) })
                    texts = try inner.memberTexts ?? [json(value)]
                default: break
                }
            }
            if found?.isJSON == true { texts = [try json(value)] }
        }
        parameters.append(
            Parameter(
                name: name, type: found ?? .object([]),
                typeName: name.hasPrefix("_") && !Self.isCommon(type) ? TypeName.text(of: type) : nil,
                isOptional: isOptional, example: texts))
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try coding.encode(value), as: UTF8.self)
    }

    /// Whether the name of the type would say nothing about a value.
    private static func isCommon(_ type: Any.Type) -> Bool {
        switch type {
        case is String.Type, is Bool.Type, is any FixedWidthInteger.Type, is Double.Type, is Float.Type,
            is Decimal.Type, is URL.Type, is UUID.Type, is Date.Type, is JSONValue.Type, is any ContainerType.Type:
            true
        default: false
        }
    }

    /// What was recorded of `value`.
    func type(of value: some Encodable) -> ParameterType {
        switch shape {
        case .value: valueType ?? .json
        case .list: .json
        case .fields where parameters.isEmpty && Mirror(reflecting: value).displayStyle == .enum:
            .variants(
                nested.map { Parameter(name: $0.name, type: .object($0.recorder.parameters), isOptional: true) })
        case .fields: .object(parameters)
        }
    }

    /// `KEY=VALUE` for each member of a dictionary, sorted; nil if a value or a key can't be written so.
    private var memberTexts: [String]? {
        var texts: [String] = []
        for member in parameters.sorted(by: { $0.name < $1.name }) {
            guard !member.type.isJSON, !member.type.isDictionary, !member.example.isEmpty,
                MemberText(member.name + "=")?.key == member.name
            else { return nil }
            texts += member.example.map { "\(member.name)=\($0)" }
        }
        return texts.isEmpty ? nil : texts
    }

    /// Records what `value` is made of. Values that are a single text are not encoded.
    func take<T: Encodable>(_ value: T) throws {
        if let text = text(of: value) {
            shape = .value
            valueType = ParameterType(T.self)
            texts.append(text)
        } else {
            try value.encode(to: self)
        }
    }

    /// The text of a value that is a single text.
    private func text(of value: some Encodable) -> String? {
        commonText(of: value) ?? (value as? any ScalarParameter)?.parameterText
    }

    /// The text of a value of the types that most parameters have: whether a type conforms to a protocol takes the runtime 60 µs to find
    /// out.
    private func commonText(of value: some Encodable) -> String? {
        switch value {
        case let value as String: value
        case let value as Int: String(value)
        case let value as Bool: String(value)
        case let value as Date: coding.text(of: value)
        case let value as Double: value.parameterText
        case let value as UUID: value.parameterText
        case let value as Decimal: value.parameterText
        case let value as URL: value.parameterText
        default: nil
        }
    }

    /// The text that `value` is encoded as, which takes no such search; nil if that is not a single text.
    private func encodedText(of value: some Encodable) throws -> String? {
        let inner = FieldRecorder(coding)
        inner.detail = .nothing
        try value.encode(to: inner)
        return inner.shape == .value ? inner.texts.first : nil
    }
}
