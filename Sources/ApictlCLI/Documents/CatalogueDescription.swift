import EndpointKit
import EndpointTools
import JSONText
import MockServer

/// What is known of APIs, made once from their declarations, signatures and shapes; everything that shows APIs prints it.
///
/// An endpoint's parameters and shapes are learned when they are asked for.
struct CatalogueDescription {
    /// The APIs, each with one endpoint or more.
    let apis: [APIDescription]

    /// The endpoints of all APIs.
    var endpoints: [EndpointSummary] { apis.flatMap(\.endpoints) }

    /// What `list --json` prints.
    var json: JSONObject { ["version": 1, "endpoints": endpoints] }

    /// The servers of each API: that of the name, or all without one. Throws ``UsageError`` if no API has such a server.
    func servers(named name: SourcedText?) throws(UsageError) -> [[Server]] {
        let known = apis.flatMap { $0.api.servers.map(\.name) }.withoutRepetitions
        if let name, !known.contains(name.text) {
            throw UsageError(
                "there is no server \(name.shown)" + NearestWord.question(name.text, in: known), see: "list")
        }
        // An API without that server keeps its own.
        return apis.map { $0.api.servers }.map { all in all.filter { $0.name == name?.text }.nonEmpty ?? all }
    }
}

extension APIRegistry {
    /// The endpoints of which name, method, path or summary match any of `patterns`, in their own order; all of them without patterns.
    /// The name of an API or group matches all of its endpoints, and no others.
    ///
    /// Throws ``UsageError`` for a pattern that matches nothing, `NotAnEnumCase` for an API with a handwritten `Codable`.
    func description(matching patterns: [SourcedText] = []) throws -> CatalogueDescription {
        let all = try apis.map { ($0, try $0.summaries()) }
        let endpoints = all.flatMap(\.1)
        let found = try patterns.flatMap { word in
            if let subject = apiOrGroup(word.text) {
                let names = Set(subject.apis.map(\.name))
                let own = all.filter { names.contains($0.0.name) }.flatMap(\.1).map(\.name)
                if !own.isEmpty { return own }
            }
            let pattern = NamePattern(word.text)
            // An empty pattern, from a variable without a value, matches nothing.
            let found = endpoints.filter { !word.text.isEmpty && $0.row.contains(where: pattern.matches) }.map(\.name)
            if !found.isEmpty { return found }
            let nearest = NearestWord.matches(word.text, in: self.names + endpoints.map(\.name))
            throw UsageError("no endpoint matches \(word.shown)" + NearestWord.question(nearest), see: "list")
        }
        let chosen = Set(patterns.isEmpty ? endpoints.map(\.name) : found)
        let described = all.map { APIDescription(api: $0, endpoints: $1.filter { chosen.contains($0.name) }) }
        return CatalogueDescription(apis: described.filter { !$0.endpoints.isEmpty })
    }
}

/// An API and its endpoints.
struct APIDescription {
    let api: CatalogueAPI
    let endpoints: [EndpointSummary]
    /// Whether a variable has a value, nil if that is not to be said.
    var isSet: @Sendable (String) -> Bool? = { _ in nil }

    /// What `describe API --json` prints.
    var json: JSONObject {
        [
            "version": 1, "name": api.name, "summary": api.summary, "servers": api.servers.map(\.json),
            "credentials": api.declaredCredentials().map { $0.json(isSet) }, "endpoints": endpoints,
            "leftOut": api.omissions().nonEmpty,
        ]
    }

    /// Everything about the endpoints that can be called. Throws `NotAnEnumCase`.
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
    /// The variables that it comes from, without their values.
    fileprivate func json(_ isSet: (String) -> Bool?) -> JSONObject {
        let alternatives = credential.alternatives.map { scheme -> JSONObject in
            let variables = scheme.variables.map { ["name": $0, "isSet": isSet($0)] as JSONObject }
            return ["sentence": scheme.sentence, "variables": variables, "obtain": scheme.source]
        }
        return ["required": !credential.isOptional, "server": server, "alternatives": alternatives]
    }
}

/// Everything about an endpoint.
struct EndpointDescription {
    let declaration: EndpointDeclaration
    let places: ParameterPlaces
    let parameters: [ParameterDescription]
    /// What JSON the response is; nil if it is not JSON.
    let responseShape: ModelShape?
    /// What JSON an error is, if that was asked for.
    let errorShape: ModelShape?

