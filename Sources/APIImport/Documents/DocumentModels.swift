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
    init(of groups: inout [OperationGroup], _ pool: inout ModelPool, _ choices: ImportChoices) {
        let operations = groups.flatMap(\.operations)
        let received = operations.compactMap(\.response)
        let requestModels = RequestModels(sent: operations.flatMap(\.sent), received: received, &pool)
        for group in groups.indices {
            for index in groups[group].operations.indices {
                groups[group].operations[index].useModels(requestModels)
            }
        }
        let all = groups.flatMap(\.operations)
        pool.models.markUses(sent: all.flatMap(\.sent), received: received)
        used = Self.named(all, pool, choices)
        text = ModelText(pool.models, fieldNames: choices.fieldNames)
    }

    /// Names the models of responses and bodies, and returns those that requests or responses use.
    private static func named(
        _ operations: [ImportedOperation], _ pool: ModelPool, _ choices: ImportChoices
    ) -> [InferredModel] {
        var names = InferredModelNames(choices, given: pool.namedModels.filter { $0.isSent || $0.isReceived })
        for operation in operations {
            if let type = operation.response { names.name(type, subject: operation.subject) }
        }
        for operation in operations {
            if let body = operation.body { names.name(body.type, subject: SwiftNames.words(operation.name)) }
        }
        return names.order.filter { $0.isSent || $0.isReceived }
    }
}
