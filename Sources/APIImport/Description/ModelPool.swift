/// The models of a document.
///
/// Schemas that have no name in the document share a model if they are equal. Structures do so within an operation
/// only, because two operations change apart. Enums do so if they are called alike too.
struct ModelPool {
    /// The identity of a structure or union without a name.
    private struct Key: Hashable {
        let form: InferredModel.Form
        let others: InferredType?
    }

    /// The identity of an enum without a name.
    private struct EnumKey: Hashable {
        let values: [String]
        let names: [String]
        let areIntegers: Bool
        /// The key of the member or parameter whose values are listed.
        let memberKey: String
    }

    private(set) var models: [InferredModel] = []
    /// The models that the document names, or the operation that they are part of.
    private(set) var named: [InferredModel] = []
    private var scopedModels: [Key: InferredModel] = [:]
    private var enums: [EnumKey: InferredModel] = [:]

    /// Begins an operation: its structures are not those of the operations before.
    mutating func beginScope() { scopedModels = [:] }

    /// Adds a model.
    mutating func add(_ form: InferredModel.Form, comment: String) -> InferredModel {
        let model = InferredModel(form)
        model.summary = comment
        models.append(model)
        return model
    }

    /// Returns the structure with these fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - others: The type of members that are not among the fields; nil if there are none.
    ///   - comment: The comment, if the structure is new.
    mutating func structure(
        _ fields: [InferredModel.Property], others: InferredType?, comment: String
    ) -> InferredModel {
        var plainFields = fields
        for index in plainFields.indices {
            plainFields[index].summary = ""
            plainFields[index].example = nil
        }
        let key = Key(form: .structure(plainFields), others: others)
        if let known = scopedModels[key] { return known }
        let model = add(.structure(fields), comment: comment)
        model.others = others
        scopedModels[key] = model
        return model
    }

    /// Returns the union of these alternatives.
    mutating func union(
        _ alternatives: [InferredModel.Alternative], key: String? = nil, comment: String
    ) -> InferredModel {
        let form = InferredModel.Form.union(alternatives, key: key)
        let identity = Key(form: form, others: nil)
        if let known = scopedModels[identity] { return known }
        let model = add(form, comment: comment)
        scopedModels[identity] = model
        return model
    }

    /// Returns the enum of listed values.
    ///
    /// - Parameters:
    ///   - values: The texts of the values.
    ///   - names: The names of the values; empty if the document names none.
    ///   - areIntegers: Whether the values are integers.
    ///   - memberKey: The key of the member or parameter. Nil for an enum with a name of its own, which is always new.
    ///   - comment: The comment, if the enum is new.
    mutating func enumeration(
        _ values: [String], names: [String], areIntegers: Bool, memberKey: String?, comment: String
    ) -> InferredModel {
        let key = memberKey.map { EnumKey(values: values, names: names, areIntegers: areIntegers, memberKey: $0) }
        if let key, let known = enums[key] { return known }
        let model = add(.values(values, areIntegers: areIntegers), comment: comment)
        model.valueNames = names
        if let key { enums[key] = model }
        return model
    }

    /// Names a model, unless it has a name.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - words: The words of the name.
    ///   - longWords: The words of the name if another model has the first one already; nil if there are no others.
    mutating func name(_ model: InferredModel, words: [String], longWords: [String]? = nil) {
        guard model.words == nil, !words.isEmpty else { return }
        model.words = words
        model.longWords = longWords
        named.append(model)
    }
}
