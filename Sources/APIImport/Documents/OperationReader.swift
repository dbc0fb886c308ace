import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// Reads the parts of a document's operations: parameters, body and response.
///
/// A part that can't be read is left out, and ``problems`` names it with its place.
struct OperationReader {
    /// The most problems that are remembered. People fix the first ones.
    private static let maxProblems = 20
    /// The most parameters of a case. Those of a longer query become a structure.
    private static let maxParameters = 8

    var types: SchemaTypes
    private let sweep: SecretSweep
    /// The parts that can't be read, with their places.
    private(set) var problems: [String] = []
    /// The operations whose examples contradict the schemas.
    private(set) var contradictedOperations: [String] = []

    /// Starts to read operations.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - sweep: Removes secrets of examples.
    init(_ document: OpenAPIDocument, _ sweep: SecretSweep) {
        types = SchemaTypes(document)
        self.sweep = sweep
    }

    /// Reads the parts of all operations in groups.
    mutating func read(_ groups: inout [OperationGroup]) {
        for group in groups.indices {
            for operation in groups[group].operations.indices { read(&groups[group].operations[operation]) }
        }
    }

    /// Reads parameters, body and response of an operation, and sets its texts, types and sample.
    ///
    /// The operation must have a name, because the models without a name in the document are named after it.
    mutating func read(_ operation: inout ImportedOperation) {
        types.beginOperation()
        let object = operation.object
        operation.text.summary = summary(of: operation)
        operation.text.documentation = documentation(of: operation)
        operation.text.isDeprecated = object.summary.isDeprecated
        add(operation.parameters.errors)
        var reading = ParameterReading(operation)
        for parameter in operation.parameters.parts { reading.add(parameter, &types) }
        reading.addUndescribedVariables()
        operation.text.parameters = reading.parameters
        operation.text.comments = reading.comments
        readBody(&operation)
        readResponse(&operation)
        nameParameters(&operation)
    }

    /// Remembers errors of parts that can't be read.
    private mutating func add(_ errors: [OpenAPIError]) {
        problems += errors.prefix(Self.maxProblems - problems.count).map(\.description)
    }

    // MARK: Texts

    /// Returns the summary of an operation on one line, or else the words of its name.
    private func summary(of operation: ImportedOperation) -> String {
        let object = operation.object
        let texts = [object.summary.summary, object.description]
        let declared = texts.lazy.map { DocumentText.summary($0, maxLength: 100) }.first { !$0.isEmpty }
        return declared ?? SwiftNames.sentence(SwiftNames.words(operation.name))
    }

    /// Returns the comment of a case: the first paragraph of the description, or else the summary.
    ///
    /// - Returns: The comment; empty if the document has none, or if it only repeats the name of the case.
    private func documentation(of operation: ImportedOperation) -> String {
        let description = DocumentText.comment(operation.object.description)
        let text = description.isEmpty ? DocumentText.comment(operation.object.summary.summary) : description
        return SwiftNames.words(text) == SwiftNames.words(operation.name) ? "" : text
    }

    // MARK: Bodies

    /// Reads the body of the request, if there is one. An error is added to ``problems``.
    private mutating func readBody(_ operation: inout ImportedOperation) {
        do throws(OpenAPIError) {
            guard let body = try operation.object.requestBody() else { return }
            BodyReading.read(body, of: &operation, &types)
        } catch {
            add([error])
        }
    }

    // MARK: Responses

    /// Sets the type of the response, and its sample.
    ///
    /// A response that is not JSON, or to which a redirect leads, is read as bytes, with a comment.
    private mutating func readResponse(_ operation: inout ImportedOperation) {
        let responses = operation.object.responses
        add(responses.errors)
        let successes = SuccessfulResponses(responses.parts)
        operation.hasLinkHeader = successes.hasLinkHeader
        if successes.isRedirect {
            operation.text.returns = EndpointText.bytes
            operation.text.comments.append("the response is what a redirect leads to, as bytes")
            return
        }
        guard let content = successes.content else { return }
        guard MediaTypeName(content.contentType).isReadAsJSON(content) else {
            operation.text.returns = EndpointText.bytes
            operation.text.comments.append("the response is \(content.contentType), as bytes")
            return
        }
        let type = types.type(ofBody: content.schema, key: "response")
        let others = successes.otherTypes(types.document)
        if !others.isEmpty {
            operation.text.comments.append("the response of status \(others) is of another type")
        }
        if let comment = type.looseComment("response") { operation.text.comments.append(comment) }
        operation.response = type
        readSample(content.examples, type, &operation)
    }

