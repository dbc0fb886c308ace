import EndpointKit
import JSONText

extension ModelShape {
    /// Returns the shape of the JSON that a model decodes. The model is learned by decoding it from made-up values.
    ///
    /// - Parameters:
    ///   - model: The type to learn.
    ///   - sample: A JSON text of the model, for types that refuse made-up values, or that choose by a value what they
    ///     read. A text that is not JSON is ignored.
    ///   - coding: How the API writes keys, dates and numbers.
    package static func of<Model: Decodable>(
        _ model: Model.Type, sample: [UInt8]? = nil, coding: Coding = Coding()
    ) -> ModelShape {
        shapes(of: [SampledModel(type: model, sample: sample)], coding: coding)[0]
    }

    /// Returns the shapes of the JSON that several models decode, in the order of the models.
    ///
    /// This is faster than learning one model after the other, because each type in them is learned once.
    ///
    /// - Parameters:
    ///   - models: The models, maybe with samples.
    ///   - coding: How the API writes keys, dates and numbers.
    static func shapes(of models: [SampledModel], coding: Coding) -> [ModelShape] {
        let learner = ShapeLearner(coding)
        for model in models { learner.learnModel(model.type, sample: model.sample) }
        return ShapeResolver.shapes(of: learner.drafts, coding: coding)
    }

    /// A model whose shape is to be learned.
    struct SampledModel {
        let type: any Decodable.Type
        /// A JSON text of the model; nil if there is none. See ``of(_:sample:coding:)``.
        let sample: [UInt8]?
    }
}

/// The shape of an API's enum, learned from calls as JSON whose missing values were made up.
struct LearnedEnum {
    /// An object with a member for each case of which there was a call.
    let shape: ModelShape
    /// The value that the first call was decoded to; nil if a type refused made-up values.
    let firstCall: (any API)?

    /// Learns an enum by decoding it from calls.
    ///
    /// - Parameters:
    ///   - api: The enum.
    ///   - calls: Calls as JSON, such as `{"movie": {"id": 0}}`, whose missing values are made up.
    ///   - coding: How the API writes keys, dates and numbers.
    init<A: API>(_ api: A.Type, from calls: [JSONValue], coding: Coding) {
        let learner = ShapeLearner(coding)
        let decodedCalls = learner.learnEnum(api, fromCalls: calls)
        // The enum is the only root.
        shape = ShapeResolver.shapes(of: learner.drafts, coding: coding)[0]
        // There may be no call, or one that was decoded to nil. Both become nil.
        firstCall = decodedCalls.first ?? nil
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
    /// The document `null`, which lacks all values, so that the decoder makes them up.
    private let nullDocument: JSONDocument?

    init(_ coding: Coding) {
        self.coding = coding
        nullDocument = try? JSONDocument(Array("null".utf8))
    }

    /// Learns a model: adds a draft to the roots of ``drafts``, and notes in it what the model asks for.
    ///
    /// The model is decoded from `null` with made-up values first, and then from the sample, if there is one that is
    /// JSON.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - sample: A JSON text of the model; nil if there is none.
    func learnModel<Model: Decodable>(_ model: Model.Type, sample: [UInt8]?) {
        drafts.roots.append(ShapeDraft())
        var madeUpValue: Model?
        if let nullDocument { madeUpValue = decodeAndNote(model, from: nullDocument, observing: .shape) }
        guard let sample, let document = try? JSONDocument(sample) else { return }
        let refusesMadeUpValues = madeUpValue == nil
        if refusesMadeUpValues {
            // This keeps the values of the sample, which the next decoding uses in place of made-up ones.
            _ = decodeAndNote(model, from: document, observing: .mismatches)
        }
        // With values of the sample, the model may ask for fields that it did not ask for with made-up values.
        _ = decodeAndNote(model, from: document, observing: .shape)
    }

    /// Learns an API's enum from calls: makes a draft of it the only root of ``drafts``, and notes there what the enum
    /// asks for.
    ///
    /// - Parameters:
    ///   - api: The enum.
    ///   - calls: Calls as JSON, such as `{"movie": {"id": 0}}`.
    /// - Returns: The value that each call was decoded to; nil if decoding failed, for example because a type refused
    ///   made-up values.
    func learnEnum<A: API>(_ api: A.Type, fromCalls calls: [JSONValue]) -> [A?] {
        drafts.roots = [ShapeDraft()]
        // The calls name the cases to learn. The enum must not be decoded alone, which would make up all other cases. A
        // type that has a draft already is not queued for that.
        drafts.types[ObjectIdentifier(api)] = TypeDraft(api, level: 0)
        var values: [A?] = []
        for call in calls {
            var value: A?
            if let document = try? JSONDocument(Array(call.written)) {
                value = decodeAndNote(api, from: document, observing: .shape)
            }
            values.append(value)
        }
        return values
    }

    /// Decodes a model. A ``ShapeRecorder`` notes the keys and types that the model asks for, in ``drafts``.
    ///
    /// If values are made up, the recorder also queues the types inside of the model. Each of them is decoded alone
    /// afterwards: an enum once for each case, and a type that tries several forms once for each form.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - document: The JSON, such as a sample or null.
    ///   - observation: `.mismatches` to replace only values that do not fit, or `.shape` to also make up the values
    ///     that the document lacks.
    /// - Returns: The value; nil if decoding failed. What the model asked for before the error is noted all the same.
    private func decodeAndNote<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, observing observation: Observation
    ) -> Model? {
        let recorder = ShapeRecorder(document, coding: coding, observation: observation, drafts: drafts)
        let value = try? JSONTextDecoder(coding: coding).decode(model, from: document, observer: recorder)
        if case .shape = observation {
            while let draft = drafts.queue.popFirst() { learnRemainingForms(of: draft) }
        }
        return value
    }

