extension [InferredModel] {
    /// Notes which models are parts of requests and of responses, and adapts their fields to that.
    ///
    /// A field that only responses have (`readOnly`) is removed from a model of requests alone. In a model of both, it
    /// is optional. A field that must be there and may be null is not optional, because null is sent for it.
    ///
    /// - Parameters:
    ///   - sent: The types of parameters and bodies.
    ///   - received: The types of responses.
    func markUses(sent: [InferredType], received: [InferredType]) {
        for (types, flag) in [(sent, \InferredModel.isSent), (received, \.isReceived)] {
            InferredModel.visit(types.compactMap(\.leaf.model)) { model in
                defer { model[keyPath: flag] = true }
                return !model[keyPath: flag]
            }
        }
        for model in self where model.isSent && !model.fields.isEmpty {
            model.fields = model.fields.compactMap { field in
                var field = field
                if field.isReadOnly {
                    guard model.isReceived else { return nil }
                    field.isOptional = true
                } else if field.isNullable {
                    field.isOptional = !field.isRequired
                }
                return field
            }
        }
    }
}

extension InferredModel {
    /// Whether people give the field a value when they make a value of the model.
    ///
    /// They do not for a field that only responses have, and for one that the document advises against.
    func isInInitializer(_ field: Property) -> Bool {
        !field.isReadOnly && !(field.isDeprecated && field.isOptional)
    }

    /// Whether the members of an object that are none of the fields are kept in a property of their own.
    var hasOthers: Bool { others != nil && !fields.isEmpty }
}
