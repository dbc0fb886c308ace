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
    /// The deepest nesting of schemas in schemas. A schema that is nested more deeply becomes `JSONValue`, so that a
    /// document can't overflow the stack. The count starts again at each named structure.
    private static let maxDepth = 32
    /// The most cases of an enum. More values are a `String` or an `Int`, because nobody reads such a long enum.
    static let maxValues = 500
    /// The most bytes of a value that becomes the name of a case.
    private static let maxValueLength = 80
    /// The most places that are listed in ``loose`` and ``problems``. People read the first ones.
    private static let maxLoosePlaces = 1_000
    /// The most alternatives whose members are added to a structure.
    private static let maxMergedAlternatives = 256
    /// The most combinations of schemas that are read. A document with few schemas can combine them in very many ways.
    private static let maxCombinedTypes = 20_000

    /// The reason why a value is `JSONValue` if its schema has no keyword that describes it.
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

    /// The place where a schema is used.
    private struct Context {
        /// The key of the member, or the name of the parameter, whose values the schema describes.
        let key: String
        /// The number of schemas that contain this one.
        let depth: Int

        /// The context of a schema that is part of this one, such as the schema of a list's elements.
        var inner: Context { Context(key: key, depth: depth + 1) }
    }

    /// A schema with its keywords, and with the place where it is used.
    private struct UsedSchema {
        /// The schema as it is written in the document.
        let source: JSONValue
        /// The keywords of the schema, together with those of the schemas in its `allOf`.
        let keywords: SchemaKeywords
        let context: Context
    }

    /// A structure whose fields have not been read yet.
    private struct UnreadStructure {
        /// The structure, which has no fields so far.
        let model: InferredModel
        /// The schema that describes the fields.
        let schema: UsedSchema
    }

    let document: OpenAPIDocument
    /// The structures and enums that have been made so far.
    var pool = ModelPool()
    private var loosePlaces: [LoosePlace] = []
    /// The schemas that can't be read, with the reasons: `#/components/schemas/Pet: expected a schema, found array`.
    private(set) var problems: [String] = []
    /// The types of the schemas that have been read, by the places of the schemas in the document.
    private var types: [DocumentPlace: InferredType] = [:]
    /// The types of values that have to match several schemas, by the places of these schemas.
    private var combinedTypes: [[DocumentPlace]: InferredType] = [:]
    /// The structures that types refer to and whose fields have not been read yet.
    private var unreadStructures: [UnreadStructure] = []

    init(_ document: OpenAPIDocument) { self.document = document }

    /// The schemas whose types are `JSONValue`, or less exact than the schemas, with the reasons.
    ///
    /// A pointer is a JSON Pointer into the document (RFC 6901).
    var loose: [(pointer: String, reason: String)] {
        loosePlaces.map { (document.pointer(to: $0.schema), $0.reason) }
    }

    // MARK: Results

    /// Begins another operation, to which the next types belong.
    ///
    /// Two equal structures without a name become one model within an operation, and two models in two operations.
    mutating func beginOperation() { pool.beginOperation() }

    /// Gives a model the words of its name, unless it has some already.
    ///
    /// - Parameters:
    ///   - model: The model, which may have words already.
    ///   - words: The words of the name, such as `["pet", "status"]` for `PetStatus`.
    ///   - longWords: The words that are used instead if another model has that name already.
    mutating func name(_ model: InferredModel, words: [String], longWords: [String]? = nil) {
        pool.name(model, words: words, longWords: longWords)
    }

    /// Returns a new structure that no schema of the document describes.
    ///
    /// - Parameters:
    ///   - fields: The fields of the structure.
    ///   - words: The words of its name, such as `["list", "pets", "query"]` for `ListPetsQuery`.
    mutating func addStructure(_ fields: [InferredModel.Property], words: [String]) -> InferredModel {
        let model = pool.add(.structure(fields), comment: "")
        pool.name(model, words: words)
        return model
    }

    /// Returns the Swift type for the values of a schema: `{"type": "array", "items": {"type": "string"}}` →
    /// `[String]`.
    ///
    /// The fields of all structures that the type refers to are read too.
    ///
    /// - Parameters:
    ///   - schema: The schema, which may be a reference.
    ///   - key: The name of the parameter that has the schema. Enums without a name are one enum if they have the same
    ///     key and the same values.
    mutating func makeType(of schema: JSONValue, key: String) -> InferredType {
        let type = readType(of: schema, in: Context(key: key, depth: 0))
        readStructures()
        return type
    }

    /// Returns the Swift type of a request's or response's body.
    ///
    /// - Parameters:
    ///   - body: What the document says about the body; nil if it says nothing, so that the type is `JSONValue`.
    ///   - key: `body` or `response`. Enums without a name are one enum if they have the same key and the same values.
    mutating func makeType(ofBody body: BodySchema?, key: String) -> InferredType {
        switch body {
        case .schema(let schema): return makeType(of: schema, key: key)
        case .items(let schema): return .array(makeType(of: schema, key: key))
        case .form(let fields): return typeOfForm(fields)
        case nil: return .json(Self.undescribed)
        }
    }

    /// Returns the structure for a form of Swagger 2.0, which describes each field like a parameter.
    private mutating func typeOfForm(_ fields: [FormField]) -> InferredType {
        let properties = fields.map { field in
            let context = Context(key: field.name, depth: 0)
            return readProperty(field.name, matchingAll: [field.schema], isRequired: field.isRequired, in: context)
        }
        readStructures()
        return .model(pool.addOrReuseStructure(properties, additionalProperties: nil, comment: ""))
    }

    /// Reads the fields of all structures in ``unreadStructures``.
    ///
    /// A field may refer to a structure that is not known yet. It is appended to ``unreadStructures``, and read in the
    /// same loop.
    private mutating func readStructures() {
        var index = 0
        while index < unreadStructures.count {
            let structure = unreadStructures[index]
            structure.model.fields = readFields(of: structure.schema)
            structure.model.additionalProperties = readAdditionalProperties(of: structure.schema)
            index += 1
        }
        unreadStructures = []
    }

    /// Returns `JSONValue` as the type of a schema, and adds the schema to ``loose``.
    ///
    /// - Parameters:
    ///   - schema: The schema that no other type fits.
    ///   - reason: The reason why no other type is possible, for people to read.
    private mutating func anyJSON(_ schema: JSONValue, because reason: String) -> InferredType {
        addLoosePlace(schema, because: reason)
        return .json(reason)
    }

    /// Adds a schema to ``loose``: its type is less exact than the schema.
    private mutating func addLoosePlace(_ schema: JSONValue, because reason: String) {
        guard loosePlaces.count < Self.maxLoosePlaces else { return }
        loosePlaces.append(LoosePlace(schema: schema, reason: reason))
    }

    /// Returns `JSONValue` as the type of a schema that breaks the rules of JSON Schema, and adds it to ``problems``.
    private mutating func reportUnreadable(_ schema: JSONValue, because reason: String) -> InferredType {
        if problems.count < Self.maxLoosePlaces { problems.append("\(document.pointer(to: schema)): \(reason)") }
        return anyJSON(schema, because: reason)
    }

    /// Adds the parts of a schema that can't be read to ``problems``, such as a reference in `allOf` to no schema.
    private mutating func addProblems(_ notes: [SchemaNote]) {
        for note in notes where problems.count < Self.maxLoosePlaces {
            guard let problem = note.problem else { continue }
            problems.append("\(note.pointer): \(problem)")
        }
    }

    // MARK: Schemas

    /// Returns the Swift type for the values of a schema, which may be a reference.
    ///
    /// New models are added to ``pool``. A named structure has no fields yet: ``readStructures()`` reads them.
    ///
    /// - Parameters:
    ///   - schema: The schema, such as `{"type": "string"}` or `{"$ref": "#/components/schemas/Pet"}`.
    ///   - context: The key of the member that the schema describes, and the number of schemas around the schema.
    /// - Returns: The type. It is `JSONValue` if the reference leads to no schema, or if the schema is nested too
    ///   deeply.
    private mutating func readType(of schema: JSONValue, in context: Context) -> InferredType {
        guard context.depth < Self.maxDepth else { return anyJSON(schema, because: "it is nested too deeply") }
        switch document.target(of: schema) {
        case .nowhere(let reason):
            return reportUnreadable(schema, because: reason)
        case .schema(let target) where target.kind != .object:
            return typeOfBooleanSchema(target)
        case .schema(let target):
            let isReference = !target.isSamePart(as: schema)
            // `#/components/schemas/Pet` → `Pet`
            let name = isReference ? schema["$ref"]?.string.map(ModelName.baseName) : nil
            return typeOfObjectSchema(target, reference: schema, name: name, in: context)
        }
    }

    /// Returns `JSONValue` as the type of a schema that is not a JSON object.
    ///
    /// In JSON Schema, the schema `true` allows every value, and the schema `false` allows none. Any other value is a
    /// mistake in the document.
    private mutating func typeOfBooleanSchema(_ schema: JSONValue) -> InferredType {
        switch schema.bool {
        case true?: return anyJSON(schema, because: Self.undescribed)
        case false?: return anyJSON(schema, because: "no value is allowed")
        case nil:
            let text = SecretRules.redacted(schema.document.valueText(of: schema.slot))
            return reportUnreadable(schema, because: "expected a schema, found \(text)")
        }
    }

    /// Returns the type of a schema that is an object, and remembers it for the next reference to the schema.
    ///
    /// - Parameters:
    ///   - schema: The schema, which is no reference.
    ///   - reference: The reference that leads to the schema, or else the schema itself.
    ///   - name: The name of the schema in the document; nil if it has none.
    ///   - context: The key of the member that the schema describes, and the number of schemas around the schema.
    private mutating func typeOfObjectSchema(
        _ schema: JSONValue, reference: JSONValue, name: String?, in context: Context
    ) -> InferredType {
        let place = DocumentPlace(schema)
        if let rememberedType = types[place] { return rememberedType }
        // A schema that refers to itself without a structure in between, such as `{"allOf": [itself]}`, asks for its
        // own type before it is known, and finds this one.
        types[place] = .json("it holds itself")
        // The document caches the keywords of named schemas under their references.
        let (keywords, notes) = document.keywordsWithNotes(ofAll: [reference])
        addProblems(notes)
        let nonNullType: InferredType
        if let name, keywords.isStructure {
            // The fields are read later, and not inside of the schemas around this one. So the depth starts at 0 again.
            let usedSchema = UsedSchema(source: schema, keywords: keywords, context: Context(key: "", depth: 0))
            nonNullType = addNamedStructure(name, for: usedSchema)
        } else {
            let usedSchema = UsedSchema(source: schema, keywords: keywords, context: context)
            nonNullType = readUnstructuredType(of: usedSchema, name: name)
        }
        let type = keywords.isNullable ? nonNullType.orNull : nonNullType
        types[place] = type
        return type
    }

    /// Adds a structure for a schema that has a name in the document, and returns it as a type.
    ///
    /// The structure has no fields yet. It is appended to ``unreadStructures``, and ``readStructures()`` reads its
    /// fields.
    private mutating func addNamedStructure(_ name: String, for schema: UsedSchema) -> InferredType {
        let model = pool.add(.structure([]), comment: Self.comment(schema.source))
        pool.name(model, words: SwiftNames.words(name))
        unreadStructures.append(UnreadStructure(model: model, schema: schema))
        return .model(model)
    }

    /// Returns the type of a schema that is not a named structure.
    ///
    /// If a new model is made for the type, it is named after the schema, or else after the schema's `title`.
    ///
    /// - Parameters:
    ///   - schema: The schema, with its keywords and the place where it is used.
    ///   - name: The name of the schema in the document; nil if it has none.
    private mutating func readUnstructuredType(of schema: UsedSchema, name: String?) -> InferredType {
        let modelCountBefore = pool.models.count
        let type = typeByKeywords(schema, isNamed: name != nil)
        let newModels = pool.models[modelCountBefore...]
        if let model = type.model, newModels.contains(model) {
            let modelName = name ?? DocumentText.title(schema.source["title"]?.string, maxLength: 60)
            pool.name(model, words: SwiftNames.words(modelName))
        }
        return type
    }

    /// Returns the type of the values that the keywords of a schema allow.
    ///
    /// The first rule that applies decides:
    ///
    /// 1. A schema that is only another name for one in `allOf` has its type.
    /// 2. `properties` make a structure.
    /// 3. `enum` and `const` make an enum.
    /// 4. `oneOf` and `anyOf` make the type of their alternatives.
    /// 5. `type` makes one type, or a choice between several.
    /// 6. A schema without any of these keywords is `JSONValue`.
    ///
    /// - Parameters:
    ///   - schema: The schema, with its keywords and the place where it is used.
    ///   - isNamed: Whether the schema has a name in the document.
    private mutating func typeByKeywords(_ schema: UsedSchema, isNamed: Bool) -> InferredType {
        if let original = Self.aliasedSchema(of: schema.source) {
            return readType(of: original, in: schema.context.inner)
        }
        if schema.keywords.isStructure { return typeOfStructure(schema) }
        if let listed = ListedValues(schema.keywords, of: schema.source, document: document) {
            let memberKey = isNamed ? nil : schema.context.key
            let nonNullType = typeOfListedValues(listed, of: schema.source, memberKey: memberKey)
            return listed.isNullable ? nonNullType.orNull : nonNullType
        }
        return typeOfAlternatives(schema)
    }

    /// Returns the type for a schema's alternatives (`oneOf`, `anyOf`), or else for the names in its `type`.
    ///
    /// `{"type": ["string", "boolean"]}` → an enum of `String` and `Bool`
    private mutating func typeOfAlternatives(_ schema: UsedSchema) -> InferredType {
        var alternatives = readAlternatives(of: schema)
        if alternatives.isEmpty {
            alternatives = typeNames(of: schema.keywords).map { name in
                ObjectUnion.Alternative(type: makeType(named: name, for: schema), schema: schema.source)
            }
        }
        let alternativeSchemas = schema.keywords.alternatives ?? []
        // `readAlternatives` leaves out an alternative that is only null.
        let hasNullAlternative = alternativeSchemas.contains { document.keywords(ofAll: [$0]).isOnlyNull }
        if alternatives.isEmpty {
            if schema.keywords.isNullable || hasNullAlternative { return .json("only null is allowed") }
            return anyJSON(schema.source, because: Self.undescribed)
        }
        let hasNullableAlternative = alternatives.contains { $0.type.unwrapped.isOptional }
        let unionType = typeOfUnion(of: alternatives, in: schema.source)
        return hasNullAlternative || hasNullableAlternative ? unionType.orNull : unionType
    }

    /// Returns the schema for which another schema is just a new name: `{"allOf": [A], "description": "…"}` → `A`.
    ///
    /// - Returns: The only schema in `allOf`; nil if `allOf` has none or several, or if a keyword beside `allOf` may
    ///   change the Swift type.
    private static func aliasedSchema(of schema: JSONValue) -> JSONValue? {
        guard let combinedSchemas = schema["allOf"]?.elements, combinedSchemas.count == 1 else { return nil }
        // `minimum`, `pattern` and the like are missing, because they make no other Swift type. A `type` beside `allOf`
        // only repeats that of the schema in it.
        let typeChangingKeywords = [
            "properties", "required", "additionalProperties", "oneOf", "anyOf", "enum", "const", "items", "$ref",
        ]
        if typeChangingKeywords.contains(where: { schema[$0] != nil }) { return nil }
        return combinedSchemas[0]
    }

    /// Returns the JSON Schema types that a schema's values can have, such as `["string", "array"]`, without `null`.
    ///
    /// They are those of the keyword `type`. In a schema without it, the types of the values in `enum` count. Without
    /// both, `items` stands for `array`, and keywords such as `required` stand for `object`.
    private func typeNames(of keywords: SchemaKeywords) -> [String] {
        let orderedNames = ["boolean", "integer", "number", "string", "array", "object"]
        if let declaredNames = keywords.types { return orderedNames.filter(declaredNames.contains) }
        if let values = keywords.values {
            // The kinds of JSON values are called like the types of JSON Schema, which has `integer` besides.
            let namesOfValues = values.map { value in
                let isInteger = value.integer(Int.self) != nil
                return isInteger ? "integer" : value.kind.rawValue
            }
            return orderedNames.filter(namesOfValues.contains)
        }
        var impliedNames: [String] = []
        if keywords.items != nil { impliedNames.append("array") }
        if keywords.hasObjectKeywords { impliedNames.append("object") }
        return impliedNames
    }

    /// Returns the Swift type for the name of a JSON Schema type: `integer` → `Int`.
    ///
    /// A `string` with the format `date-time` is a `Date`. An `object` is a structure if the schema has `properties`,
    /// and a dictionary if it has none.
    ///
    /// - Parameters:
    ///   - name: The name of one of the schema's types.
    ///   - schema: The schema. Its other keywords, such as `items` and `format`, make the type more exact.
    private mutating func makeType(named name: String, for schema: UsedSchema) -> InferredType {
        switch name {
        case "string": return schema.keywords.format == "date-time" ? .date : .string
        case "integer": return .integer
        case "number": return .double
        case "boolean": return .bool
        case "array": return typeOfArray(schema)
        default:
            // The only other type is `object`.
            if !schema.keywords.properties.isEmpty { return typeOfStructure(schema) }
            if let valueType = readAdditionalProperties(of: schema) { return .dictionary(valueType) }
            // Neither `properties` nor `additionalProperties` describes the members.
            return .dictionary(anyJSON(schema.source, because: Self.undescribed))
        }
    }

    /// Returns the array type for a schema of the type `array`, whose elements match `items`.
    private mutating func typeOfArray(_ schema: UsedSchema) -> InferredType {
        guard let items = schema.keywords.items else {
            return .array(anyJSON(schema.source, because: Self.undescribed))
        }
        // Some documents have a list of schemas under `items`, where JSON Schema has one schema.
        if items.kind == .array { return reportUnreadable(items, because: "expected a schema, found array") }
        return .array(readType(of: items, in: schema.context.inner))
    }

    // MARK: Values

    /// Returns the type for listed values: an enum, or else `String`, `Int` or `Double`.
    ///
    /// The values are an enum unless one of these rules applies:
    ///
    /// - There is only one value, which tells nothing apart.
    /// - A number does not fit an `Int`. All of them are then `Double`.
    /// - A value looks like a secret, which must not be written into code.
    /// - The values are too many, or one of them is too long for the name of a case.
    ///
    /// - Parameters:
    ///   - listed: The values, all of them texts or all integers.
    ///   - schema: The schema that lists them.
    ///   - memberKey: The key of the member with these values; nil if the schema has a name of its own.
    private mutating func typeOfListedValues(
        _ listed: ListedValues, of schema: JSONValue, memberKey: String?
    ) -> InferredType {
        let texts = listed.texts
        let plainType: InferredType = listed.areIntegers ? .integer : .string
        let hasSecret = texts.contains(where: SecretRules.isToken)
        // A single text that looks like a secret is noted below.
        let isPlainConstant = texts.count == 1 && (listed.areIntegers || !hasSecret)
        if isPlainConstant { return plainType }
        let fitInt = texts.allSatisfy { Int($0) != nil }
        if listed.areIntegers, !fitInt {
            addLoosePlace(schema, because: Self.noIntegers)
            return .double
        }
        if hasSecret {
            addLoosePlace(schema, because: Self.secretValues)
            return plainType
        }
        let areShort = texts.allSatisfy { $0.utf8.count <= Self.maxValueLength }
        if !areShort || texts.count > Self.maxValues {
            addLoosePlace(schema, because: Self.noEnum)
            return plainType
        }
        return .model(
            pool.addOrReuseEnum(
                texts, names: listed.names, areIntegers: listed.areIntegers, memberKey: memberKey,
                comment: Self.comment(schema)))
    }

    // MARK: Objects

    /// Returns the documentation comment for the model of a schema: the first paragraph of its `description`.
    private static func comment(_ schema: JSONValue) -> String { DocumentText.comment(schema["description"]?.string) }

    /// Returns the structure for a schema that has no name in the document.
    private mutating func typeOfStructure(_ schema: UsedSchema) -> InferredType {
        let fields = readFields(of: schema)
        let additionalProperties = readAdditionalProperties(of: schema)
        let comment = Self.comment(schema.source)
        return .model(pool.addOrReuseStructure(fields, additionalProperties: additionalProperties, comment: comment))
    }

    /// Returns the type of the members that `properties` does not name: `{"additionalProperties": {"type": "string"}}`
    /// → `String`.
    ///
    /// - Returns: The type; nil if the schema forbids such members, or does not mention them.
    private mutating func readAdditionalProperties(of schema: UsedSchema) -> InferredType? {
        switch schema.keywords.otherMembers {
        case .unspecified, .forbidden: return nil
        // The schema allows any values, so `JSONValue` is as exact as the schema, and not added to ``loose``.
        case .allowed: return .json(Self.undescribed)
        case .schemas(let schemas):
            // There are several schemas if `patternProperties` has several patterns.
            let types = schemas.prefix(Self.maxMergedAlternatives).map { readType(of: $0, in: schema.context.inner) }
            return Self.commonType(types) ?? anyJSON(schemas[0], because: "its members are of several types")
        }
    }

    /// Returns the fields of a structure.
    ///
    /// They are the schema's own properties, followed by optional fields for the properties that only its alternatives
    /// (`oneOf`, `anyOf`) have.
    private mutating func readFields(of schema: UsedSchema) -> [InferredModel.Property] {
        let context = schema.context.inner
        let ownMembers = schema.keywords.properties
        let ownFields = ownMembers.map { member in
            let isRequired = schema.keywords.required.contains(member.name)
            return readProperty(member.name, matchingAll: member.schemas, isRequired: isRequired, in: context)
        }
        let ownNames = Set(ownMembers.map(\.name))
        let membersOfAlternatives = keywordsOfMergedAlternatives(of: schema).flatMap(\.properties)
        let furtherMembers = membersOfAlternatives.filter { !ownNames.contains($0.name) }
        // Alternatives may declare a member with different schemas.
        let furtherFields = furtherMembers.grouped(by: \.name).map { name, declarations in
            readOptionalProperty(name, matchingAnyOf: declarations.flatMap(\.schemas), in: context)
        }
        return ownFields + furtherFields
    }

    /// Returns the keywords of a structure's alternatives (`oneOf`, `anyOf`), whose members become optional fields.
    ///
    /// A schema may inherit a list of alternatives in which it stands itself: `PushEvent` is `{"allOf": [Event]}`, and
    /// `Event` is one of `PushEvent`, `ForkEvent` and others. All of them inherit the same list. These siblings are
    /// left out, because a `PushEvent` does not have the fields of a `ForkEvent`.
    ///
    /// - Returns: The keywords of each alternative; empty if the schema has no alternatives.
    private func keywordsOfMergedAlternatives(of schema: UsedSchema) -> [SchemaKeywords] {
        guard let schemas = schema.keywords.alternatives else { return [] }
        let alternatives = schemas.prefix(Self.maxMergedAlternatives).map { document.keywords(ofAll: [$0]) }
        let declaresAlternatives = schema.source["oneOf"] != nil || schema.source["anyOf"] != nil
        if declaresAlternatives { return alternatives }
        let inheritedPlaces = schemas.map(DocumentPlace.init)
        return alternatives.filter { keywords in
            let isSibling = keywords.alternatives?.map(DocumentPlace.init) == inheritedPlaces
            return !isSibling
        }
    }

    /// Returns the optional field for a member that only alternatives (`oneOf`, `anyOf`) of a schema have.
    ///
    /// If the alternatives declare the member differently, the type of the field has the values of all declarations.
    /// The comment and the example of the field are those of the first declaration.
    ///
    /// - Parameters:
    ///   - key: The key of the member.
    ///   - schemas: The schemas of the member in the alternatives, at least one. Its value matches one of them.
    ///   - context: The place where the structure is used.
    private mutating func readOptionalProperty(
        _ key: String, matchingAnyOf schemas: [JSONValue], in context: Context
    ) -> InferredModel.Property {
        // Alternatives that inherit the member have the same schema for it, at the same place of the document.
        let distinctSchemas = schemas.withoutRepetitions(of: DocumentPlace.init)
        let firstSchema = distinctSchemas[0]
        var field = readProperty(key, matchingAll: [firstSchema], isRequired: false, in: context)
        if distinctSchemas.count == 1 { return field }
        let memberContext = Context(key: key, depth: context.depth)
        // The first schema, and at most `maxMergedAlternatives` others.
        let alternatives = distinctSchemas.prefix(Self.maxMergedAlternatives + 1).map { schema in
            // The field is optional anyway, so null makes no difference.
            let type = readType(of: schema, in: memberContext).unwrapped.type
            return ObjectUnion.Alternative(type: type, schema: schema)
        }
        field.type = typeOfUnion(of: alternatives, in: firstSchema)
        return field
    }

    /// Returns the field of a structure for a member of its objects.
    ///
    /// - Parameters:
    ///   - key: The key of the member.
    ///   - schemas: The schemas that the member's value has to match, all of them.
    ///   - isRequired: Whether `required` lists the member.
    ///   - context: The place where the structure is used.
    private mutating func readProperty(
        _ key: String, matchingAll schemas: [JSONValue], isRequired: Bool, in context: Context
    ) -> InferredModel.Property {
        let memberContext = Context(key: key, depth: context.depth)
        let (type, isNullable) = readType(matchingAll: schemas, in: memberContext).unwrapped
        // The schema that extends the others comes last, and describes the member best.
        let descriptions = schemas.compactMap { $0["description"]?.string }
        return InferredModel.Property(
            key: key, type: type, isOptional: isNullable || !isRequired,
            summary: DocumentText.comment(descriptions.last),
            isFile: schemas.contains { document.isFile($0) || document.isListOfFiles($0) },
            isReadOnly: document.leavesOut(schemas, .request), isWriteOnly: document.leavesOut(schemas, .response),
            isNullable: isNullable, isRequired: isRequired,
            isDeprecated: schemas.contains { $0["deprecated"]?.bool == true },
            example: schemas.compactMap { example(of: $0, isNeeded: isRequired) }.first)
    }

    /// Returns the type of values that must match all of several schemas.
    ///
    /// A member has several schemas if several schemas in `allOf` describe it. Schemas that make no difference are left
    /// out first, so that mostly a single one is left. If none is left, the first schema is read.
    private mutating func readType(matchingAll schemas: [JSONValue], in context: Context) -> InferredType {
        let narrowingSchemas = withoutRedundantSchemas(schemas)
        // Schemas that are nested too deeply are not combined. The first one then becomes `JSONValue`.
        if narrowingSchemas.count > 1, context.depth < Self.maxDepth {
            return readCombinedType(of: narrowingSchemas, in: context)
        }
        guard let schema = narrowingSchemas.first ?? schemas.first else { return .json(Self.undescribed) }
        return readType(of: schema, in: context)
    }

    /// Returns schemas without those that allow every value, and without repeated ones.
    ///
    /// A single schema is returned in any case.
    private func withoutRedundantSchemas(_ schemas: [JSONValue]) -> [JSONValue] {
        if schemas.count == 1 { return schemas }
        let narrowingSchemas = schemas.filter { !document.keywords(ofAll: [$0]).isAny }
        return narrowingSchemas.withoutRepetitions { schema -> DocumentPlace? in
            guard case .schema(let target) = document.target(of: schema) else { return nil }
            return DocumentPlace(target)
        }
    }

    /// Returns the type for the keywords of several schemas together, and remembers it for the same combination.
    ///
    /// - Returns: The type. It is `JSONValue` if the combination contains itself, or after ``maxCombinedTypes``
    ///   combinations.
    private mutating func readCombinedType(of schemas: [JSONValue], in context: Context) -> InferredType {
        let places = schemas.map(DocumentPlace.init)
        if let rememberedType = combinedTypes[places] { return rememberedType }
        guard combinedTypes.count < Self.maxCombinedTypes else {
            return anyJSON(schemas[0], because: "it is nested too deeply")
        }
        // A combination that contains itself asks for its own type before it is known, and finds this one.
        combinedTypes[places] = .json("it holds itself")
        let keywords = document.keywords(ofAll: schemas)
        let usedSchema = UsedSchema(source: schemas[0], keywords: keywords, context: context.inner)
        let nonNullType = typeByKeywords(usedSchema, isNamed: false)
        let type = keywords.isNullable ? nonNullType.orNull : nonNullType
        combinedTypes[places] = type
        return type
    }

    /// Returns an example of a member's value: `example`, or else the first one in `examples`.
    ///
    /// A member that an object can't lack needs a value in each example of the object. Without an example of its own,
    /// it has its default, or else its first listed value.
    ///
    /// - Parameters:
    ///   - schema: The schema of the member, which may be a reference.
    ///   - isNeeded: Whether an object can't lack the member.
    /// - Returns: The example; nil if the schema has none of these keywords.
    private func example(of schema: JSONValue, isNeeded: Bool) -> JSONValue? {
        guard case .schema(let target) = document.target(of: schema), target.kind == .object else { return nil }
        // Keywords beside a reference count more than those of the schema to which it leads.
        func value(ofKeyword keyword: String) -> JSONValue? { schema[keyword] ?? target[keyword] }
        let example = value(ofKeyword: "example") ?? value(ofKeyword: "x-example")
        if let example = example ?? value(ofKeyword: "examples")?.elements?.first { return example }
        if !isNeeded { return nil }
        let fixedValue = value(ofKeyword: "default") ?? value(ofKeyword: "const")
        return fixedValue ?? value(ofKeyword: "enum")?.elements?.first
    }

    // MARK: Alternatives

    /// Returns the types of a schema's alternatives (`oneOf`, `anyOf`), without an alternative that is only null.
    ///
    /// - Returns: The alternatives; empty if they only restrict the values of the schema's own `type`.
    private mutating func readAlternatives(of schema: UsedSchema) -> [ObjectUnion.Alternative] {
        guard let schemas = schema.keywords.alternatives else { return [] }
        // In `{"type": "string", "anyOf": [{"minLength": 1}, …]}` the alternatives have no types of their own.
        if schema.keywords.types != nil, schemas.allSatisfy({ document.keywords(ofAll: [$0]).isAny }) { return [] }
        let nonNullSchemas = schemas.filter { !document.keywords(ofAll: [$0]).isOnlyNull }
        return nonNullSchemas.map { alternative in
            ObjectUnion.Alternative(type: readType(of: alternative, in: schema.context.inner), schema: alternative)
        }
    }

    /// Returns one type for values of several types, such as an enum with associated values.
    ///
    /// Alternatives of different kinds in JSON, such as a string and an array, are told apart by the kind. Objects are
    /// told apart as ``ObjectUnion`` says. Types that can't be told apart become `JSONValue`.
    ///
    /// - Parameters:
    ///   - alternatives: The types, each with its schema.
    ///   - schema: The schema with these alternatives.
    private mutating func typeOfUnion(
        of alternatives: [ObjectUnion.Alternative], in schema: JSONValue
    ) -> InferredType {
        let flatAlternatives = alternatives.flatMap(Self.flattened)
        var objectTypes: [InferredType] = []
        var textTypes: [InferredType] = []
        var otherTypes: [InferredType] = []
        for (kind, alternativesOfKind) in flatAlternatives.grouped(by: \.type.jsonKind) {
            guard let kind, let types = distinguishableTypes(of: alternativesOfKind, kind: kind, in: schema) else {
                return anyJSON(schema, because: ObjectUnion.reason(flatAlternatives))
            }
            switch kind {
            case .object where types[0].model != nil: objectTypes += types
            case .string: textTypes += types
            default: otherTypes += types
            }
        }
        // The generated enum decodes the first type that fits. Texts come last.
        let types = otherTypes + objectTypes + textTypes
        if types.count == 1 { return types[0] }
        if types.isEmpty { return .json("only null is allowed") }
        return .model(pool.addOrReuseUnion(types.map { .init(type: $0) }, comment: Self.comment(schema)))
    }

    /// Returns the alternatives that an alternative consists of, without null.
    ///
    /// An alternative that is itself a choice between kinds of JSON, such as a string or a boolean, consists of those.
    /// Any other alternative is returned alone.
    private static func flattened(_ alternative: ObjectUnion.Alternative) -> [ObjectUnion.Alternative] {
        // A union without a tag is told apart by the kinds of JSON.
        if case .union(let innerAlternatives, key: nil)? = alternative.type.model?.form {
            return innerAlternatives.map { .init(type: $0.type, schema: alternative.schema) }
        }
        return [.init(type: alternative.type.unwrapped.type, schema: alternative.schema)]
    }

    /// Returns the types by which alternatives of the same kind in JSON, such as several objects, can be told apart.
    ///
    /// | Alternatives | Result |
    /// |---|---|
    /// | one type has the values of all of them | that type |
    /// | objects with a member such as `type` that differs in each | one enum, by that member |
    /// | objects that require different keys | the types as they are |
    ///
    /// - Parameters:
    ///   - alternatives: The types, each with its schema.
    ///   - kind: The kind of JSON of all of their values.
    ///   - schema: The schema with these alternatives, which may have a `discriminator`.
    /// - Returns: The types, at least one; nil if the alternatives can't be told apart.
    private mutating func distinguishableTypes(
        of alternatives: [ObjectUnion.Alternative], kind: JSONDocument.Kind, in schema: JSONValue
    ) -> [InferredType]? {
        if let type = Self.commonType(alternatives.map(\.type)) { return [type] }
        if kind != .object { return nil }
        let union = ObjectUnion(alternatives, discriminator: schema["discriminator"], document: document)
        guard let union else { return nil }
        switch union.distinction {
        case .requiredKeys:
            return union.alternatives.map(\.type)
        case .tags(let key, let tagsOfAlternatives):
            let taggedAlternatives = zip(union.alternatives, tagsOfAlternatives).flatMap { alternative, tags in
                tags.map { InferredModel.Alternative(tag: $0, type: alternative.type) }
            }
            return [.model(pool.addOrReuseUnion(taggedAlternatives, tagKey: key, comment: Self.comment(schema)))]
        }
    }

    /// Returns one type that can hold the values of several types: `Int`, `Double` → `Double`.
    ///
    /// - Returns: The type; nil if there is none, or if there are no types.
    private static func commonType(_ types: [InferredType]) -> InferredType? {
        guard var common = types.first else { return nil }
        for type in types.dropFirst() {
            guard let wider = common.merged(with: type) else { return nil }
            common = wider
        }
        return common
    }
}

extension SchemaKeywords {
    /// Whether the values are objects with named members, or null.
    var isStructure: Bool {
        guard !properties.isEmpty, values == nil else { return false }
        if let types { return types == ["object"] }
        return items == nil
    }
}

extension SchemaNote {
    /// The mistake in the document, for people to read; nil if the note is about no mistake.
    fileprivate var problem: String? {
        switch reason {
        case .unresolved(let expected, let found): "expected \(expected), found \(found)"
        case .unknownType: "expected a type such as string or object"
        case .tooDeep: "it is nested too deeply"
        case .tooManyAlternatives: "it has too many alternatives"
        case .tooManyMembers: "it has too many members"
        case .holdsItself: "it is a part of its own allOf"
        // The types of these schemas are `JSONValue`, with a reason of their own.
        case .noSchema, .nothingAllowed: nil
        case .ignoredKeyword, .furtherKeywords, .invalidBounds: nil
        }
    }
}
