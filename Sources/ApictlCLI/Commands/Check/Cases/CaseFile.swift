import EndpointKit
import JSONText

/// The file of `--cases`: calls with what their responses must be, beyond what the models say.
struct CaseFile: Codable, Sendable {
    /// The only version there is.
    enum Version: Int, Codable, Sendable, CaseIterable { case first = 1 }

    /// One call.
    struct Case: Codable, Sendable {
        /// The endpoint's name: `movies.popular`.
        var endpoint: String
        /// The parameters by their names; `{{NAME}}` in a text is replaced by what an earlier case has captured.
        var arguments: [String: JSONValue]?
        /// The status to expect; nil is any from 200 to 299.
        var status: Int?
        var maxLatency: LatencyLimit?
        /// What is expected of the values at a path.
        var expect: [String: Expectation]?
        /// The path of the value to remember under each name.
        var capture: [String: ValuePath]?
    }

    var version = Version.first
    var cases: [Case]
}

/// A longest time: `500ms`.
struct LatencyLimit: Codable, Sendable {
    let text: String
    let duration: Duration

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard let duration = DurationText.parse(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: DurationText.expectation)
        }
        self.duration = duration
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Where values stand in a body: `results.0.id`, or JSONPath.
struct ValuePath: Codable, Sendable {
    static let expectation = "a path such as results.0.id or $.results[0].id"

    let text: String
    let path: JSONPath

    init?(_ text: String) {
        guard let path = try? JSONPath(text) else { return nil }
        (self.text, self.path) = (text, path)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let path = ValuePath(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: Self.expectation)
        }
        self = path
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The values in `document`, not more than `most`. Throws `JSONPathLimit`.
    func values(in document: JSONDocument, most: Int = 10_000) throws -> [JSONValue] {
        var found: [JSONValue] = []
        try path.select(in: document) { slot in
            found.append(JSONValue(document, slot: slot))
            return found.count < most
        }
        return found
    }
}
