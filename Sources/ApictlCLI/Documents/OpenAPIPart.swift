import APIImport
import EndpointKit
import JSONText
import MockServer

/// An endpoint as a part of an OpenAPI document.
struct OpenAPIPart {
    let description: EndpointDescription
    let servers: [Server]
    /// The parameters by their Swift names.
    let shape: ModelShape
    let bodyShape: ModelShape?
    /// What is around the values of the path.
    let texts: [Substring]
    /// A name of its own for each value of the path.
    let names: [String]
    /// The models of the whole document.
    var models = ModelNames([])
    private let bindings: CallBindings
    private let fields: [RequestField]

    init(_ description: EndpointDescription, _ shape: ModelShape, _ servers: [Server]) {
        (self.description, self.servers, self.shape) = (description, servers, shape)
        let pieces = description.places.template.split(omittingEmptySubsequences: false) { "{}".contains($0) }
        texts = stride(from: 0, to: pieces.count, by: 2).map { pieces[$0] }
        names = stride(from: 1, to: pieces.count, by: 2).map { place in
            String(pieces[place].drop { $0 == "+" }.replacing(",", with: "-")).nonEmpty ?? "value"
        }.numbered("-")
        bindings = CallBindings(of: description.places.probe)
        bodyShape = bindings.bodyShape(shape)
        fields = bindings.fields(shape, pathCount: names.count)
    }

    var api: any API.Type { description.api }
    var endpoint: Endpoint { description.endpoint }

    /// Its member in the object of its path.
    var method: String {
        let method = endpoint.method.rawValue.lowercased()
        let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
        return (methods.contains(method) ? "" : "x-") + method
    }

    /// The path with the names of its values.
    var path: String {
        let path = zip(texts, names.map { "{\($0)}" } + [""]).map { $0 + $1 }.joined()
        return path.hasPrefix("/") ? path : "/" + path
    }

    /// Writes the schemas of what is sent.
    private var writer: SchemaWriter { models.writer(of: api, .request) }

    // MARK: Parameters

    /// The values of the path, with these names, query items, headers, and with `body` as their place, the fields of a form.
    func parameters(_ names: [String]) -> [JSONValue] {
        fields.compactMap { field in name(of: field.place, names).map { parameter($0, field) } }
    }

    /// The name of what has that place; nil if it is no parameter.
    private func name(of place: RequestParts.Place, _ names: [String]) -> String? {
        switch place {
        case .path(let index): return names.isEmpty ? nil : names[index]
        case .query(let name), .field(let name), .file(let name): return name
        // OpenAPI has other places for these (section 4.8.12.2).
        case .header("accept"), .header("content-type"), .header("authorization"), .json, .body: return nil
        case .header(let name):
            if let header = api.fields(of: endpoint).first(where: { $0.isNamed(name) }) { return header.name }
            guard bindings.bindings.contains(where: { $0.place == place }) else { return nil }
            return name.split(separator: "-", omittingEmptySubsequences: false)
                .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
        }
    }

    private func parameter(_ name: String, _ field: RequestField) -> JSONValue {
        let (declaration, places, own) = (description.declaration, description.places, field.bindings)
        let style = self.style(field)
        let schema: JSONValue =
            if field.place.isFile {
                ["type": "string", "contentMediaType": "application/octet-stream"]
            } else if style == nil {
                ["type": "string", "pattern": JSONValue(field.pattern)]
            } else {
                writer.schema(field.shape)
            }
        let example =
            style == nil
            ? bindings.original?.texts(at: field.place).first.map { JSONValue($0) }
            : declaration.firstValue.parameters.first { $0.name == own.first?.parameter.name }?.value
        let isShown = !declaration.examples.isEmpty && !own.contains { places.credentials.contains($0.parameter.name) }
        let notes = own.compactMap { one in
            let remarks = description.parameters.first { $0.names == [one.parameter.name] }?.remarks.nonEmpty
            return remarks.map { own.count == 1 ? $0 : "\(one.parameter.name): \($0)" }
        }
        let sources = (style == nil ? own.map(\.parameter) : []) + field.sources
        let isMultiSegment = field.place.part == .path && places.template.contains("{+\(name)}")
        return JSONValue(members: [
            "name": name, "in": field.place.part.rawValue,
            "required": field.isRequired || field.place.part == .path ? true : nil,
            "style": style?.nonEmpty, "explode": style?.nonEmpty.map { _ in own.first?.separator == nil },
            "schema": schema, "description": notes.joined(separator: "; ").nonEmpty,
            "example": isShown ? example : nil,
            "x-apictl-from": sources.map { declaration.signature.shownName(of: $0.name) }.nonEmpty,
            "x-multi-segment": isMultiSegment ? true : nil,
        ])
    }

