import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// Reads the parameters, bodies and responses of a document's operations.
///
/// A part that can't be read is left out, and ``problems`` names it with its place in the document.
struct OperationReader {
    /// The most problems that are remembered. People fix the first ones.
    private static let maxProblems = 20
    /// The most parameters of a case. Those of a longer query become a structure.
    private static let maxParameters = 8

    var types: SchemaTypes
    private let secrets: ImportSecrets
    /// The parts that can't be read, with their places.
    private(set) var problems: [String] = []
    /// The operations whose examples contradict the schemas.
    private(set) var contradictedOperations: [String] = []

    /// Starts to read operations.
    ///
    /// - Parameters:
    ///   - document: The document with the schemas.
    ///   - secrets: Removes secrets of examples.
    init(_ document: OpenAPIDocument, secrets: ImportSecrets) {
        types = SchemaTypes(document)
        self.secrets = secrets
    }

    /// Reads the parts of all operations in groups.
    mutating func read(_ groups: inout [OperationGroup]) {
        for group in groups.indices {
            for operation in groups[group].operations.indices { read(&groups[group].operations[operation]) }
        }
    }

    /// Reads the parameters, the body and the response of an operation, and sets its texts, types and sample.
    ///
    /// Precondition: The operation has a name. Models without a name in the document are named after it.
    mutating func read(_ operation: inout ImportedOperation) {
        types.beginOperation()
        let object = operation.object
        operation.text.summary = summary(of: operation)
        operation.text.documentation = documentation(of: operation)
        operation.text.isDeprecated = object.summary.isDeprecated
        addProblems(operation.parameters.errors)
        var parameterReader = ParameterReader(operation)
        for parameter in operation.parameters.parts { parameterReader.read(parameter, types: &types) }
        parameterReader.addUndescribedVariables()
        operation.text.parameters = parameterReader.parameters
        operation.text.comments = parameterReader.comments
        readBody(&operation)
        readResponse(&operation)
        nameParameters(&operation)
    }

