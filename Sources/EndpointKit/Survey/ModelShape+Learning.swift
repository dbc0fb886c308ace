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

    /// The shape of what a type decodes from texts, where what they lack is made up, and the value that the first of them gives; nil if a
    /// type refuses made-up values.
    static func learned<Model: Decodable>(
        _ model: Model.Type, from texts: [[UInt8]], coding: Coding
    ) -> (shape: ModelShape, value: Model?) {
        let drafts = ShapeDrafts()
        let values = texts.map { learn(model, from: $0, .shape, coding, into: drafts) }
        return (ShapeResolver.shape(drafts), values.first ?? nil)
    }

    /// Each case of an enum with values takes a decoding of its own; cases beyond that many are not learned.
    private static let mostCases = 100

    @discardableResult
    private static func learn<Model: Decodable>(
        _ model: Model.Type, from text: [UInt8], _ observation: Observation, _ coding: Coding, into drafts: ShapeDrafts
    ) -> Model? {
        guard let document = try? JSONDocument(text) else { return nil }
        var value: Model?
        for _ in 0..<mostCases {
            let recorder = ShapeRecorder(document, coding: coding, observation, into: drafts)
            // An error does not matter: the shape is what the model requested before it.
            let decoded = try? JSONTextDecoder(coding: coding).decode(model, from: document, observer: recorder)
            value = value ?? decoded
            guard case .shape = observation, drafts.hasMoreCases else { break }
        }
        return value
    }
}

extension EndpointDeclaration {
    /// What JSON the response model reads; nil if it is not JSON. The endpoint's sample helps to learn it.
    package var responseShape: ModelShape? {
        endpoint.response.shape(sample: endpoint.sample?.bytes, coding: api.coding)
    }
}
