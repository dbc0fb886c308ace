extension [InferredModel] {
    /// Notes which models are parts of requests and of responses, and adapts their fields to that.
    ///
    /// A model of requests has no fields that only responses have (`readOnly`), and a model of responses none that only
    /// requests have (`writeOnly`). In a model of requests, a field that must be there and may be null is not optional,
    /// because null is sent for it.
    ///
    /// Precondition: No model with `readOnly` or `writeOnly` fields is part of both; see ``RequestModels``.
    ///
    /// - Parameters:
    ///   - sent: The types of parameters and bodies.
    ///   - received: The types of responses.
    func markUses(sent: [InferredType], received: [InferredType]) {
        for model in InferredModel.all(in: sent) { model.isSent = true }
        for model in InferredModel.all(in: received) { model.isReceived = true }
        for model in self where !model.fields.isEmpty {
            if model.isReceived { model.fields.removeAll(where: \.isWriteOnly) }
            guard model.isSent else { continue }
            model.fields.removeAll(where: \.isReadOnly)
            for index in model.fields.indices where model.fields[index].isNullable {
                model.fields[index].isOptional = !model.fields[index].isRequired
            }
        }
    }
}

extension InferredModel {
    /// Whether people give the field a value when they make a value of the model.
    ///
    /// They do not for a field that the document advises against.
    func isInInitializer(_ field: Property) -> Bool { !(field.isDeprecated && field.isOptional) }

    /// Whether the members of an object that are none of the fields are kept in a property of their own.
    var hasOthers: Bool { others != nil && !fields.isEmpty }
}
