import EndpointKit
import JSONText
import MockServer

/// What is known of APIs, made once from their declarations, signatures and shapes; everything that shows APIs prints it.
///
/// Its JSON form is what `list --json` prints. An endpoint's parameters and shapes are learned when they are asked for.
struct CatalogueDescription: Encodable {
    let version = 1
    /// The endpoints of all APIs.
    let endpoints: [EndpointSummary]
    /// The APIs of these endpoints.
    let apis: [APIDescription]

    private enum CodingKeys: CodingKey { case version, endpoints }

    /// Those of `endpoints`, which are in the order of `apis`.
    fileprivate init(_ apis: [any API.Type], _ endpoints: [EndpointSummary]) {
        self.endpoints = endpoints
        self.apis = apis.compactMap { api in
            let own = endpoints.filter { $0.name.hasPrefix(api.name + ".") }
            return own.isEmpty ? nil : APIDescription(api: api, endpoints: own)
        }
    }

    /// The servers of each API that have that name, or all without one. Throws ``UsageError`` if no API has such a server.
    func servers(named name: Word?) throws(UsageError) -> [[Server]] {
        let named = apis.map { $0.api.servers.filter { name == nil || $0.name == name?.text } }
        if let name, named.allSatisfy(\.isEmpty) {
            let known = apis.flatMap { $0.api.servers.map(\.name) }.withoutRepetitions
            throw UsageError("there is no server \(name.shown)" + Nearest.question(name.text, in: known), see: "list")
        }
        return named
    }
}

extension Registry {
    /// The endpoints of which name, method, path or summary match any of `patterns`, in their own order; all of them without patterns.
    ///
    /// Throws ``UsageError`` for a pattern that matches nothing, `Signature.NotACase` for an API with a handwritten `Codable`.
    func description(matching patterns: [Word] = []) throws -> CatalogueDescription {
        let all = try apis.flatMap { try EndpointSummary.all(of: $0) }
        if patterns.isEmpty { return CatalogueDescription(apis, all) }
        var chosen = Set<String>()
        for word in patterns {
            let pattern = NamePattern(word.text)
            let found = all.filter { $0.row.contains(where: pattern.matches) }.map(\.name)
            guard !found.isEmpty else {
                let nearest = Nearest.matches(word.text, in: apis.map { $0.name } + all.map(\.name))
                throw UsageError("no endpoint matches \(word.shown)" + Nearest.question(nearest), see: "list")
            }
            chosen.formUnion(found)
        }
        return CatalogueDescription(apis, all.filter { chosen.contains($0.name) })
    }
}

/// An API; its JSON form is what `describe API --json` prints.
struct APIDescription: Encodable {
    let api: any API.Type
    let endpoints: [EndpointSummary]
    /// Whether a variable has a value, nil if that is not to be said.
    var isSet: @Sendable (String) -> Bool? = { _ in nil }

    var credentials: [CredentialDescription] {
        api.declaredCredentials().map { CredentialDescription($0, isSet: isSet) }
    }

    func encode(to encoder: any Encoder) throws {
        let json: JSONObject = [
            "version": 1, "name": api.name, "summary": api.summary, "servers": api.servers.map(\.json),
            "credentials": credentials, "endpoints": endpoints,
        ]
        try json.encode(to: encoder)
    }

    /// Everything about the endpoints that can be called; `tool` is the name of the program in the examples. Throws `Signature.NotACase`.
    func details(tool: String) throws -> [EndpointDescription] {
        let names = Set(endpoints.map(\.name))
        let declarations = try EndpointDeclaration.all(of: api).filter { names.contains($0.name) }
        let responses = EndpointDeclaration.responseShapes(of: declarations)
        return zip(declarations, responses).map { declaration, response in
            EndpointDescription(declaration, response: response, error: responses.last ?? nil, tool: tool)
        }
    }
}

extension Server {
    fileprivate var json: JSONObject { ["name": name, "url": url] }
}

/// A credential, and the variables that it comes from, without their values.
struct CredentialDescription: Encodable {
    struct Alternative: Encodable {
        let sentence: String
        let variables: [Variable]
        /// The page where a person gets it.
        let obtain: String?
    }

    struct Variable: Encodable {
        let name: String
        /// Nil if it is not to be said.
        let isSet: Bool?
    }

    let required: Bool
    /// The server that has it instead of the API's own; nil for all others.
    let server: String?
    let alternatives: [Alternative]

    init(_ declared: DeclaredCredential, isSet: (String) -> Bool? = { _ in nil }) {
        let credential = declared.credential
        required = !credential.isOptional
        server = declared.server
        alternatives = credential.alternatives.map { scheme in
            let variables = scheme.variables.map { Variable(name: $0, isSet: isSet($0)) }
            return Alternative(
                sentence: scheme.sentence, variables: variables, obtain: credential.source(of: scheme))
        }
    }
}

/// An endpoint; its JSON form is what `describe --json` prints.
struct EndpointDescription: Encodable {
    let declaration: EndpointDeclaration
    /// That of the first example.
    let endpoint: Endpoint
    let places: ParameterPlaces
    let parameters: [ParameterDescription]
    /// What JSON the response is; nil if it is not JSON.
    let responseShape: ModelShape?
    /// What JSON an error is, if that was asked for.
    let errorShape: ModelShape?
    private let tool: String
    private let width: Int?

