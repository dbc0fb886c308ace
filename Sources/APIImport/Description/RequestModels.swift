/// The models of requests for schemas whose objects look different in requests and in responses.
///
/// A schema with `readOnly` or `writeOnly` properties has two models if requests and responses use it: `Pet` without the
/// `writeOnly` properties for responses, and `PetInput` without the `readOnly` ones for requests. So has a schema that
/// holds such a schema. Every other schema has one model.
struct RequestModels {
    /// The models of requests by the models of responses.
    private(set) var inputs: [InferredModel: InferredModel] = [:]

    /// The last word of the names of these models.
    private static let lastWord = "input"

    /// Makes the models, and adds them to a pool.
    ///
    /// Models that only requests have hold the new ones from now on.
    ///
    /// - Parameters:
    ///   - sent: The types of parameters and bodies.
    ///   - received: The types of responses.
    ///   - pool: The models of the document.
    init(sent: [InferredType], received: [InferredType], _ pool: inout ModelPool) {
        let requestModels = InferredModel.all(in: sent)
        let responseModels = InferredModel.all(in: received)
        let oneSided = pool.models.filter { $0.fields.contains { $0.isReadOnly || $0.isWriteOnly } }
        let differing = InferredModel.holders(of: oneSided, among: pool.models)
        let shared = pool.models.filter { requestModels.contains($0) && responseModels.contains($0) }
        for model in shared where differing.contains(model) { inputs[model] = Self.copy(of: model, in: &pool) }
        for model in pool.models where !responseModels.contains(model) {
            model.form = form(model.form)
            model.others = model.others.map(type)
        }
    }

    /// Adds a model to the pool that is equal to `model`, except that its name ends with ``lastWord``.
    private static func copy(of model: InferredModel, in pool: inout ModelPool) -> InferredModel {
        let copy = pool.add(model.form, comment: model.summary)
        copy.others = model.others
        copy.isChange = model.isChange
        copy.valueNames = model.valueNames
        if let words = model.words {
            pool.name(copy, words: words + [lastWord], longWords: model.longWords.map { $0 + [lastWord] })
        }
        return copy
    }

    /// Returns a type with the models of requests in the place of those of responses.
    func type(_ type: InferredType) -> InferredType {
        switch type {
        case .optional(let inner): .optional(self.type(inner))
        case .array(let element): .array(self.type(element))
        case .dictionary(let element): .dictionary(self.type(element))
        case .model(let model): .model(inputs[model] ?? model)
        case .unknown, .json, .bool, .integer, .decimal, .double, .string, .date, .bytes: type
        }
    }

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
