import EndpointKit

/// One page of places; a failure is also a page, with another status.
public struct PlacePage: Codable, Sendable, Equatable {
    /// Credits that an app has to show.
    public let attributions: [String]?
    /// The token of the next page, valid after a few seconds.
    public let nextPageToken: String?
    public let places: [Place]
    public let status: String
    /// Why the request failed; often absent even on failure.
    public let errorMessage: String?

    enum CodingKeys: String, CodingKey {
        case attributions = "htmlAttributions"
        case nextPageToken
        case places = "results"
        case status
        case errorMessage
    }

    /// Lists may be absent from a failure, so that the failure is reported and not the missing list.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(String.self, forKey: .status)
        let isFailure = Self.isFailure(status)
        attributions = try container.decodeIfPresent([String].self, forKey: .attributions) ?? []
        nextPageToken = try container.decodeIfPresent(String.self, forKey: .nextPageToken)
        places =
            isFailure
            ? try container.decodeIfPresent([Place].self, forKey: .places) ?? []
            : try container.decode([Place].self, forKey: .places)
        errorMessage = try container.decodeIfPresent(String.self, forKey: .errorMessage)
    }

    private static func isFailure(_ status: String) -> Bool { status != "OK" && status != "ZERO_RESULTS" }
}

extension PlacePage: Validated {
    /// Throws the status, and the message if there is one, unless the status is `OK` or `ZERO_RESULTS`.
    public func validate() throws(ReportedFailure) {
        guard Self.isFailure(status) else { return }
        throw ReportedFailure([status, errorMessage ?? ""].filter { !$0.isEmpty }.joined(separator: ": "))
    }
}