    var api: any API.Type { declaration.api }
    var name: String { declaration.name }
    var headers: [String] { api.fields(of: endpoint).map(\.description) }
    /// What the response is.
    var returns: String {
        switch endpoint.response.kind {
        case .json: endpoint.response.name == "\(JSONValue.self)" ? "any JSON" : endpoint.response.name
        case .empty: "no body"
        case .bytes: "any bytes"
        }
    }
    var credentials: [CredentialDescription] {
        api.declaredCredentials(of: declaration).map { CredentialDescription($0) }
    }
    /// The examples as command lines.
    var examples: [String] { declaration.examples.compactMap { declaration.command($0, tool: tool, width: width) } }
    /// What JSON the body is; nil if it is not JSON.
    func bodyShape(_ parameters: ModelShape? = nil) -> ModelShape? { try? declaration.bodyShape(places, parameters) }

    /// The examples are in lines of at most `width` columns; nil is one line each.
    init(_ declaration: EndpointDeclaration, tool: String, width: Int? = nil) {
        self.init(declaration, response: declaration.responseShape, error: nil, tool: tool, width: width)
    }

    fileprivate init(
        _ declaration: EndpointDeclaration, response: ModelShape?, error: ModelShape?, tool: String, width: Int? = nil
    ) {
        let (signature, endpoint) = (declaration.signature, declaration.endpoint)
        let places = ParameterPlaces(of: declaration)
        (self.declaration, self.endpoint, self.places) = (declaration, endpoint, places)
        let flags = Dictionary(signature.options().map { ($0.path, $0.flag) }, uniquingKeysWith: { first, _ in first })
        let fields = signature.fields
        parameters = fields.compactMap { field in
            (flags[field.path] ?? declaration.unlabelledName(field.path)).map {
                ParameterDescription(field, of: fields, flag: $0, signature, endpoint, places)
            }
        }
        (responseShape, errorShape) = (response, error)
        (self.tool, self.width) = (tool, width)
    }

    func encode(to encoder: any Encoder) throws {
        let json: JSONObject = [
            "version": 1, "name": name, "summary": endpoint.summary, "apiSummary": api.summary,
            "method": endpoint.method.rawValue, "path": places.template, "parameters": parameters, "headers": headers,
            "body": places.endpoint.body?.contentType, "returns": returns, "servers": api.servers.map(\.json),
            "credentials": credentials, "pages": endpoint.pages != nil, "sample": endpoint.sample != nil,
            "examples": examples, "schema": responseShape?.jsonSchema(.response),
            "bodySchema": bodyShape()?.jsonSchema(.request),
        ]
        try json.encode(to: encoder)
    }
}

/// A parameter of an endpoint, or a field of a nested structure.
struct ParameterDescription: Encodable {
    /// Its Swift name, after those of the structures that it is in.
    let names: [String]
    let flag: String
    let type: String
    let required: Bool
    /// The optional parameter or field that it is required in; nil if it is not.
    let requiredIn: String?
    let repeats: Bool
    let values: [String]?
    let places: [String]
    let example: [String]
    let note: String?
    /// What is sent if it is not given, which may depend on the environment.
    let `default`: String?
    /// What the value must be: `1 to 500`.
    let bounds: String?
    /// The flags that it can't be used with.
    let excludes: [String]?
    /// Whether an option of `call` has the same name; the option must then come before the endpoint's name.
    let hidesOption: Bool

    private enum CodingKeys: CodingKey {
        case flag, type, required, requiredIn, repeats, values, places, example, note, `default`, bounds, excludes
        case hidesOption
    }

    fileprivate init(
        _ field: Signature.Field, of fields: [Signature.Field], flag: String, _ signature: Signature,
        _ endpoint: Endpoint, _ places: ParameterPlaces
    ) {
        let (path, parameter) = (field.path, field.parameter)
        names = path
        let key = path.count == 1 ? parameter.name : signature.key(of: path)
        // A field of one of several cases is never required alone.
        let isInVariant = path.indices.dropFirst().contains { end in
            if case .variants = signature.type(at: path[..<end]) { true } else { false }
        }
        let others = endpoint.rules.flatMap { rule -> [String] in
            guard case .exclusive(let names) = rule.kind, names.contains(key) else { return [] }
            return names.filter { $0 != key }
        }
        self.flag = flag
        type = parameter.type == .object([]) && isInVariant ? "flag" : parameter.type.shortName
        let isRequired = !parameter.isOptional && !isInVariant
        let optional = fields.last {
            isRequired && $0.parameter.isOptional && $0.path.count < path.count && path.starts(with: $0.path)
        }
        requiredIn = optional.map {
            $0.path.count == 1 ? signature.shownName(of: $0.parameter) : KebabCase.text($0.parameter.name)
        }
        required = isRequired && optional == nil
        repeats = parameter.type.takesSeveral
        values = if case .choice(let choices, _) = parameter.type.element { choices } else { nil }
        self.places = (places.places[path[0]] ?? []).map(\.rawValue)
        example = parameter.typedExample
        note = endpoint.notes[key]
        `default` = path.count == 1 ? places.defaults[key] : nil
        bounds =
            endpoint.rules.first { $0.bounds != nil && $0.parameters == [key] }?.bounds ?? parameter.type.element.bounds
        let flags = others.map { "--" + signature.flagName($0.split(separator: ".").map(String.init)) }
        excludes = flags.isEmpty ? nil : flags
        hidesOption = flag.hasPrefix("--") && CallOptions.table[String(flag.dropFirst(2))] != nil
    }
}
