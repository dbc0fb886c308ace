import EndpointKit
import EndpointTools
import Endpoints
import Foundation
import JSONText
import TestSupport
import Testing

/// For each model of the catalogue, our coders and Foundation's accept the same texts, have the same values and write
/// the same JSON.
@Suite struct ModelDifferenceTests {
    /// A model with the sample of one endpoint.
    private struct Sample {
        let name: String
        let response: ResponseModel
        let coding: Coding
        let shape: ModelShape
        let model: any (Decodable & Encodable).Type
        /// Whether any JSON fits some value in the model.
        let takesAnything: Bool
        let hasDictionary: Bool
        /// The sample with at most two elements in each list, so that a change costs little.
        let text: [UInt8]

        init?(_ declaration: EndpointDeclaration) throws {
            guard let sample = declaration.endpoint.sample?.bytes, declaration.endpoint.response.kind == .json else {
                return nil
            }
            name = declaration.name
            response = declaration.endpoint.response
            coding = declaration.api.coding
            model = type(of: try #require(response.decode(JSONDocument(sample), coding: coding) as? any Codable))
            shape = try #require(declaration.responseShape)
            let outline = shape.outline
            takesAnything = outline.contains("any JSON")
            hasDictionary = outline.contains("[string: ")
            text = Array(try JSONValue(text: sample).withShortLists.written)
        }
    }

    private static func sample(_ name: String) throws -> Sample {
        let declaration = try #require(Catalogue.declaration(name))
        return try #require(try Sample(declaration))
    }

    private static let names = Catalogue.declarations.filter { $0.endpoint.response.kind == .json }.map(\.name)

    @Test(arguments: names) func bothAgreeOnChangedSamples(_ name: String) throws {
        let sample = try Self.sample(name)
        var accepted = 0
        for seed in 0..<UInt64(150) {
            var mutator = JSONMutator(seed: seed)
            let text = try mutator.changed(sample.text)
            let comparison = Self.comparison(sample, text)
            #expect(comparison.difference == nil, "seed \(seed)")
            // The survey goes on where decoding stops, and must come to the same end.
            let survey = try ResponseComparison.compare(
                JSONDocument(text), as: sample.response.model, coding: sample.coding)
            #expect(survey.fits == comparison.isAccepted, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
            if comparison.isAccepted { accepted += 1 }
        }
        #expect(accepted > 10, "hardly any change is accepted")
    }

    @Test(arguments: names) func bothAgreeOnSamplesWithASingleChange(_ name: String) throws {
        let sample = try Self.sample(name)
        for mutation in try SampleMutations(sample.text, sample.shape).mutations {
            #expect(Self.comparison(sample, mutation.text).difference == nil)
        }
    }

    @Test func bothAgreeOnEveryModelWithEverySample() throws {
        let samples = try Catalogue.declarations.compactMap(Sample.init)
        var models = samples
        for (index, sample) in samples.enumerated().reversed()
        where samples[..<index].contains(where: { $0.model == sample.model }) {
            models.remove(at: index)
        }
        #expect(models.count > 20)
        for model in models {
            for sample in samples { #expect(Self.comparison(model, sample.text).difference == nil, "\(sample.name)") }
        }
    }

    @Test(arguments: names) func cutSamplesAreRefused(_ name: String) throws {
        let sample = try Self.sample(name)
        for seed in 0..<UInt64(10) {
            var mutator = JSONMutator(seed: seed)
            let text = mutator.cut(sample.text)
            let comparison = Self.comparison(sample, text)
            #expect(comparison.difference == nil && !comparison.isAccepted, "seed \(seed)")
        }
    }

    // MARK: Comparing

    private struct Comparison {
        /// Whether the text is a value of the model.
        var isAccepted = false
        /// A description of the difference; nil if there is none.
        var difference: String?
    }

    /// Decodes `text` as the model of `sample` with both decoders, and writes the value with both encoders.
    private static func comparison(_ sample: Sample, _ text: [UInt8]) -> Comparison {
        func compare<Model: Codable>(_ model: Model.Type) -> Comparison {
            let ours = Result { try JSONTextDecoder(coding: sample.coding).decode(model, from: JSONDocument(text)) }
            let foundations = Result { try KnownDifference.decoder(sample.coding).decode(model, from: Data(text)) }
            func different(_ found: Any, _ expected: Any) -> Comparison {
                let contrast = DecoderOutcome.contrast("\(found)", "\(expected)")
                return Comparison(
                    difference: "\(sample.name): \(model) from \(String(decoding: text, as: UTF8.self))\n\(contrast)")
            }
            let isBeyond = sample.takesAnything && KnownDifference.isBeyondFoundation(text)
            switch (ours, foundations) {
            case (.success(let one), .success(let other)):
                if isBeyond { return Comparison(isAccepted: true) }
                do {
                    guard try isSame(one, other, sample) else { return different(one, other) }
                    if sample.takesAnything, KnownDifference.hasKeyTwice(text) { return Comparison(isAccepted: true) }
                    let (found, expected) = (try written(one, sample), try writtenByFoundation(one, sample))
                    return try isSame(found, expected, sample)
                        ? Comparison(isAccepted: true)
                        : different(String(decoding: found, as: UTF8.self), String(decoding: expected, as: UTF8.self))
                } catch {
                    return different(one, error)
                }
            case (.failure(let error), .failure(let other)):
                let (found, expected) = (DecoderOutcome.text(error), DecoderOutcome.text(other))
                let isKnown = KnownDifference.hasOtherError(error) || sample.hasDictionary
                return found == expected || isKnown ? Comparison() : different(found, expected)
            case (.success(let one), .failure(let error)):
                return isBeyond ? Comparison(isAccepted: true) : different(one, error)
            case (.failure(let error), .success(let other)): return different(error, other)
            }
        }
        return compare(sample.model)
    }

    private static func isSame<Model: Codable>(_ one: Model, _ other: Model, _ sample: Sample) throws -> Bool {
        // `JSONValue` compares number text and order, which Foundation does not keep.
        if !sample.takesAnything, let first = one as? any Equatable { return first.isEqual(other) }
        return try Meaning(Coding().encode(one)) == Meaning(Coding().encode(other))
    }

    // MARK: Writing

    /// Encodes `value` with dates as numbers, because only our dates in text have fractions of a second.
    private static func written(_ value: some Encodable, _ sample: Sample) throws -> Data {
        let coding = Coding(keys: sample.coding.keys, dates: .secondsSince1970)
        return try Data(JSONTextEncoder(coding: coding).encode(value))
    }

    private static func writtenByFoundation(_ value: some Encodable, _ sample: Sample) throws -> Data {
        let encoder = KnownDifference.encoder(sample.coding)
        encoder.dateEncodingStrategy = .secondsSince1970
        return try encoder.encode(value)
    }

    private static func isSame(_ one: Data, _ other: Data, _ sample: Sample) throws -> Bool {
        // To JSONSerialization, `1e39` and the same number in digits differ.
        if sample.takesAnything { return try Meaning(Array(one)) == Meaning(Array(other)) }
        return try CanonicalJSON.text(one) == CanonicalJSON.text(other)
    }
}

extension Equatable {
    fileprivate func isEqual(_ other: Any) -> Bool { (other as? Self) == self }
}
