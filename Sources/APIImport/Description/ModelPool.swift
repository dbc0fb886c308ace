/// The structures and enums that are made for the schemas of a document.
///
/// Models of schemas without a name are shared:
///
/// - Equal structures and unions are one model within an operation. Two operations have a model each, because the API
///   may change one of them later.
/// - Equal enums are one model in the whole document if their members have the same key.
struct ModelPool {
    /// The features by which a structure or union without a name is found again.
    private struct Key: Hashable {
        let form: InferredModel.Form
        let additionalProperties: InferredType?
    }

    /// The features by which an enum without a name is found again.
    private struct EnumKey: Hashable {
        let values: [String]
        let names: [String]
        let areIntegers: Bool
        /// The key of the member, or the name of the parameter, with these values.
        let memberKey: String
    }

    private(set) var models: [InferredModel] = []
    /// The models that have the words of a name.
    private(set) var namedModels: [InferredModel] = []
    /// The structures and unions without a name of the current operation.
    private var modelsOfOperation: [Key: InferredModel] = [:]
    private var enums: [EnumKey: InferredModel] = [:]

    /// Begins another operation, which does not share the structures of the operations before.
    mutating func beginOperation() { modelsOfOperation = [:] }

    /// Adds a new model to the pool, and returns it.
    ///
    /// - Parameters:
    ///   - form: The kind of declaration, with its fields or cases.
    ///   - comment: The documentation comment of the declaration; empty if there is none.
    mutating func add(_ form: InferredModel.Form, comment: String) -> InferredModel {
        let model = InferredModel(form)
        model.summary = comment
        models.append(model)
        return model
    }

    /// Returns the structure with these fields, which is new unless the current operation has an equal one.
    ///
    /// Structures count as equal even if the comments and examples of their fields differ.
    ///
    /// - Parameters:
    ///   - fields: The fields, in the order of the declaration.
    ///   - additionalProperties: The type of the members that are not among the fields; nil if there are none.
    ///   - comment: The comment, if the structure is new.
    mutating func addOrReuseStructure(
        _ fields: [InferredModel.Property], additionalProperties: InferredType?, comment: String
    ) -> InferredModel {
        var fieldsWithoutTexts = fields
        for index in fieldsWithoutTexts.indices {
            fieldsWithoutTexts[index].summary = ""
            fieldsWithoutTexts[index].example = nil
        }
        let key = Key(form: .structure(fieldsWithoutTexts), additionalProperties: additionalProperties)
        if let equalModel = modelsOfOperation[key] { return equalModel }
        let model = add(.structure(fields), comment: comment)
        model.additionalProperties = additionalProperties
        modelsOfOperation[key] = model
        return model
    }

    /// Returns the enum with these associated values, which is new unless the current operation has an equal one.
    ///
    /// - Parameters:
    ///   - alternatives: The types of the values.
    ///   - tagKey: The key of the member that tells the alternatives apart; nil if the kinds of their values do.
    ///   - comment: The comment, if the enum is new.
    mutating func addOrReuseUnion(
        _ alternatives: [InferredModel.Alternative], tagKey: String? = nil, comment: String
    ) -> InferredModel {
        let form = InferredModel.Form.union(alternatives, key: tagKey)
        let key = Key(form: form, additionalProperties: nil)
        if let equalModel = modelsOfOperation[key] { return equalModel }
        let model = add(form, comment: comment)
        modelsOfOperation[key] = model
        return model
    }

    /// Returns the enum of listed values, which is new unless a member with the same key lists the same values.
    ///
    /// - Parameters:
    ///   - values: The texts of the values.
    ///   - names: The names of the values; empty if the document names none.
    ///   - areIntegers: Whether the values are integers.
    ///   - memberKey: The key of the member or parameter; nil for an enum with a name of its own, which is always new.
    ///   - comment: The comment, if the enum is new.
    mutating func addOrReuseEnum(
        _ values: [String], names: [String], areIntegers: Bool, memberKey: String?, comment: String
    ) -> InferredModel {
        let key = memberKey.map { EnumKey(values: values, names: names, areIntegers: areIntegers, memberKey: $0) }
        if let key, let equalEnum = enums[key] { return equalEnum }
        let model = add(.values(values, areIntegers: areIntegers), comment: comment)
        model.valueNames = names
        if let key { enums[key] = model }
        return model
    }

    /// Gives a model the words of its name, and adds it to ``namedModels``. A model that has words already keeps them.
    ///
    /// - Parameters:
    ///   - model: The model, which may have words already.
    ///   - words: The words of the name, such as `["pet", "status"]` for `PetStatus`. Empty words change nothing.
    ///   - longWords: The words that are used instead if another model has that name; nil if there are none.
    mutating func name(_ model: InferredModel, words: [String], longWords: [String]? = nil) {
        guard model.words == nil, !words.isEmpty else { return }
        model.words = words
        model.longWords = longWords
        namedModels.append(model)
    }
}
