import EndpointKit
import JSONText

/// The members of a JSON object in their order.
typealias JSONMembers = [(String, JSONValue)]

/// Writes APIs as an OpenAPI document, version 3.1 (spec.openapis.org/oas/v3.1.0).
///
/// The same APIs give the same bytes: nothing in it depends on variables, settings or the time.
struct OpenAPIWriter {
    private var components = OpenAPIComponents()
    /// The operations of each path; the key is the path without the names of its values.
    private var paths: [(key: String, path: String, operations: JSONMembers)] = []
    private var securitySchemes: JSONMembers = []
    /// The samples by the marks that stand for them until the end, because they are long, and each part of a document is read again in the whole.
    private var samples: [String: [UInt8]] = [:]

    /// The document; `server` is the name of the only server to write, nil for all. Throws ``UsageError`` if no API has it, and
    /// `Signature.NotACase`.
    static func document(_ catalogue: CatalogueDescription, tool: String, server: Word?) throws -> JSONValue {
        var writer = OpenAPIWriter()
        let apis = catalogue.apis
        let named = try catalogue.servers(named: server)
        let parts = try apis.map { api in try api.details(tool: tool).map(OpenAPIPart.init) }
        for part in parts.joined() { writer.components.add(part) }
        writer.components.setNames()
        // An API without that server keeps its own.
        let servers = zip(apis, named).map { $1.isEmpty ? $0.servers : $1 }
        for (parts, servers) in zip(parts, servers) {
            for part in parts { writer.add(part, servers, areShown: apis.count > 1) }
        }
        return writer.filled(writer.document(apis, servers.first ?? [], tool: tool))
    }

    /// The document with samples in place of their marks.
    private func filled(_ document: JSONValue) -> JSONValue {
        var (text, rest) = ([UInt8](), document.written)
        let start = Array("\"\(OpenAPIPart.sampleMark)".utf8)
        while let found = rest.firstRange(of: start) {
            let mark = rest[found.lowerBound...].dropFirst().prefix { $0 != UInt8(ascii: "\"") }
            text += rest[..<found.lowerBound]
            // A text may begin like a mark.
            text += samples[String(decoding: mark, as: UTF8.self)] ?? Array(rest[found.lowerBound...mark.endIndex])
            rest = rest[(mark.endIndex + 1)...]
        }
        return (try? JSONValue(text: text + rest)) ?? document
    }

    private func document(_ apis: [APIDescription], _ servers: [ServerDescription], tool: String) -> JSONValue {
        let only = apis.count == 1 ? apis[0] : nil
        let tags = apis.map { JSONValue([("name", JSONValue($0.name))] + Self.text("description", $0.summary)) }
        let paths = paths.map { ($0.path, JSONValue($0.operations)) }
        let components: JSONMembers = [
            ("schemas", JSONValue(components.definitions)), ("securitySchemes", JSONValue(securitySchemes)),
        ]
        return JSONValue(
            [
                ("openapi", "3.1.0"),
                (
                    "info",
                    JSONValue(
                        [("title", JSONValue(only?.name ?? tool))] + Self.text("summary", only?.summary ?? "")
                            + [("version", "1")])
                ),
            ] + (only == nil ? [] : [("servers", Self.json(servers))]) + [
                ("tags", JSONValue(tags)), ("paths", JSONValue(paths)), ("components", JSONValue(components)),
            ])
    }

    private static func json(_ servers: [ServerDescription]) -> JSONValue {
        JSONValue(servers.map { JSONValue([("url", JSONValue($0.url)), ("description", JSONValue($0.name))]) })
    }

    static func text(_ key: String, _ text: String) -> JSONMembers { text.isEmpty ? [] : [(key, JSONValue(text))] }

