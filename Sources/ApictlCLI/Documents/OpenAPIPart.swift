import APIImport
import EndpointKit
import EndpointTools
import JSONText
import MockServer

/// An endpoint as a part of an OpenAPI document.
struct OpenAPIPart {
    let description: EndpointDescription
    let servers: [Server]
    /// The parameters by their Swift names.
    let shape: ModelShape
    let bindings: CallBindings
    /// The models of the whole document.
    var models = SchemaNames([])

    var api: CatalogueAPI { description.api }
    var endpoint: Endpoint { description.endpoint }
    var bodyShape: ModelShape? { bindings.bodyShape(shape) }
    var sent: [ModelShape?] { [shape, bodyShape] }
    var describedServers: [JSONValue] { servers.map { JSONValue(members: ["url": $0.url, "description": $0.name]) } }

    /// A name of its own for each value of the path.
    var names: [String] {
        description.places.owners.map { $0.replacing(",", with: "-").nonEmpty ?? "value" }.numbered("-")
    }

    /// Its member in the object of its path.
    var method: String {
        let method = endpoint.method.rawValue.lowercased()
        return (DocumentOperation.methods.contains(method) ? "" : "x-") + method
    }

    /// The path with these names for its values.
    func path(_ names: [String]) -> String {
        let path = ParameterPlaces.template(description.places.endpoint.path, owners: names).replacing("{+", with: "{")
        return path.hasPrefix("/") ? path : "/" + path
    }

    // MARK: Parameters

    /// The values of the path, which have these names, query items, headers, and with `body` as their place, the fields of a form.
    func parameters(_ names: [String]) -> [JSONValue] {
        bindings.fields(shape, pathCount: names.count).compactMap { parameter($0, names) }
    }

    /// The name of what has that place; nil if it is no parameter.
    private func name(of place: ParameterTexts.Location, _ names: [String]) -> String? {
        switch place {
        case .path(let index): return names[index]
        case .query(let name), .field(let name), .file(let name): return name
        // OpenAPI has other places for these (section 4.8.12.2).
        case .header("accept"), .header("content-type"), .header("authorization"), .json, .body: return nil
        case .header(let name):
            let own = api.requestBuilder.fields(of: description.places.endpoint).first { $0.isNamed(name) }
            // One that only a parameter adds.
            let calls = description.places.probe.trials.lazy.flatMap(\.changes).map(\.call)
            let others = calls.flatMap { api.requestBuilder.fields(of: $0.endpoint) }
            return (own ?? others.first { $0.isNamed(name) })?.name
        }
    }

    private func parameter(_ field: DocumentedField, _ names: [String]) -> JSONValue? {
        guard let name = name(of: field.place, names) else { return nil }
        let (declaration, places, own) = (description.declaration, description.places, field.bindings)
        let style = self.style(field)
        var file: JSONValue = ["type": "string", "contentMediaType": "application/octet-stream"]
        if case .array = field.shape { file = ["type": "array", "items": file] }
        let text: JSONValue = ["type": "string", "pattern": JSONValue(field.pattern)]
        let value = models.writer(of: api, .request).schema(field.shape)
        let schema = field.place.isFile ? file : style == nil ? text : value
        let example =
            style == nil
            ? bindings.original?.texts(at: field.place).first.map { JSONValue($0) }
            : declaration.firstValues.parameters.first { $0.name == own.first?.parameter.name }?.value
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
    private func style(_ field: DocumentedField) -> String? {
        guard let binding = field.bindings.first else {
            let isObject = field.place.part == .query && !shape.directFields(of: field.shape).isEmpty
            return field.hasKeys || isObject ? "deepObject" : ""
        }
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
        let schema = bodyShape.map { JSONValue(models.writer(of: api, .request).members($0)) }
        let content: JSONValue =
            switch bindings.form {
            case .form, .multipart: form
            case .json: JSONValue(members: ["schema": schema])
            // An empty body is none.
            default: if case .text = body { ["schema": ["type": "string", "minLength": 1]] } else { [:] }
            }
        let type = api.requestBuilder.fields(of: endpoint).first { $0.isNamed("Content-Type") }?.value.description
        // A body that is made of optional parameters alone may be left out.
        let whole = bindings.bindings.filter { $0.place.part == .body }.map(\.parameter)
        let inBody = whole + bindings.fields(shape).filter { $0.place.part == .body }.flatMap(\.sources)
        let isRequired = inBody.isEmpty || inBody.contains { !$0.isOptional }
        let media: JSONValue = [type ?? body.contentType: content]
        return JSONValue(members: ["required": isRequired ? true : nil, "content": media])
    }

    /// The schema of a form, and how its lists are written.
    private var form: JSONValue {
        func part(_ item: JSONValue, _ names: String...) -> JSONMembers { item.pairs.filter { names.contains($0.0) } }
        let fields = parameters(names).filter { $0["in"] == "body" }.map { ($0["name"]?.string ?? "", $0) }
        let properties = fields.map { ($0, JSONValue(($1["schema"]?.pairs ?? []) + part($1, "description"))) }
        let encoding = fields.filter { $1["style"] != nil }.map { ($0, JSONValue(part($1, "style", "explode"))) }
        let required = fields.filter { $1["required"] != nil }.map(\.0)
        return JSONValue(members: [
            "schema": JSONValue(members: [
                "type": "object", "properties": properties.nonEmpty.map { JSONValue($0) },
                "required": required.nonEmpty,
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
        let content: JSONValue?
        switch endpoint.response.kind {
        case .empty: content = nil
        case .bytes: content = sample?.contentType == "" ? .none : .some(["*/*": [:]])
        case .json:
            let type = sample?.contentType.prefix { $0 != ";" }.lowercased() ?? "application/json"
            let example = sample.flatMap {
                try? JSONValue(text: SecretRules.redacted($0.bytes, contentType: $0.contentType))
            }
            content = media(type, description.responseShape, example.map { [description.name: ["value": $0]] })
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
        guard let pages = endpoint.pages else { return nil }
        let scheme = (try? JSONValue(text: Coding().encode(pages.scheme)))?.pairs ?? []
        return JSONValue([("by", JSONValue(pages.name))] + scheme + [("items", JSONValue(pages.items))])
    }
}
