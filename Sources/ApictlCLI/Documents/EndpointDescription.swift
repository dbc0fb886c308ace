import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// An endpoint with its parameters, and the shapes of its responses.
struct EndpointDescription {
    let declaration: EndpointDeclaration
    /// The parts of a request in which each parameter is sent.
    let places: ParameterPlaces
    /// The parameters, with the fields of structures in place of the structures.
    let parameters: [ParameterDescription]
    /// The shape of a successful response; nil if it is not JSON.
    let responseShape: ModelShape?
    /// The shape of a failed response; nil if it is not known.
    let errorShape: ModelShape?

    /// Examines an endpoint: its parameters, and the shape of a successful response.
    init(_ declaration: EndpointDeclaration) {
        self.init(declaration, responseShape: declaration.responseShape, errorShape: nil)
    }

    /// Examines the parameters of an endpoint whose response shapes are known.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint as its API declares it.
    ///   - responseShape: The shape of a successful response; nil if it is not JSON.
    ///   - errorShape: The shape of a failed response; nil if it is not known.
    init(_ declaration: EndpointDeclaration, responseShape: ModelShape?, errorShape: ModelShape?) {
        let signature = declaration.signature
        let places = ParameterPlaces(of: declaration)
        self.declaration = declaration
        self.places = places
        self.responseShape = responseShape
        self.errorShape = errorShape
        let pathsAndFlags = signature.options().map { ($0.path, $0.flag) }
        let flagsByPath = Dictionary(pathsAndFlags, uniquingKeysWith: { first, _ in first })
        parameters = signature.fields.compactMap { field in
            // A parameter without a label has a name instead of a flag. A structure has neither: it is left out,
            // because its fields have flags.
            let flag = flagsByPath[field.path] ?? declaration.unlabelledName(field.path)
            guard let flag else { return nil }
            return ParameterDescription(field, flag: flag, places: places)
        }
    }

    /// The endpoint of the first example.
    var endpoint: Endpoint { declaration.endpoint }
    var api: CatalogueAPI { declaration.api }
    var name: String { declaration.name }
    /// The header lines that requests of the endpoint have.
    var headers: [String] { api.requestBuilder.fields(of: endpoint).map(\.description) }
    /// The name of the response model.
    private var responseName: String { declaration.responseName(of: endpoint) }
    /// The response in words: the name of its model, `any JSON`, `any bytes` or `no body`.
    var returns: String {
        switch endpoint.response.kind {
        case .json: responseName == "\(JSONValue.self)" ? "any JSON" : responseName
        case .empty: "no body"
        case .bytes: "any bytes"
        }
    }
    /// The credentials that the endpoint accepts.
    var credentials: [ConfigurableCredential] { api.declaredCredentials(of: declaration) }
    /// The media types of which `--body-type` chooses one for the body; empty if there is no choice.
    var bodyTypes: [String] { declaration.bodyTypes.count > 1 ? declaration.bodyTypes : [] }
    /// The places of the parameters in the request.
    var bindings: CallBindings { CallBindings(of: places.probe) }

    /// Returns the endpoint's examples as command lines. An example that can't be typed as a command is left out.
    ///
    /// - Parameters:
    ///   - tool: The name of the tool, which is the first word.
    ///   - width: The width that lines should have at most; nil for one line each.
    func examples(tool: String, width: Int? = nil) -> [String] {
        declaration.examples.compactMap { declaration.command($0, tool: tool, width: width) }
    }

    /// Returns the JSON that `describe --json` prints. It does not say which variables are set, so that it is the same
    /// everywhere.
    ///
    /// - Parameter tool: The name of the tool, for the examples.
    func json(tool: String) -> JSONObject {
        // If the parameters have no shapes, the description lacks only the schema of the body.
        let parameterShape = try? declaration.parameterShape()
        let bodyShape = parameterShape.flatMap { bindings.bodyShape($0) }
        return [
            "version": 1, "name": name, "summary": endpoint.summary, "apiSummary": api.summary,
            "method": endpoint.method.rawValue, "path": places.template, "parameters": parameters.map(\.json),
            "headers": headers, "body": places.endpoint.body?.contentType, "bodyTypes": bodyTypes.nonEmpty,
            "returns": returns,
            "servers": api.servers.map(\.json), "credentials": credentials.map { $0.json(isSet: { _ in nil }) },
            "pages": endpoint.pages != nil, "sample": endpoint.sample != nil, "examples": examples(tool: tool),
            "leftOut": declaration.omissions.nonEmpty,
            "schema": responseShape?.jsonSchema(.response), "bodySchema": bodyShape?.jsonSchema(.request),
        ]
    }
}
