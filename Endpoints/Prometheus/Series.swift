import EndpointKit

/// A time series: its labels, and one value, values over time, or native histograms.
public struct Series: Codable, Sendable, Equatable {
    /// The labels by name; empty if the expression drops all of them.
    public let metric: [String: String]
    public let value: SamplePair?
    public let values: [SamplePair]?
    public let histogram: JSONValue?
    public let histograms: [JSONValue]?
}
