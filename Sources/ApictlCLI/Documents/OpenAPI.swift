import EndpointKit
import JSONText

/// Writes APIs as an OpenAPI document, version 3.1 (spec.openapis.org/oas/v3.1.0).
///
/// The same APIs give the same bytes: nothing in it depends on variables, settings or the time.
struct OpenAPIWriter {
    private let hasServers: Bool
    /// The security schemes by name.
    private var schemes: [String: JSONValue] = [:]

    /// The document; `server` is the name of the only server to write, nil for all. Throws ``UsageError`` if no API has it, and
    /// `Signature.NotACase`.
    static func document(_ catalogue: CatalogueDescription, tool: String, server: Word?) throws -> JSONValue {
        let apis = catalogue.apis
        var parts = try zip(apis, catalogue.servers(named: server)).flatMap { api, servers in
            // An API without that server keeps its own.
            let endpoints = try api.details()
            let shapes = try EndpointDeclaration.parameterShapes(of: endpoints.map(\.declaration))
            return zip(endpoints, shapes).map { OpenAPIPart($0, $1, servers.isEmpty ? api.api.servers : servers) }
        }
        let sent = parts.flatMap { part in [part.shape, part.bodyShape].compactMap(\.self).map { (part.api, $0) } }
        let models = ModelNames(parts.map(\.description), sent: sent)
        for index in parts.indices { parts[index].models = models }
        var writer = OpenAPIWriter(hasServers: apis.count > 1)
        // Endpoints that share method and path are one operation.
        let paths = parts.grouped(by: \.texts).map { _, same in
            let operations = same.grouped(by: \.method).map { method, endpoints in
                let all = endpoints.map { writer.operation($0, same[0].names) }
                return (method, all.dropFirst().reduce(all[0]) { $0.merged(with: $1) })
            }
            return (same[0].path, JSONValue(operations))
        }
        let schemas = models.entries.sorted { $0.name < $1.name }.map { entry in
            (entry.name, models.writer(of: entry.api, entry.use).schema(entry.model.shape))
        }
        let only = apis.count == 1 ? apis[0].api : nil
        return JSONValue(members: [
            "openapi": "3.1.0",
            "info": JSONValue(members: [
                "title": only?.name ?? tool, "summary": only?.summary.nonEmpty, "version": "1",
            ]),
            "servers": only.map { _ in parts.first?.servers.map(\.described) ?? [] },
            "tags": apis.map { api in
                JSONValue(members: ["name": api.api.name, "description": api.api.summary.nonEmpty])
            },
            "paths": JSONValue(paths),
            "components": JSONValue(members: [
                "schemas": JSONValue(schemas),
                "securitySchemes": JSONValue(writer.schemes.sorted { $0.key < $1.key }.map { ($0, $1) }),
            ]),
        ])
    }

    /// An endpoint as an operation, with these names for the values of its path.
    private mutating func operation(_ part: OpenAPIPart, _ names: [String]) -> JSONValue {
        let (endpoint, name) = (part.endpoint, part.description.name)
        let servers: [Server?] = part.servers.isEmpty ? [nil] : part.servers
        let security = servers.flatMap { requirements(part.api.credentials(of: endpoint, on: $0), of: part.api) }
        return JSONValue(members: [
            "operationId": name, "summary": endpoint.summary, "tags": [part.api.name], "x-apictl-endpoints": [name],
            "servers": hasServers ? part.servers.map(\.described) : nil,
            "parameters": part.parameters(names).filter { $0["in"] != "body" },
            "requestBody": part.body, "responses": part.responses, "security": security.withoutRepetitions,
            "x-apictl-pages": part.pages,
        ])
    }

    /// The ways to sign a request, the preferred one first: each has one alternative of every credential.
    private mutating func requirements(_ credentials: [Credential], of api: any API.Type) -> [JSONValue] {
        var ways: [JSONMembers] = [[]]
        for credential in credentials {
            let schemes = credential.alternatives.map { scheme in
                let name = ModelShape.writtenName("\(api.name).\(scheme.names[0])")
                return [(add(scheme.described(source: credential.source(of: scheme)), name), [] as JSONValue)]
            }
            ways = ways.flatMap { way in (schemes + (credential.isOptional ? [[]] : [])).map { way + $0 } }
        }
        return credentials.isEmpty ? [] : ways.map { JSONValue($0) }
    }

    /// The name of a security scheme, with a number if another one has it.
    private mutating func add(_ scheme: JSONValue, _ name: String) -> String {
        let names = (1...).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }
        let free = names.first { schemes[$0] ?? scheme == scheme } ?? name
        schemes[free] = scheme
        return free
    }
}

extension Credential.Scheme {
    /// The security scheme; `source` is the page where a person gets the secret.
    fileprivate func described(source: String?) -> JSONValue {
        let isKey = httpScheme == nil
        let variables = variables.map { JSONValue($0) }
        return JSONValue(members: [
            "type": isKey ? "apiKey" : "http", "in": isKey ? (isQuery ? "query" : "header") : nil,
            "name": isKey ? name : nil, "scheme": httpScheme,
            "x-apictl-prefix": isKey ? prefix.nonEmpty : nil, "description": source.map { "Get it at \($0)" },
            "x-apictl-variable": variables.count == 1 ? variables[0] : JSONValue(variables),
        ])
    }
}

extension Server {
    fileprivate var described: JSONValue { JSONValue(members: ["url": url, "description": name]) }
}

extension ModelNames {
    /// Writes the schemas of shapes, with references to those of models.
    func writer(of api: any API.Type, _ use: SchemaWriter.Use) -> SchemaWriter {
        SchemaWriter(use) { "#/components/schemas/" + (entry($0, of: api, use)?.name ?? $0) }
    }
}

extension Collection {
    /// The collection; nil if nothing is in it.
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension JSONValue {
    /// An operation, or a part of one, with that of another endpoint: what only one has is not required.
    fileprivate func merged(with other: JSONValue, _ key: String = "") -> JSONValue {
        if self == other { return self }
        if key == "schema" {
            return ["oneOf": JSONValue(((self["oneOf"]?.elements ?? [self]) + [other]).withoutRepetitions)]
        }
        if let elements, let others = other.elements {
            guard key == "parameters" else { return JSONValue((elements + others).withoutRepetitions) }
            let same = (elements + others).grouped { [$0["in"]?.string, $0["name"]?.string?.lowercased()] }
            return JSONValue(
                same.map { $1.count == 1 ? $1[0].notRequired : $1.dropFirst().reduce($1[0]) { $0.merged(with: $1) } })
        }
        guard let members, let others = other.members else { return self }
        let same = (members + others).grouped(by: \.key).compactMap { key, values -> (String, JSONValue)? in
            if values.count == 2 { return (key, values[0].value.merged(with: values[1].value, key)) }
            return key == "required" ? nil : (key, values[0].value.notRequired)
        }
        return JSONValue(same)
    }

    /// A parameter or body that may be left out.
    private var notRequired: JSONValue {
        self["required"]?.bool == true ? JSONValue(pairs.filter { $0.0 != "required" }) : self
    }
}
