import EndpointKit
import EndpointTools
import JSONText

/// An operation of a document as the source of an endpoint.
struct DocumentEndpoint: EndpointSource {
    private let request: OperationRequest
    private let responses: OperationResponses
    /// The sample of a successful response. Its body is only made when it is asked for.
    private let sample: Sample
    /// The operation's own credentials; nil if those of the API count.
    private let credentials: OperationCredentials?
    /// The operation's own servers; nil if those of the API count.
    private let servers: DocumentServers?
    private let operation: OperationObject
    private let document: OpenAPIDocument
    /// The URL of the server that requests go to; nil if there is none.
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

    /// Describes the endpoint.
    ///
    /// The endpoint has an example, which a check may send, if the document has values for all parameters that are
    /// required. Otherwise its first call has values that are made from the schemas.
    ///
    /// - Parameters:
    ///   - name: The name of the endpoint.
    ///   - api: The API of the document.
    func declaration(_ name: String, in api: CatalogueAPI) throws -> EndpointDeclaration {
        let values = ExampleValues(request)
        let shownValues = CallValue(values.all)
        let signature = Signature(
            name: name, parameters: request.shape, values: values.hasAllRequired ? [shownValues] : [])
        let firstCall = try call(values: values.required)
        return try EndpointDeclaration(
            api, endpointName: name, signature: signature, examples: values.hasAllRequired ? [firstCall] : [],
            firstCall: firstCall, knownValues: values.all, source: self)
    }

    /// The shape of an object with the parameters as its fields.
    var parameterShape: ModelShape { request.shape }

    /// The media types of the body, from which a user can choose.
    var bodyTypes: [String] { request.bodyTypes }

    /// Sentences about the parts of the operation that are left out, each once.
    var omissions: [String] {
        // A schema may be both that of the request and that of the response.
        (omissionsBesideSchemas + schemaNotes.map(\.sentence)).grouped { $0 }.map(\.key)
    }

    /// The parts of schemas that are left out.
    var schemaNotes: [SchemaNote] { request.schemaNotes + responses.schemaNotes }

    /// Sentences about parts that are left out, except those of schemas.
    var omissionsBesideSchemas: [String] {
        let servers = servers?.problemSentences ?? []
        let schemes = OmissionSentences.unknownSchemes(credentials?.unknownSchemes ?? [])
        return operation.notes.map(\.sentence) + servers + schemes
    }

    /// Whether each request needs a body of bytes, which no parameter gives.
    var needsBytes: Bool { request.needsBytes }

    /// The part of the request that holds each parameter, by the identifier of the parameter.
    var declaredPlaces: [String: ParameterLocation] {
        let places = request.parameters.map { ($0.identifier, $0.location.requestPart) }
        return Dictionary(places, uniquingKeysWith: { first, _ in first })
    }

    /// The requests as a comparison with other declarations needs them.
    var declaredRequest: DeclaredRequest? {
        DeclaredOperation(OperationParts(operation), in: document).request(serverURL: serverURL)
    }

    /// The shape of a successful response, for a comparison with other declarations; nil if it is not JSON.
    var declaredResponse: ModelShape? { responses.declaredShape }

    /// Returns the offsets of parts in the JSON text of the document; nil for a part in another file.
    func offsets(of paths: [DeclarationPath]) -> [Int?] {
        var places = DeclarationPlaces(of: operation, responses, in: document)
        return paths.map { places.offset(of: $0) }
    }

    // MARK: Calls

    /// Returns the call with the arguments of a command line.
    ///
    /// - Throws: An error about an argument that does not fit, with the words of the command line.
    func call(_ arguments: [Argument], _ signature: Signature) throws -> EndpointCall {
        let values = try signature.values(of: arguments, in: request.shape)
        do {
            return try call(values: values)
        } catch let error as CallValueError {
            throw error.argumentError(arguments) ?? error
        }
    }

