import EndpointKit
import EndpointTools
import JSONText

/// Writes APIs as an OpenAPI document, version 3.1 (spec.openapis.org/oas/v3.1.0).
///
/// The same APIs give the same bytes: nothing in it depends on variables, settings or the time.
struct OpenAPIWriter {
    /// The security schemes by name.
    private var schemes: [String: JSONValue] = [:]

    /// The document; `server` is the name of the only server to write, nil for all. Throws ``UsageError`` if no API has it, and
    /// `NotAnEnumCase`.
    static func document(_ catalogue: CatalogueDescription, tool: String, server: SourcedText?) throws -> JSONValue {
        let apis = catalogue.apis
        var parts = try zip(apis, catalogue.servers(named: server)).flatMap { api, servers in
            let endpoints = try api.details()
            let shapes = try api.api.parameterShapes(of: endpoints.map(\.declaration))
            return zip(endpoints, shapes).map {
                OpenAPIPart(description: $0, servers: servers, shape: $1, bindings: $0.bindings)
            }
        }
        let errors = parts.map { ($0.api, $0.description.errorShape, SchemaWriter.Use.response) }
        let sent = parts.flatMap { part in part.sent.map { (part.api, $0, SchemaWriter.Use.request) } }
        let models = SchemaNames(parts.map(\.description), others: errors + sent)
        for index in parts.indices { parts[index].models = models }
        let only = apis.count == 1 ? apis[0].api : nil
        var writer = OpenAPIWriter()
        // Endpoints that share method and path are one operation.
        let paths = parts.grouped { $0.path([]) }.map { _, same in
            let operations = same.grouped(by: \.method).map { method, endpoints in
                let all = endpoints.map { writer.operation($0, same[0].names, hasServers: only == nil) }
                return (method, all.merged(of: all.count))
            }
            return (same[0].path(same[0].names), JSONValue(operations))
        }
        let schemas = models.entries.sorted { $0.name < $1.name }.map { entry in
            (entry.name, models.writer(of: entry.api, entry.use).schema(entry.model.shape))
        }
        let schemes = writer.schemes.sorted { $0.key < $1.key }.map { ($0, $1) }
        return JSONValue(members: [
            "openapi": "3.1.0",
            "info": JSONValue(members: [
                "title": only?.name ?? tool, "summary": only?.summary.nonEmpty, "version": "1",
            ]),
            "servers": only.flatMap { _ in parts.first?.describedServers },
            "tags": apis.map { JSONValue(members: ["name": $0.api.name, "description": $0.api.summary.nonEmpty]) },
            "paths": JSONValue(paths),
            "components": ["schemas": JSONValue(schemas), "securitySchemes": JSONValue(schemes)] as JSONValue,
        ])
    }

    /// An endpoint as an operation, with these names for the values of its path.
    private mutating func operation(_ part: OpenAPIPart, _ names: [String], hasServers: Bool) -> JSONValue {
        let (endpoint, name) = (part.endpoint, part.description.name)
        let servers: [Server?] = part.servers.isEmpty ? [nil] : part.servers
        let security = servers.flatMap {
            requirements(part.api.requestBuilder.credentials(of: endpoint, on: $0), of: part.api)
        }
        // A parameter and a field may have one name.
        let parameters = part.parameters(names).filter { $0["in"] != "body" }.grouped { [$0["in"], $0["name"]] }
        return JSONValue(members: [
            "operationId": name, "summary": endpoint.summary, "tags": [part.api.name], "x-apictl-endpoints": [name],
            "servers": hasServers ? part.describedServers : nil,
            "parameters": JSONValue(parameters.map { $1.merged(of: $1.count) }),
            "requestBody": part.body, "responses": part.responses, "security": security.withoutRepetitions,
            "x-apictl-pages": part.pages,
        ])
    }

    /// The ways to sign a request, the preferred one first: each has one alternative of every credential.
    private mutating func requirements(_ credentials: [Credential], of api: CatalogueAPI) -> [JSONValue] {
        var ways: [JSONMembers] = [[]]
        for credential in credentials {
            let alternatives = credential.alternatives.map { scheme -> JSONMembers in
                let described = scheme.described
                let name = ModelShape.writtenName("\(api.name).\(scheme.names[0])")
                // With a number if another one has that name.
                let names = (1...).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }
                let free = names.first { schemes[$0] ?? described == described } ?? name
                schemes[free] = described
                return [(free, [])]
            }
            ways = ways.flatMap { way in (alternatives + (credential.isOptional ? [[]] : [])).map { way + $0 } }
        }
        return credentials.isEmpty ? [] : ways.map { JSONValue($0) }
    }
}

extension Credential.Scheme {
    /// The security scheme.
    fileprivate var described: JSONValue {
        let isKey = httpScheme == nil
        return JSONValue(members: [
            "type": isKey ? "apiKey" : "http", "in": isKey ? placement.rawValue : nil,
            "name": isKey ? name : nil, "scheme": httpScheme,
            "x-apictl-prefix": isKey ? prefix.nonEmpty : nil, "description": source.map { "Get it at \($0)" },
            "x-apictl-variable": variables.count == 1 ? JSONValue(variables[0]) : variables.json,
        ])
    }
}

extension Collection {
    /// The collection; nil if nothing is in it.
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension [JSONValue] {
    /// The operations of `count` endpoints, or what of them is under `key`, as one: what not all of them have is not required.
    fileprivate func merged(_ key: String = "", of count: Int) -> JSONValue {
        if allSatisfy({ $0 == self[0] }), key == "schema" || self.count == count { return self[0] }
        if key == "schema" {
            return ["oneOf": JSONValue(flatMap { $0["oneOf"]?.elements ?? [$0] }.withoutRepetitions)]
        }
        let elements = flatMap { $0.elements ?? [] }
        if key == "parameters" {
            let same = elements.grouped { [$0["in"]?.string, $0["name"]?.string?.lowercased()] }
            return JSONValue(same.map { $1.merged(of: self.count) })
        }
        if !elements.isEmpty { return JSONValue(elements.withoutRepetitions) }
        let members = flatMap(\.pairs).grouped(by: \.0).filter { $0 != "required" || $1.count == count }
        return members.isEmpty ? self[0] : JSONValue(members.map { ($0, $1.map(\.1).merged($0, of: self.count)) })
    }
}
