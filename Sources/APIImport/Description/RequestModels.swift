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
    private(set) var inputs: [InferredModel: InferredModel] = [:]

    /// The last word of the names of these models.
    private static let lastWord = "input"

    /// Makes a second model for each schema whose requests and responses differ, and adds it to a pool.
    ///
    /// Models that only requests use refer to the new models from now on: a `PetList` that is only sent holds
    /// `PetInput` and not `Pet`.
    ///
    /// - Parameters:
    ///   - sent: The types of parameters and bodies.
    ///   - received: The types of responses.
    ///   - pool: The models of the document.
    init(sent: [InferredType], received: [InferredType], _ pool: inout ModelPool) {
        let requestModels = InferredModel.all(in: sent)
        let responseModels = InferredModel.all(in: received)
        let modelsWithOneSidedFields = pool.models.filter { model in
            model.fields.contains { $0.isReadOnly || $0.isWriteOnly }
        }
        // A model that holds such a model differs too.
        let differing = InferredModel.holders(of: modelsWithOneSidedFields, among: pool.models)
        let shared = pool.models.filter { requestModels.contains($0) && responseModels.contains($0) }
        for model in shared where differing.contains(model) { inputs[model] = Self.copy(of: model, in: &pool) }
        for model in pool.models where !responseModels.contains(model) {
            model.form = form(model.form)
            model.additionalProperties = model.additionalProperties.map(type)
        }
    }

    /// Adds a model to the pool that is equal to `model`, except that its name ends with ``lastWord``.
    private static func copy(of model: InferredModel, in pool: inout ModelPool) -> InferredModel {
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
    func type(_ type: InferredType) -> InferredType {
        switch type {
        case .optional(let inner): .optional(self.type(inner))
        case .array(let element): .array(self.type(element))
        case .dictionary(let element): .dictionary(self.type(element))
        case .model(let model): .model(inputs[model] ?? model)
        case .unknown, .json, .bool, .integer, .decimal, .double, .string, .date, .bytes: type
        }
    }

    /// Returns the fields or cases of a model with types for requests.
    private func form(_ form: InferredModel.Form) -> InferredModel.Form {
        switch form {
        case .structure(let fields):
            return .structure(
                fields.map { field in
                    var field = field
                    field.type = type(field.type)
                    return field
                })
        case .union(let alternatives, let key):
            return .union(alternatives.map { .init(tag: $0.tag, type: type($0.type)) }, key: key)
        case .values:
            return form
        }
    }
}