    /// How the parts of the value are written, empty for a single one; nil if OpenAPI can't say it.
    private func style(_ field: RequestField) -> String? {
        guard let binding = field.bindings.first else { return field.hasKeys ? "deepObject" : "" }
        if field.bindings.count > 1 || binding.pattern.literals != [[], []] { return nil }
        if binding.nested != nil { return "deepObject" }
        guard binding.parameter.type.isArray else { return "" }
        // In a path or a header there is one way.
        if binding.place.name == nil { return binding.separator == "," ? "simple" : nil }
        return [nil: "form", ",": "form", " ": "spaceDelimited", "|": "pipeDelimited"][binding.separator]
    }

    // MARK: Bodies and responses

    var body: JSONValue? {
        guard let body = description.places.endpoint.body else { return nil }
        let content: JSONValue =
            switch bindings.form {
            case .form, .multipart: form
            case .json: JSONValue(members: ["schema": bodyShape.map { JSONValue(writer.members($0)) }])
            // An empty body is none.
            default: if case .text = body { ["schema": ["type": "string", "minLength": 1]] } else { [:] }
            }
        let type = api.fields(of: endpoint).first { $0.isNamed("Content-Type") }?.value.description
        // A body that is made of optional parameters alone may be left out.
        let inBody = bindings.bindings.filter { $0.place.part == .body }
        let isRequired = inBody.isEmpty || inBody.contains { !$0.parameter.isOptional }
        return JSONValue(members: [
            "required": isRequired ? true : nil, "content": JSONValue([(type ?? body.contentType, content)]),
        ])
    }

    /// The schema of a form, and how its lists are written.
    private var form: JSONValue {
        func part(_ item: JSONValue, _ names: [String]) -> JSONValue {
            JSONValue(item.pairs.filter { names.contains($0.0) })
        }
        let fields = parameters([]).filter { $0["in"] == "body" }.map { ($0["name"]?.string ?? "", $0) }
        let properties = fields.map { ($0, JSONValue(($1["schema"]?.pairs ?? []) + part($1, ["description"]).pairs)) }
        let encoding = fields.filter { $1["style"] != nil }.map { ($0, part($1, ["style", "explode"])) }
        let required = fields.filter { $1["required"] != nil }.map(\.0)
        return JSONValue(members: [
            "schema": JSONValue(members: [
                "type": "object", "properties": JSONValue(properties), "required": required.nonEmpty,
            ]),
            "encoding": encoding.nonEmpty.map { JSONValue($0) },
        ])
    }

    var responses: JSONValue {
        func media(_ type: String, _ shape: ModelShape?, _ examples: JSONValue? = nil) -> JSONValue {
            let schema = shape.map { models.writer(of: api, .response).schema($0.root) } ?? [:]
            return JSONValue([(type, JSONValue(members: ["schema": schema, "examples": examples]))])
        }
        let sample = endpoint.sample
        var content: JSONValue?
        switch endpoint.response.kind {
        case .empty: break
        case .bytes: content = sample?.contentType == "" ? .none : .some(["*/*": [:]])
        case .json:
            let type = sample.map { $0.contentType.prefix { $0 != ";" }.lowercased() }
            // Without secrets.
            let example = sample.flatMap { try? JSONValue(text: BodyToken.removed(from: $0.bytes, $0.contentType)) }
            content = media(
                type ?? "application/json", description.responseShape,
                example.map { JSONValue([(description.name, ["value": $0] as JSONValue)]) })
        }
        let failure = description.errorShape.map { media("application/json", $0) }
        let (status, words) = endpoint.isBodiless ? ("204", "No content") : ("200", "OK")
        return JSONValue([
            (status, JSONValue(members: ["description": words, "content": content])),
            ("default", JSONValue(members: ["description": "A failure", "content": failure])),
        ])
    }

    /// How the next page is found; nil if the response is not a page.
    var pages: JSONValue? {
        guard let pages = endpoint.pages, let scheme = try? JSONValue(text: Coding().encode(pages.scheme)) else {
            return nil
        }
        return JSONValue([("by", JSONValue(pages.name))] + scheme.pairs + [("items", JSONValue(pages.items))])
    }
}
