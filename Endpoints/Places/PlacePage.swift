import EndpointKit

/// One page of places; a failure comes as a page too, with a status of its own.
public struct PlacePage: Codable, Sendable, Equatable {
    /// Credits that have to be shown.
    public let attributions: [String]?
    /// Asks for the next page, a few seconds from now.
    public let nextPageToken: String?
    public let places: [Place]
    public let status: String
    /// What went wrong; often absent even then.
    public let errorMessage: String?

    enum CodingKeys: String, CodingKey {
        case attributions = "html_attributions"
        case nextPageToken = "next_page_token"
        case places = "results"
        case status
        case errorMessage = "error_message"
    }

    /// Lists may be absent from a failure, so that what is reported is the failure and not the absence.
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