    /// Decodes a queued type alone until all its cases and forms have been decoded, but at most ``maxDecodings`` of
    /// each. The draft counts them.
    ///
    /// A *form* is one of the ways in which a type tries to decode itself, such as first as an `Int` and then as a
    /// `String`.
    ///
    /// 1. A type that must be decoded alone is decoded once. It was too deep inside others, failed there, or was read
    ///    from a document that may show only one of its forms. This decoding also tells how many cases and forms the
    ///    type has.
    /// 2. An enum is decoded for each case that has not been made up.
    /// 3. A type that tries several forms is decoded for each form, with the forms before it skipped. For example, a
    ///    type that tries `Int`, then `String`, is decoded with `Int` skipped, so that it asks for `String`.
    private func learnRemainingForms(of draft: TypeDraft) {
        if draft.mustBeDecodedAlone {
            // The decoding sets this again if the type throws, but may be decoded to its end later.
            draft.mustBeDecodedAlone = false
            draft.attempts += 1
            decodeAlone(draft.type, skippedForms: 0)
        }
        for _ in 0..<Self.maxDecodings {
            let areAllCasesMadeUp = draft.casesMadeUp >= draft.caseCount
            if areAllCasesMadeUp { break }
            // Each decoding makes up the next case.
            decodeAlone(draft.type, skippedForms: 0)
        }
        while draft.formsLearned < min(draft.formCount, Self.maxDecodings) {
            draft.formsLearned += 1
            decodeAlone(draft.type, skippedForms: draft.formsLearned)
        }
    }

    /// Decodes a type from made-up values alone, and notes in ``drafts`` what the type asks for.
    ///
    /// The type is decoded as the element of a list, from the document `null`. The decoder makes up only what a
    /// document lacks: not the value at the top, which is null, but the list's element with all values in it.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - skippedForms: The number of forms that the decoder refuses, so that the type tries the next one. A *form* is
    ///     one of the ways in which a type tries to decode itself.
    private func decodeAlone<Model: Decodable>(_ type: Model.Type, skippedForms: Int) {
        guard let nullDocument else { return }
        let loneType = ShapeRecorder.LoneType(type: type, skippedForms: skippedForms)
        let recorder = ShapeRecorder(
            nullDocument, coding: coding, observation: .shape, drafts: drafts, loneType: loneType)
        // An error does not matter: the recorder has noted what the type asked for before it.
        _ = try? JSONTextDecoder(coding: coding).decode([Model].self, from: nullDocument, observer: recorder)
    }
}
