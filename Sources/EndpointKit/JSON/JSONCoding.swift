import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How models go to JSON text and back: declaration order out, ISO 8601 dates both ways.
public enum JSONCoding {
    /// `value` as JSON text in declaration order. Throws `EncodingError` where a value has no JSON form (NaN, infinity).
    public static func encode(_ value: any Encodable) throws -> [UInt8] {
        try JSONTextEncoder().encode(value)
    }

    /// `text` decoded into `model`.
    ///
    /// Throws `JSONSyntaxError` where the text is not JSON, ``ModelMismatch`` where it does not fit the model.
    public static func decode<Model: Decodable>(_ model: Model.Type, from text: [UInt8]) throws -> Model {
        try checkSyntax(text)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = ISO8601Text.parse(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "expected an ISO 8601 date"))
            }
            return date
        }
        do {
            return try decoder.decode(model, from: Data(text))
        } catch let error as DecodingError {
            throw Diagnosis.mismatch(model, text, after: error)
        }
    }

    private static func checkSyntax(_ text: [UInt8]) throws(JSONSyntaxError) {
        var validator = JSONFormatter(style: .none)
        var nothing: [UInt8] = []
        try validator.feed(text, into: &nothing)
        try validator.finish(into: &nothing)
    }
}
