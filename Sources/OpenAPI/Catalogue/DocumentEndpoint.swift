import EndpointKit
import EndpointTools
import JSONText

/// An endpoint that an operation of a document describes.
struct DocumentEndpoint: EndpointSource {
    private let request: OperationRequest
    private let responses: OperationResponses
    /// The sample of a successful response. Its body is made when it is needed.
    private let sample: Sample
    /// The operation's own credentials; nil if the credentials of the API apply.
    private let credentials: OperationCredentials?
    /// The operation's own servers; nil if the servers of the API apply.
    private let servers: DocumentServers?
    private let operation: OperationObject
    private let document: OpenAPIDocument
    /// The URL of the default server; nil if the document has no server that can be used.
    private let serverURL: String?

    /// Reads an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - catalogue: The API of the document, with the choices of the user.
    /// - Throws: ``BodyTypeError`` if the body can't be of the media type that the user chose.
    init(_ operation: OperationObject, of catalogue: DocumentCatalogue) throws(BodyTypeError) {
        request = try OperationRequest(operation, in: catalogue.document, bodyType: catalogue.options.bodyType)
        responses = OperationResponses(operation.responses.parts, in: catalogue.document)
        sample = responses.sample
        credentials = catalogue.credentials(of: operation)
        servers = catalogue.servers(of: operation)
        self.operation = operation
        document = catalogue.document
        serverURL = (servers?.servers ?? catalogue.requestBuilder.servers).first?.url
    }

    // MARK: The declaration

    /// Returns the declaration of the endpoint: its parameters, and calls with example values.
    ///
    /// If the document has example values for all required parameters, the call with these values is an example, which
    /// `check` may send. Otherwise the missing values are made up from the schemas, and the call is never sent.
    ///
    /// - Parameters:
    ///   - name: The name of the endpoint.
    ///   - api: The API of the document.
    func declaration(_ name: String, in api: CatalogueAPI) throws -> EndpointDeclaration {
        let exampleValues = ExampleValues(request)
        let hasExampleCall = exampleValues.hasAllRequired
        let signature = Signature(
            name: name, parameters: request.shape, values: hasExampleCall ? [CallValue(exampleValues.all)] : [])
        let firstCall = try call(values: exampleValues.required)
        return try EndpointDeclaration(
            api, endpointName: name, signature: signature, examples: hasExampleCall ? [firstCall] : [],
            firstCall: firstCall, knownValues: exampleValues.all, source: self)
    }

    /// The shape of the values of a call: an object with a field for each parameter.
    var parameterShape: ModelShape { request.shape }

    /// The media types of the body that a user can choose from.
    var bodyTypes: [String] { request.bodyTypes }

    /// Sentences about the parts of the operation that are left out, without repetitions.
    var omissions: [String] {
        // The request and the response may have the same schema, and so the same notes.
        (omissionsBesideSchemas + schemaNotes.map(\.sentence)).withoutRepetitions
    }

    /// The notes about parts of schemas that are left out.
    var schemaNotes: [SchemaNote] { request.schemaNotes + responses.schemaNotes }

    /// Sentences about the parts of the operation that are left out, except for parts of schemas.
    var omissionsBesideSchemas: [String] {
        let servers = servers?.problemSentences ?? []
        let schemes = OmissionSentences.unknownSchemes(credentials?.unknownSchemes ?? [])
        return operation.notes.map(\.sentence) + servers + schemes
    }

    /// Whether each request needs a body of bytes. No parameter holds them.
    var needsBytes: Bool { request.needsBytes }

    /// The part of the request in which each parameter is sent, by the identifier of the parameter.
    var declaredPlaces: [String: ParameterLocation] {
        let places = request.parameters.map { ($0.identifier, $0.location.requestPart) }
        return Dictionary(places, uniquingKeysWith: { first, _ in first })
    }

    /// The description of the requests, for a comparison with another declaration.
    var declaredRequest: DeclaredRequest? {
        DeclaredOperation(OperationParts(operation), in: document).request(serverURL: serverURL)
    }

    /// The shape of a successful response, for a comparison with another declaration; nil if it is not JSON.
    var declaredResponse: ModelShape? { responses.declaredShape }

    /// Returns the offset of each part in the JSON text of the document; nil for a part in another file.
    func offsets(of paths: [DeclarationPath]) -> [Int?] {
        var places = DeclarationPlaces(of: operation, responses: responses, in: document)
        return paths.map { places.offset(of: $0) }
    }

    // MARK: Calls

    /// Returns the call that the arguments of a command line describe.
    ///
    /// - Throws: An error that names the argument that is wrong or missing.
    func makeCall(_ arguments: [Argument], signature: Signature) throws -> EndpointCall {
        let values = try signature.values(of: arguments, in: request.shape)
        do {
            return try call(values: values)
        } catch let error as CallValueError {
            throw error.argumentError(arguments) ?? error
        }
    }

