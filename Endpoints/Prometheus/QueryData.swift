/// The value of an expression; `resultType` says which of the four forms `result` has.
public enum QueryData: Codable, Sendable, Equatable {
    /// Series with one value each.
    case vector([Series])
    /// Series with values over a range of time.
    case matrix([Series])
    case scalar(SamplePair)
    case string(SamplePair)

    private enum CodingKeys: String, CodingKey {
        case resultType
        case result
    }

    private enum ResultType: String, Codable {
        case vector, matrix, scalar, string
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(ResultType.self, forKey: .resultType) {
        case .vector: self = .vector(try container.decode([Series].self, forKey: .result))
        case .matrix: self = .matrix(try container.decode([Series].self, forKey: .result))
        case .scalar: self = .scalar(try container.decode(SamplePair.self, forKey: .result))
        case .string: self = .string(try container.decode(SamplePair.self, forKey: .result))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .vector(let series):
            try container.encode(ResultType.vector, forKey: .resultType)
            try container.encode(series, forKey: .result)
        case .matrix(let series):
            try container.encode(ResultType.matrix, forKey: .resultType)
            try container.encode(series, forKey: .result)
        case .scalar(let pair):
            try container.encode(ResultType.scalar, forKey: .resultType)
            try container.encode(pair, forKey: .result)
        case .string(let pair):
            try container.encode(ResultType.string, forKey: .resultType)
            try container.encode(pair, forKey: .result)
        }
    }
}
