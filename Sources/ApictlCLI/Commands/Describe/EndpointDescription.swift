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
        /// Whether an option of `call` has the same name; the option must then come before the endpoint's name.
        let hidesOption: Bool
    }

    struct Server: Encodable {
        let name: String
        let url: String
    }

    struct CredentialDescription: Encodable {
        let required: Bool
        let alternatives: [String]
        let variables: [[String]]
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
        parameters = declaration.signature.parameters.flatMap { parameter in
            Self.describe(parameter, under: [], places.places[parameter.name] ?? [], endpoint.notes)
        }
        headers = declaration.api.fields(of: endpoint).map(\.description)
        body = endpoint.body.map(\.kindName)
        returns = endpoint.response.shownName
        servers = declaration.api.servers.map { Server(name: $0.name, url: $0.url) }
        credentials = (endpoint.credentials ?? declaration.api.credentials).map { credential in
            CredentialDescription(
                required: !credential.isOptional, alternatives: credential.alternatives.map(\.sentence),
                variables: credential.alternatives.map(\.variables))
        }
        sample = endpoint.sample != nil
        examples = declaration.examples.compactMap { ExampleCommand.text($0, tool: tool) }
        self.schema = schema
    }

    private static func describe(
        _ parameter: Parameter, under parents: [String], _ places: [ParameterPlaces.Place], _ notes: [String: String]
    ) -> [ParameterDescription] {
        let path = parents + [parameter.name]
        let flag = parameter.position == nil ? "--" + Parameter.flagName(path) : "value"
        var values: [String]?
        if case .choice(let choices) = parameter.type.element { values = choices }
        var fields: [ParameterDescription] = []
        if case .object(let inner) = parameter.type {
            fields = inner.flatMap { describe($0, under: path, places, [:]) }
        }
        let own = ParameterDescription(
            flag: flag, type: parameter.type.shortName, required: !parameter.isOptional,
            repeats: parameter.type.isArray, values: values, places: places.map(\.rawValue),
            example: parameter.example, note: notes[parameter.name],
            hidesOption: CallOptions.table.specs.contains { $0.flag == flag })
        return [own] + fields
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
        case .object: "object"
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
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .data(_, let contentType): contentType
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