    /// Returns a call with values for its parameters.
    ///
    /// - Parameter values: An object with the values by the identifiers of the parameters.
    /// - Throws: ``CallValueError`` if a value is missing or does not fit.
    func call(values: JSONValue) throws -> EndpointCall {
        var endpoint = try request.endpoint(for: values)
        // Nil stands for the credentials and the server of the API.
        endpoint.credentials = credentials?.credentials
        endpoint.server = servers?.servers.first
        endpoint.sample = sample
        return EndpointCall(values: CallValue(values), endpoint: endpoint)
    }

    // MARK: Responses

    /// Returns the shape of a successful response; nil if it is not JSON, or if the document has no schema for it.
    func responseShape(of endpoint: Endpoint) -> ModelShape? { responses.successShape }

    /// Returns the name of a successful response, as messages show it: `Pet`, `[Pet]`, or `JSONValue`.
    func responseName(of endpoint: Endpoint) -> String {
        switch responses.successShape?.root {
        case .model(let name): name
        case .array(.model(let name)): "[\(name)]"
        default: "\(JSONValue.self)"
        }
    }

    /// Whether the document says that a response is JSON.
    ///
    /// A failure is declared to be JSON only if the document has a schema for its status.
    func declaresJSON(of response: ResponseHead, from endpoint: Endpoint) -> Bool {
        if response.isSuccess, endpoint.response.kind == .json { return true }
        return responses.shape(of: response) != nil && response.isJSON == true
    }

    /// Whether the document allows a response to have no body.
    ///
    /// It does if it describes the response without content, or if the schema accepts null.
    func acceptsNoBody(of response: ResponseHead, from endpoint: Endpoint) -> Bool {
        if responses.describesNoBody(of: response) { return true }
        // A status 204 is a success without a body, so the schema of any success applies to it.
        let shape = response.status == 204 ? responses.successShape : responses.shape(of: response)?.modelShape
        return shape?.acceptsNull == true
    }

    /// Compares the JSON body of a response with the schema for its status and media type.
    ///
    /// - Parameters:
    ///   - document: The body. If the document has no schema for it, any body matches.
    ///   - response: The head of the response.
    ///   - endpoint: The endpoint of the call.
    ///   - redact: Removes secrets from the names of keys.
    ///   - check: Called at regular intervals, and throws an error to stop the comparison; nil if nothing stops it.
    /// - Returns: The differences, and the parts of the schema that were not compared.
    func compare(
        _ document: JSONDocument, of response: ResponseHead, with endpoint: Endpoint,
        redact: @escaping (String) -> String, check: (() throws -> Void)?
    ) throws -> ResponseComparison {
        let shape = responses.shape(of: response)
        var comparison = try ResponseComparison.compare(
            document, as: shape?.modelShape ?? ModelShape(root: .any, models: []), redact: redact, check: check)
        comparison.notCompared = shape?.notes.map(\.uncomparedPart) ?? []
        return comparison
    }
}

extension CallValueError {
    /// Returns this error as an error about an argument of the command line; nil if it is not about a parameter.
    fileprivate func argumentError(_ arguments: [Argument]) -> ArgumentError? {
        switch self {
        case .notCallValues, .method: return nil
        case .missing(let identifier): return .missing([[identifier]])
        case .notObject(let identifier):
            return invalidValueError(for: identifier, arguments: arguments, expected: "an object")
        case .cookie(let identifier):
            return invalidValueError(for: identifier, arguments: arguments, expected: "a text without ';'")
        }
    }

    /// Returns an error about the value of a parameter, such as `--owner: expected an object, found 'x'`.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the parameter.
    ///   - arguments: All arguments of the call. The error shows the first one for the parameter.
    ///   - expected: The values that are valid, in words such as `an object`.
    private func invalidValueError(
        for identifier: String, arguments: [Argument], expected: String
    ) -> ArgumentError {
        let argument = arguments.first { $0.path.first == identifier }
        let foundText =
            switch argument?.value {
            case .text(let text): text
            case .json(let bytes, _): String(decoding: bytes, as: UTF8.self)
            case nil: ""
            }
        return .invalid(
            argument?.path ?? [identifier], text: foundText, expected: expected, position: argument?.position)
    }
}

extension CallParameter.Location {
    /// The location in the terms of the catalogue. Cookies are sent in a header.
    fileprivate var requestPart: ParameterLocation {
        switch self {
        case .path: .path
        case .query, .querystring: .query
        case .header, .cookie: .header
        case .body: .body
        }
    }
}

extension CallValue {
    /// Creates the value of a call to an API of a document. It is shown to people as it is sent.
    fileprivate init(_ value: JSONValue) { self.init(plain: value, shown: value) }
}
