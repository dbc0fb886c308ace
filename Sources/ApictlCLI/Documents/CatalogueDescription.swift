import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// The APIs and endpoints that a command shows.
///
/// Listing them is fast. Parameters and shapes take longer, so that ``APIDescription/details()`` examines them on
/// demand.
struct CatalogueDescription {
    /// The APIs, each with one endpoint or more.
    let apis: [APIDescription]

    /// The endpoints of all APIs.
    var endpoints: [EndpointSummary] { apis.flatMap(\.endpoints) }

    /// The JSON that `list --json` prints.
    var json: JSONObject { ["version": 1, "endpoints": endpoints] }

    /// Returns the servers of each API, in the order of ``apis``.
    ///
    /// With a name, an API that has a server of this name gets only this one. The other APIs keep all of their servers,
    /// because the choice can't be meant for them.
    ///
    /// - Parameter name: The name of a server; nil for all servers.
    /// - Throws: ``UsageError`` if no API has a server of that name.
    func servers(named name: SourcedText?) throws(UsageError) -> [[Server]] {
        let known = apis.flatMap { $0.api.servers.map(\.name) }.withoutRepetitions
        if let name, !known.contains(name.text) {
            throw UsageError(
                "there is no server \(name.shown)" + NearestWord.question(name.text, in: known), see: "list")
        }
        return apis.map { described in
            let servers = described.api.servers
            return servers.filter { $0.name == name?.text }.nonEmpty ?? servers
        }
    }
}

extension APIRegistry {
    /// Returns the endpoints whose name, method, path or summary matches one of several patterns, in the order of the
    /// catalogue.
    ///
    /// The name of an API or group matches exactly the endpoints in it: `movies` does not match a path with this word.
    ///
    /// - Parameter patterns: Names and patterns; without any, the endpoints of ``APIRegistry/apisWithoutNames`` match.
    /// - Returns: The APIs with their endpoints that match. APIs without such an endpoint are left out.
    /// - Throws: ``UsageError`` for a pattern that matches nothing. `NotAnEnumCase` for an API with a handwritten
    ///   `Codable`.
    func description(matching patterns: [SourcedText] = []) throws -> CatalogueDescription {
        var lists = EndpointLists()
        if patterns.isEmpty {
            let described = try apisWithoutNames.map { APIDescription(api: $0, endpoints: try lists.endpoints(of: $0)) }
            return CatalogueDescription(apis: described.filter { !$0.endpoints.isEmpty })
        }
        let matchingNames = Set(try patterns.flatMap { try endpointNames(matching: $0, &lists) })
        var described: [APIDescription] = []
        // An API that no pattern had to search has no matching endpoint.
        for api in apis where lists.areListed(of: api) {
            let matching = try lists.endpoints(of: api).filter { matchingNames.contains($0.name) }
            if !matching.isEmpty { described.append(APIDescription(api: api, endpoints: matching)) }
        }
        return CatalogueDescription(apis: described)
    }

    /// Returns the names of the endpoints that a pattern matches.
    ///
    /// Only the APIs that the pattern may match are examined: the name of an API spares listing all others.
    ///
    /// - Parameters:
    ///   - word: A pattern, or the name of an API or group.
    ///   - lists: The endpoints of the APIs that have been examined so far. Further ones are added.
    /// - Throws: ``UsageError`` if there are none. `NotAnEnumCase` for an API with a handwritten `Codable`.
    private func endpointNames(matching word: SourcedText, _ lists: inout EndpointLists) throws -> [String] {
        if let subject = apiOrGroup(word.text) {
            let endpoints = try lists.endpoints(of: subject.apis)
            // An API without endpoints is treated like a pattern, so that the message says that nothing matches.
            if !endpoints.isEmpty { return endpoints.map(\.name) }
        }
        let endpoints = try lists.endpoints(of: apis)
        // An empty pattern, from a variable without a value, matches nothing.
        let pattern = word.text.isEmpty ? nil : NamePattern(word.text)
        let matching = endpoints.filter { endpoint in
            pattern.map { endpoint.row.contains(where: $0.matches) } ?? false
        }
        if !matching.isEmpty { return matching.map(\.name) }
        let nearest = NearestWord.matches(word.text, in: names + endpoints.map(\.name))
        throw UsageError("no endpoint matches \(word.shown)" + NearestWord.question(nearest), see: "list")
    }
}

/// The endpoints of APIs. Each API is examined when its endpoints are first asked for, because that takes time.
private struct EndpointLists {
    private var endpointsByAPI: [String: [EndpointSummary]] = [:]

    /// Whether the endpoints of an API have been asked for.
    func areListed(of api: CatalogueAPI) -> Bool { endpointsByAPI[api.name] != nil }