    /// Adds errors to ``problems``, up to ``maxProblems``.
    private mutating func addProblems(_ errors: [OpenAPIError]) {
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

    /// Reads the body of an operation's requests, if there is one. An error is added to ``problems``.
    private mutating func readBody(_ operation: inout ImportedOperation) {
        do throws(OpenAPIError) {
            guard let body = try operation.object.requestBody() else { return }
            BodyReader.read(body, of: &operation, types: &types)
        } catch {
            addProblems([error])
        }
    }

    // MARK: Responses

    /// Sets the type of an operation's response, and its sample.
    ///
    /// A response is read as bytes, with a comment, if it is not JSON, or if a redirect leads to it.
    private mutating func readResponse(_ operation: inout ImportedOperation) {
        let responses = operation.object.responses
        addProblems(responses.errors)
        let successes = SuccessfulResponses(responses.parts)
        operation.hasLinkHeader = successes.hasLinkHeader
        if successes.isRedirect {
            operation.text.returns = EndpointText.bytes
            operation.text.comments.append("the response is what a redirect leads to, as bytes")
            return
        }
        // Without a body in the response, the operation keeps the model `EmptyResponse`.
        guard let content = successes.content else { return }
        guard MediaTypeName(content.contentType).isReadAsJSON(content) else {
            operation.text.returns = EndpointText.bytes
            operation.text.comments.append("the response is \(content.contentType), as bytes")
            return
        }
        let type = types.makeType(ofBody: content.schema, key: "response")
        let otherStatuses = successes.statusesOfOtherTypes(types.document)
        if !otherStatuses.isEmpty {
            let list = otherStatuses.joined(separator: ", ")
            operation.text.comments.append("the response of status \(list) is of another type")
        }
        if let comment = type.looseComment("response") { operation.text.comments.append(comment) }
        operation.response = type
        setSample(of: &operation, from: content.examples, type: type)
    }

    /// Sets the sample of an operation: the first example of its response that is an object or array and fits the type.
    ///
    /// An example that does not fit the type adds the operation to ``contradictedOperations``. An example that does not
    /// fit without its secrets is skipped.
    ///
    /// - Parameters:
    ///   - operation: The operation, which gets the sample.
    ///   - examples: The examples of the response.
    ///   - type: The type of the response.
    private mutating func setSample(
        of operation: inout ImportedOperation, from examples: [ExampleObject], type: InferredType
    ) {
        for example in examples {
            let value = Self.parsedValue(of: example)
            guard value.kind == .object || value.kind == .array else { continue }
            if !SampleFit.fits(value, as: type) {
                contradictedOperations.append(operation.key)
            } else if let publicValue = secrets.removed(from: value), SampleFit.fits(publicValue, as: type) {
                operation.sample = publicValue
                return
            }
        }
    }

    /// Returns the value of an example. Some documents have JSON as text in a string, which is parsed.
    private static func parsedValue(of example: ExampleObject) -> JSONValue {
        guard example.isSerialized, let text = example.value.string else { return example.value }
        return (try? JSONValue(text: Array(text.utf8))) ?? example.value
    }

    // MARK: Names

    /// Names the parameters of an operation and their models.
    private mutating func nameParameters(_ operation: inout ImportedOperation) {
        let names = ParameterNames.names(operation.text.parameters)
        for (index, parameter) in operation.text.parameters.enumerated() where parameter.isSingleValue {
            operation.text.parameters[index].name = names[index]
            if let model = parameter.type.leaf.model { nameModel(model, of: parameter, in: operation) }
        }
        if operation.parameterCount > Self.maxParameters { groupQuery(of: &operation) }
    }

    /// Names the model of a parameter after the parameter: `sort` → `Sort`.
    ///
    /// If another model has that name, the words of the operation go before it: `ListPetsSort`.
    private mutating func nameModel(
        _ model: InferredModel, of parameter: EndpointText.Parameter, in operation: ImportedOperation
    ) {
        // A key without letters and digits has no words. The parameter is then called `value`.
        let keyWords = SwiftNames.words(parameter.key)
        var words = keyWords.isEmpty ? ["value"] : keyWords
        // A list has the name of all its elements, and the model that of one: `tags` → `Tag`.
        let isList = parameter.type.model == nil
        if isList { words = SwiftNames.singular(words) }
        types.name(model, words: words, longWords: operation.bodyWords + words)
    }

    /// Makes one structure of the plain parameters of a long query, so that the case of the enum stays short.
    ///
    /// Each of the parameters becomes a field. The structure is the parameter `query`, which comes before the body.
    /// A parameter with a style of its own, such as a list in one item, stays outside of the structure.
    private mutating func groupQuery(of operation: inout ImportedOperation) {
        var queryFields: [EndpointText.Parameter] = []
        for (index, parameter) in operation.text.parameters.enumerated()
        where parameter.place == .query && parameter.style == .plain && parameter.constant == nil {
            operation.text.parameters[index].isQueryField = true
            queryFields.append(parameter)
        }
        if queryFields.isEmpty { return }
        let properties = queryFields.map { field in
            InferredModel.Property(
                key: field.key, type: field.type, isOptional: field.isOptional, summary: field.note)
        }
        let model = types.addStructure(properties, words: operation.bodyWords + ["query"])
        let exampleMembers = queryFields.compactMap { field in field.value.map { (field.key, $0) } }
        let query = EndpointText.Parameter(
            key: "", place: .query, type: .model(model), style: .fields, value: JSONValue(exampleMembers),
            name: "query")
        // The body, if there is one, is the last parameter.
        let hasBody = operation.body != nil
        let parameterCount = operation.text.parameters.count
        operation.text.parameters.insert(query, at: hasBody ? parameterCount - 1 : parameterCount)
    }
}

extension InferredType {
    /// Returns a comment about a body or response that is, or holds, JSON of any kind.
    ///
    /// - Parameter part: `body` or `response`.
    /// - Returns: The comment; nil if the type is exact, or if the document just does not describe the values.
    func looseComment(_ part: String) -> String? {
        guard let reason = reasonForJSON, reason != SchemaTypes.undescribed else { return nil }
        return "the \(part) \(unwrapped.type == .json(reason) ? "is" : "holds") any JSON: \(reason)"
    }
}

extension MediaTypeName {
    /// Whether a response in this media type is read as JSON. A range such as `*/*` is read as JSON if it has a schema.
    fileprivate func isReadAsJSON(_ content: MediaTypeObject) -> Bool {
        isJSON || (includesJSON && content.schema != nil)
    }
}
