/// The models of requests for schemas whose objects look different in requests and in responses.
///
/// A schema with `readOnly` or `writeOnly` properties has two models if both requests and responses use it:
///
/// - `Pet` for responses, without the `writeOnly` properties.
/// - `PetInput` for requests, without the `readOnly` properties.
///
/// A schema that refers to such a schema has two models too. Every other schema has one.
struct RequestModels {
    /// The models of requests by the models of responses.
    private(set) var inputModels: [InferredModel: InferredModel] = [:]

    /// The last word of the names of these models.
    private static let lastWord = "input"

    /// Adds a second model to a pool for each schema that looks different in requests and in responses.
    ///
    /// Models that only requests use refer to the new models from now on: a `PetList` that is only sent contains
    /// `PetInput` and not `Pet`.
    ///
    /// - Parameters:
    ///   - sentTypes: The types of parameters and bodies.
    ///   - receivedTypes: The types of responses.
    ///   - pool: The models of the document.
    init(sentTypes: [InferredType], receivedTypes: [InferredType], pool: inout ModelPool) {
        let sentModels = InferredModel.all(in: sentTypes)
        let receivedModels = InferredModel.all(in: receivedTypes)
        let modelsWithOneSidedFields = pool.models.filter { model in
            model.fields.contains { $0.isReadOnly || $0.isWriteOnly }
        }
        // A model that contains such a model differs too.
        let differingModels = InferredModel.withContainers(modelsWithOneSidedFields, among: pool.models)
        let sharedModels = pool.models.filter { sentModels.contains($0) && receivedModels.contains($0) }
        for model in sharedModels where differingModels.contains(model) {
            inputModels[model] = Self.addCopy(of: model, to: &pool)
        }
        // The copies are among the models that no response uses.
        for model in pool.models where !receivedModels.contains(model) {
            model.form = requestForm(model.form)
            model.additionalProperties = model.additionalProperties.map(requestType)
        }
    }

    /// Adds a model to the pool that is equal to `model`, except that its name ends with ``lastWord``.
    private static func addCopy(of model: InferredModel, to pool: inout ModelPool) -> InferredModel {
        let copy = pool.add(model.form, comment: model.summary)
        copy.additionalProperties = model.additionalProperties
        copy.isChange = model.isChange
        copy.valueNames = model.valueNames
        if let words = model.words {
            pool.name(copy, words: words + [lastWord], longWords: model.longWords.map { $0 + [lastWord] })
        }
        return copy
    }

    /// Returns a type for requests: `[Pet]` → `[PetInput]`. A type without such models stays as it is.
    func requestType(_ type: InferredType) -> InferredType {
        switch type {
        case .optional(let inner): .optional(requestType(inner))
        case .array(let element): .array(requestType(element))
        case .dictionary(let element): .dictionary(requestType(element))
        case .model(let model): .model(inputModels[model] ?? model)
        case .unknown, .json, .bool, .integer, .decimal, .double, .string, .date, .bytes: type
        }
    }

    /// Returns the fields or cases of a model, with each response model in their types replaced by its request model.
    ///
    /// A field `pets: [Pet]` becomes `pets: [PetInput]`.
    private func requestForm(_ form: InferredModel.Form) -> InferredModel.Form {
        switch form {
        case .structure(var fields):
            for index in fields.indices { fields[index].type = requestType(fields[index].type) }
            return .structure(fields)
        case .union(let alternatives, let tagKey):
            let requestAlternatives = alternatives.map { alternative in
                InferredModel.Alternative(tag: alternative.tag, type: requestType(alternative.type))
            }
            return .union(requestAlternatives, key: tagKey)
        case .values:
            return form
        }
    }
}
