import EndpointKit
import JSONText

// The one place that knows the keys of an OpenAPI document (OpenAPI 3.1, section 4.8).

extension SchemaWriter.Members {
    /// Appends a member. Without a value, nothing is appended, so that optional members can be added in one line each.
    fileprivate mutating func add(_ key: String, _ value: JSONValue?) {
        if let value { append((key, value)) }
    }
}

extension JSONValue {
    /// Makes an object of the members that `add` appends, in that order.
    fileprivate static func object(_ add: (inout SchemaWriter.Members) -> Void) -> JSONValue {
        var members: SchemaWriter.Members = []
        add(&members)
        return JSONValue(members)
    }

    /// Makes a list of strings; nil if there are none.
    fileprivate static func texts(_ texts: [String]) -> JSONValue? {
        // A nil literal in a conditional expression would be the JSON value null.
        guard !texts.isEmpty else { return .none }
        return JSONValue(texts.map { JSONValue($0) })
    }
}

extension WrittenDocument {
    /// The document as JSON. Its title is empty and its version is `1` if they are not known, because OpenAPI requires
    /// both.
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
    /// The Server Object. Variables are left out, because URLs are written with their values.
    fileprivate var json: JSONValue {
        .object { server in
            server.add("url", JSONValue(url))
            server.add("description", summary.map { JSONValue($0) })
        }
    }
}

extension TagObject {
    /// The Tag Object with its description, if there is one.
    fileprivate var json: JSONValue {
        .object { tag in
            tag.add("name", JSONValue(name))
            tag.add("description", summary.map { JSONValue($0) })
        }
    }
}

extension WrittenPath {
    /// The Path Item Object: its operations by their methods.
    fileprivate var json: JSONValue { JSONValue(operations.map { ($0.key, $0.json) }) }
}

extension WrittenOperation {
    /// The key of the operation in its path. A method that OpenAPI does not know, such as `PURGE`, becomes the
    /// extension `x-purge`.
    fileprivate var key: String {
        let key = method.lowercased()
        return OpenAPI31().methods.contains(key) ? key : "x-" + key
    }

    /// The Operation Object.
    ///
    /// Members that begin with `x-apictl` say about endpoints what OpenAPI has no members for: their names and their
    /// pages.
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
    /// A parameter has a schema, or a media type in which its value is written, and not both (OpenAPI 3.1, section
    /// 4.8.12.2). The extension `x-apictl-from` names the parameters of the endpoint that the value is made of.
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
    /// Appends the members that a Parameter Object and an Encoding Object share.
    fileprivate func add(to members: inout SchemaWriter.Members) {
        members.add("style", JSONValue(style.rawValue))
        members.add("explode", JSONValue(isExploded))
    }
}

extension WrittenSchema {
    /// The schema alone, or a schema that is met by one of several.
    fileprivate var json: JSONValue {
        // Several schemas come from endpoints or fields that were merged. A value matches one of them.
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
    /// The key of the response: `200`, `2XX` or `default`.
    fileprivate var key: String {
        switch self {
        case .code(let code): "\(code)"
        case .range(let digit): "\(digit)XX"
        case .fallback: "default"
        }
    }
}

extension WrittenResponse {
    /// The Response Object. One without a body has no content.
    fileprivate var json: JSONValue {
        .object { response in
            response.add("description", JSONValue(summary))
            if !content.isEmpty { response.add("content", JSONValue(content.map { ($0.contentType, $0.json) })) }
        }
    }
}

extension WrittenMediaType {
    /// The Media Type Object, with the encodings of a form.
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
    /// A single example without a name becomes `example`. Other ones become `examples`, whose members need names: those
    /// without one are called `example`, `example-2` and so on.
    fileprivate static func add(_ examples: [WrittenExample], to members: inout SchemaWriter.Members) {
        if examples.count == 1, examples[0].name == nil {
            members.add("example", examples[0].value)
        } else if !examples.isEmpty {
            let names = examples.map { $0.name ?? "example" }.numbered("-")
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
    /// The Security Requirement Object: the scopes that are needed by the name of the scheme.
    fileprivate var json: JSONValue {
        JSONValue(schemes.map { scheme in (scheme.name, JSONValue(scheme.scopes.map { JSONValue($0) })) })
    }
}

extension WrittenSecurityScheme {
    /// The Security Scheme Object.
    ///
    /// The extension `x-apictl-variable` names the variables of the environment that hold the credential.
    fileprivate var json: JSONValue {
        .object { scheme in
            object.kind.add(to: &scheme)
            // The prefix of an HTTP scheme is the scheme itself, such as `Bearer`. Only an API key needs the extension.
            if case .apiKey = object.kind, !prefix.isEmpty { scheme.add("x-apictl-prefix", JSONValue(prefix)) }
            scheme.add("description", object.summary.map { JSONValue($0) })
            let names = variables.map { JSONValue($0) }
            if !names.isEmpty { scheme.add("x-apictl-variable", names.count == 1 ? names[0] : JSONValue(names)) }
        }
    }
}

extension SecuritySchemeObject.Kind {
    /// Appends the type of a scheme, and the members that the type needs (OpenAPI 3.1, section 4.8.27).
    ///
    /// Flows without the URLs that OpenAPI requires are left out.
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
    /// Whether OpenAPI 3.1 knows the flow, and the document has the URLs that it needs (OpenAPI 3.1, section 4.8.30).
    fileprivate var isComplete: Bool {
        switch name {
        case "implicit": authorizationURL != nil
        case "password", "clientCredentials": tokenURL != nil
        case "authorizationCode": authorizationURL != nil && tokenURL != nil
        default: false
        }
    }

    /// The OAuth Flow Object with the URLs that a flow of its name needs (OpenAPI 3.1, section 4.8.30).
    fileprivate var json: JSONValue {
        .object { flow in
            // Each flow has the URLs that it needs, and no others.
            if name != "password" && name != "clientCredentials" {
                flow.add("authorizationUrl", authorizationURL.map { JSONValue($0) })
            }
            if name != "implicit" { flow.add("tokenUrl", tokenURL.map { JSONValue($0) }) }
            // The descriptions of the scopes, which OpenAPI requires, are not kept.
            flow.add("scopes", JSONValue(scopes.map { ($0, "") }))
        }
    }
}
