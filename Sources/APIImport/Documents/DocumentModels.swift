/// The models of a document's requests and responses, with their names.
struct DocumentModels {
    /// The models that are used, in the order of their use.
    let used: [InferredModel]
    /// The Swift text of the models, which has their labels.
    let text: ModelText

    /// Gives the models of operations their final fields and their names.
    ///
    /// The names come last, so that a model that nothing uses takes no name away.
    ///
    /// - Parameters:
    ///   - groups: The operations, all of which have been read. Their parameters and bodies get the models of requests.
    ///   - pool: The models of the document's schemas.
    ///   - choices: The names that people chose.
    init(of groups: inout [OperationGroup], pool: inout ModelPool, _ choices: ImportChoices) {
        let originalOperations = groups.flatMap(\.operations)
        let receivedTypes = originalOperations.compactMap(\.response)
        let requestModels = RequestModels(
            sentTypes: originalOperations.flatMap(\.sentTypes), receivedTypes: receivedTypes, pool: &pool)
        for groupIndex in groups.indices {
            for index in groups[groupIndex].operations.indices {
                groups[groupIndex].operations[index].useModels(requestModels)
            }
        }
        let operations = groups.flatMap(\.operations)
        pool.models.markUses(sentTypes: operations.flatMap(\.sentTypes), receivedTypes: receivedTypes)
        used = Self.nameModels(of: operations, pool: pool, choices)
        text = ModelText(pool.models, fieldNames: choices.fieldNames)
    }

    /// Names the models of responses and bodies, and returns all models that requests or responses use.
    ///
    /// - Parameters:
    ///   - operations: The operations, after which models are named.
    ///   - pool: The models. Those to which the document gives a name are named first.
    ///   - choices: The names that people chose.
    private static func nameModels(
        of operations: [ImportedOperation], pool: ModelPool, _ choices: ImportChoices
    ) -> [InferredModel] {
        let usedModelsWithWords = pool.namedModels.filter { $0.isSent || $0.isReceived }
        var names = InferredModelNames(choices, modelsWithWords: usedModelsWithWords)
        for operation in operations {
            if let type = operation.response { names.nameModels(in: type, subject: operation.subject) }
        }
        for operation in operations {
            if let body = operation.body { names.nameModels(in: body.type, subject: SwiftNames.words(operation.name)) }
        }
        return names.orderedModels.filter { $0.isSent || $0.isReceived }
    }
}
