import JSONText

/// The Swift type of the values at a place.
indirect enum InferredType: Hashable {
    /// Nothing tells the type. The text is the reason, such as "only null was seen".
    case unknown(String)
    /// `JSONValue`, for the reason in the text.
    case json(String)
    case bool, integer, decimal, double, string, date
    /// The bytes of a body, which are no JSON.
    case bytes
    /// A type of which some values are null.
    case optional(InferredType)
    case array(InferredType)
    case dictionary(InferredType)
    case model(InferredModel)

    /// The type of the values other than null, and whether values may be null.
    var unwrapped: (type: InferredType, isOptional: Bool) {
        if case .optional(let type) = self { (type, true) } else { (self, false) }
    }

    /// Whether nothing tells a type.
    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// Whether the type is an enum of listed values.
    var isEnum: Bool { if case .values? = model?.form { true } else { false } }

    /// This type as one whose values may be null too.
    var orNull: InferredType { .optional(unwrapped.type) }

    /// The type of the innermost elements: `Pet` for `[[Pet]]` and `[String: Pet?]`. A type without elements is its own
    /// leaf.
    var leaf: InferredType {
        switch self {
        case .optional(let type), .array(let type), .dictionary(let type): type.leaf
        default: self
        }
    }

    /// The type with `Double` in the place of integers, in lists and dictionaries too: `[[Int]]` becomes `[[Double]]`.
    var withFractions: InferredType {
        switch self {
        case .integer, .decimal: .double
        case .optional(let type): .optional(type.withFractions)
        case .array(let type): .array(type.withFractions)
        case .dictionary(let type): .dictionary(type.withFractions)
        default: self
        }
    }

    /// The model of the values other than null; nil if the type is no model.
    var model: InferredModel? { if case .model(let model) = unwrapped.type { model } else { nil } }

    /// Returns one type that can hold the values of both types: `Int`, `Double` → `Double`.
    ///
    /// - Returns: The type; nil if only an enum with associated values, or `JSONValue`, could hold both.
    func merged(with other: InferredType) -> InferredType? {
        if self == other { return self }
        switch (self, other) {
        case (.optional(let type), _): return type.merged(with: other.unwrapped.type)?.orNull
        case (_, .optional): return other.merged(with: self)
        // `JSONValue` can hold the values of every type, and an unknown type has no values that would be lost.
        case (.json, _), (_, .unknown): return self
        case (_, .json), (.unknown, _): return other
        case (.array(let element), .array(let otherElement)):
            return element.merged(with: otherElement).map { .array($0) }
        case (.dictionary(let value), .dictionary(let otherValue)):
            return value.merged(with: otherValue).map { .dictionary($0) }
        default: return mergedScalar(with: other)
        }
    }

    /// Returns a scalar type that can hold the values of two scalar types; nil if there is none.
    ///
    /// Dates and enums of texts are strings in JSON, and enums of integers are numbers.
    private func mergedScalar(with other: InferredType) -> InferredType? {
        switch (jsonKind, other.jsonKind) {
        case (.string, .string): return .string
        case (.number, .number):
            let types = [withoutListedValues, other.withoutListedValues]
            if types.contains(.double) { return .double }
            return types.contains(.decimal) ? .decimal : .integer
        default: return nil
        }
    }

    /// `Int` in the place of an enum of integers, and any other type as it is.
    private var withoutListedValues: InferredType {
        if case .model(let model) = self, model.jsonKind == .number { .integer } else { self }
    }

    /// Whether a value can be written as a single text.
    var isScalar: Bool {
        switch self {
        case .bool, .integer, .decimal, .double, .string, .date: true
        case .model(let model): model.isListed
        default: false
        }
    }

    /// Whether a command line has one word for a value, or one for each element of a list.
    var isPlain: Bool { if case .array(let element) = self { element.isPlain } else { isScalar && self != .decimal } }

    /// The kind of JSON of the values; nil if the values are of several kinds, or may be null.
    var jsonKind: JSONDocument.Kind? {
        switch self {
        case .bool: .boolean
        case .integer, .decimal, .double: .number
        case .string, .date: .string
        case .array: .array
        case .dictionary: .object
        case .model(let model): model.jsonKind
        case .json, .unknown, .optional, .bytes: nil
        }
    }

    /// The reason why the leaf of the type is `JSONValue`; nil if it is another type.
    var reasonForJSON: String? {
        switch leaf {
        case .unknown(let reason), .json(let reason): reason
        default: nil
        }
    }

    /// The module that a file with this type must import; nil if the standard library has the type.
    var module: String? {
        switch leaf {
        case .unknown, .json: "EndpointKit"
        case .decimal, .date: "Foundation"
        default: nil
        }
    }

    /// Returns the type as it is written in Swift: `[String: Int]?`.
    ///
    /// - Parameter isOpen: Whether an enum may get values that the API adds later, as in responses: `OpenEnum<Status>`.
    func text(isOpen: Bool = true) -> String {
        switch self {
        case .unknown, .json: "JSONValue"
        case .bool: "Bool"
        case .integer: "Int"
        case .decimal: "Decimal"
        case .double: "Double"
        case .string: "String"
        case .date: "Date"
        case .bytes: "[UInt8]"
        case .optional(let type): type.text(isOpen: isOpen) + "?"
        case .array(let type): "[\(type.text(isOpen: isOpen))]"
        case .dictionary(let type): "[String: \(type.text(isOpen: isOpen))]"
        case .model(let model): isOpen && model.isListed ? "OpenEnum<\(model.name)>" : model.name
        }
    }
}
