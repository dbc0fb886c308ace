import EndpointTools
import JSONText

/// Values for the parameters of an operation: those that the document has as examples, and others made from schemas.
struct ExampleValues {
    /// An object with the examples of all parameters that have one.
    let all: JSONValue
    /// An object with a value for each required parameter: its example, or else one made from its schema.
    let required: JSONValue
    /// Whether the document has an example for each required parameter, and no body of bytes is required.
    let hasAllRequired: Bool

    /// Collects the values for the parameters of an operation.
    ///
    /// An example that does not fit the schema of its parameter is ignored, because a check would send it in vain.
    init(_ request: OperationRequest) {
        var examples: [(String, JSONValue)] = []
        var requiredValues: [(String, JSONValue)] = []
        var hasAllRequired = !request.needsBytes
        for (parameter, field) in zip(request.parameters, request.shape.root.fields) {
            let shape = ModelShape(root: field.shape, models: request.shape.models)
            var example = parameter.example
            // `.none` is no value at all. A `nil` might be taken for the JSON value null.
            if let value = example, !shape.accepts(value) { example = .none }
            if let example { examples.append((field.key, example)) }
            guard !field.isOptional else { continue }
            if example == nil { hasAllRequired = false }
            requiredValues.append((field.key, example ?? shape.sampleValue()))
        }
        all = JSONValue(examples)
        required = JSONValue(requiredValues)
        self.hasAllRequired = hasAllRequired
    }
}