    /// The response is learned alone, unless it is given.
    init(_ declaration: EndpointDeclaration, response: ModelShape?? = nil, error: ModelShape? = nil) {
        let (signature, places) = (declaration.signature, ParameterPlaces(of: declaration))
        (self.declaration, self.places) = (declaration, places)
        (responseShape, errorShape) = (response ?? declaration.responseShape, error)
        let options = Dictionary(signature.options().map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        parameters = signature.fields.compactMap { parameter in
            let flag = options[parameter.path]?.flag ?? declaration.unlabelledName(parameter.path)
            return flag.map { ParameterDescription(parameter, flag: $0, places) }
        }
    }

    /// That of the first example.
    var endpoint: Endpoint { declaration.endpoint }
    var api: CatalogueAPI { declaration.api }
    var name: String { declaration.name }
    var headers: [String] { api.requestBuilder.fields(of: endpoint).map(\.description) }
    /// The name of the response model.
    var responseName: String { declaration.responseName(of: endpoint) }
    /// What the response is.
    var returns: String {
        switch endpoint.response.kind {
        case .json: responseName == "\(JSONValue.self)" ? "any JSON" : responseName
        case .empty: "no body"
        case .bytes: "any bytes"
        }
    }
    var credentials: [ConfigurableCredential] { api.declaredCredentials(of: declaration) }
    /// The media types of which `--body-type` chooses one for the body; empty if there is no choice.
    var bodyTypes: [String] { declaration.bodyTypes.count > 1 ? declaration.bodyTypes : [] }
    var bindings: CallBindings { CallBindings(of: places.probe) }

    /// The examples as command lines of at most `width` columns; nil is one line each.
    func examples(tool: String, width: Int? = nil) -> [String] {
        declaration.examples.compactMap { declaration.command($0, tool: tool, width: width) }
    }

    /// What `describe --json` prints.
    func json(tool: String) -> JSONObject {
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

/// A parameter of an endpoint, or a field of a nested structure.
struct ParameterDescription {
    private let parameter: Parameter
    let flag: String
    let places: [String]
    /// A field of one of several cases is never required alone.
    let required: Bool
    /// The optional parameter or field that it is required in; nil if it is not.
    let requiredIn: String?
    /// What is sent if it is not given, which may depend on the environment.
    let `default`: String?
    let note: String?
    /// What the value must be: `1 to 500`.
    let bounds: String?
    /// The flags that it can't be used with.
    let excludes: [String]

    fileprivate init(_ parameter: Parameter, flag: String, _ places: ParameterPlaces) {
        let (signature, endpoint) = (places.probe.declaration.signature, places.probe.declaration.endpoint)
        // What notes and rules call it.
        let key = signature.key(of: parameter.path)
        let rules = endpoint.rules.filter { $0.parameters.contains(key) }
        let others = rules.filter { $0.bounds == nil }.flatMap(\.parameters).filter { $0 != key }
        (self.parameter, self.flag, note) = (parameter, flag, endpoint.notes[key])
        self.places = (places.places[parameter.path[0]] ?? []).map(\.rawValue)
        `default` = parameter.path.count == 1 ? places.defaults[key] : nil
        let isNeeded = !parameter.mayBeLeftOut && !parameter.isInCase
        required = isNeeded && parameter.enclosingOptional == nil
        requiredIn = isNeeded ? parameter.enclosingOptional?.last.map(signature.shownName) : nil
        bounds = rules.compactMap(\.bounds).first ?? parameter.type.element.bounds
        excludes = others.map { "--" + signature.flagName($0.split(separator: ".").map(String.init)) }
    }

    /// Its Swift name, after those of the structures that it is in.
    var names: [String] { parameter.path }
    var type: String { parameter.type == .object([]) && parameter.isInCase ? "flag" : parameter.type.shortName }
    var repeats: Bool { parameter.type.takesSeveral }
    var values: [String]? { parameter.type.element.choices }
    var example: [String] { parameter.typedExample }
    /// Whether an option of `call` has the same name; the option must then come before the endpoint's name.
    var hidesOption: Bool { flag.hasPrefix("--") && CallOptions.table[String(flag.dropFirst(2))] != nil }

    var json: JSONObject {
        [
            "flag": flag, "type": type, "required": required, "requiredIn": requiredIn, "repeats": repeats,
            "values": values, "places": places, "example": example, "note": note, "default": `default`,
            "bounds": bounds, "excludes": excludes.nonEmpty, "hidesOption": hidesOption,
        ]
    }

    /// What is declared about it, and which others it can't be used with; empty if nothing is.
    var remarks: String {
        let others = excludes.nonEmpty.map { "not with " + $0.map { $0.dropFirst(2) }.joined(separator: ", ") }
        return [note, others].compactMap(\.self).joined(separator: "; ")
    }
}
