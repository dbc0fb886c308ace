import JSONText

extension ModelShape {
    /// The shape of what a model decodes.
    ///
    /// - Parameter sample: A JSON text that fits, for types that refuse made-up values, or that choose what to read by a value. One
    ///   that does not fit adds nothing.
    package init<Model: Decodable>(of model: Model.Type, sample: [UInt8]? = nil, coding: Coding = Coding()) {
        let drafts = ShapeDrafts()
        Self.learn(model, from: Array("null".utf8), .shape, coding, into: drafts)
        if let sample {
            Self.learn(model, from: sample, .mismatches, coding, into: drafts)
            // Fields that the sample lacks, in places that only the sample leads to.
            Self.learn(model, from: sample, .shape, coding, into: drafts)
        }
        self = ShapeResolver.shape(drafts)
    }

    private static func learn<Model: Decodable>(
        _ model: Model.Type, from text: [UInt8], _ observation: Observation, _ coding: Coding, into drafts: ShapeDrafts
    ) {
        // An error does not matter: the shape is what the model requested before it.
        guard let document = try? JSONDocument(text) else { return }
        let recorder = ShapeRecorder(document, coding: coding, observation, into: drafts)
        _ = try? JSONTextDecoder(coding: coding).decode(model, from: document, observer: recorder)
    }
}

extension EndpointDeclaration {
    /// What JSON the response model reads; nil if it is not JSON. The endpoint's sample helps to learn it.
    package var responseShape: ModelShape? {
        endpoint.response.shape(sample: endpoint.sample?.bytes, coding: api.coding)
    }
}
