import EndpointKit
import JSONText
import OpenAPI

/// Makes Swift types of the schemas of a document (JSON Schema 2020-12, and the older dialects).
///
/// | Schema | Type |
/// |---|---|
/// | an object with `properties` | a structure |
/// | an object without | a dictionary |
/// | listed values | an enum |
/// | alternatives that can be told apart | an enum with associated values |
/// | anything else that is not one type | `JSONValue`, with the reason |
///
/// Each schema that a `$ref` names is read once. The structures among them are read one after the other and not inside
/// each other, so that neither recursion nor long chains of references cost stack.
struct SchemaTypes {
    /// Schemas inside of more schemas than this become `JSONValue`. It bounds the stack. Named structures don't count
    /// the schemas around the reference.
    private static let maxDepth = 32
    /// An enum with more values is a `String` or an `Int`, because nobody can survey it.
    static let maxValues = 500
    /// A longer value makes no name of a case.
    private static let maxValueLength = 80
    /// The most places that are remembered at which a type is `JSONValue`.
    private static let maxLoosePlaces = 1_000
    /// The most alternatives whose members are added to a structure.
    private static let maxMergedAlternatives = 256

    /// The most combinations of several schemas. Two schemas that each name others can be combined in many ways.
    private static let maxMergedTypes = 20_000

    static let undescribed = "the document doesn't say what is in it"
    /// The reason why listed values are not an enum: they are too many or too long.
    static let noEnum = "its listed values are too many or too long for an enum"
    /// The reason why listed numbers are `Double`.
    static let noIntegers = "its listed values do not all fit an Int"
    /// The reason why listed values are not an enum: they would write secrets into the code.
    static let secretValues = "its listed values look like secrets"

    /// A place at which a type is not as exact as its schema.
    private struct LoosePlace {
        let schema: JSONValue
        let reason: String
    }

    /// The surroundings of a schema.
    private struct Context {
        /// The key of the member or parameter with this schema.
        let key: String
        /// The number of schemas around this one.
        let depth: Int

        var inner: Context { Context(key: key, depth: depth + 1) }
    }

    /// A structure whose fields have not been read yet.
    private struct UnreadStructure {
        let model: InferredModel
        let facts: SchemaFacts
        let schema: JSONValue
    }

    let document: OpenAPIDocument
    var pool = ModelPool()
    private var loosePlaces: [LoosePlace] = []
    /// The schemas that can't be read, with their reasons.
    private(set) var problems: [String] = []
    private var types: [DocumentPlace: InferredType] = [:]
    /// The types of values that have to match several schemas, so that each combination is read once.
    private var mergedTypes: [[DocumentPlace]: InferredType] = [:]
    private var unread: [UnreadStructure] = []

    init(_ document: OpenAPIDocument) { self.document = document }

    /// The places at which a type is `JSONValue`, or less exact than its schema, with the reasons.
    var loose: [(pointer: String, reason: String)] {
        loosePlaces.map { (document.pointer(to: $0.schema), $0.reason) }
    }

    // MARK: Results

    /// Begins an operation, whose unnamed structures are its own.
    mutating func beginOperation() { pool.beginScope() }

    /// Names a model that has no name in the document.
    mutating func name(_ model: InferredModel, words: [String], longWords: [String]? = nil) {
        pool.name(model, words: words, longWords: longWords)
    }

    /// Adds a structure that is no schema of the document.
    mutating func addStructure(_ fields: [InferredModel.Property], words: [String]) -> InferredModel {
        let model = pool.add(.structure(fields), comment: "")
        pool.name(model, words: words)
        return model
    }

    /// Returns the type of a schema's values, with everything that the type leads to.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - key: The key of the member or parameter with the schema.
    mutating func type(of schema: JSONValue, key: String) -> InferredType {
        let result = readType(of: schema, Context(key: key, depth: 0))
        readStructures()
        return result
    }

    /// Returns the type of a body. It is `JSONValue` if the document does not describe it.
    ///
    /// - Parameters:
    ///   - body: The schema of the body; nil if there is none.
    ///   - key: The key of the enums in it that have no name.
    mutating func type(ofBody body: BodySchema?, key: String) -> InferredType {
        switch body {
        case .schema(let schema): return type(of: schema, key: key)
        case .items(let schema): return .array(type(of: schema, key: key))
        case .form(let fields): return form(fields)
        case nil: return .json(Self.undescribed)
        }
    }

