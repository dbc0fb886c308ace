import APIImport
import EndpointKit
import JSONText

/// Models that are made from samples without a request.
extension ImportOutput {
    /// Makes models of samples and adds them to the output.
    ///
    /// In a directory, each model has a file of its own. Otherwise all models are one text, for the file of `--into` or
    /// stdout. Notes in the summary name samples that need no model.
    ///
    /// - Parameters:
    ///   - samples: Responses of one endpoint.
    ///   - subject: The word after which the outermost model is named, such as `movie`.
    mutating func addModels(of samples: [JSONDocument], named subject: String) throws {
        var choices = try options.makeChoices(context.environment)
        // New types must have other names than the types of the target.
        choices.taken = findTarget()?.takenTypeNames ?? []
        let models = try InferredModels([(subject, samples)], options: choices)
        try addText(of: models.declarations)
        summary.notes += models.notes
        if models.declarations.isEmpty {
            // A root is an expression such as `[Int].self`.
            for root in models.roots {
                summary.notes.append("the response is \(root.dropLast(".self".count)): it needs no model")
            }
        }
        if let coding = models.coding { summary.notes.append("the API needs: coding: \(coding)") }
        summarize(endpoints: [], models: models.declarations)
    }

    /// Adds the declarations of models: a file for each model in the directory, or else one text for the file of
    /// `--into` or for stdout.
    private mutating func addText(of models: [InferredModels.Declaration]) throws {
        if models.isEmpty { return }
        if let directory {
            try addFiles(InferredModels.files(models), in: directory + "/")
            return
        }
        let source = InferredModels.imports(of: models) + models.map(\.text).joined(separator: "\n")
        if let file = options.into {
            try addFile(at: file, content: source.exactBytes)
        } else {
            text += source
        }
    }

    /// Puts the numbers of endpoints and models into the summary, and the names of the loose ones.
    ///
    /// A model or endpoint is loose if a part of it has no type of its own, but became `JSONValue` or bytes.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints.
    ///   - looseEndpoints: The names of the endpoints whose responses have no model.
    ///   - models: The models.
    mutating func summarize(
        endpoints: [ImportedEndpoint], looseEndpoints: [String] = [], models: [InferredModels.Declaration]
    ) {
        let looseNames = looseEndpoints + models.filter(\.isLoose).map(\.name)
        summary.models = models.map(\.name)
        summary.contents = "\(endpoints.count.counted("endpoint")), \(models.count.counted("model"))"
        if !looseNames.isEmpty {
            summary.contents += "; with JSON of any kind or bytes: \(looseNames.joined(separator: ", "))"
        }
        summary.isLoose = !looseNames.isEmpty
        summary.details = [("loose", looseNames.json)]
    }
}