    /// Sets the sample of the response to the first example that the type accepts.
    ///
    /// Only objects and arrays count. An example that is JSON in a string is parsed first. An example that contradicts
    /// the schema adds the operation to ``contradictedOperations``. An example that has to be left out because of its
    /// secrets is skipped.
    private mutating func readSample(
        _ examples: [ExampleObject], _ type: InferredType, _ operation: inout ImportedOperation
    ) {
        for example in examples {
            var value = example.value
            if example.isSerialized, let text = value.string, let json = try? JSONValue(text: Array(text.utf8)) {
                value = json
            }
            guard value.kind == .object || value.kind == .array else { continue }
            if !SampleFit.fits(value, type) {
                contradictedOperations.append(operation.key)
            } else if let shown = sweep.cleaned(value), SampleFit.fits(shown, type) {
                operation.sample = shown
                return
            }
        }
    }

    // MARK: Names

    /// Names the parameters and their models.
    ///
    /// If there are more than eight parameters, the plain ones of the query become the fields of one structure. The
    /// parameter `query` with that structure comes before the body.
    private mutating func nameParameters(_ operation: inout ImportedOperation) {
        let names = ParameterNames.names(operation.text.parameters)
        for (index, parameter) in operation.text.parameters.enumerated() where parameter.isOwn {
            operation.text.parameters[index].name = names[index]
            // A key without letters and digits has no words. The parameter is then called `value`.
            let keyWords = SwiftNames.words(parameter.key)
            let words = keyWords.isEmpty ? ["value"] : keyWords
            // A list's element is named after the list.
            let isList = parameter.type.model == nil
            let modelWords = isList ? SwiftNames.singular(words) : words
            if let model = parameter.type.leaf.model {
                types.name(model, words: modelWords, longWords: operation.bodyWords + modelWords)
            }
        }
        guard operation.parameterCount > Self.maxParameters else { return }
        var fields: [EndpointText.Parameter] = []
        for (index, parameter) in operation.text.parameters.enumerated()
        where parameter.place == .query && parameter.style == .plain && parameter.constant == nil {
            operation.text.parameters[index].isInQuery = true
            fields.append(parameter)
        }
        if fields.isEmpty { return }
        let model = types.addStructure(
            fields.map { .init(key: $0.key, type: $0.type, isOptional: $0.isOptional, summary: $0.note) },
            words: operation.bodyWords + ["query"])
        let examples = fields.compactMap { field in field.value.map { (field.key, $0) } }
        let query = EndpointText.Parameter(
            key: "", place: .query, type: .model(model), style: .fields, value: JSONValue(examples), name: "query")
        let end = operation.text.parameters.count - (operation.body == nil ? 0 : 1)
        operation.text.parameters.insert(query, at: end)
    }
}

extension InferredType {
    /// Returns a comment about a body or response that is JSON of any kind; nil if it is not, or if the document does
    /// not describe it.
    func looseComment(_ part: String) -> String? {
        guard let reason = reasonForJSON, reason != SchemaTypes.undescribed else { return nil }
        return "the \(part) \(unwrapped.type == .json(reason) ? "is" : "holds") any JSON: \(reason)"
    }
}

extension MediaTypeName {
    /// Whether a response in this media type is read as JSON. A range such as `*/*` is, if it has a schema.
    fileprivate func isReadAsJSON(_ content: MediaTypeObject) -> Bool {
        isJSON || (includesJSON && content.schema != nil)
    }
}
