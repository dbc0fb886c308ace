import EndpointKit
import JSONText

// Writes the parts of a document as JSON. All keys of OpenAPI that are written stand in this file (OpenAPI 3.1,
// section 4.8).

extension SchemaWriter.Members {
    /// Appends a member of an object, unless its value is nil.
    fileprivate mutating func add(_ key: String, _ value: JSONValue?) {
        if let value { append((key, value)) }
    }
}

extension JSONValue {
    /// Returns the object with the members that a function appends.
    ///
    ///     .object { $0.add("name", "Rex") }    →  {"name": "Rex"}
    fileprivate static func object(_ add: (inout SchemaWriter.Members) -> Void) -> JSONValue {
        var members: SchemaWriter.Members = []
        add(&members)
        return JSONValue(members)
    }

    /// Returns a list of strings; nil for an empty list.
    fileprivate static func texts(_ texts: [String]) -> JSONValue? {
        // `nil` would mean the JSON value null here. `.none` means that there is no value.
        guard !texts.isEmpty else { return .none }
        return JSONValue(texts.map { JSONValue($0) })
    }
}

extension WrittenDocument {
    /// The OpenAPI Object.
    ///
    /// OpenAPI requires a title and a version. If they are not known, the title is empty and the version is `1`.
    var json: JSONValue {
        let info = JSONValue.object { info in
            info.add("title", JSONValue(self.info.title ?? ""))
            info.add("summary", self.info.summary.map { JSONValue($0) })
            info.add("description", self.info.description.map { JSONValue($0) })
            info.add("version", JSONValue(self.info.version ?? "1"))
        }
        let components = JSONValue.object { components in
            components.add("schemas", JSONValue(schemas))
            components.add("securitySchemes", JSONValue(securitySchemes.map { ($0.object.name, $0.json) }))
        }
        return .object { document in
            document.add("openapi", JSONValue(version))
            document.add("info", info)
            document.add("servers", servers.map { JSONValue($0.map(\.json)) })
            document.add("security", security.map { JSONValue($0.map(\.json)) })
            document.add("tags", JSONValue(tags.map(\.json)))
            document.add("paths", JSONValue(paths.map { ($0.template, $0.json) }))
            document.add("components", components)
        }
    }
}

extension ServerObject {
    /// The Server Object. It has no variables, because its URL contains their values.
    fileprivate var json: JSONValue {
        .object { server in
            server.add("url", JSONValue(url))
            server.add("description", summary.map { JSONValue($0) })
        }
    }
}

extension TagObject {
    /// The Tag Object.
    fileprivate var json: JSONValue {
        .object { tag in
            tag.add("name", JSONValue(name))
            tag.add("description", summary.map { JSONValue($0) })
        }
    }
}

extension WrittenPath {
    /// The Path Item Object: the operations of the path by their methods.
    fileprivate var json: JSONValue { JSONValue(operations.map { ($0.key, $0.json) }) }
}

extension WrittenOperation {
    /// The key of the operation in its Path Item Object: `get` for `GET`.
    ///
    /// A method that OpenAPI does not know, such as `PURGE`, becomes the extension `x-purge`.
    fileprivate var key: String {
        let key = method.lowercased()
        return OpenAPI31().methods.contains(key) ? key : "x-" + key
    }

    /// The Operation Object.
    ///
    /// The extensions `x-apictl-endpoints` and `x-apictl-pages` hold the names of the endpoints, and how their pages
    /// are requested.
    fileprivate var json: JSONValue {
        .object { operation in
            operation.add("operationId", operationID.map { JSONValue($0) })
            operation.add("summary", summary.map { JSONValue($0) })
            operation.add("description", description.map { JSONValue($0) })
            if isDeprecated { operation.add("deprecated", true) }
            operation.add("tags", JSONValue(tags.map { JSONValue($0) }))
            operation.add("x-apictl-endpoints", JSONValue(endpoints.map { JSONValue($0) }))
            operation.add("servers", servers.map { JSONValue($0.map(\.json)) })
            operation.add("parameters", JSONValue(parameters.map(\.json)))
            operation.add("requestBody", body?.json)
            if !responses.isEmpty {
                operation.add("responses", JSONValue(responses.map { ($0.status.key, $0.json) }))
            }
            operation.add("security", JSONValue(security.map(\.json)))
            operation.add("x-apictl-pages", pages)
        }
    }
}

