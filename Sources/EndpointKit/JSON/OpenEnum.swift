import JSONText

/// A value of an enum, or another value that the enum does not have.
///
/// It is for fields to which a server may add values later.
///
///     enum State: String, Codable, CaseIterable, Sendable { case open, closed }
///     var state: OpenEnum<State>
///
/// A check reports values that the enum does not have as drift.
public enum OpenEnum<Known: RawRepresentable & Codable & Sendable>: Sendable where Known.RawValue: Codable & Sendable {
    /// A value of the enum.
    case known(Known)
    /// Any other value.
    case other(Known.RawValue)

    /// The text or number itself.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let value): value.rawValue
        case .other(let value): value
        }
    }
}

extension OpenEnum: Equatable where Known: Equatable, Known.RawValue: Equatable {}
extension OpenEnum: Hashable where Known: Hashable, Known.RawValue: Hashable {}

extension OpenEnum: Codable {
    /// Decodes a value of the enum, or any other text or number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rawValue = try container.decode(Known.RawValue.self)
        var knownValue = Known(rawValue: rawValue)
        // For a raw value that is not known, this fails too. It is for decoders that record the types which a model
        // decodes: from the enum, they learn its values.
        if knownValue == nil { knownValue = try? container.decode(Known.self) }
        if let knownValue {
            self = .known(knownValue)
        } else {
            self = .other(rawValue)
            decoder.noteUnknownValue(of: Known.self)
        }
    }

    /// Encodes the text or number itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
