import EndpointKit
import JSONText
import OpenAPI

/// Several types of objects of which a value has one, and the way in which they are told apart.
///
///     {"kind": "cat", "lives": 9}, {"kind": "dog", "name": "Rex"}    // by the tag under `kind`
///     {"lives": 9}, {"name": "Rex"}                                  // by the required keys
struct ObjectUnion {
    /// A type with the schema that it was made of.
    struct Alternative {
        let type: InferredType
        let schema: JSONValue
    }

    /// The way in which the objects are told apart.
    enum Distinction {
        /// By the text of the member with this key. There is a list of texts for each alternative.
        case tags(key: String, [[String]])
        /// By the keys that the objects must have. Each object lacks a key that every object before it must have.
        case requiredKeys
    }

    /// The most types that are told apart by their required keys. Each of them is compared with all others.
    private static let maxToldApartByKeys = 200
    /// The most members that are looked at for a text that tells objects apart.
    private static let maxTagCandidates = 500
    /// The most texts that one type of objects may have. Each becomes a case of the enum.
    private static let maxTags = 9
    /// The most bytes of a text that becomes the name of a case.
    private static let maxTagLength = 60

    /// The alternatives in the order in which they are decoded, each type once.
    private(set) var alternatives: [Alternative]
    let distinction: Distinction

    /// Finds what tells several types of objects apart: the text of a member, or the keys that the types require.
    ///
    /// Fails if nothing tells them apart, or if one of the types is no structure.
    ///
    /// - Parameters:
    ///   - alternatives: The types of the objects, with their schemas.
    ///   - discriminator: The Discriminator Object of OpenAPI; nil if there is none.
    ///   - document: The document with the schemas.
    init?(_ alternatives: [Alternative], discriminator: JSONValue?, document: OpenAPIDocument) {
        let areStructures = alternatives.allSatisfy { alternative in
            if case .structure? = alternative.type.model?.form { true } else { false }
        }
        guard areStructures else { return nil }
        let distinctAlternatives = alternatives.withoutRepetitions(of: \.type)
        let keywordsOfTypes = distinctAlternatives.map { document.keywords(ofAll: [$0.schema]) }
        let tags = Self.tags(
            of: distinctAlternatives, keywords: keywordsOfTypes, discriminator: discriminator, document: document)
        if let tags {
            self.alternatives = distinctAlternatives
            distinction = tags
            return
        }
        guard distinctAlternatives.count <= Self.maxToldApartByKeys else { return nil }
        let order = Self.orderByRequiredKeys(keywordsOfTypes)
        guard Self.areToldApartByKeys(order.map { keywordsOfTypes[$0] }) else { return nil }
        self.alternatives = order.map { distinctAlternatives[$0] }
        distinction = .requiredKeys
    }

    /// Returns the indices of types in the order in which they are decoded: a type that requires more keys comes first.
    ///
    /// Its objects may have all keys that another type requires, so the other type must not be tried first. Types that
    /// require equally many keys keep their order.
    ///
    /// - Parameter keywordsOfTypes: The keywords of each type's schema.
    private static func orderByRequiredKeys(_ keywordsOfTypes: [SchemaKeywords]) -> [Int] {
        keywordsOfTypes.indices.sorted { first, second in
            let firstCount = keywordsOfTypes[first].required.count
            let secondCount = keywordsOfTypes[second].required.count
            return firstCount == secondCount ? first < second : firstCount > secondCount
        }
    }

    /// Whether the required keys tell types of objects apart, if they are tried in this order.
    ///
    /// An object of a later type must not be decoded as an earlier type. So the later type must lack at least one of
    /// the keys that the earlier type requires. The last type needs no required keys.
    ///
    /// - Parameter keywordsOfTypes: The keywords of each type's schema.
    private static func areToldApartByKeys(_ keywordsOfTypes: [SchemaKeywords]) -> Bool {
        let keysOfTypes = keywordsOfTypes.map { Set($0.properties.map(\.name)) }
        for (index, keywords) in keywordsOfTypes.enumerated() {
            // A required key without a property is not decoded.
            let requiredKeys = keywords.required.intersection(keysOfTypes[index])
            let keysOfLaterTypes = keysOfTypes[(index + 1)...]
            let mayDecodeLaterObject = keysOfLaterTypes.contains { requiredKeys.isSubset(of: $0) }
            if mayDecodeLaterObject { return false }
        }
        return true
    }

    // MARK: Tags

