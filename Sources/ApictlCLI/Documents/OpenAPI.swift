import EndpointKit
import JSONText

/// The members of a JSON object in their order.
typealias JSONMembers = [(String, JSONValue)]

/// Writes APIs as an OpenAPI document, version 3.1 (spec.openapis.org/oas/v3.1.0).
///
/// The same APIs give the same bytes: nothing in it depends on variables, settings or the time.
struct OpenAPIWriter {
    private let models: ModelNames
    /// The security schemes by name.
    private var schemes: JSONMembers = []

    /// The document; `server` is the name of the only server to write, nil for all. Throws ``UsageError`` if no API has it, and
    /// `Signature.NotACase`.
    static func document(_ catalogue: CatalogueDescription, tool: String, server: Word?) throws -> JSONValue {
        let apis = catalogue.apis
        let parts = try zip(apis, catalogue.servers(named: server)).flatMap { api, servers in
            // An API without that server keeps its own.
            let endpoints = try api.details(tool: tool)
            let shapes = try EndpointDeclaration.parameterShapes(of: endpoints.map(\.declaration))
            return zip(endpoints, shapes).map { OpenAPIPart($0, $1, servers.isEmpty ? api.api.servers : servers) }
        }
        let sent = parts.flatMap { part in [part.shape, part.bodyShape].compactMap(\.self).map { (part.api, $0) } }
        var writer = OpenAPIWriter(models: ModelNames(parts.map(\.description), sent: sent))

        // Endpoints that share method and path are one operation.
        var paths: [(part: OpenAPIPart, operations: JSONMembers)] = []
        var places: [[Substring]: Int] = [:]
        for part in parts {
            let place = places[part.texts] ?? paths.count
            places[part.texts] = place
            if place == paths.count { paths.append((part, [])) }
            let operation = writer.operation(part, paths[place].part.names, hasServers: apis.count > 1)
            let methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]
            let method = part.endpoint.method.rawValue
            let key = (methods.contains(method) ? "" : "x-") + method.lowercased()
            if let same = paths[place].operations.firstIndex(where: { $0.0 == key }) {
                paths[place].operations[same].1 = paths[place].operations[same].1.merged(with: operation)
            } else {
                paths[place].operations.append((key, operation))
            }
        }

        let only = apis.count == 1 ? apis[0].api : nil
        let servers = only.map { _ in parts.first?.servers ?? [] }
        let info = JSONValue(members: [
            "title": JSONValue(only?.name ?? tool), "summary": (only?.summary.nonEmpty).map { JSONValue($0) },
            "version": "1",
        ])
        let tags = apis.map { api in
            JSONValue(members: [
                "name": JSONValue(api.api.name), "description": api.api.summary.nonEmpty.map { JSONValue($0) },
            ])
        }
        return JSONValue(members: [
            "openapi": "3.1.0", "info": info, "servers": servers.map { JSONValue($0.map(\.described)) },
            "tags": JSONValue(tags), "paths": JSONValue(paths.map { ($0.part.path, JSONValue($0.operations)) }),
            "components": [
                "schemas": JSONValue(writer.definitions), "securitySchemes": JSONValue(writer.schemes),
            ],
        ])
    }

    private init(models: ModelNames) { self.models = models }

    /// The schemas of the models by name.
    private var definitions: JSONMembers {
        models.entries.sorted { $0.name < $1.name }.map { entry in
            (entry.name, models.writer(of: entry.api, entry.use).schema(entry.model.shape))
        }
    }

    /// An endpoint as an operation, with these names for the values of its path.
    private mutating func operation(_ part: OpenAPIPart, _ names: [String], hasServers: Bool) -> JSONValue {
        let servers: [Server?] = part.servers.isEmpty ? [nil] : part.servers
        var security: [JSONValue] = []
        for server in servers {
            security += requirements(part.api.credentials(of: part.endpoint, on: server), of: part.api)
        }
        let name = JSONValue(part.description.name)
        return JSONValue(members: [
            "operationId": name, "summary": JSONValue(part.endpoint.summary), "tags": [JSONValue(part.api.name)],
            "x-apictl-endpoints": [name],
            "servers": hasServers ? .some(JSONValue(part.servers.map(\.described))) : .none,
            "parameters": JSONValue(part.parameters(names, models)), "requestBody": part.body(models),
            "responses": part.responses(models), "security": JSONValue(security.withoutRepetitions),
            "x-apictl-exclusive": part.exclusive.nonEmpty.map {
                JSONValue($0.map { JSONValue($0.map { JSONValue($0) }) })
            },
            "x-apictl-pages": part.pages,
        ])
    }

    /// The ways to sign a request, the preferred one first: each has one alternative of every credential.
    private mutating func requirements(_ credentials: [Credential], of api: any API.Type) -> [JSONValue] {
        var ways: [JSONMembers] = [[]]
        for credential in credentials {
            let schemes = credential.alternatives.map { securityScheme($0, of: api, credential.source(of: $0)) }
            let options = schemes.map { [($0, [] as JSONValue)] } + (credential.isOptional ? [[]] : [])
            ways = ways.flatMap { way in options.map { way + $0 } }
        }
        return credentials.isEmpty ? [] : ways.map { JSONValue($0) }
    }

    /// The name of the scheme among the components.
    private mutating func securityScheme(
        _ scheme: Credential.Scheme, of api: any API.Type, _ source: String?
    ) -> String {
        let (http, place, field, prefix): (JSONValue?, JSONValue?, String?, String?) =
            switch scheme {
            case .query(let name, _): (nil, "query", name, nil)
            case .header(let name, "Bearer ", _) where name.isSameName(as: "Authorization"): ("bearer", nil, nil, nil)
            case .header(let name, let prefix, _): (nil, "header", name, prefix)
            case .basic: ("basic", nil, nil, nil)
            }
        let variables = scheme.variables.map { JSONValue($0) }
        let value = JSONValue(members: [
            "type": http == nil ? "apiKey" : "http", "in": place, "name": field.map { JSONValue($0) }, "scheme": http,
            "x-apictl-prefix": prefix?.nonEmpty.map { JSONValue($0) },
            "description": source.map { JSONValue("Get it at \($0)") },
            "x-apictl-variable": variables.count == 1 ? variables[0] : JSONValue(variables),
        ])
        let name = ModelShape.writtenName("\(api.name).\(scheme.names[0])")
        var (key, number) = (name, 1)
        while let known = schemes.first(where: { $0.0 == key }), known.1 != value {
            number += 1
            key = "\(name)-\(number)"
        }
        if !schemes.contains(where: { $0.0 == key }) { schemes.append((key, value)) }
        return key
    }
}