extension WrittenParameter {
    /// The Parameter Object.
    ///
    /// A parameter has either `schema` or `content` (OpenAPI 3.1, section 4.8.12.2). The extension `x-apictl-from`
    /// names the parameters of the endpoint from which the value is made.
    fileprivate var json: JSONValue {
        .object { parameter in
            parameter.add("name", JSONValue(name))
            parameter.add("in", JSONValue(location.rawValue))
            if isRequired { parameter.add("required", true) }
            if isDeprecated { parameter.add("deprecated", true) }
            style?.add(to: &parameter)
            if allowsReserved { parameter.add("allowReserved", true) }
            if let content {
                parameter.add("content", JSONValue([(content.contentType, content.json)]))
            } else {
                parameter.add("schema", schema.json)
            }
            parameter.add("description", summary.map { JSONValue($0) })
            WrittenExample.add(examples, to: &parameter)
            parameter.add("x-apictl-from", .texts(sources))
            if isMultiSegment { parameter.add("x-multi-segment", true) }
        }
    }
}

extension WrittenStyle {
    /// Appends `style` and `explode` to a Parameter Object or an Encoding Object.
    fileprivate func add(to members: inout SchemaWriter.Members) {
        members.add("style", JSONValue(style.rawValue))
        members.add("explode", JSONValue(isExploded))
    }
}

extension WrittenSchema {
    /// The schema, or `oneOf` with several schemas.
    fileprivate var json: JSONValue {
        alternatives.count == 1 ? alternatives[0] : .object { $0.add("oneOf", JSONValue(alternatives)) }
    }
}

extension WrittenBody {
    /// The Request Body Object.
    fileprivate var json: JSONValue {
        .object { body in
            body.add("description", summary.map { JSONValue($0) })
            if isRequired { body.add("required", true) }
            body.add("content", JSONValue(content.map { ($0.contentType, $0.json) }))
        }
    }
}

extension ResponseStatus {
    /// The key of the response in a Responses Object: `200`, `2XX` or `default`.
    fileprivate var key: String {
        switch self {
        case .code(let code): "\(code)"
        case .range(let digit): "\(digit)XX"
        case .fallback: "default"
        }
    }
}

extension WrittenResponse {
    /// The Response Object. A response without a body has no `content`.
    fileprivate var json: JSONValue {
        .object { response in
            response.add("description", JSONValue(summary))
            if !content.isEmpty { response.add("content", JSONValue(content.map { ($0.contentType, $0.json) })) }
        }
    }
}

extension WrittenMediaType {
    /// The Media Type Object.
    fileprivate var json: JSONValue {
        .object { mediaType in
            mediaType.add("schema", schema?.json)
            mediaType.add("itemSchema", itemSchema)
            if !encodings.isEmpty {
                mediaType.add("encoding", JSONValue(encodings.map { ($0.name, $0.encoding.json) }))
            }
            WrittenExample.add(examples, to: &mediaType)
        }
    }
}

extension WrittenEncoding {
    /// The Encoding Object. A member that equals its default is left out.
    fileprivate var json: JSONValue {
        .object { encoding in
            if !contentTypes.isEmpty {
                encoding.add("contentType", JSONValue(contentTypes.joined(separator: ", ")))
            }
            style?.add(to: &encoding)
            if allowsReserved { encoding.add("allowReserved", true) }
        }
    }
}

