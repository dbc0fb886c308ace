import JSONText

extension Coding {
    /// `value` as JSON text in declaration order. Throws `EncodingError` if a value can't be written as JSON, such as infinity.
    public func encode(_ value: any Encodable) throws -> [UInt8] {
        try JSONTextEncoder(coding: self).encode(value)
    }

    /// `text` decoded into `model`.
    ///
    /// - Parameter check: Called regularly while decoding; an error it throws stops the decoding.
    ///
    /// Throws `JSONSyntaxError` if the text is not JSON, ``ModelMismatch`` if it does not fit the model.
    public func decode<Model: Decodable>(
        _ model: Model.Type, from text: [UInt8], check: (() throws -> Void)? = nil
    ) throws -> Model {
        do {
            let document = try JSONDocument(text, check: check)
            do {
                return try JSONTextDecoder(coding: self).decode(model, from: document, check: check)
            } catch let error as DecodingError {
                throw ModelMismatch(model, JSONMismatch(error, in: document, coding: self))
            }
        } catch let error as JSONDocumentError {
            throw ModelMismatch(model, JSONMismatch(error, in: text))
        }
    }
}
