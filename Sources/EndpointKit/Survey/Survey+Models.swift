import JSONText

extension Survey {
    /// Compares a body with a model.
    ///
    /// - Parameter check: Called every so often; what it throws stops the survey.
    ///
    /// Throws `JSONSyntaxError` or `JSONDocumentError` if the body is not one JSON document, and what the model's own `init(from:)` throws
    /// that is not a `DecodingError`.
    public init<Model: Decodable>(
        of body: [UInt8], as model: Model.Type, coding: Coding = Coding(), check: (() throws -> Void)? = nil
    ) throws {
        let document = try JSONDocument(body, check: check)
        let recorder = SurveyRecorder(document, coding: coding)
        var value: Model?
        do {
            value = try JSONTextDecoder(coding: coding).decode(model, from: document, check: check, observer: recorder)
        } catch is NothingFits {
            // The mismatch has been recorded.
        }
        self = recorder.finish()
        if fits, let value = value as? any Validated {
            do {
                try value.validate()
            } catch {
                reportedFailure = error
            }
        }
    }
}
