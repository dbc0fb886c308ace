/// A time and the value at that time, an array in JSON: `[1795236211.358, "0.2"]`.
///
/// The value is text because JSON has no number for `NaN`, `+Inf` and `-Inf`.
public struct SamplePair: Codable, Sendable, Equatable {
    /// Seconds since 1970.
    public let time: Double
    public let text: String

    /// The text as a number; nil if it is the result of a string expression.
    public var value: Double? { Double(text) }

    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        time = try container.decode(Double.self)
        text = try container.decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(time)
        try container.encode(text)
    }
}