    /// Returns the member whose texts tell objects apart.
    ///
    /// It is the one that the discriminator names. Without a discriminator, it is the first member for which all types
    /// list different texts, such as `{"kind": {"const": "cat"}}` and `{"kind": {"const": "dog"}}`.
    ///
    /// - Parameters:
    ///   - alternatives: The types of the objects.
    ///   - keywordsOfTypes: The keywords of each type's schema.
    ///   - discriminator: The Discriminator Object of OpenAPI; nil if there is none.
    ///   - document: The document with the schemas.
    /// - Returns: The member with its texts; nil if there is none.
    private static func tags(
        of alternatives: [Alternative], keywords keywordsOfTypes: [SchemaKeywords], discriminator: JSONValue?,
        document: OpenAPIDocument
    ) -> Distinction? {
        if let discriminator, let parsedDiscriminator = Discriminator(discriminator) {
            let key = parsedDiscriminator.member
            let texts =
                mappedTexts(of: alternatives, discriminator: parsedDiscriminator)
                ?? constants(ofMember: key, in: keywordsOfTypes, document: document)
            return texts.map { .tags(key: key, $0) }
        }
        let candidateKeys = keywordsOfTypes.first?.properties.prefix(maxTagCandidates).map(\.name) ?? []
        for key in candidateKeys {
            let texts = constants(ofMember: key, in: keywordsOfTypes, document: document)
            if let texts { return .tags(key: key, texts) }
        }
        return nil
    }

    /// Returns the texts by which a discriminator names each alternative: those in its `mapping`, or else the names of
    /// the schemas.
    ///
    /// - Returns: The texts; nil if an alternative has none, if two alternatives have the same one, or if a text can't
    ///   be the name of a case.
    private static func mappedTexts(
        of alternatives: [Alternative], discriminator: Discriminator
    ) -> [[String]]? {
        let textsOfAlternatives = alternatives.map { alternative in
            // Only an alternative that is a reference has the name of a schema.
            alternative.schema["$ref"]?.string.map(discriminator.texts) ?? []
        }
        let allTexts = textsOfAlternatives.joined()
        let haveTexts = textsOfAlternatives.allSatisfy { !$0.isEmpty }
        let areDistinct = Set(allTexts).count == allTexts.count
        let canBeNames = allTexts.allSatisfy { (1...maxTagLength).contains($0.utf8.count) }
        return haveTexts && areDistinct && canBeNames ? textsOfAlternatives : nil
    }

    /// Returns the texts that the member with a key may have in each type of objects.
    ///
    /// `kind` of `{"kind": {"const": "cat"}}` and `{"kind": {"enum": ["dog", "wolf"]}}` → `[["cat"], ["dog", "wolf"]]`
    ///
    /// - Parameters:
    ///   - key: The key of the member.
    ///   - keywordsOfTypes: The keywords of the schema of each type of objects.
    ///   - document: The document with the schemas.
    /// - Returns: The texts; nil if a type lists no values or more than ``maxTags``, if a value is not a string or is
    ///   too long, or if a text comes twice.
    private static func constants(
        ofMember key: String, in keywordsOfTypes: [SchemaKeywords], document: OpenAPIDocument
    ) -> [[String]]? {
        var earlierTexts: Set<String> = []
        var textsOfTypes: [[String]] = []
        for keywords in keywordsOfTypes {
            let schemasOfMember = keywords.schemas(of: key)
            let values = document.keywords(ofAll: schemasOfMember).values ?? []
            let texts = values.compactMap(\.string)
            let areAllTexts = texts.count == values.count
            guard areAllTexts, (1...maxTags).contains(texts.count) else { return nil }
            for text in texts {
                let isNew = earlierTexts.insert(text).inserted
                guard isNew, text.utf8.count <= maxTagLength else { return nil }
            }
            textsOfTypes.append(texts)
        }
        return textsOfTypes
    }

    // MARK: Reasons

    /// Returns the words for a comment that says why a field is a `JSONValue`: `one of Cat, Dog`. It is one if its
    /// alternatives can't be told apart.
    static func reason(_ alternatives: [Alternative]) -> String {
        // A longer list of names would help no reader.
        let maxNames = 12
        let names = alternatives.map { alternative in
            let schemaName = alternative.schema["$ref"]?.string.map(ModelName.baseName)
            return schemaName ?? alternative.type.jsonKind?.rawValue ?? "any JSON"
        }
        // The key of a schema may be empty.
        let distinctNames = names.filter { !$0.isEmpty }.withoutRepetitions
        if distinctNames.count == 1 { return "one of \(names.count) kinds of \(distinctNames[0])" }
        let ellipsis = distinctNames.count > maxNames ? ", …" : ""
        return "one of " + distinctNames.prefix(maxNames).joined(separator: ", ") + ellipsis
    }
}