    /// Returns the structure of a form of Swagger 2.0.
    private mutating func form(_ fields: [FormField]) -> InferredType {
        let properties = fields.map { field in
            property(field.name, [field.schema], isRequired: field.isRequired, Context(key: field.name, depth: 0))
        }
        readStructures()
        return .model(pool.structure(properties, others: nil, comment: ""))
    }

    /// Reads the structures that types name. Each one may name further ones.
    private mutating func readStructures() {
        var next = 0
        while next < unread.count {
            let structure = unread[next]
            structure.model.fields = fields(of: structure.facts, structure.schema, Context(key: "", depth: 0))
            structure.model.others = otherMembers(of: structure.facts, Context(key: "", depth: 0))
            next += 1
        }
        unread = []
    }

    /// Returns `JSONValue` for a schema, and remembers the place.
    private mutating func json(_ schema: JSONValue, _ reason: String) -> InferredType {
        addLoosePlace(schema, reason)
        return .json(reason)
    }

    /// Remembers a place at which a type is less exact than its schema.
    private mutating func addLoosePlace(_ schema: JSONValue, _ reason: String) {
        guard loosePlaces.count < Self.maxLoosePlaces else { return }
        loosePlaces.append(LoosePlace(schema: schema, reason: reason))
    }

    /// Returns `JSONValue` for a schema that can't be read, which the summary of the import tells.
    private mutating func unreadable(_ schema: JSONValue, _ reason: String) -> InferredType {
        if problems.count < Self.maxLoosePlaces { problems.append("\(document.pointer(to: schema)): \(reason)") }
        return json(schema, reason)
    }

    /// Remembers the parts of a schema that can't be read, such as a reference in `allOf` that leads nowhere.
    private mutating func addProblems(_ notes: [SchemaNote]) {
        for note in notes where problems.count < Self.maxLoosePlaces {
            guard let problem = note.problem else { continue }
            problems.append("\(note.pointer): \(problem)")
        }
    }

    // MARK: Schemas

    /// Returns the type of a schema's values. The structures that it names are read later.
    private mutating func readType(of schema: JSONValue, _ context: Context) -> InferredType {
        guard context.depth < Self.maxDepth else { return json(schema, "it is nested too deeply") }
        switch document.target(of: schema) {
        case .nowhere(let reason):
            return unreadable(schema, reason)
        case .schema(let target) where target.kind != .object:
            return typeOfOtherSchema(target)
        case .schema(let target):
            let isNamed = DocumentPlace(target) != DocumentPlace(schema)
            let name = isNamed ? schema["$ref"]?.string.map(ModelName.baseName) : nil
            return typeOfObjectSchema(target, reference: schema, name: name, context)
        }
    }

    /// Returns the type of a schema that is a boolean, or no schema at all.
    private mutating func typeOfOtherSchema(_ schema: JSONValue) -> InferredType {
        switch schema.bool {
        case true?: return json(schema, Self.undescribed)
        case false?: return json(schema, "no value is allowed")
        case nil:
            let found = SecretRules.redacted(schema.document.valueText(of: schema.slot))
            return unreadable(schema, "expected a schema, found \(found)")
        }
    }

    /// Returns the type of a schema that is an object.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - reference: The schema as it is used, which may be a reference.
    ///   - name: The name of the schema in the document; nil if it has none.
    ///   - context: The surroundings.
    private mutating func typeOfObjectSchema(
        _ schema: JSONValue, reference: JSONValue, name: String?, _ context: Context
    ) -> InferredType {
        let place = DocumentPlace(schema)
        if let known = types[place] { return known }
        // If this schema is reached again before its type is known, it contains itself without a structure between,
        // and this placeholder is its type.
        types[place] = .json("it holds itself")
        // The facts are read through the reference, because the document keeps them only for named schemas.
        let (facts, notes) = document.factsWithNotes(ofAll: [reference])
        addProblems(notes)
        let isNullable = facts.isNullable
        let result: InferredType
        if let name, facts.isStructure {
            let model = pool.add(.structure([]), comment: Self.comment(schema))
            pool.name(model, words: SwiftNames.words(name))
            unread.append(UnreadStructure(model: model, facts: facts, schema: schema))
            result = .model(model)
        } else {
            let modelCount = pool.models.count
            result = typeByKeywords(facts, schema, isNamed: name != nil, context)
            let words = SwiftNames.words(name ?? DocumentText.title(schema["title"]?.string, maxLength: 60))
            if let model = result.model, pool.models[modelCount...].contains(model) {
                pool.name(model, words: words)
            }
        }
        let type = isNullable ? result.orNull : result
        types[place] = type
        return type
    }

