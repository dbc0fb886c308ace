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
        try decode(model, from: Self.document(text, for: TypeName.text(of: model), check: check), check: check)
    }

    /// A document decoded into `model`. Throws ``ModelMismatch`` if it does not fit.
    func decode<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, marks: ReadMarks? = nil, recorder: SurveyRecorder? = nil,
        check: (() throws -> Void)? = nil
    ) throws -> Model {
        do {
            return try JSONTextDecoder(coding: self)
                .decode(model, from: document, marks: marks, observer: recorder, check: check)
        } catch let error as DecodingError {
            throw ModelMismatch(TypeName.text(of: model), JSONMismatch(error, in: document, coding: self))
        } catch let error as JSONDocumentError {
            throw ModelMismatch(TypeName.text(of: model), JSONMismatch(error, in: document.bytes))
        }
    }

    /// The document of a text that is to be decoded into the model of that name. Throws `JSONSyntaxError` if the text is not JSON,
    /// ``ModelMismatch`` if it is not one document.
    static func document(
        _ text: [UInt8], for model: @autoclosure () -> String, check: (() throws -> Void)? = nil
    ) throws -> JSONDocument {
        do {
            return try JSONDocument(text, check: check)
        } catch let error as JSONDocumentError {
            throw ModelMismatch(model(), JSONMismatch(error, in: text))
        }
    }
}
