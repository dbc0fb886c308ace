import EndpointKit
import JSONText

extension ModelShape {
    /// Returns the shape of the JSON that a model decodes.
    ///
    /// - Parameters:
    ///   - model: The type to learn.
    ///   - sample: A JSON text that fits, for types that refuse made-up values, or that choose by a value what they
    ///     read. A text that does not fit adds nothing.
    ///   - coding: The coding of the API.
    package static func of<Model: Decodable>(
        _ model: Model.Type, sample: [UInt8]? = nil, coding: Coding = Coding()
    ) -> ModelShape {
        all([(model, sample)], coding: coding)[0]
    }

    /// Returns the shapes of what several models decode, in order. Each type in them is learned once.
    static func all(_ models: [(any Decodable.Type, sample: [UInt8]?)], coding: Coding) -> [ModelShape] {
        let learner = ShapeLearner(coding)
        for (model, sample) in models { learner.learn(model, sample: sample) }
        return ShapeResolver.shapes(learner.drafts, coding)
    }

    /// Returns the shape of what an API's enum decodes from calls.
    ///
    /// - Parameters:
    ///   - api: The enum.
    ///   - calls: Calls as JSON, whose missing values are made up. They decide which cases the shape has.
    ///   - coding: The coding of the API.
    /// - Returns: The shape, and the value that the first call was decoded to. There is no value if a type refuses
    ///   made-up values.
    static func learned<A: API>(
        _ api: A.Type, from calls: [JSONValue], coding: Coding
    ) -> (shape: ModelShape, call: (any API)?) {
        let learner = ShapeLearner(coding)
        let values = learner.learn(api, fromCalls: calls)
        return (ShapeResolver.shapes(learner.drafts, coding)[0], values.first ?? nil)
    }
}

/// Decodes types from documents that lack values, and notes in drafts what the types ask for.
///
/// A document of `null` is enough for most types, because a ``ShapeRecorder`` lets the decoder make up everything that
/// is missing. Some types need more than one decoding:
/// - An enum with associated values is decoded once for each case.
/// - A type that tries one form after the other is decoded once for each form, with the forms before it skipped.
/// - A type that was met inside others is decoded alone if it did not get to its end there.
private final class ShapeLearner {
    /// The most decodings of one type for its cases, and again for its forms. Further cases and forms are not learned.
    private static let maxDecodings = 100

    let drafts = ShapeDrafts()
    private let coding: Coding
    private let null: JSONDocument?

    init(_ coding: Coding) {
        self.coding = coding
        null = try? JSONDocument(Array("null".utf8))
    }

    /// Learns a model, which becomes the last root of the drafts.
    func learn<Model: Decodable>(_ model: Model.Type, sample: [UInt8]?) {
        drafts.roots.append(ShapeDraft())
        let madeUpValue = null.flatMap { decode(model, from: $0, .shape) }
        guard let sample, let document = try? JSONDocument(sample) else { return }
        if madeUpValue == nil {
            // A type refuses made-up values. This decoding keeps the values of the sample for the next one.
            _ = decode(model, from: document, .mismatches)
        }
        // With values of the sample, the model may ask for fields that it did not ask for with made-up values.
        _ = decode(model, from: document, .shape)
    }

    /// Learns an API's enum from calls.
    ///
    /// - Returns: For each call, the value that it was decoded to, or nil if a type refused made-up values.
    func learn<A: API>(_ api: A.Type, fromCalls calls: [JSONValue]) -> [A?] {
        drafts.roots = [ShapeDraft()]
        // The calls name the cases to learn. The enum must not be decoded alone, which would make up all other cases. A
        // type that has a draft already is not queued for that.
        drafts.types[ObjectIdentifier(api)] = TypeDraft(api, level: 0)
        return calls.map { call in
            let document = try? JSONDocument(Array(call.written))
            return document.flatMap { decode(api, from: $0, .shape) }
        }
    }

    /// Decodes a model and notes what it asks for in ``drafts``.
    ///
    /// If values are made up, the types in the model are decoded alone afterwards, until each has been decoded in all
    /// its cases and forms.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - document: The JSON, such as a sample or null.
    ///   - observation: `.shape` if the decoder is to make up the values that the document lacks.
    /// - Returns: The value; nil if decoding failed. What the model asked for before the error is noted all the same.
    private func decode<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, _ observation: Observation
    ) -> Model? {
        let recorder = ShapeRecorder(document, coding, observation, into: drafts)
        let value = try? JSONTextDecoder(coding: coding).decode(model, from: document, observer: recorder)
        if case .shape = observation {
            while let draft = drafts.queue.popFirst() { complete(draft) }
        }
        return value
    }

    /// Decodes a queued type alone until all its cases and forms have been decoded.
    ///
    /// 1. A pending type is decoded once. It was too deep inside others, failed there, or was read from a document that
    ///    may show only one of its forms. This decoding also tells how many cases and forms the type has.
    /// 2. An enum is decoded for each case that has not been made up.
    /// 3. A type that tries several forms is decoded for each form, with the forms before it skipped. For example, a
    ///    type that tries `Int`, then `String`, is decoded with `Int` skipped, so that it asks for `String`.
    private func complete(_ draft: TypeDraft) {
        if draft.isPending {
            draft.isPending = false
            draft.attempts += 1
            decodeAlone(draft.type, skippedForms: 0)
        }
        // Each decoding makes up the next case.
        for _ in 0..<Self.maxDecodings where draft.casesMadeUp < draft.caseCount {
            decodeAlone(draft.type, skippedForms: 0)
        }
        while draft.formsLearned < min(draft.forms, Self.maxDecodings) {
            draft.formsLearned += 1
            decodeAlone(draft.type, skippedForms: draft.formsLearned)
        }
    }

    /// Decodes a type with nothing around it but a list that is made up. All values in it are made up too.
    ///
    /// - Parameter skippedForms: The number of forms that the type tries in vain before one is decoded.
    private func decodeAlone<Model: Decodable>(_ type: Model.Type, skippedForms: Int) {
        guard let null else { return }
        let target = ShapeRecorder.Target(type: type, skippedForms: skippedForms)
        let recorder = ShapeRecorder(null, coding, .shape, into: drafts, target: target)
        // An error does not matter: the recorder has noted what the type asked for before it.
        _ = try? JSONTextDecoder(coding: coding).decode([Model].self, from: null, observer: recorder)
    }
}