extension ModelNames {
    /// Writes the schemas of shapes, with references to those of models.
    func writer(of api: any API.Type, _ use: SchemaWriter.Use) -> SchemaWriter {
        SchemaWriter(use) { "#/components/schemas/" + (entry($0, of: api, use)?.name ?? $0) }
    }
}

extension Server {
    fileprivate var described: JSONValue { ["url": JSONValue(url), "description": JSONValue(name)] }
}

extension Collection {
    /// The collection; nil if nothing is in it.
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension JSONValue {
    /// An object of the members that are not nil.
    init(members: KeyValuePairs<String, JSONValue?>) {
        self.init(members.compactMap { key, value in value.map { (key, $0) } })
    }

    /// An object of the members that are not nil, whatever their types.
    init(_ object: JSONObject) { self = (try? JSONValue(text: Coding().encode(object))) ?? [:] }

    /// The members of an object.
    var pairs: JSONMembers { members.map { $0.map { ($0.key, $0.value) } } ?? [] }

    /// An operation, or a part of one, with that of another endpoint: what only one has is not required.
    fileprivate func merged(with other: JSONValue, _ key: String = "") -> JSONValue {
        if self == other { return self }
        switch key {
        case "schema":
            let known = self["oneOf"]?.elements ?? [self]
            return JSONValue([("oneOf", JSONValue((known + [other]).withoutRepetitions))])
        case "parameters":
            let (own, others) = (elements ?? [], other.elements ?? [])
            func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
                one["in"] == other["in"] && one["name"]?.string?.lowercased() == other["name"]?.string?.lowercased()
            }
            let both = own.map { parameter in
                others.first { isSame($0, parameter) }.map { parameter.merged(with: $0) } ?? parameter.notRequired
            }
            return JSONValue(both + others.filter { new in !own.contains { isSame($0, new) } }.map(\.notRequired))
        default: break
        }
        if let elements, let others = other.elements { return JSONValue((elements + others).withoutRepetitions) }
        guard let members, let others = other.members else { return self }
        let common = members.compactMap { name, value -> (String, JSONValue)? in
            guard let second = other[name] else { return name == "required" ? nil : (name, value.notRequired) }
            return (name, value.merged(with: second, name))
        }
        let new = others.filter { self[$0.key] == nil && $0.key != "required" }.map { ($0.key, $0.value.notRequired) }
        return JSONValue(common + new)
    }

    /// A parameter or body that may be left out.
    private var notRequired: JSONValue {
        self["required"]?.bool == true ? JSONValue(pairs.filter { $0.0 != "required" }) : self
    }
}