    /// Returns the endpoints of an API in the order of the catalogue, and remembers them.
    ///
    /// - Throws: `NotAnEnumCase` for an API with a handwritten `Codable`.
    mutating func endpoints(of api: CatalogueAPI) throws -> [EndpointSummary] {
        if let endpoints = endpointsByAPI[api.name] { return endpoints }
        let endpoints = try api.summaries()
        endpointsByAPI[api.name] = endpoints
        return endpoints
    }

    /// Returns the endpoints of several APIs, and remembers them.
    mutating func endpoints(of apis: [CatalogueAPI]) throws -> [EndpointSummary] {
        var endpoints: [EndpointSummary] = []
        for api in apis { endpoints += try self.endpoints(of: api) }
        return endpoints
    }
}

/// An API and its endpoints.
struct APIDescription {
    let api: CatalogueAPI
    let endpoints: [EndpointSummary]
    /// Returns whether a variable has a value; nil if the description does not say so, because it must not depend on
    /// the environment.
    var isSet: @Sendable (String) -> Bool? = { _ in nil }

    /// The JSON that `describe API --json` prints.
    var json: JSONObject {
        [
            "version": 1, "name": api.name, "summary": api.summary, "servers": api.servers.map(\.json),
            "credentials": api.declaredCredentials().map { $0.json(isSet) }, "endpoints": endpoints,
            "leftOut": api.omissions().nonEmpty,
        ]
    }

    /// Examines the endpoints: their parameters, and the shapes of their responses. Endpoints that can't be called are
    /// left out.
    ///
    /// - Throws: `NotAnEnumCase` for an API with a handwritten `Codable`.
    func details() throws -> [EndpointDescription] {
        let names = Set(endpoints.map(\.name))
        let declarations = try api.declarations().filter { names.contains($0.name) }
        let shapes = api.responseShapes(of: declarations)
        return zip(declarations, shapes.responses).map { declaration, response in
            EndpointDescription(declaration, response: response, error: shapes.error)
        }
    }
}

extension Server {
    fileprivate var json: JSONObject { ["name": name, "url": url] }
}

extension ConfigurableCredential {
    /// Returns the JSON of the credential: its alternatives with the names of their variables, never with values.
    ///
    /// - Parameter isSet: Returns whether a variable has a value; nil leaves this out.
    fileprivate func json(_ isSet: (String) -> Bool?) -> JSONObject {
        let alternatives = credential.alternatives.map { scheme -> JSONObject in
            let variables = scheme.variables.map { ["name": $0, "isSet": isSet($0)] as JSONObject }
            return ["sentence": scheme.sentence, "variables": variables, "obtain": scheme.source]
        }
        return ["required": !credential.isOptional, "server": server, "alternatives": alternatives]
    }
}

/// An endpoint with its parameters, and the shapes of its responses.
struct EndpointDescription {
    let declaration: EndpointDeclaration
    let places: ParameterPlaces
    let parameters: [ParameterDescription]
    /// The shape of a successful response; nil if it is not JSON.
    let responseShape: ModelShape?
    /// The shape of a failed response; nil if it is not known.
    let errorShape: ModelShape?

    /// Examines the parameters of an endpoint.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint.
    ///   - response: The shape of a successful response, where `.some(nil)` says that the response is not JSON. If it
    ///     is not given (nil), the shape is learned.
    ///   - error: The shape of a failed response.
    init(_ declaration: EndpointDeclaration, response: ModelShape?? = nil, error: ModelShape? = nil) {
        let signature = declaration.signature
        let places = ParameterPlaces(of: declaration)
        self.declaration = declaration
        self.places = places
        responseShape = response ?? declaration.responseShape
        errorShape = error
        let options = Dictionary(signature.options().map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        parameters = signature.fields.compactMap { parameter in
            // A structure is left out, because its fields have flags. A parameter without a label has a name instead.
            let flag = options[parameter.path]?.flag ?? declaration.unlabelledName(parameter.path)
            return flag.map { ParameterDescription(parameter, flag: $0, places) }
        }
    }

    /// The endpoint of the first example.
    var endpoint: Endpoint { declaration.endpoint }
    var api: CatalogueAPI { declaration.api }
    var name: String { declaration.name }
    /// The header lines that requests of the endpoint have.
    var headers: [String] { api.requestBuilder.fields(of: endpoint).map(\.description) }
    /// The name of the response model.
    var responseName: String { declaration.responseName(of: endpoint) }
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

    /// Returns the examples as commands. An example that can't be typed as a command is left out.
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
        // Without the shapes of its parameters, the description lacks only the schema of the body.
        let body = (try? declaration.parameterShape()).flatMap { bindings.bodyShape($0) }
        return [
            "version": 1, "name": name, "summary": endpoint.summary, "apiSummary": api.summary,
            "method": endpoint.method.rawValue, "path": places.template, "parameters": parameters.map(\.json),
            "headers": headers, "body": places.endpoint.body?.contentType, "bodyTypes": bodyTypes.nonEmpty,
            "returns": returns,
            "servers": api.servers.map(\.json), "credentials": credentials.map { $0.json { _ in nil } },
            "pages": endpoint.pages != nil, "sample": endpoint.sample != nil, "examples": examples(tool: tool),
            "leftOut": declaration.omissions.nonEmpty,
            "schema": responseShape?.jsonSchema(.response), "bodySchema": body?.jsonSchema(.request),
        ]
    }
}

