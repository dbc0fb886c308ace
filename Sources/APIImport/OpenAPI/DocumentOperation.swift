import EndpointKit
import EndpointTools
import JSONText

/// An operation as a document declares it, the same for all versions.
package struct DocumentOperation {
    struct Parameter {
        /// `path`, `query`, `header` or `cookie`.
        let place: String
        let name: String
        let isRequired: Bool
        /// Nil if nothing is said about its values.
        let schema: JSONValue?
        let value: JSONValue
        /// How a list or an object is written: a style, or a collection format of version 2.
        let style: String

        /// Whether each part of it is an item of its own in a query.
        var isExploded: Bool {
            style != "deepObject" && value["explode"]?.bool ?? ["form", "multi"].contains(style)
        }
        /// What stands between the elements of a list that are one item.
        var separator: String {
            ["spaceDelimited": " ", "ssv": " ", "pipeDelimited": "|", "pipes": "|", "tsv": "\t"][style] ?? ","
        }
    }

    /// A content type, and what is in it.
    struct Media {
        let type: String
        var schema: JSONValue?
        var value: JSONValue = [:]
        var examples: [JSONValue] = []

        /// Whether it has no fields: nothing is sent.
        var isEmpty: Bool { schema?["properties"]?.members?.isEmpty == true }

        /// The type without parameters.
        var plainType: String { type.prefix { $0 != ";" }.lowercased() }

        var isJSON: Bool { rank < 2 }

        /// Its place among those of which one is sent or read: JSON is the first, then what has fields, text, bytes.
        var rank: Int {
            switch plainType {
            case "application/json": 0
            case "*/*", "application/*": schema == nil ? 5 : 0
            case let type where type.hasSuffix("json"): 1
            case "application/x-www-form-urlencoded": 2
            case "multipart/form-data": 3
            case let type: type.hasPrefix("text/") ? 4 : 5
            }
        }
    }

    typealias Response = (status: String, value: JSONValue, media: [Media])

    let method: String
    let path: String
    /// `GET /pets`
    var key: String { "\(method) \(path)" }
    let value: JSONValue
    /// The servers that are not the document's.
    let servers: JSONValue?
    /// The parameters of the path.
    private let shared: JSONValue?
    /// Those of the path and of the operation, which replaces those of the same name and place; at the end, those of the path that nothing describes.
    private(set) var parameters: [Parameter] = []
    private(set) var body: (isRequired: Bool, media: [Media])?
    private(set) var responses: [Response] = []

    /// The responses of a success, the lowest status first; if there is none, those of any status.
    var successes: [Response] {
        let known = responses.filter { $0.status.hasPrefix("2") }.sorted { $0.status < $1.status }
        return known.isEmpty ? responses.filter { $0.status == "default" } : known
    }
    /// What of them is read.
    var response: Media? { successes.flatMap(\.media).best }

    /// The members of a path that are operations.
    package static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    /// The operations in the document's order. Throws ``OpenAPIError``.
    static func all(_ document: OpenAPIDocument) throws -> [DocumentOperation] {
        try document.members(document.root["paths"]).filter { !$0.key.hasPrefix("x-") }.flatMap { path, place in
            let item = try document.resolved(place)
            // What stands beside a reference is of the path too.
            let beside = place["$ref"].flatMap { _ in place.members } ?? []
            return try (beside + document.members(item)).flatMap { try document.operations($0, $1) }.map {
                method, value in
                guard value.kind == .object, !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else {
                    throw document.error(value, "expected an operation")
                }
                let servers = value["servers"] ?? place["servers"] ?? item["servers"]
                let isOwn = servers?.description != document.root["servers"]?.description
                return DocumentOperation(
                    method: method.uppercased(), path: path.hasPrefix("/") ? path : "/" + path, value: value,
                    servers: isOwn ? servers : nil, shared: place["parameters"] ?? item["parameters"])
            }
        }
    }

    /// Reads parameters, body and responses. Throws ``OpenAPIError``.
    mutating func read(_ document: OpenAPIDocument) throws {
        var known: Set<[String]> = []
        for element in try document.elements(shared) + document.elements(value["parameters"]) {
            let parameter = try document.object(element)
            guard let name = parameter["name"]?.string, let place = parameter["in"]?.string else {
                throw document.error(parameter, "a parameter needs 'name' and 'in'")
            }
            guard ["path", "query", "header", "cookie", "body", "formData"].contains(place) else {
                throw document.error(
                    parameter, "a parameter is in path, query, header or cookie, not in '\(place)'")
            }
            // The client, or the body and the credentials, have these (OpenAPI 3.1, section 4.8.12).
            if place == "header", ["accept", "content-type", "authorization"].contains(name.lowercased()) { continue }
            if !known.insert([place, name]).inserted {
                parameters.removeAll { $0.name == name && $0.place == place }
            }
            var schema = parameter["schema"] ?? parameter["content"].map { _ in ["type": "string"] }
            if document.isSwagger, schema == nil { schema = parameter }
            parameters.append(
                Parameter(
                    place: place, name: name, isRequired: place == "path" || parameter["required"]?.bool == true,
                    schema: schema, value: parameter,
                    style: parameter["style"]?.string ?? parameter["collectionFormat"]?.string
                        ?? (document.isSwagger ? "csv" : "form")))
        }
        for name in OpenAPINames.variables(path) where known.insert(["path", name]).inserted {
            parameters.append(
                Parameter(place: "path", name: name, isRequired: true, schema: nil, value: [:], style: ""))
        }
        if document.isSwagger {
            try readSwagger(document)
        } else {
            if let own = value["requestBody"], !own.isNull {
                let declared = try document.object(own)
                let media = try Self.media(declared["content"], document)
                if !media.isEmpty { body = (declared["required"]?.bool == true, media) }
            }
            responses = try document.members(value["responses"]).map { status, value in
                let response = try document.object(value)
                return (status, response, try Self.media(response["content"], document))
            }
        }
    }

    private static func media(_ content: JSONValue?, _ document: OpenAPIDocument) throws -> [Media] {
        try document.members(content).map { type, value in
            Media(
                type: type, schema: value["schema"], value: value,
                examples: try document.examples(of: value, value["schema"]))
        }
    }

    /// Reads bodies and responses of version 2.
    private mutating func readSwagger(_ document: OpenAPIDocument) throws {
        func type(_ key: String) -> (first: String?, json: String?) {
            let types = (value[key] ?? document.root[key])?.elements?.compactMap(\.string) ?? []
            return (types.first, types.first { Media(type: $0).isJSON })
        }
        let (consumed, produced) = (type("consumes"), type("produces"))
        let fields = parameters.filter { $0.place == "formData" }
        if let declared = parameters.first(where: { $0.place == "body" }) {
            let type = consumed.json ?? consumed.first ?? "application/json"
            let examples = try document.examples(of: declared.value, declared.schema)
            let media = Media(type: type, schema: declared.schema, value: declared.value, examples: examples)
            body = (declared.isRequired, [media])
        } else if !fields.isEmpty {
            let required = fields.filter(\.isRequired).map { JSONValue($0.name) }
            let schema: JSONValue = [
                "type": "object", "properties": JSONValue(fields.map { ($0.name, $0.value) }),
                "required": JSONValue(required),
            ]
            let hasFile = fields.contains { $0.value["type"]?.string == "file" }
            let isMultipart = hasFile || consumed.first == "multipart/form-data"
            let type = isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded"
            let styles = fields.filter { $0.value["type"]?.string == "array" }.map { field in
                (field.name, ["style": JSONValue(field.style)] as JSONValue)
            }
            let media = Media(type: type, schema: schema, value: ["encoding": JSONValue(styles)])
            body = (!required.isEmpty, [media])
        }
        parameters.removeAll { ["body", "formData"].contains($0.place) }
        responses = try document.members(value["responses"]).map { status, value in
            let response = try document.object(value)
            guard let schema = response["schema"] else { return (status, response, []) }
            let isFile = schema["type"]?.string == "file"
            let type = isFile ? "application/octet-stream" : produced.json ?? produced.first ?? "application/json"
            let examples = response["examples"]?.members?.filter { Media(type: $0.key).isJSON }.map(\.value) ?? []
            return (status, response, [Media(type: type, schema: schema, value: response, examples: examples)])
        }
    }
}

