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

    init(_ description: EndpointDescription, _ shape: ModelShape, _ servers: [Server]) {
        (self.description, self.servers, self.shape) = (description, servers, shape)
        bodyShape = description.bodyShape(shape)
        bindings = CallBindings(of: description.places.probe)
        let pieces = description.places.template.split(omittingEmptySubsequences: false) { "{}".contains($0) }
        texts = stride(from: 0, to: pieces.count, by: 2).map { pieces[$0] }
        names = stride(from: 1, to: pieces.count, by: 2).map { place in
            String(pieces[place].drop { $0 == "+" }.replacing(",", with: "-")).nonEmpty ?? "value"
        }.numbered("-")
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
    private var original: [RequestParts.Item] { bindings.original?.items ?? [] }

    // MARK: Parameters

    /// What has a place of its own in requests, as parameters: the values of the path, with these names, query items, headers, and with `body`
    /// as their place, the fields of a form.
    func items(_ names: [String]) -> [JSONValue] {
        let all = bindings.bindings.map(\.place) + (bindings.constants + original).map(\.place)
        let others = all.withoutRepetitions.filter { place in
            place.part != .path && !bindings.bindings.contains { $0.place != place && $0.covers(place) }
        }
        return (names.indices.map { .path($0) } + others).flatMap { place -> [JSONValue] in
            guard let name = name(of: place, names) else { return [] }
            let own = bindings.bindings.filter { $0.place == place }
            return name.isEmpty ? own.flatMap { fields(of: $0) } : [item(name, place, own)]
        }
    }

    /// The name of what has that place; nil if it is no parameter.
    private func name(of place: RequestParts.Place, _ names: [String]) -> String? {
        switch place {
        case .path(let index): return names[index]
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

    /// What is at a place, as a parameter; `own` are the parameters that are found there.
    private func item(_ name: String, _ place: RequestParts.Place, _ own: [CallBinding]) -> JSONValue {
        let (declaration, places) = (description.declaration, description.places)
        let texts = original.filter { $0.place == place }.map { JSONValue($0.text) }
        let isConstant = bindings.constants.contains { $0.place == place }
        let isFixed = isConstant || bindings.headers.contains { $0.place == place }
        var isRequired = place.part == .path || own.contains { !$0.parameter.isOptional }
        var (style, example, source): (String?, JSONValue?, [Parameter]) = (nil, nil, [])
        let schema: JSONValue
        if place.isFile {
            schema = ["type": "string", "contentMediaType": "application/octet-stream"]
        } else if own.count == 1, let known = self.style(own[0]) {
            schema = writer.schema(shape(of: own[0].parameter))
            (style, example) = (
                known.nonEmpty, declaration.firstValue.parameters.first { $0.name == own[0].parameter.name }?.value
            )
        } else if !own.isEmpty {
            schema = ["type": "string", "pattern": JSONValue(pattern(own))]
            (example, source) = (texts.first, own.map(\.parameter))
        } else if isFixed, !SecretName.isCredential(name) {
            schema = ["const": texts.count == 1 ? texts[0] : JSONValue(texts)]
            isRequired = isRequired || isConstant
        } else {
            // Which of the parameters are in it is not known, but a field of one may be called like it.
            source = declaration.signature.parameters.filter { parameter in
                !bindings.bindings.contains { $0.parameter.name == parameter.name }
                    && places.places[parameter.name] != []
            }
            let field = source.flatMap { shape.directFields(of: shape(of: $0)) }.first { $0.key == name }
            schema = field.map { writer.schema($0.shape) } ?? ["type": "string"]
            isRequired = isRequired || field?.isOptional == false
        }
        let notes = own.compactMap { one in
            let remarks = description.parameters.first { $0.names == [one.parameter.name] }?.remarks.nonEmpty
            return remarks.map { own.count == 1 ? $0 : "\(one.parameter.name): \($0)" }
        }
        let isShown = !declaration.examples.isEmpty && !own.contains { places.credentials.contains($0.parameter.name) }
        let isMultiSegment = place.part == .path && places.template.contains("{+\(name)}")
        return JSONValue(members: [
            "name": name, "in": place.part.rawValue, "required": isRequired ? true : nil, "style": style,
            "explode": style.map { _ in own[0].separator == nil }, "schema": schema,
            "description": notes.joined(separator: "; ").nonEmpty, "example": isShown ? example : nil,
            "x-apictl-from": source.map(declaration.signature.shownName).nonEmpty,
            "x-multi-segment": isMultiSegment ? true : nil,
        ])
    }

    private func shape(of parameter: Parameter) -> Shape {
        shape.directFields(of: shape.root).first { $0.key == parameter.name }?.shape ?? .any
    }

    /// The fields of a parameter, which are the items of the query or of the form.
    private func fields(of whole: CallBinding) -> [JSONValue] {
        let nested = original.compactMap(\.place.name).filter { $0.contains("[") }.map { QueryItem.keys(of: $0)[0] }
        // Of one of several cases, and of what may be left out, no field is required.
        let isThere = if case .object = whole.parameter.type { !whole.parameter.isOptional } else { false }
        return shape.directFields(of: shape(of: whole.parameter)).map { field in
            let isNested = nested.contains(field.key) ? true : nil
            return JSONValue(members: [
                "name": field.key, "in": whole.place.part.rawValue,
                "required": isThere && !field.isOptional ? true : nil,
                "style": isNested.map { _ in "deepObject" }, "explode": isNested, "schema": writer.schema(field.shape),
            ])
        }
    }

    /// How several values of a parameter that has a place alone are written, empty for a single one; nil if OpenAPI can't say it.
    private func style(_ binding: CallBinding) -> String? {
        if binding.pattern.literals != [[], []] { return nil }
        if binding.nested != nil { return "deepObject" }
        guard binding.parameter.type.isArray else { return "" }
        // In a path or a header there is one way.
        if binding.place.name == nil { return binding.separator == "," ? "simple" : nil }
        return [nil: "form", ",": "form", " ": "spaceDelimited", "|": "pipeDelimited"][binding.separator]
    }

    /// A regular expression for a text that is made of parameters.
    private func pattern(_ own: [CallBinding]) -> String {
        let values = own.sorted { $0.index < $1.index }.map { binding in
            switch binding.parameter.type {
            case .integer: "-?[0-9]+"
            case .number: "-?[0-9]+(\\.[0-9]+)?"
            default: ".+"
            }
        }
        let literals = own[0].pattern.literals.map { literal in
            String(exactBytes: literal).map { "\\^$.|?*+()[]{}/".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        return "^\(zip(literals, values + [""]).map { $0 + $1 }.joined())$"
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
        let fields = items([]).filter { $0["in"] == "body" }.map { ($0["name"]?.string ?? "", $0) }
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
        guard let pages = endpoint.pages, let scheme = try? JSONValue(text: Coding().encode(pages.scheme)).pairs.first
        else { return nil }
        return JSONValue([("by", JSONValue(scheme.0))] + scheme.1.pairs + [("items", JSONValue(pages.items))])
    }
}
