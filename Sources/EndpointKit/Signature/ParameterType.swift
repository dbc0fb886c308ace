#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The type of a parameter, as the command line sees it.
package indirect enum ParameterType: Sendable, Equatable {
    case bool
    /// An integer type; the bounds are those of the Swift type.
    case integer(minimum: String, maximum: String)
    /// A floating-point or decimal number.
    case number
    case string
    case url
    case uuid
    /// A date, with or without a time of day (ISO 8601).
    case date
    /// One of the texts listed.
    case choice([String])
    /// Any number of values of that type.
    case array(ParameterType)
    /// Values of that type under keys that are data.
    case dictionary(ParameterType)
    /// A nested structure; its fields are empty if no example has a value for it.
    case object([Parameter])
    /// An enum with associated values: its cases that examples show, each a structure.
    case variants([Parameter])
    /// Any other type, given as JSON.
    case json

    /// What a value of this type is called in a sentence, with its article.
    package var phrase: String {
        switch self {
        case .bool: "true or false"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "text"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .date: "an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z"
        case .choice(let values): "one of " + values.joined(separator: ", ")
        case .array(let element): element.phrase
        case .dictionary: "KEY=VALUE, or a JSON object"
        case .object, .variants: "a JSON object"
        case .json: "JSON"
        }
    }

    /// Whether a value is given as JSON text, a file or stdin.
    package var isJSON: Bool {
        switch self {
        case .object, .variants, .json: true
        case .array(let element): element.isJSON
        default: false
        }
    }

    /// Whether several values can be given.
    package var isArray: Bool { if case .array = self { true } else { false } }

    /// Whether it is a dictionary, so that several members can be given.
    package var isDictionary: Bool { if case .dictionary = self { true } else { false } }

    /// The fields of a structure, the cases of an enum with values.
    package var fields: [Parameter] {
        switch self {
        case .object(let fields), .variants(let fields): fields
        default: []
        }
    }

    /// Whether it has fields, which are flags of their own.
    package var hasFields: Bool { !fields.isEmpty }
}

extension ParameterType {
    /// The type for a Swift type, or nil for a structure.
    ///
    /// Common types are compared first, because checking a conformance at run time is slow and would dominate `list`.
    init?(_ type: Any.Type) {
        switch type {
        case is String.Type: self = .string
        case is Bool.Type: self = .bool
        case is Int.Type: self = Self.integer(Int.self)
        case is Int8.Type: self = Self.integer(Int8.self)
        case is Int16.Type: self = Self.integer(Int16.self)
        case is Int32.Type: self = Self.integer(Int32.self)
        case is Int64.Type: self = Self.integer(Int64.self)
        case is UInt.Type: self = Self.integer(UInt.self)
        case is UInt8.Type: self = Self.integer(UInt8.self)
        case is UInt16.Type: self = Self.integer(UInt16.self)
        case is UInt32.Type: self = Self.integer(UInt32.self)
        case is UInt64.Type: self = Self.integer(UInt64.self)
        case is Double.Type, is Float.Type, is Decimal.Type: self = .number
        case is URL.Type: self = .url
        case is UUID.Type: self = .uuid
        case is Date.Type: self = .date
        case is [String].Type: self = .array(.string)
        case is [Int].Type: self = .array(Self.integer(Int.self))
        case is JSONValue.Type: self = .json
        default:
            if let choices = (type as? any (CaseIterable & RawRepresentable).Type).flatMap({ Self.choices($0) }) {
                self = .choice(choices)
            } else if let container = type as? any ContainerType.Type {
                self = container.parameterType
            } else if let raw = (type as? any RawRepresentable.Type).flatMap({ Self.rawType($0) }) {
                self = raw
            } else {
                return nil
            }
        }
    }

    private static func integer<I: FixedWidthInteger>(_ type: I.Type) -> ParameterType {
        .integer(minimum: String(I.min), maximum: String(I.max))
    }

    /// The raw values of an enum backed by text or integers, nil for any other type.
    private static func choices<C: CaseIterable & RawRepresentable>(_ type: C.Type) -> [String]? {
        if C.RawValue.self is String.Type { return type.allCases.compactMap { $0.rawValue as? String } }
        guard C.RawValue.self is any FixedWidthInteger.Type else { return nil }
        return type.allCases.map { String(describing: $0.rawValue) }
    }

    private static func rawType<R: RawRepresentable>(_ type: R.Type) -> ParameterType? {
        ParameterType(R.RawValue.self)
    }
}

/// A generic type whose parameters decide what it is on a command line.
protocol ContainerType {
    static var parameterType: ParameterType { get }
}

extension Array: ContainerType {
    static var parameterType: ParameterType {
        switch ParameterType(Element.self) {
        case nil: .array(.object([]))
        // A list in a list would have no place for its end.
        case .array, .dictionary: .array(.json)
        case let element?: .array(element)
        }
    }
}

extension Dictionary: ContainerType {
    static var parameterType: ParameterType {
        // Other keys are encoded as a list.
        let hasTextKeys = Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
        return hasTextKeys ? .dictionary(ParameterType(Value.self) ?? .object([])) : .json
    }
}

extension Nullable: ContainerType {
    static var parameterType: ParameterType { .json }
}

extension Optional: ContainerType {
    static var parameterType: ParameterType { .json }
}