/// A parameter of an endpoint, or a field of a structure in a parameter, as `describe` shows it.
struct ParameterDescription {
    private let parameter: Parameter
    let flag: String
    let places: [String]
    /// Whether every call must give the parameter. A field of an enum's case is never required, because another case
    /// may be chosen.
    let required: Bool
    /// The name of the optional parameter or field that can't be given without this field; nil if there is none.
    let requiredIn: String?
    /// The text that is sent if the parameter is not given. It may depend on the environment.
    let `default`: String?
    /// The note that the endpoint declares about the parameter.
    let note: String?
    /// The bounds of the value, such as `1 to 500`.
    let bounds: String?
    /// The flags of parameters that can't be given together with this one.
    let excludes: [String]

    /// Describes a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter, or a field of it.
    ///   - flag: The flag with its hyphens, or the name that stands for a parameter without a flag.
    ///   - places: The places of the endpoint's parameters.
    fileprivate init(_ parameter: Parameter, flag: String, _ places: ParameterPlaces) {
        let signature = places.probe.declaration.signature
        let endpoint = places.probe.declaration.endpoint
        // Notes and rules of the endpoint name a parameter by this key.
        let key = signature.key(of: parameter.path)
        let rules = endpoint.rules.filter { $0.parameters.contains(key) }
        // A rule without bounds says that its parameters exclude each other.
        let excludedKeys = rules.filter { $0.bounds == nil }.flatMap(\.parameters).filter { $0 != key }
        let isNeeded = !parameter.mayBeLeftOut && !parameter.isInCase
        self.parameter = parameter
        self.flag = flag
        note = endpoint.notes[key]
        self.places = (places.places[parameter.path[0]] ?? []).map(\.rawValue)
        // Only whole parameters have defaults, not their fields.
        `default` = parameter.path.count == 1 ? places.defaults[key] : nil
        required = isNeeded && parameter.enclosingOptional == nil
        requiredIn = isNeeded ? parameter.enclosingOptional?.last.map(signature.shownName) : nil
        bounds = rules.compactMap(\.bounds).first ?? parameter.type.element.bounds
        excludes = excludedKeys.map { "--" + signature.flagName($0.split(separator: ".").map(String.init)) }
    }

    /// The Swift names of the structures around the parameter, and its own.
    var names: [String] { parameter.path }
    /// The type in words. A case without values is a flag.
    var type: String { parameter.type == .object([]) && parameter.isInCase ? "flag" : parameter.type.shortName }
    /// Whether the flag can be given several times, once for each element.
    var repeats: Bool { parameter.type.takesSeveral }
    /// Whether the parameter is a boolean with a flag, so that `--no-` before its name makes it false.
    var isSwitch: Bool { parameter.type == .scalar(.boolean) && flag.hasPrefix("--") }
    /// The texts that the parameter can have; nil if they are not limited.
    var values: [String]? { parameter.type.element.choices }
    /// The words of an example value, as people type them.
    var example: [String] { parameter.typedExample }
    /// Whether an option of `call` has the same name. This option must then come before the endpoint's name, because
    /// after it the word is the parameter.
    var hidesOption: Bool { flag.hasPrefix("--") && CallOptions.table[String(flag.dropFirst(2))] != nil }

    /// The member of `parameters` in the JSON of `describe --json`.
    var json: JSONObject {
        [
            "flag": flag, "type": type, "required": required, "requiredIn": requiredIn, "repeats": repeats,
            "values": values, "places": places, "example": example, "note": note, "default": `default`,
            "bounds": bounds, "excludes": excludes.nonEmpty, "hidesOption": hidesOption,
        ]
    }

    /// The note about the parameter, and the names of the parameters that exclude it; empty without both.
    ///
    /// For example, `the page, from 1; not with cursor`.
    var remarks: String {
        let names = excludes.map { $0.dropFirst(2) }.joined(separator: ", ")
        let others = names.nonEmpty.map { "not with " + $0 }
        return [note, others].compactMap(\.self).joined(separator: "; ")
    }
}