    /// Returns the type of the values that keywords allow.
    ///
    /// The first rule that applies counts: a new name for another schema, a structure, listed values, alternatives
    /// (`oneOf`, `anyOf`), and the types of `type`. A schema without any of these is `JSONValue`.
    private mutating func typeByKeywords(
        _ facts: SchemaFacts, _ schema: JSONValue, isNamed: Bool, _ context: Context
    ) -> InferredType {
        if let alias = Self.alias(schema) { return readType(of: alias, context.inner) }
        if facts.isStructure { return structure(facts, schema, context) }
        if let listed = ListedValues(facts, schema, document) {
            let type = enumeration(listed, schema, memberKey: isNamed ? nil : context.key)
            return listed.isNullable ? type.orNull : type
        }
        var alternatives = alternatives(facts, context)
        var isNullable = facts.alternatives?.contains { document.facts(ofAll: [$0]).isOnlyNull } ?? false
        if alternatives.isEmpty {
            alternatives = types(of: facts).map { kind in
                ObjectUnion.Alternative(type: typeOfKind(kind, facts, schema, context), schema: schema)
            }
        }
        guard !alternatives.isEmpty else {
            return facts.isNullable || isNullable ? .json("only null is allowed") : json(schema, Self.undescribed)
        }
        isNullable = isNullable || alternatives.contains { $0.type.unwrapped.isOptional }
        let result = union(alternatives, schema)
        return isNullable ? result.orNull : result
    }

    /// Returns the schema that another one is only a new name for: `{"allOf": [A], "description": "…"}` → `A`.
    ///
    /// - Returns: The schema; nil if `allOf` does not have exactly one, or if another keyword narrows its values.
    private static func alias(_ schema: JSONValue) -> JSONValue? {
        guard let all = schema["allOf"]?.elements, all.count == 1 else { return nil }
        let narrowing = [
            "properties", "required", "additionalProperties", "oneOf", "anyOf", "enum", "const", "items", "$ref",
        ]
        guard narrowing.allSatisfy({ schema[$0] == nil }) else { return nil }
        return all[0]
    }

    /// Returns the names of the types that keywords allow, without null.
    ///
    /// Without `type`, other keywords tell the types: `properties` makes an object, `items` an array, and `enum` what
    /// its values are.
    private func types(of facts: SchemaFacts) -> [String] {
        let order = ["boolean", "integer", "number", "string", "array", "object"]
        if let types = facts.types { return order.filter(types.contains) }
        if let values = facts.values {
            let kinds = Set(values.map { $0.integer(Int.self) == nil ? $0.kind.rawValue : "integer" })
            return order.filter(kinds.contains)
        }
        var types: [String] = []
        if facts.items != nil { types.append("array") }
        if facts.hasObjectKeywords { types.append("object") }
        return types
    }

    /// Returns the Swift type for one `type` of JSON Schema.
    ///
    /// `string` is `String`, or `Date` with the format `date-time`. `object` is a structure if it has `properties`,
    /// else a dictionary.
    private mutating func typeOfKind(
        _ kind: String, _ facts: SchemaFacts, _ schema: JSONValue, _ context: Context
    ) -> InferredType {
        switch kind {
        case "string": return facts.format == "date-time" ? .date : .string
        case "integer": return .integer
        case "number": return .double
        case "boolean": return .bool
        case "array": return array(facts, schema, context)
        default:
            if !facts.properties.isEmpty { return structure(facts, schema, context) }
            return .dictionary(otherMembers(of: facts, context) ?? json(schema, Self.undescribed))
        }
    }

    /// Returns the type of a list.
    private mutating func array(_ facts: SchemaFacts, _ schema: JSONValue, _ context: Context) -> InferredType {
        guard let items = facts.items else { return .array(json(schema, Self.undescribed)) }
        // Some documents list the alternatives of a value under `items`, where JSON Schema has one schema.
        if items.kind == .array { return unreadable(items, "expected a schema, found array") }
        return .array(readType(of: items, context.inner))
    }

