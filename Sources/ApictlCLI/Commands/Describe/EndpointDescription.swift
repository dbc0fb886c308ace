import EndpointKit
import JSONText

/// An endpoint as `describe` shows it; its JSON form is what `describe --json` prints.
struct EndpointDescription: Encodable {
    struct ParameterDescription: Encodable {
        let flag: String
        let type: String
        let required: Bool
        let repeats: Bool
        let values: [String]?
        let places: [String]
        let example: [String]
        let note: String?
        /// What is sent if it is not given.
        let `default`: String?
        /// What the value must be: `1 to 500`.
        let bounds: String?
        /// The flags that it can't be used with.
        let excludes: [String]?
        /// Whether an option of `call` has the same name; the option must then come before the endpoint's name.
        let hidesOption: Bool
    }

    struct Server: Encodable {
        let name: String
        let url: String
    }

    struct CredentialDescription: Encodable {
        let required: Bool
        /// The server that has it instead of the API's own; nil for all others.
        let server: String?
        let alternatives: [String]
        let variables: [[String]]
        /// The pages where a person gets the secrets, null for those of which that is not known; nil if none is known.
        let obtain: [String?]?
    }

    let version = 1
    let name: String
    let summary: String
    /// What the API is.
    let apiSummary: String
    let method: String
    let path: String
    let parameters: [ParameterDescription]
    let headers: [String]
    let body: String?
    let returns: String
    let servers: [Server]
    let credentials: [CredentialDescription]
    /// Whether the response is a page of a list.
    let pages: Bool
    let sample: Bool
    let examples: [String]
    /// JSON Schema of the response; nil if it is not JSON.
    let schema: JSONValue?

    init(_ declaration: EndpointDeclaration, tool: String, schema: JSONValue? = nil) {
        let endpoint = declaration.endpoint
        let places = ParameterPlaces(of: declaration)
        name = declaration.name
        summary = endpoint.summary
        apiSummary = declaration.api.summary
        method = endpoint.method.rawValue
        path = places.template
        let writer = ParameterWriter(signature: declaration.signature, endpoint: endpoint, places: places)
        parameters = declaration.signature.parameters.flatMap(writer.descriptions)
        headers = declaration.api.fields(of: endpoint).map(\.description)
        body = endpoint.body.map(\.kindName)
        returns = endpoint.response.shownName
        servers = declaration.api.servers.map { Server(name: $0.name, url: $0.url) }
        credentials = declaration.api.declaredCredentials(of: endpoint).map { server, credential in
            CredentialDescription(
                required: !credential.isOptional, server: server, alternatives: credential.alternatives.map(\.sentence),
                variables: credential.alternatives.map(\.variables),
                obtain: credential.sources)
        }
        pages = endpoint.pages != nil
        sample = endpoint.sample != nil
        examples = declaration.examples.compactMap { ExampleCommand.text($0, tool: tool) }
        self.schema = schema
    }
}

/// Describes the parameters of one endpoint and their fields.
private struct ParameterWriter {
    let signature: Signature
    let endpoint: Endpoint
    let places: ParameterPlaces

    func descriptions(_ parameter: Parameter) -> [EndpointDescription.ParameterDescription] {
        let sent = (places.places[parameter.name] ?? []).map(\.rawValue)
        var own: [EndpointDescription.ParameterDescription] = []
        if parameter.position != nil {
            let flag = signature.shownName(of: parameter)
            own.append(
                description(parameter, flag: flag, path: [parameter.name], isRequired: !parameter.isOptional, sent))
        }
        return own
            + signature.options(parameter, under: []).map { option in
                description(
                    option.parameter, flag: option.spec.flag, path: option.path,
                    isRequired: !option.parameter.isOptional && !isInVariant(option.path), sent)
            }
    }

    /// Whether the field belongs to one of several cases, so that it is never required alone.
    private func isInVariant(_ path: [String]) -> Bool {
        path.indices.dropFirst().contains { end in
            if case .variants = signature.type(at: path[..<end]) { true } else { false }
        }
    }

    private func description(
        _ parameter: Parameter, flag: String, path: [String], isRequired: Bool, _ places: [String]
    ) -> EndpointDescription.ParameterDescription {
        let key = path.count == 1 ? parameter.name : signature.key(of: path)
        var values: [String]?
        if case .choice(let choices) = parameter.type.element { values = choices }
        let others = endpoint.rules.flatMap { rule -> [String] in
            guard case .exclusive(let names) = rule.kind, names.contains(key) else { return [] }
            return names.filter { $0 != key }
        }
        return EndpointDescription.ParameterDescription(
            flag: flag, type: parameter.type == .object([]) && isInVariant(path) ? "flag" : parameter.type.shortName,
            required: isRequired, repeats: parameter.type.takesSeveral,
            values: values, places: places, example: parameter.example, note: endpoint.notes[key],
            default: path.count == 1 ? self.places.defaults[key] : nil,
            bounds: endpoint.rules.first { $0.bounds != nil && $0.parameters == [key] }?.bounds,
            excludes: others.isEmpty
                ? nil : others.map { "--" + signature.flagName($0.split(separator: ".").map(String.init)) },
            hidesOption: CallOptions.table.specs.contains { $0.flag == flag })
    }
}

extension ParameterType {
    /// One word for the type.
    var shortName: String {
        switch self {
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "text"
        case .url: "URL"
        case .uuid: "UUID"
        case .date: "date"
        case .choice: "choice"
        case .array(let element): element.shortName
        case .dictionary(let value): "KEY=" + value.shortName
        case .object, .variants: "object"
        case .json: "JSON"
        }
    }
}

extension ResponseModel {
    fileprivate var shownName: String {
        switch kind {
        case .json: name == "\(JSONValue.self)" ? "any JSON" : name
        case .empty: "no body"
        case .bytes: "any bytes"
        }
    }
}

extension Body {
    fileprivate var kindName: String {
        switch self {
        case .json, .object: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .text(_, let contentType), .data(_, let contentType): contentType
        }
    }
}

extension Credential.Scheme {
    /// The scheme in a few words: `query api_key from TMDB_API_KEY`.
    var sentence: String {
        switch self {
        case .query(let name, let variable): "query \(name) from \(variable)"
        case .header(let name, let prefix, let variable): "header \(name): \(prefix)… from \(variable)"
        case .basic(let user, let password): "basic authentication from \(user) and \(password)"
        }
    }
}

extension Credential {
    /// The page of each alternative where a person gets its secret; nil if none is known.
    fileprivate var sources: [String?]? {
        let all = alternatives.map(source(of:))
        return all.contains { $0 != nil } ? all : nil
    }
}
