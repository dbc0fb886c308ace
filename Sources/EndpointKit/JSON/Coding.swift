import JSONText

// Models and APIs use these types, so that they need to import EndpointKit only.
@_exported import struct JSONText.Coding
@_exported import protocol JSONText.DescribedError
@_exported import struct JSONText.JSONSyntaxError
@_exported import struct JSONText.JSONValue

extension Coding {
    /// Encodes a value as JSON text, with its keys in the order of declaration.
    ///
    /// - Throws: `EncodingError` if a value can't be written as JSON, such as infinity.
    public func encode(_ value: any Encodable) throws -> [UInt8] {
        try JSONTextEncoder(coding: self).encode(value)
    }

    /// Decodes a model from JSON text.
    ///
    /// - Throws: `JSONSyntaxError` if the text is not one JSON document. ``ModelMismatch`` if it does not fit the
    ///   model. An error that a model's own `init(from:)` throws.
    public func decode<Model: Decodable>(_ model: Model.Type, from text: [UInt8]) throws -> Model {
        try decode(model, from: JSONDocument(text))
    }

    /// Decodes a model from the data of JSON text.
    ///
    /// - Throws: `JSONSyntaxError` if the text is not one JSON document. ``ModelMismatch`` if it does not fit the
    ///   model. An error that a model's own `init(from:)` throws.
    public func decode<Model: Decodable>(_ model: Model.Type, from text: Data) throws -> Model {
        try decode(model, from: [UInt8](text))
    }

    /// Decodes a model from a JSON document that has been parsed, or from one value in it.
    ///
    /// - Parameters:
    ///   - model: The type to decode.
    ///   - document: The parsed text.
    ///   - slot: The position of the value in the document. By default, the whole document is decoded.
    ///   - marks: Collects which values of the document the model reads, so that unread ones can be reported.
    ///   - observer: Is notified of the keys and types that the model asks for.
    ///   - check: Called regularly while decoding. An error that it throws, such as for a time limit, stops it.
    /// - Throws: ``ModelMismatch`` if the value does not fit the model. It names the first value that does not.
    package func decode<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, at slot: Int = JSONDocument.root, marks: ReadMarks? = nil,
        observer: (any DecodingObserver)? = nil, check: (() throws -> Void)? = nil
    ) throws -> Model {
        do {
            let decoder = JSONTextDecoder(coding: self)
            return try decoder.decode(
                model, from: document, at: slot, marks: marks, observer: observer, check: check)
        } catch let error as DecodingError {
            let mismatch = JSONMismatch(error, in: document, at: slot, coding: self)
            throw ModelMismatch(model: TypeName.text(of: model), mismatch: mismatch)
        }
    }
}

extension Coding {
    /// Returns the text that a date has in JSON, without quotes. Queries, paths and options of the command line contain
    /// dates in the same form.
    package func text(of date: Date) -> String {
        if case .iso8601 = dates, let text = DateText.iso8601(date) { return text }
        guard let json = try? encode(date), let value = try? JSONDocument(json) else {
            return "\(date.timeIntervalSince1970)"
        }
        return JSONValue(value).string ?? String(decoding: json, as: UTF8.self)
    }

    /// Returns the date of a text in the form of ``text(of:)``, or in ISO 8601; nil if it is not a date.
    package func date(_ text: String) -> Date? {
        if case .iso8601 = dates { return DateText.parse(text) }
        if let jsonString = try? encode(text), let date = try? decode(Date.self, from: jsonString) { return date }
        // Some strategies write a date as a number, such as one of seconds.
        if let date = try? decode(Date.self, from: text.exactBytes) { return date }
        return DateText.parse(text)
    }
}

/// The error of JSON text that is valid but does not fit the model.
public struct ModelMismatch: DescribedError, Sendable, Equatable {
    /// The Swift name of the model.
    public let model: String
    /// The first value that does not fit.
    package let mismatch: JSONMismatch

    /// The JSONPath of the first value that does not fit: `$.results[3].id`.
    public var path: String { mismatch.path.pathText }
    /// The fault of the value: `expected integer, found string "x"`.
    public var problem: String { mismatch.problem }
    /// The line of the value, from 1; nil if there is no value at the path.
    public var line: Int? { mismatch.line }
    /// The column of the value in Unicode scalars, from 1; nil if there is no value at the path.
    public var column: Int? { mismatch.column }

    /// The path, the fault and the place: `$.results[3].id: expected integer, found string "x" (line 4, column 7)`.
    public var description: String { mismatch.description }
}
