import EndpointKit

/// The envelope of all responses of the API.
public struct PrometheusResponse<Content: Codable & Sendable>: Codable, Sendable {
    /// `success` or `error`.
    public let status: String
    /// Always present on success; a failure may have partial data.
    public let data: Content?
    public let errorType: String?
    public let error: String?
    /// Possible problems with the data of a successful query.
    public let warnings: [String]?
    public let infos: [String]?

    enum CodingKeys: String, CodingKey {
        case status
        case data
        case errorType
        case error
        case warnings
        case infos
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(String.self, forKey: .status)
        data =
            status == "error"
            ? try container.decodeIfPresent(Content.self, forKey: .data)
            : try container.decode(Content.self, forKey: .data)
        errorType = try container.decodeIfPresent(String.self, forKey: .errorType)
        error = try container.decodeIfPresent(String.self, forKey: .error)
        warnings = try container.decodeIfPresent([String].self, forKey: .warnings)
        infos = try container.decodeIfPresent([String].self, forKey: .infos)
    }
}

extension PrometheusResponse: Equatable where Content: Equatable {}

extension PrometheusResponse: Validated {
    /// Throws the type and the text of the error if the status is `error`.
    public func validate() throws(ReportedFailure) {
        guard status == "error" else { return }
        let words = [errorType, error].compactMap(\.self).filter { !$0.isEmpty }
        throw ReportedFailure(words.isEmpty ? status : words.joined(separator: ": "))
    }
}
