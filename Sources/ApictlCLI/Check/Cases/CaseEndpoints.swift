import EndpointKit
import EndpointTools

/// The endpoints that cases call. Each one is examined once, because many cases may call it.
struct CaseEndpoints {
    private let registry: APIRegistry
    /// The endpoints by the names that cases use.
    private var declarations: [String: EndpointDeclaration] = [:]
    /// The endpoint that stands for all URLs; nil until a case has a URL.
    private var urlDeclaration: EndpointDeclaration?
    /// The names of the parameters that are credentials, by the names of endpoints.
    private var credentialParameters: [String: Set<String>] = [:]
    /// The response models by the names of endpoints. The value nil says that the endpoint has no known model.
    private var models: [String: SelectableModel?] = [:]

    init(registry: APIRegistry) { self.registry = registry }

    /// Returns the endpoint of a name.
    ///
    /// - Throws: ``UsageError`` if no endpoint has the name.
    mutating func declaration(named name: SourcedText) throws -> EndpointDeclaration {
        if let knownDeclaration = declarations[name.text] { return knownDeclaration }
        let declaration = try registry.endpoint(name)
        declarations[name.text] = declaration
        return declaration
    }

    /// Returns the endpoint that stands for all URLs, which cases with `url` call.
    ///
    /// - Throws: The errors of `CatalogueAPI.declarations()`.
    mutating func declarationOfURLs() throws -> EndpointDeclaration {
        if let urlDeclaration { return urlDeclaration }
        let declaration = try CatalogueAPI(CalledURLAPI.self).declarations()[0]
        urlDeclaration = declaration
        return declaration
    }

    /// Whether a value in a case is sent as a credential. Its name is a well-known name of credentials, such as `token`
    /// or `password`, or the endpoint declares a credential with this parameter, header or query item.
    ///
    /// The answer may need requests to be built, which takes long. What is found out is kept for later cases.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead from the case to the value, such as `arguments` and `token`. The first one is the
    ///     member of the case. The last one is the name that the value is sent with.
    ///   - declaration: The endpoint of the case.
    mutating func isCredential(at keys: [String], of declaration: EndpointDeclaration) -> Bool {
        // A single key leads to a member such as `name` or `body`, which is no credential as a whole.
        guard keys.count > 1, let memberOfCase = keys.first, let sentName = keys.last else { return false }
        if SecretName.isCredential(sentName) { return true }
        let credentials = declaration.api.requestBuilder.allCredentials(of: declaration.endpoint)
        let schemes = credentials.flatMap(\.alternatives)
        switch memberOfCase {
        case "arguments":
            // A name that is not that of a parameter is reported elsewhere.
            guard let parameter = try? declaration.parameter(named: keys[1]) else { return false }
            return findCredentialParameters(of: declaration).contains(parameter.name)
        case "headers": return schemes.contains { $0.sets(header: sentName) }
        case "query": return schemes.contains { $0.sets(query: sentName) }
        default: return false
        }
    }

    /// Returns the names of an endpoint's parameters that are credentials.
    ///
    /// To find them, requests with different values are built, which takes long. So the names are kept.
    private mutating func findCredentialParameters(of declaration: EndpointDeclaration) -> Set<String> {
        if let knownParameters = credentialParameters[declaration.name] { return knownParameters }
        let parameters = ParameterPlaces(of: declaration).credentials
        credentialParameters[declaration.name] = parameters
        return parameters
    }

    /// Returns the response model of an endpoint; nil if it is not known.
    ///
    /// The model is learned by decoding, which takes long. So it is kept.
    mutating func model(of declaration: EndpointDeclaration) -> SelectableModel? {
        if let knownModel = models[declaration.name] { return knownModel }
        let model = SelectableModel(declaration, declaration.endpoint)
        // An assignment of nil would remove the entry, so that the model would be learned again and again.
        models.updateValue(model, forKey: declaration.name)
        return model
    }
}
