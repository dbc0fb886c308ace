extension [InferredModel] {
    /// Marks which models are parts of requests, and which are parts of responses, and adapts their fields.
    ///
    /// - A model of requests loses the fields that only responses have (`readOnly`).
    /// - A model of responses loses the fields that only requests have (`writeOnly`).
    /// - In a model of requests, a field that must be there and may be null is not optional: null is sent for it.
    ///
    /// Precondition: No model with `readOnly` or `writeOnly` fields is part of both; see ``RequestModels``.
    ///
    /// - Parameters:
    ///   - sentTypes: The types of parameters and bodies.
    ///   - receivedTypes: The types of responses.
    func markUses(sentTypes: [InferredType], receivedTypes: [InferredType]) {
        for model in InferredModel.all(in: sentTypes) { model.isSent = true }
        for model in InferredModel.all(in: receivedTypes) { model.isReceived = true }
        // Setting the fields of an enum would make a structure of it, so models without fields are left alone.
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
    /// Whether the field is a parameter of the generated initializer. An optional field that is deprecated is not.
    func isInInitializer(_ field: Property) -> Bool { !(field.isDeprecated && field.isOptional) }

    /// Whether the structure has a property `additionalProperties` for the members that are not among its fields.
    var hasAdditionalProperties: Bool { additionalProperties != nil && !fields.isEmpty }
}
