import APIImport
import EndpointKit

/// Models that are made from samples without a request.
extension ImportOutput {
    /// Adds the models of samples.
    ///
    /// Each model has a file of its own in a directory. Otherwise all models are one text, for the file of `--into` or
    /// stdout.
    mutating func add(_ samples: [InferredModels.Response]) throws {
        var choices = try options.choices(context.environment)
        choices.taken = target?.names ?? []
        let models = try InferredModels(samples, options: choices)
        try write(models.declarations)
        summary.notes += models.notes
        for root in models.roots where models.declarations.isEmpty {
            summary.notes.append("the response is \(root.dropLast(".self".count)): it needs no model")
        }
        if let coding = models.coding { summary.notes.append("the API needs: coding: \(coding)") }
        count([], models.declarations)
    }

    private mutating func write(_ models: [InferredModels.Declaration]) throws {
        if models.isEmpty { return }
        if let directory { return try write(InferredModels.files(models), in: directory + "/") }
        let all = InferredModels.imports(of: models) + models.map(\.text).joined(separator: "\n")
        if let into = options.into {
            try write(into, all.exactBytes)
        } else {
            text += all
        }
    }

    /// Counts endpoints and models in the summary, and lists those that became JSON of any kind, or bytes.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints.
    ///   - loose: The names of the endpoints whose responses have no model.
    ///   - models: The models.
    mutating func count(
        _ endpoints: [ImportedEndpoint], loose: [String] = [], _ models: [InferredModels.Declaration]
    ) {
        let loose = loose + models.filter(\.isLoose).map(\.name)
        summary.models = models.map(\.name)
        summary.contents = "\(endpoints.count.counted("endpoint")), \(models.count.counted("model"))"
        if !loose.isEmpty { summary.contents += "; with JSON of any kind or bytes: \(loose.joined(separator: ", "))" }
        summary.isLoose = !loose.isEmpty
        summary.details = [("loose", loose.json)]
    }
}