    // MARK: Values

    /// Returns the type of listed values: an enum, or else `String`, `Int` or `Double`.
    ///
    /// A single value is not an enum, because it tells nothing apart. Neither are values that are too many, too long,
    /// that look like secrets, or numbers that do not all fit an `Int` (they are `Double`).
    private mutating func enumeration(_ listed: ListedValues, _ schema: JSONValue, memberKey: String?) -> InferredType {
        let plain: InferredType = listed.areIntegers ? .integer : .string
        if listed.texts.count == 1, listed.areIntegers || !SecretRules.isToken(listed.texts[0]) { return plain }
        if listed.areIntegers, !listed.texts.allSatisfy({ Int($0) != nil }) {
            addLoosePlace(schema, Self.noIntegers)
            return .double
        }
        if listed.texts.contains(where: SecretRules.isToken) {
            addLoosePlace(schema, Self.secretValues)
            return plain
        }
        let areShort = listed.texts.allSatisfy { $0.utf8.count <= Self.maxValueLength }
        guard areShort, listed.texts.count <= Self.maxValues else {
            addLoosePlace(schema, Self.noEnum)
            return plain
        }
        return .model(
            pool.enumeration(
                listed.texts, names: listed.names, areIntegers: listed.areIntegers, memberKey: memberKey,
                comment: Self.comment(schema)))
    }

    // MARK: Objects

    /// Returns the comment of a schema's model.
    private static func comment(_ schema: JSONValue) -> String { DocumentText.comment(schema["description"]?.string) }

    /// Returns the structure of a schema without a name.
    private mutating func structure(
        _ facts: SchemaFacts, _ schema: JSONValue, _ context: Context
    ) -> InferredType {
        let fields = fields(of: facts, schema, context)
        let others = otherMembers(of: facts, context)
        return .model(pool.structure(fields, others: others, comment: Self.comment(schema)))
    }

    /// Returns the type of the members that `properties` does not name; nil if the schema says nothing of them.
    private mutating func otherMembers(of facts: SchemaFacts, _ context: Context) -> InferredType? {
        switch facts.otherMembers {
        case .unspecified, .forbidden: return nil
        case .allowed: return .json(Self.undescribed)
        case .schemas(let schemas):
            // There are several if `patternProperties` has several patterns.
            let types = schemas.prefix(Self.maxMergedAlternatives).map { readType(of: $0, context.inner) }
            return Self.commonType(types) ?? json(schemas[0], "its members are of several types")
        }
    }

    /// Returns the fields of a structure: its members, and those that only some alternatives (`oneOf`, `anyOf`) have.
    private mutating func fields(
        of facts: SchemaFacts, _ schema: JSONValue, _ context: Context
    ) -> [InferredModel.Property] {
        var fields = facts.properties.map { member in
            let isRequired = facts.required.contains(member.name)
            return property(member.name, member.schemas, isRequired: isRequired, context.inner)
        }
        let ownNames = Set(facts.properties.map(\.name))
        let alternativeMembers = mergedAlternatives(facts, schema).flatMap(\.properties)
            .filter { !ownNames.contains($0.name) }
        for (name, variants) in alternativeMembers.grouped(by: \.name) {
            fields.append(alternativeProperty(name, variants.flatMap(\.schemas), context.inner))
        }
        return fields
    }

    /// Returns the alternatives whose members become optional fields of a structure that has members of its own.
    ///
    /// An alternative that a base inherits from the schema itself is left out: the variants of an event all have the
    /// alternatives of the event, and no variant has the fields of another one.
    private func mergedAlternatives(_ facts: SchemaFacts, _ schema: JSONValue) -> [SchemaFacts] {
        guard let alternatives = facts.alternatives else { return [] }
        let places = alternatives.map(DocumentPlace.init)
        let areOwn = schema["oneOf"] != nil || schema["anyOf"] != nil
        return alternatives.prefix(Self.maxMergedAlternatives).compactMap { alternative in
            let facts = document.facts(ofAll: [alternative])
            let isVariant = facts.alternatives.map { $0.map(DocumentPlace.init) == places } ?? false
            return areOwn || !isVariant ? facts : nil
        }
    }