    /// Adds an endpoint; one that shares method and path with another is a part of that operation.
    private mutating func add(_ part: OpenAPIPart, _ servers: [ServerDescription], areShown: Bool) {
        let (description, template) = (part.description, part.template)
        samples[part.mark] = part.sample
        let known = paths.firstIndex { $0.key == template.key }
        let place = known ?? paths.endIndex
        if known == nil { paths.append((template.key, template.path, [])) }
        let names = OpenAPIPart.names(in: paths[place].path)
        let bases = servers.isEmpty ? [nil] : servers.map { try? Server($0.name, $0.url).base() }
        let api = description.declaration.api
        var operation: JSONMembers = [
            ("operationId", JSONValue(description.name)), ("summary", JSONValue(description.summary)),
            ("tags", [JSONValue(api.name)]), ("x-apictl-endpoints", [JSONValue(description.name)]),
        ]
        if areShown { operation.append(("servers", Self.json(servers))) }
        operation.append(("parameters", JSONValue(part.parameters(names, components))))
        if let body = part.body(components) { operation.append(("requestBody", body)) }
        operation.append(("responses", part.responses(components)))
        var security: [JSONValue] = []
        for base in bases { security += requirements(api.credentials(of: description.endpoint, at: base), of: api) }
        operation.append(("security", JSONValue(security.withoutRepetitions)))
        if let pages = part.pages { operation.append(("x-apictl-pages", pages)) }
        let methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]
        let method = (methods.contains(description.method) ? "" : "x-") + description.method.lowercased()
        if let same = paths[place].operations.firstIndex(where: { $0.0 == method }) {
            paths[place].operations[same].1 = paths[place].operations[same].1.merged(with: JSONValue(operation))
        } else {
            paths[place].operations.append((method, JSONValue(operation)))
        }
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
        let members: JSONMembers =
            switch scheme {
            case .query(let name, _): [("type", "apiKey"), ("in", "query"), ("name", JSONValue(name))]
            case .header(let name, "Bearer ", _) where name.isSameName(as: "Authorization"):
                [("type", "http"), ("scheme", "bearer")]
            case .header(let name, let prefix, _):
                [("type", "apiKey"), ("in", "header"), ("name", JSONValue(name))] + Self.text("x-apictl-prefix", prefix)
            case .basic: [("type", "http"), ("scheme", "basic")]
            }
        let variables = scheme.variables.map { JSONValue($0) }
        let value = JSONValue(
            members + Self.text("description", source.map { "Get it at \($0)" } ?? "")
                + [("x-apictl-variable", variables.count == 1 ? variables[0] : JSONValue(variables))])
        let name = OpenAPIComponents.safe("\(api.name).\(scheme.names[0])")
        var (key, number) = (name, 1)
        while let known = securitySchemes.first(where: { $0.0 == key }), known.1 != value {
            number += 1
            key = "\(name)-\(number)"
        }
        if !securitySchemes.contains(where: { $0.0 == key }) { securitySchemes.append((key, value)) }
        return key
    }
}

/// The schemas that are shared, with a name for each.
struct OpenAPIComponents {
    private struct Entry {
        let api: String
        let use: SchemaWriter.Use
        let model: ModelShape
        /// The name of the type, generic arguments written out: `PageOfListOfMovie`.
        let type: String
        var name = ""
    }

    private var entries: [Entry] = []

    mutating func add(_ part: OpenAPIPart) {
        for shape in [part.response, part.error].compactMap(\.self) { add(shape, part.api.name, .response) }
        for shape in [part.shape, part.bodyShape].compactMap(\.self) { add(shape, part.api.name, .request) }
    }

    private mutating func add(_ shape: ModelShape, _ api: String, _ use: SchemaWriter.Use) {
        let words = [
            ("[String: ", "DictionaryOf"), ("[", "ListOf"), ("]", ""), ("<", "Of"), (", ", "And"), (">", ""),
            ("?", "OrNull"),
        ]
        for model in shape.models where index(of: model.name, in: shape, api, use) == nil {
            let type = words.reduce(model.name) { $0.replacing($1.0, with: $1.1) }
            entries.append(Entry(api: api, use: use, model: shape.alone(model.name), type: Self.safe(type)))
        }
    }

    private func index(of name: String, in shape: ModelShape, _ api: String, _ use: SchemaWriter.Use) -> Int? {
        let model = shape.alone(name)
        return entries.firstIndex { $0.api == api && $0.use == use && $0.model == model }
    }

    /// Names the schemas: by type, after the API's name if another API has such a type, with `Input` if the same type is also received.
    mutating func setNames() {
        let names = entries.map { entry in
            let same = entries.filter { $0.type == entry.type }
            let words = entry.api.split { "-_. ".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            let isReceived = same.contains { $0.api == entry.api && $0.use == .response }
            return (same.allSatisfy { $0.api == entry.api } ? "" : Self.safe(words.joined())) + entry.type
                + (entry.use == .request && isReceived ? "Input" : "")
        }
        for (index, name) in names.numbered("").enumerated() { entries[index].name = name }
    }

    /// By name.
    var definitions: JSONMembers {
        entries.sorted { $0.name < $1.name }.map { entry in
            guard case .model(let name) = entry.model.root, let model = entry.model.model(name) else {
                return (entry.name, [:])
            }
            return (entry.name, writer(entry.model, entry.api, entry.use).schema(model.shape))
        }
    }

    /// Writes the schemas of a shape's parts.
    func writer(_ shape: ModelShape, _ api: String, _ use: SchemaWriter.Use) -> SchemaWriter {
        SchemaWriter(use) { name in
            "#/components/schemas/" + (index(of: name, in: shape, api, use).map { entries[$0].name } ?? name)
        }
    }

    /// A name as components may have it.
    static func safe(_ name: String) -> String {
        let known = name.filter { $0 != " " }
        return String(known.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}

extension ModelShape {
    /// A model of this shape with those that it needs, always in the same order.
    fileprivate func alone(_ name: String) -> ModelShape {
        let part = part(.model(name))
        return ModelShape(root: part.root, models: part.models.sorted { $0.name < $1.name })
    }
}

extension JSONValue {
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
        guard self["required"]?.bool == true else { return self }
        return JSONValue(pairs.filter { $0.0 != "required" })
    }
}