extension WrittenExample {
    /// Appends examples to a parameter or media type.
    ///
    ///     one example without a name    →  "example": 5
    ///     all other examples            →  "examples": {"small": {"value": 5}, "example": {"value": 7}}
    ///
    /// In `examples`, examples without a name are called `example`, `example-2` and so on.
    fileprivate static func add(_ examples: [WrittenExample], to members: inout SchemaWriter.Members) {
        if examples.count == 1, examples[0].name == nil {
            members.add("example", examples[0].value)
        } else if !examples.isEmpty {
            let names = examples.map { $0.name ?? "example" }.numbered(separator: "-")
            members.add("examples", JSONValue(zip(names, examples.map(\.json))))
        }
    }

    /// The Example Object.
    private var json: JSONValue {
        .object { example in
            example.add("summary", summary.map { JSONValue($0) })
            example.add("value", value)
        }
    }
}

extension SecurityRequirement {
    /// The Security Requirement Object: the required scopes by the names of the schemes.
    fileprivate var json: JSONValue {
        JSONValue(schemes.map { scheme in (scheme.name, JSONValue(scheme.scopes.map { JSONValue($0) })) })
    }
}

extension WrittenSecurityScheme {
    /// The Security Scheme Object.
    ///
    /// The extension `x-apictl-variable` names the environment variables that hold the credential, and
    /// `x-apictl-prefix` is the text in front of an API key in a header.
    fileprivate var json: JSONValue {
        .object { scheme in
            object.kind.add(to: &scheme)
            // An HTTP scheme implies its prefix, such as `Bearer`.
            if case .apiKey = object.kind, !prefix.isEmpty { scheme.add("x-apictl-prefix", JSONValue(prefix)) }
            scheme.add("description", object.summary.map { JSONValue($0) })
            let names = variables.map { JSONValue($0) }
            if !names.isEmpty { scheme.add("x-apictl-variable", names.count == 1 ? names[0] : JSONValue(names)) }
        }
    }
}

extension SecuritySchemeObject.Kind {
    /// Appends `type`, and the members that the type requires, to a Security Scheme Object (OpenAPI 3.1, section
    /// 4.8.27).
    ///
    /// OAuth flows without the URLs that OpenAPI requires are left out.
    fileprivate func add(to scheme: inout SchemaWriter.Members) {
        switch self {
        case .apiKey(let name, let location):
            scheme.add("type", "apiKey")
            scheme.add("in", JSONValue(location.rawValue))
            scheme.add("name", JSONValue(name))
        case .http(let name):
            scheme.add("type", "http")
            scheme.add("scheme", JSONValue(name))
        case .oauth2(let flows):
            scheme.add("type", "oauth2")
            scheme.add("flows", JSONValue(flows.filter(\.isComplete).map { ($0.name, $0.json) }))
        case .openIDConnect(let url):
            scheme.add("type", "openIdConnect")
            scheme.add("openIdConnectUrl", JSONValue(url))
        case .mutualTLS:
            scheme.add("type", "mutualTLS")
        }
    }
}

extension SecuritySchemeObject.Flow {
    /// Whether OpenAPI 3.1 knows the flow, and the flow has all URLs that it requires (OpenAPI 3.1, section 4.8.30).
    fileprivate var isComplete: Bool {
        switch name {
        case "implicit": authorizationURL != nil
        case "password", "clientCredentials": tokenURL != nil
        case "authorizationCode": authorizationURL != nil && tokenURL != nil
        default: false
        }
    }

    /// The OAuth Flow Object with the URLs that OpenAPI allows for the flow (OpenAPI 3.1, section 4.8.30).
    fileprivate var json: JSONValue {
        .object { flow in
            if name != "password" && name != "clientCredentials" {
                flow.add("authorizationUrl", authorizationURL.map { JSONValue($0) })
            }
            if name != "implicit" { flow.add("tokenUrl", tokenURL.map { JSONValue($0) }) }
            // OpenAPI requires a description of each scope. `Flow` does not store them.
            flow.add("scopes", JSONValue(scopes.map { ($0, "") }))
        }
    }
}