    /// Returns the field for a member that only some alternatives have.
    private mutating func alternativeProperty(
        _ key: String, _ schemas: [JSONValue], _ context: Context
    ) -> InferredModel.Property {
        let groups = schemas.grouped(by: DocumentPlace.init)
        var field = property(key, [groups[0].elements[0]], isRequired: false, context)
        let others = groups.dropFirst().prefix(Self.maxMergedAlternatives).map { $0.elements[0] }
        if others.isEmpty { return field }
        let alternatives = ([schemas[0]] + others).map { schema in
            ObjectUnion.Alternative(
                type: readType(of: schema, Context(key: key, depth: context.depth)).unwrapped.type, schema: schema)
        }
        field.type = union(alternatives, schemas[0])
        return field
    }

    /// Returns the field for a member of an object.
    ///
    /// - Parameters:
    ///   - key: The key of the member.
    ///   - schemas: The schemas, all of which its value has to match.
    ///   - isRequired: Whether each object has the member.
    ///   - context: The surroundings of the object.
    private mutating func property(
        _ key: String, _ schemas: [JSONValue], isRequired: Bool, _ context: Context
    ) -> InferredModel.Property {
        let (type, isNull) = typeMatchingAll(schemas, Context(key: key, depth: context.depth)).unwrapped
        let descriptions = schemas.compactMap { $0["description"]?.string }
        return InferredModel.Property(
            key: key, type: type, isOptional: isNull || !isRequired,
            summary: DocumentText.comment(descriptions.last),
            isFile: schemas.contains { document.isFile($0) || document.isListOfFiles($0) },
            isReadOnly: document.leavesOut(schemas, .request), isWriteOnly: document.leavesOut(schemas, .response),
            isNullable: isNull, isRequired: isRequired,
            isDeprecated: schemas.contains { $0["deprecated"]?.bool == true },
            example: schemas.compactMap { example(of: $0, isNeeded: isRequired) }.first)
    }

    /// Returns the type of the values that match every one of several schemas.
    ///
    /// The type is `JSONValue` if the combined schema contains itself, or if there are too many combinations.
    private mutating func typeMatchingAll(_ schemas: [JSONValue], _ context: Context) -> InferredType {
        // A schema that allows any value narrows nothing, and neither does the same schema a second time.
        let narrowing = schemas.filter { schemas.count == 1 || !document.facts(ofAll: [$0]).isAny }
        let targets = narrowing.grouped { schema -> DocumentPlace? in
            guard case .schema(let target) = document.target(of: schema) else { return nil }
            return DocumentPlace(target)
        }
        guard targets.count > 1, context.depth < Self.maxDepth else {
            guard let schema = targets.first?.elements.first ?? schemas.first else { return .json(Self.undescribed) }
            return readType(of: schema, context)
        }
        let schemas = targets.map { $0.elements[0] }
        let places = schemas.map(DocumentPlace.init)
        if let known = mergedTypes[places] { return known }
        guard mergedTypes.count < Self.maxMergedTypes else { return json(schemas[0], "it is nested too deeply") }
        mergedTypes[places] = .json("it holds itself")
        let facts = document.facts(ofAll: schemas)
        let own = typeByKeywords(facts, schemas[0], isNamed: false, context.inner)
        let type = facts.isNullable ? own.orNull : own
        mergedTypes[places] = type
        return type
    }

    /// Returns an example of a member's value.
    ///
    /// - Parameters:
    ///   - schema: The schema of the member.
    ///   - isNeeded: Whether the default or the first listed value will do. A default need not be sent.
    private func example(of schema: JSONValue, isNeeded: Bool) -> JSONValue? {
        guard case .schema(let target) = document.target(of: schema), target.kind == .object else { return nil }
        func member(_ key: String) -> JSONValue? { schema[key] ?? target[key] }
        let example = member("example") ?? member("x-example") ?? member("examples")?.elements?.first
        guard example == nil, isNeeded else { return example }
        return member("default") ?? member("const") ?? member("enum")?.elements?.first
    }

    // MARK: Alternatives

