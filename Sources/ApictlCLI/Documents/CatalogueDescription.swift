import EndpointKit
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
        let all = try apis.map { ($0, try EndpointSummary.all(of: $0)) }
        let endpoints = all.flatMap(\.1)
        let found = try patterns.flatMap { word in
            let pattern = NamePattern(word.text)
            // An empty pattern, from a variable without a value, matches nothing.
            let rows = word.text.isEmpty ? [] : endpoints
            let found = rows.filter { $0.row.contains(where: pattern.matches) }.map(\.name)
            if !found.isEmpty { return found }
            let nearest = Nearest.matches(word.text, in: apis.map { $0.name } + endpoints.map(\.name))
            throw UsageError("no endpoint matches \(word.shown)" + Nearest.question(nearest), see: "list")
        }
        let chosen = Set(patterns.isEmpty ? endpoints.map(\.name) : found)
        let described = all.map { APIDescription(api: $0, endpoints: $1.filter { chosen.contains($0.name) }) }
        return CatalogueDescription(apis: described.filter { !$0.endpoints.isEmpty })
    }
}

/// An API and its endpoints.
struct APIDescription {
    let api: any API.Type
    let endpoints: [EndpointSummary]
    /// Whether a variable has a value, nil if that is not to be said.
    var isSet: @Sendable (String) -> Bool? = { _ in nil }

    /// What `describe API --json` prints.
    var json: JSONObject {
        [
            "version": 1, "name": api.name, "summary": api.summary, "servers": api.servers.map(\.json),
            "credentials": api.declaredCredentials().map { $0.json(isSet) }, "endpoints": endpoints,
        ]
    }

    /// Everything about the endpoints that can be called. Throws `Signature.NotACase`.
    func details() throws -> [EndpointDescription] {
        let names = Set(endpoints.map(\.name))
        let declarations = try EndpointDeclaration.all(of: api).filter { names.contains($0.name) }
        let responses = EndpointDeclaration.responseShapes(of: declarations)
        return zip(declarations, responses).map { declaration, response in
            EndpointDescription(declaration, response: response, error: responses.last ?? nil)
        }
    }
}

extension Server {
    fileprivate var json: JSONObject { ["name": name, "url": url] }
}

extension DeclaredCredential {
    /// The variables that it comes from, without their values.
    fileprivate func json(_ isSet: (String) -> Bool?) -> JSONObject {
        let alternatives = credential.alternatives.map { scheme in
            [
                "sentence": scheme.sentence,
                "variables": scheme.variables.map { ["name": $0, "isSet": isSet($0)] as JSONObject },
                "obtain": credential.source(of: scheme),
            ] as JSONObject
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
        let flags = Dictionary(signature.options().map { ($0.path, $0.flag) }, uniquingKeysWith: { first, _ in first })
        parameters = signature.fields.compactMap { parameter in
            (flags[parameter.path] ?? declaration.unlabelledName(parameter.path)).map {
                ParameterDescription(parameter, flag: $0, declaration, places)
            }
        }
    }

    /// That of the first example.
    var endpoint: Endpoint { declaration.endpoint }
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
    var credentials: [DeclaredCredential] { api.declaredCredentials(of: declaration) }

    /// The examples as command lines of at most `width` columns; nil is one line each.
    func examples(tool: String, width: Int? = nil) -> [String] {
        declaration.examples.compactMap { declaration.command($0, tool: tool, width: width) }
    }

    /// What JSON the body is; nil if it is not JSON.
    private var bodyShape: ModelShape? {
        guard places.endpoint.body != nil else { return nil }
        return (try? declaration.parameterShape()).flatMap { CallBindings(of: places.probe).bodyShape($0) }
    }

    /// What `describe --json` prints.
    func json(tool: String) -> JSONObject {
        [
            "version": 1, "name": name, "summary": endpoint.summary, "apiSummary": api.summary,
            "method": endpoint.method.rawValue, "path": places.template, "parameters": parameters.map(\.json),
            "headers": headers, "body": places.endpoint.body?.contentType, "returns": returns,
            "servers": api.servers.map(\.json), "credentials": credentials.map { $0.json { _ in nil } },
            "pages": endpoint.pages != nil, "sample": endpoint.sample != nil, "examples": examples(tool: tool),
            "schema": responseShape?.jsonSchema(.response), "bodySchema": bodyShape?.jsonSchema(.request),
        ]
    }
}

/// A parameter of an endpoint, or a field of a nested structure.
struct ParameterDescription {
    private let parameter: Parameter
    private let declaration: EndpointDeclaration
    /// What notes and rules call it.
    private let key: String
    let flag: String
    let places: [String]
    /// What is sent if it is not given, which may depend on the environment.
    let `default`: String?

    fileprivate init(
        _ parameter: Parameter, flag: String, _ declaration: EndpointDeclaration, _ places: ParameterPlaces
    ) {
        (self.parameter, self.flag, self.declaration) = (parameter, flag, declaration)
        key = declaration.signature.key(of: parameter.path)
        self.places = (places.places[parameter.path[0]] ?? []).map(\.rawValue)
        `default` = parameter.path.count == 1 ? places.defaults[key] : nil
    }

    /// Its Swift name, after those of the structures that it is in.
    var names: [String] { parameter.path }
    var type: String { parameter.type == .object([]) && parameter.isInCase ? "flag" : parameter.type.shortName }
    /// A field of one of several cases is never required alone.
    var required: Bool { !parameter.isOptional && !parameter.isInCase && parameter.enclosingOptional == nil }
    /// The optional parameter or field that it is required in; nil if it is not.
    var requiredIn: String? {
        guard !parameter.isOptional, !parameter.isInCase, let path = parameter.enclosingOptional else { return nil }
        return path.count == 1 ? declaration.signature.shownName(of: path[0]) : KebabCase.text(path[path.count - 1])
    }
    var repeats: Bool { parameter.type.takesSeveral }
    var values: [String]? { parameter.type.element.choices }
    var example: [String] { parameter.typedExample }
    var note: String? { declaration.endpoint.notes[key] }
    /// What the value must be: `1 to 500`.
    var bounds: String? {
        declaration.endpoint.rules.first { $0.bounds != nil && $0.parameters == [key] }?.bounds
            ?? parameter.type.element.bounds
    }
    /// The flags that it can't be used with.
    var excludes: [String] {
        let names = declaration.endpoint.rules.flatMap { rule -> [String] in
            if case .exclusive(let names) = rule.kind, names.contains(key) { return names }
            return []
        }
        return names.filter { $0 != key }.map {
            "--" + declaration.signature.flagName($0.split(separator: ".").map(String.init))
        }
    }
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
        let others = excludes.map { $0.dropFirst(2) }.joined(separator: ", ")
        return [note, others.isEmpty ? nil : "not with \(others)"].compactMap(\.self).joined(separator: "; ")
    }
}
