import EndpointKit
import JSONText
import OpenAPI

/// Finds the parameters of a document that are credentials.
///
/// For example, TMDB's document has the query parameter `session_id` in 28 operations. A text in the query or in a
/// header becomes a credential in two cases:
///
/// - A security scheme sends a query item or header of the same name.
/// - It is called like an API key, an access token or a session, and at least three operations have it.
///
/// Every other secret stays a parameter, such as the password of a login, or the secret of a payment.
struct CredentialParameters {
    /// The part of the request that a parameter is in, and its name there.
    private struct Key: Hashable {
        let placement: Credential.Scheme.Placement
        /// The name, in lower case for a header.
        let name: String

        init(_ placement: Credential.Scheme.Placement, _ name: String) {
            self.placement = placement
            self.name = placement == .header ? name.lowercased() : name
        }

        /// The key of a parameter; nil if a credential can't be in that part of the request.
        init?(_ parameter: ParameterObject) {
            switch parameter.location {
            case .query: self.init(.query, parameter.name)
            // OpenAPI ignores parameters with this name (OpenAPI 3.1, section 4.8.12.1).
            case .header where parameter.name.isSameName(as: "Authorization"): return nil
            case .header: self.init(.header, parameter.name)
            case .path, .cookie, .querystring: return nil
            }
        }
    }

    /// The last words of the names of secrets that say who calls.
    private static let callerNames: Set = [
        "accesskey", "accesstoken", "apikey", "apitoken", "appkey", "applicationkey", "authkey", "authtoken",
        "sessionid", "sessionkey", "sessiontoken", "subscriptionkey",
    ]
    /// The number of operations from which on a parameter belongs to the caller. A parameter of fewer operations may
    /// belong to what they are about: `session_id` may choose one of several sessions.
    private static let minOperations = 3

    private let document: OpenAPIDocument
    /// The credentials that parameters become.
    private var credentials: [Key: Credential] = [:]

    /// Finds the credentials among the parameters of operations.
    ///
    /// - Parameters:
    ///   - operations: The operations of the document.
    ///   - document: The document with the security schemes.
    ///   - api: The name of the API, with which the names of variables begin.
    init(of operations: [ImportedOperation], _ document: OpenAPIDocument, api: String) {
        self.document = document
        let schemes = DocumentCredentials(document, api: api).all.flatMap(\.alternatives)
        for scheme in schemes {
            let key = Key(scheme.placement, scheme.name)
            // If several schemes send the same header or query item, the first one counts.
            if credentials[key] != nil { continue }
            // Query items and headers have one variable. Only Basic has two, and its header is never a parameter.
            credentials[key] = Self.credential(key, name: scheme.name, variable: scheme.variables[0])
        }
        // Parameters of many operations become credentials even if no scheme describes them.
        var variables = NameTable(schemes.flatMap(\.variables))
        let prefix = ImportSecrets(api: api).prefix
        let candidates = operations.flatMap(\.parameters.parts).filter { Self.saysWhoCalls($0.name) && isText($0) }
        for (key, parameters) in candidates.grouped(by: Key.init) {
            guard let key, credentials[key] == nil, parameters.count >= Self.minOperations else { continue }
            let name = parameters[0].name
            let variable = variables.unique(Credential.variableName(prefix: prefix, words: SwiftNames.words(name)))
            credentials[key] = Self.credential(key, name: name, variable: variable)
        }
    }

    /// Returns the credential that sends a query item or a header; nil for a cookie or a signature.
    private static func credential(_ key: Key, name: String, variable: String) -> Credential? {
        switch key.placement {
        case .query: .query(name, variable: variable)
        case .header: .header(name, variable: variable)
        case .cookie, .signature: nil
        }
    }

    /// Whether a name is that of an API key, an access token or a session: `X-Api-Key`, `guest_session_id`.
    private static func saysWhoCalls(_ name: String) -> Bool {
        let words = SwiftNames.words(name)
        return callerNames.contains(words.suffix(2).joined()) || callerNames.contains(words.suffix(1).joined())
    }

    /// Whether the values of a parameter are texts, and not those of an enum.
    private func isText(_ parameter: ParameterObject) -> Bool {
        if parameter.content != nil { return false }
        let keywords = document.keywords(ofAll: [parameter.schema].compactMap(\.self))
        let isString = keywords.types == nil || keywords.types == ["string"]
        return isString && keywords.values == nil
    }

    /// Replaces the parameters of an operation that say who calls, such as `api_key`, by credentials.
    ///
    /// The credential of an optional parameter is optional. If a security scheme of the operation sends the same query
    /// item or header, the parameter is just removed.
    func replaceParameters(of operation: inout ImportedOperation) {
        var remainingParameters: [ParameterObject] = []
        for parameter in operation.parameters.parts {
            guard let key = Key(parameter), let credential = credentials[key], isText(parameter) else {
                remainingParameters.append(parameter)
                continue
            }
            let schemes = operation.credentials.flatMap(\.alternatives)
            let isSentByScheme = schemes.contains { Key($0.placement, $0.name) == key }
            if isSentByScheme { continue }
            operation.credentials.append(parameter.isRequired ? credential : credential.optional)
        }
        operation.parameters = operation.parameters.replacingParts(with: remainingParameters)
    }
}