    /// Returns the alternatives of a schema that are not null; none if they only narrow the schema's own types.
    private mutating func alternatives(_ facts: SchemaFacts, _ context: Context) -> [ObjectUnion.Alternative] {
        guard let schemas = facts.alternatives else { return [] }
        // In `{"type": "string", "anyOf": [{"minLength": 1}, …]}` the alternatives name no types.
        if facts.types != nil, schemas.allSatisfy({ document.facts(ofAll: [$0]).isAny }) { return [] }
        let others = schemas.filter { !document.facts(ofAll: [$0]).isOnlyNull }
        return others.map { ObjectUnion.Alternative(type: readType(of: $0, context.inner), schema: $0) }
    }

    /// Returns the type of values that have one of several types.
    ///
    /// The types are told apart by their kinds in JSON, and objects as ``ObjectUnion`` says.
    private mutating func union(_ alternatives: [ObjectUnion.Alternative], _ schema: JSONValue) -> InferredType {
        let flat = alternatives.flatMap(Self.flattened)
        var objects: [InferredType] = []
        var texts: [InferredType] = []
        var others: [InferredType] = []
        for (kind, group) in flat.grouped(by: \.type.jsonKind) {
            guard let kind, let types = distinguishableTypes(group, kind, schema) else {
                return json(schema, ObjectUnion.reason(flat))
            }
            switch kind {
            case .object where types[0].model != nil: objects += types
            case .string: texts += types
            default: others += types
            }
        }
        // Texts come last: whatever is left is a text, or an error.
        let all = others + objects + texts
        if all.count == 1 { return all[0] }
        if all.isEmpty { return .json("only null is allowed") }
        return .model(pool.union(all.map { .init(type: $0) }, comment: Self.comment(schema)))
    }

    /// Returns the alternatives of an alternative that is a choice itself, or else the alternative, without null.
    private static func flattened(_ alternative: ObjectUnion.Alternative) -> [ObjectUnion.Alternative] {
        guard case .union(let inner, nil)? = alternative.type.model?.form else {
            return [.init(type: alternative.type.unwrapped.type, schema: alternative.schema)]
        }
        return inner.map { .init(type: $0.type, schema: alternative.schema) }
    }

    /// Returns types that have the values of alternatives of one kind in JSON, and that can be told apart.
    ///
    /// That is a single type if one of the types has the values of all. Objects that a tag tells apart become a union,
    /// which is a single type too. Only objects that their required keys tell apart stay several types.
    ///
    /// - Returns: The types, at least one; nil if the alternatives can't be told apart.
    private mutating func distinguishableTypes(
        _ alternatives: [ObjectUnion.Alternative], _ kind: JSONDocument.Kind, _ schema: JSONValue
    ) -> [InferredType]? {
        if let type = Self.commonType(alternatives.map(\.type)) { return [type] }
        guard kind == .object, let union = ObjectUnion(alternatives, schema["discriminator"], document) else {
            return nil
        }
        switch union.distinction {
        case .requiredKeys:
            return union.alternatives.map(\.type)
        case .tags(let key, let tags):
            let tagged = zip(union.alternatives, tags).flatMap { alternative, tags in
                tags.map { InferredModel.Alternative(tag: $0, type: alternative.type) }
            }
            return [.model(pool.union(tagged, key: key, comment: Self.comment(schema)))]
        }
    }

    /// Returns the type that has the values of several types; nil if there is none, or if there are no types.
    private static func commonType(_ types: [InferredType]) -> InferredType? {
        guard var common = types.first else { return nil }
        for type in types.dropFirst() {
            guard let wider = common.merged(with: type) else { return nil }
            common = wider
        }
        return common
    }
}

extension SchemaFacts {
    /// Whether the values are objects with named members, or null, and nothing else.
    var isStructure: Bool {
        guard !properties.isEmpty, values == nil else { return false }
        if let types { return types == ["object"] }
        return items == nil
    }
}

extension SchemaNote {
    /// The problem in words; nil if the type is right all the same.
    fileprivate var problem: String? {
        switch reason {
        case .unresolved(let expected, let found): "expected \(expected), found \(found)"
        case .unknownType: "expected a type such as string or object"
        case .tooDeep: "it is nested too deeply"
        case .tooManyAlternatives: "it has too many alternatives"
        case .tooManyMembers: "it has too many members"
        case .holdsItself: "it is a part of its own allOf"
        // The type of these is `JSONValue`, with a reason of its own.
        case .noSchema, .nothingAllowed: nil
        case .ignoredKeyword, .furtherKeywords, .invalidBounds: nil
        }
    }
}
