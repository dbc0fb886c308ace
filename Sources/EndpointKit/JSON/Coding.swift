import JSONText

// Models and APIs use these types, so that they need to import EndpointKit only.
@_exported import struct JSONText.Coding
@_exported import protocol JSONText.DescribedError
@_exported import struct JSONText.JSONValue

extension Coding {
    /// `value` as JSON text in declaration order. Throws `EncodingError` if a value can't be written as JSON, such as infinity.
    public func encode(_ value: any Encodable) throws -> [UInt8] {
        try JSONTextEncoder(coding: self).encode(value)
    }

    /// `text` decoded into `model`. Throws `JSONSyntaxError` if it is not one JSON document, ``ModelMismatch`` if it does not fit the model.
    public func decode<Model: Decodable>(_ model: Model.Type, from text: [UInt8]) throws -> Model {
        try decode(model, from: JSONDocument(text))
    }

    /// A document decoded into `model`. Throws ``ModelMismatch`` if it does not fit.
    package func decode<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, marks: ReadMarks? = nil,
        observer: (any DecodingObserver)? = nil,
        check: (() throws -> Void)? = nil
    ) throws -> Model {
        do {
            return try JSONTextDecoder(coding: self)
                .decode(model, from: document, marks: marks, observer: observer, check: check)
        } catch let error as DecodingError {
            throw ModelMismatch(
                model: TypeName.text(of: model), mismatch: JSONMismatch(error, in: document, coding: self))
        }
    }
}

extension Coding {
    /// `date` as written in JSON, without quotes; queries, paths and flags use the same form.
    package func text(of date: Date) -> String {
        if case .iso8601 = dates, let text = DateText.iso8601(date) { return text }
        guard let json = try? encode(date), let value = try? JSONDocument(json) else {
            return "\(date.timeIntervalSince1970)"
        }
        return JSONValue(value).string ?? String(decoding: json, as: UTF8.self)
    }

    /// The date that `text` means in that form, or in ISO 8601; nil if it is not a date.
    package func date(_ text: String) -> Date? {
        if case .iso8601 = dates { return DateText.parse(text) }
        let quoted = try? encode(text)
        return quoted.flatMap { try? decode(Date.self, from: $0) } ?? (try? decode(Date.self, from: text.exactBytes))
            ?? DateText.parse(text)
    }
}

/// JSON text that is valid but does not fit the model.
public struct ModelMismatch: DescribedError, Sendable, Equatable {
    /// The Swift name of the model.
    package let model: String
    /// The first value that does not fit.
    package let mismatch: JSONMismatch

    /// `$.results[3].id: expected integer, found string "x" (line 4, column 7)`
    public var description: String { mismatch.description }
}
