import EndpointTools
import JSONText

/// Example values for the parameters of an operation.
struct ExampleValues {
    /// An object with the examples of all parameters that have one in the document.
    let all: JSONValue
    /// An object with a value for each required parameter: its example, or else a value made up from its schema.
    let required: JSONValue
    /// Whether the document has an example for each required parameter, so that no value was made up.
    ///
    /// It is false for an operation that needs a body of bytes, because no parameter holds them.
    let hasAllRequired: Bool

    /// Collects example values for the parameters of an operation.
    ///
    /// An example that contradicts the schema of its parameter is ignored, because the server would refuse it.
    /// Optional parameters without an example get no value.
    init(_ request: OperationRequest) {
        var examples: [(String, JSONValue)] = []
        var requiredValues: [(String, JSONValue)] = []
        // The values of a call never contain a body of bytes.
        var hasAllRequired = !request.needsBytes
        for (parameter, field) in zip(request.parameters, request.shape.root.fields) {
            let shape = ModelShape(root: field.shape, models: request.shape.models)
            if let example = parameter.example, shape.accepts(example) {
                examples.append((field.key, example))
                if !field.isOptional { requiredValues.append((field.key, example)) }
            } else if !field.isOptional {
                hasAllRequired = false
                requiredValues.append((field.key, shape.sampleValue()))
            }
        }
        all = JSONValue(examples)
        required = JSONValue(requiredValues)
        self.hasAllRequired = hasAllRequired
    }
}
