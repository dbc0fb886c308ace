import EndpointKit
import EndpointTools
import JSONText

/// An operation of a document as the source of an endpoint.
struct DocumentEndpoint: EndpointSource {
    private let request: OperationRequest
    private let responses: OperationResponses
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
    /// - Throws: ``BodyTypeError`` if the body can't be of the media type that the user chose.
    init(_ operation: OperationObject, of catalogue: DocumentCatalogue) throws(BodyTypeError) {
        request = try OperationRequest(operation, in: catalogue.document, bodyType: catalogue.options.bodyType)
        responses = OperationResponses(operation.responses.parts, in: catalogue.document)
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
            firstCall: firstCall, source: self)
    }

    /// The shape of an object with the parameters as its fields.
    var parameterShape: ModelShape { request.shape }

    var bodyTypes: [String] { request.bodyTypes }

    var omissions: [String] {
        let schemaNotes = request.schemaNotes + responses.schemaNotes
        let servers = servers?.problemSentences ?? []
        let schemes = OmissionSentences.unknownSchemes(credentials?.unknownSchemes ?? [])
        let sentences = operation.notes.map(\.sentence) + servers + schemes + schemaNotes.map(\.sentence)
        // A schema may be both that of the request and that of the response.
        return sentences.grouped { $0 }.map(\.key)
    }

    var declaredRequest: DeclaredRequest? {
        DeclaredOperation(OperationReading(operation), in: document).request(serverURL: serverURL)
    }

    var declaredResponse: ModelShape? { responses.declaredShape }

    func offsets(of paths: [DeclarationPath]) -> [Int?] {
        var places = DeclarationPlaces(of: operation, responses, in: document)
        return paths.map { places.offset(of: $0) }
    }

    // MARK: Calls

    func call(_ arguments: [Argument], _ signature: Signature) throws -> EndpointCall {
        try call(values: signature.values(of: arguments, in: request.shape))
    }

    func call(values: JSONValue) throws -> EndpointCall {
        var endpoint = try request.endpoint(for: values)
        endpoint.credentials = credentials?.credentials
        endpoint.server = servers?.servers.first
        endpoint.sample = responses.sample
        return EndpointCall(values: CallValue(values), endpoint: endpoint)
    }

    // MARK: Responses

    func responseShape(of endpoint: Endpoint) -> ModelShape? { responses.successShape }

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

    /// Compares a body with the schema for its status and media type. Without a schema, any body fits.
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

extension CallValue {
    /// A value of a call that no Swift type reads, which has one spelling.
    fileprivate init(_ value: JSONValue) { self.init(plain: value, shown: value) }
}