extension [DocumentOperation.Media] {
    /// The one that is sent or read.
    var best: Element? { self.min { $0.rank < $1.rank } }
}

extension JSONValue {
    /// The examples of a schema.
    var examples: [JSONValue] { self["example"].map { [$0] } ?? self["examples"]?.elements ?? [] }
}

extension OpenAPIDocument {
    /// The examples of a parameter, of a content type or of a property, its own or the schema's; if one is needed, also what is listed.
    func examples(of value: JSONValue, _ schema: JSONValue?, isNeeded: Bool = false) throws -> [JSONValue] {
        if let own = value["example"] ?? value["x-example"] { return [own] }
        if value["examples"]?.kind == .object {
            let all = try members(value["examples"]).compactMap { try resolved($0.value)["value"] }
            if !all.isEmpty { return all }
        }
        guard let schema = try schema.map(resolved) else { return [] }
        let listed = isNeeded ? schema["const"] ?? schema["enum"]?.elements?.first : nil
        return schema.examples.isEmpty ? [schema["default"] ?? listed].compactMap(\.self) : schema.examples
    }

    /// What a member of a path declares, with the methods: those of version 3.2 too, and what apictl writes of others.
    fileprivate func operations(_ key: String, _ value: JSONValue) throws -> [(key: String, value: JSONValue)] {
        if key == "additionalOperations" { return try members(value) }
        if key.hasPrefix("x-"), value["x-apictl-endpoints"] != nil { return [(String(key.dropFirst(2)), value)] }
        return (DocumentOperation.methods + ["query"]).contains(key.lowercased()) ? [(key, value)] : []
    }
}