    /// Returns the call with an object of values by the identifiers of parameters.
    ///
    /// The call has the operation's own credentials and server if there are any. Otherwise those of the API count.
    ///
    /// - Throws: ``CallValueError`` if a value is missing or does not fit.
    func call(values: JSONValue) throws -> EndpointCall {
        var endpoint = try request.endpoint(for: values)
        endpoint.credentials = credentials?.credentials
        endpoint.server = servers?.servers.first
        endpoint.sample = sample
        return EndpointCall(values: CallValue(values), endpoint: endpoint)
    }

    // MARK: Responses

    /// Returns the shape of a successful response; nil if it is not JSON, or if the document gives no schema.
    func responseShape(of endpoint: Endpoint) -> ModelShape? { responses.successShape }

    /// Returns the name of a successful response for people: the name of a model, or of a list of models such as
    /// `[Pet]`.
    func responseName(of endpoint: Endpoint) -> String {
        switch responses.successShape?.root {
        case .model(let name): name
        case .array(.model(let name)): "[\(name)]"
        default: "\(JSONValue.self)"
        }
    }

    /// A document declares bodies by their status. Nothing but JSON is declared of a success that has no schema.
    func declaresJSON(of response: ResponseHead, _ endpoint: Endpoint) -> Bool {
        if response.isSuccess, endpoint.response.kind == .json { return true }
        return responses.shape(of: response) != nil && response.isJSON == true
    }

    /// A response that is described without content has no body. Where a schema accepts null, no body is as good.
    func acceptsNoBody(of response: ResponseHead, _ endpoint: Endpoint) -> Bool {
        if responses.describesNoBody(of: response) { return true }
        // A success without content may be described together with another one, whose schema accepts null.
        let shape = response.status == 204 ? responses.successShape : responses.shape(of: response)?.modelShape
        return shape?.acceptsNull == true
    }

    /// Compares the JSON body of a response with the schema for its status and media type. Without a schema, any body
    /// fits.
    ///
    /// - Parameters:
    ///   - document: The body.
    ///   - response: The head of the response.
    ///   - endpoint: The endpoint of the call.
    ///   - redact: Removes secrets from the names of keys.
    ///   - check: Called at regular intervals. An error that it throws stops the comparison.
    /// - Returns: The differences, and the parts of the schema that were not compared.
    func compare(
        _ document: JSONDocument, of response: ResponseHead, with endpoint: Endpoint,
        redact: @escaping (String) -> String, check: (() throws -> Void)?
    ) throws -> ResponseComparison {
        let shape = responses.shape(of: response)
        var comparison = try ResponseComparison.of(
            document, as: shape?.modelShape ?? ModelShape(root: .any, models: []), redact: redact, check: check)
        comparison.notCompared = shape?.notes.map(\.uncomparedPart) ?? []
        return comparison
    }
}

extension CallValueError {
    /// Returns the error about the argument of the parameter; nil if the error is not about a parameter.
    fileprivate func argumentError(_ arguments: [Argument]) -> ArgumentError? {
        switch self {
        case .notCallValues, .method: return nil
        case .missing(let identifier): return .missing([[identifier]])
        case .notObject(let identifier): return invalid(identifier, arguments, expected: "an object")
        case .cookie(let identifier): return invalid(identifier, arguments, expected: "a text without ';'")
        }
    }

    /// Returns the error that the value of a parameter is not what is expected.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the parameter.
    ///   - arguments: All arguments of the call, of which the first for the parameter is shown in the message.
    ///   - expected: The expectation in words, such as `an object`.
    private func invalid(_ identifier: String, _ arguments: [Argument], expected: String) -> ArgumentError {
        let argument = arguments.first { $0.path.first == identifier }
        var text = ""
        switch argument?.value {
        case .text(let given): text = given
        case .json(let bytes, _): text = String(decoding: bytes, as: UTF8.self)
        case nil: break
        }
        return .invalid(argument?.path ?? [identifier], text: text, expected: expected, position: argument?.position)
    }
}

extension CallParameter.Location {
    /// The part of the request that has the parameter.
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
    /// A value of a call that no Swift type reads, which has one spelling.
    fileprivate init(_ value: JSONValue) { self.init(plain: value, shown: value) }
}
