import EndpointKit
import JSONText
import OpenAPI

/// Objects of several types, of which a value is one, and how they are told apart.
struct ObjectUnion {
    /// A type with the schema that it was made of.
    struct Alternative {
        let type: InferredType
        let schema: JSONValue
    }

    /// The way in which the objects are told apart.
    enum Distinction {
        /// The texts of the member with this key; a list of texts for each alternative.
        case tags(key: String, [[String]])
        /// The keys that the objects must have. Each one lacks a key that all before it must have.
        case requiredKeys
    }

    /// More objects are not told apart by the keys that they require, because each one is compared with all others.
    private static let maxToldByKeys = 200
    /// The most members that are looked at for a text that tells objects apart.
    private static let maxTagCandidates = 500
    /// The most texts that tell one object from the others.
    private static let maxTags = 10
    /// A longer text makes no name of a case.
    private static let maxTagLength = 60

    /// The alternatives in the order in which they are decoded, each type once.
    private(set) var alternatives: [Alternative]
    let distinction: Distinction

    /// Finds what tells objects apart.
    ///
    /// - Parameters:
    ///   - alternatives: The types of the objects, with their schemas.
    ///   - discriminator: The Discriminator Object; nil if there is none.
    ///   - document: The document of the schemas.
    /// - Returns: Nil if nothing tells them apart, or if one of them is no structure.
    init?(_ alternatives: [Alternative], _ discriminator: JSONValue?, _ document: OpenAPIDocument) {
        let structures = alternatives.allSatisfy { alternative in
            if case .structure? = alternative.type.model?.form { true } else { false }
        }
        guard structures else { return nil }
        let distinct = alternatives.grouped(by: \.type).map { $0.elements[0] }
        let facts = distinct.map { document.facts(ofAll: [$0.schema]) }
        if let distinction = Self.tags(distinct, facts, discriminator, document) {
            self.alternatives = distinct
            self.distinction = distinction
            return
        }
        guard distinct.count <= Self.maxToldByKeys else { return nil }
        // The object that requires most keys comes first: each later one must lack one of them.
        let order = distinct.indices.sorted { (facts[$0].required.count, $1) > (facts[$1].required.count, $0) }
        guard Self.areToldByKeys(order.map { facts[$0] }) else { return nil }
        self.alternatives = order.map { distinct[$0] }
        distinction = .requiredKeys
    }

    /// Whether the required keys tell the objects apart, if they are tried in this order.
    ///
    /// For each object, every later object must lack at least one of its required keys. The last object needs none.
    private static func areToldByKeys(_ all: [SchemaFacts]) -> Bool {
        let names = all.map { Set($0.properties.map(\.name)) }
        for (index, facts) in all.enumerated() {
            let own = facts.required.intersection(names[index])
            let isTold = names[(index + 1)...].allSatisfy { !own.isSubset(of: $0) }
            if !isTold { return false }
        }
        return true
    }

    // MARK: Tags

    /// Returns the member whose texts tell objects apart: the one that the discriminator names, or else the first one
    /// that has different constant texts in all of them.
    ///
    /// - Returns: The member with its texts; nil if there is none.
    private static func tags(
        _ alternatives: [Alternative], _ facts: [SchemaFacts], _ discriminator: JSONValue?,
        _ document: OpenAPIDocument
    ) -> Distinction? {
        if let discriminator = discriminator.flatMap({ Discriminator($0) }) {
            let texts =
                mappedTexts(alternatives, discriminator) ?? constants(discriminator.member, facts, document)
            return texts.map { .tags(key: discriminator.member, $0) }
        }
        let keys = facts.first?.properties.prefix(maxTagCandidates).map(\.name) ?? []
        for key in keys {
            if let texts = constants(key, facts, document) { return .tags(key: key, texts) }
        }
        return nil
    }

    /// Returns the texts by which a discriminator names each alternative.
    ///
    /// - Returns: The texts; nil if an alternative has none, or if two alternatives have the same one, or if a text makes
    ///   no name of a case.
    private static func mappedTexts(_ alternatives: [Alternative], _ discriminator: Discriminator) -> [[String]]? {
        let textsOfAlternatives = alternatives.map { alternative in
            alternative.schema["$ref"]?.string.map(discriminator.texts) ?? []
        }
        let texts = textsOfAlternatives.joined()
        guard textsOfAlternatives.allSatisfy({ !$0.isEmpty }), Set(texts).count == texts.count else { return nil }
        return texts.allSatisfy { 1...maxTagLength ~= $0.utf8.count } ? textsOfAlternatives : nil
    }

    /// Returns the texts that the member with a key may have in each object.
    ///
    /// `kind` of `{"kind": {"const": "cat"}}` and `{"kind": {"enum": ["dog", "wolf"]}}` → `[["cat"], ["dog", "wolf"]]`
    ///
    /// - Returns: The texts; nil if an object lists no values or too many, if a value is not a string or is too long,
    ///   or if a text comes twice.
    private static func constants(
        _ key: String, _ all: [SchemaFacts], _ document: OpenAPIDocument
    ) -> [[String]]? {
        var seen: Set<String> = []
        var result: [[String]] = []
        for facts in all {
            let values = document.facts(ofAll: facts.schemas(of: key)).values ?? []
            let texts = values.compactMap(\.string)
            guard texts.count == values.count, 1..<maxTags ~= texts.count else { return nil }
            guard texts.allSatisfy({ $0.utf8.count <= maxTagLength && seen.insert($0).inserted }) else { return nil }
            result.append(texts)
        }
        return result
    }

    // MARK: Reasons

    /// Returns the reason why types that can't be told apart are `JSONValue`: `one of Cat, Dog`.
    static func reason(_ alternatives: [Alternative]) -> String {
        let names = alternatives.map { alternative in
            alternative.schema["$ref"]?.string.map(ModelName.baseName) ?? alternative.type.jsonKind?.rawValue
                ?? "any JSON"
        }
        let distinct = names.filter { !$0.isEmpty }.grouped { $0 }.map(\.key)
        if distinct.count == 1 { return "one of \(names.count) kinds of \(distinct[0])" }
        return "one of " + distinct.prefix(12).joined(separator: ", ") + (distinct.count > 12 ? ", …" : "")
    }
}
