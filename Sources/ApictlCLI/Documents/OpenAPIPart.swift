import APIImport
import EndpointKit
import JSONText
import MockServer

/// An endpoint as a part of an OpenAPI document.
struct OpenAPIPart {
    let description: EndpointDescription
    let servers: [Server]
    let bodyShape: ModelShape?
    /// The parameters by their Swift names.
    let shape: ModelShape
    /// What is around the values of the path.
    let texts: [Substring]
    /// A name of its own for each value of the path.
    let names: [String]
    private let bindings: CallBindings
    /// The parameters' values in the first example.
    private let examples: [String: JSONValue]

    init(_ description: EndpointDescription, _ shape: ModelShape, _ servers: [Server]) {
        let declaration = description.declaration
        (self.description, self.servers, self.shape) = (description, servers, shape)
        bodyShape = description.bodyShape(shape)
        bindings = CallBindings(of: description.places.probe)
        let values = declaration.examples.isEmpty ? [] : declaration.firstValue.parameters
        examples = Dictionary(values.map { ($0.name, $0.value) }) { first, _ in first }
        let pieces = description.places.template.split(separator: "{", omittingEmptySubsequences: false).map {
            $0.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
        }
        texts = pieces.map { $0[$0.count - 1] }
        names = pieces.dropFirst().map { piece in
            let name = piece[0].drop { $0 == "+" }
            return name.isEmpty ? "value" : String(name.replacing(",", with: "-"))
        }.numbered("-")
    }

    var api: any API.Type { description.api }
    var endpoint: Endpoint { description.endpoint }
    private var original: RequestParts? { bindings.original }
    private var signature: Signature { description.declaration.signature }

    /// The path with the names of its values.
    var path: String {
        let path = zip(texts, names.map { "{\($0)}" } + [""]).map { $0 + $1 }.joined()
        return path.hasPrefix("/") ? path : "/" + path
    }

    // MARK: Parameters

    /// The values of the path under those names, query items and headers.
    func parameters(_ names: [String], _ models: ModelNames) -> [JSONValue] {
        let values = names.enumerated().map { index, name in
            var item = item(.path(index), name, models)
            item.isRequired = true
            item.isMultiSegment = description.places.template.contains("{+\(name)}")
            return item.parameter("path", name)
        }
        return values
            + places.compactMap { place -> JSONValue? in
                switch place {
                case .query(""):
                    // The fields of a parameter are the query items.
                    let whole = bindings.bindings.first { $0.place == place }
                    return item(place, "", models)
                        .parameter("query", whole.map { signature.shownName(of: $0.parameter) } ?? "")
                case .query(let name): return item(place, name, models).parameter("query", name)
                case .header(let name): return header(name).map { item(place, $0, models).parameter("header", $0) }
                default: return nil
                }
            }
    }

    /// The places of parameters and of what is always the same, in their order.
    private var places: [RequestParts.Place] {
        let all =
            bindings.bindings.map(\.place) + bindings.constants.map(\.place) + (original?.items.map(\.place) ?? [])
        return all.withoutRepetitions.filter { place in
            !bindings.bindings.contains { $0.place != place && $0.covers(place) }
        }
    }

    /// The name of a header as it is declared; nil if it is no parameter.
    private func header(_ name: String) -> String? {
        // OpenAPI has other places for these (section 4.8.12.2).
        if ["accept", "content-type", "authorization"].contains(name) { return nil }
        if let header = api.fields(of: endpoint).first(where: { $0.isNamed(name) }) { return header.name }
        guard bindings.bindings.contains(where: { $0.place == .header(name) }) else { return nil }
        return name.split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    /// A text in a request.
    private struct Item {
        var schema: JSONMembers = []
        var isRequired = false
        /// How several values are written, and whether each is an item of its own.
        var style: (name: String, explode: Bool)?
        var note: String?
        var example: JSONValue?
        /// The parameters that the text is made of.
        var source: [String]?
        var isMultiSegment = false

        func parameter(_ place: JSONValue, _ name: String) -> JSONValue {
            JSONValue(members: [
                "name": JSONValue(name), "in": place, "required": isRequired ? .some(true) : .none,
                "style": style.map { JSONValue($0.name) }, "explode": style.map { JSONValue($0.explode) },
                "schema": JSONValue(schema), "description": note.map { JSONValue($0) }, "example": example,
                "x-apictl-from": source.map { JSONValue($0.map { JSONValue($0) }) },
                "x-multi-segment": isMultiSegment ? .some(true) : .none,
            ])
        }
    }

    /// The fields of a parameter that is a structure.
    private func fields(of parameter: Parameter) -> [Shape.Field] {
        shape.directFields(of: shape.root).filter { $0.key == parameter.name }
            .flatMap { shape.directFields(of: $0.shape) }
    }

    /// What may be at a place.
    private func item(_ place: RequestParts.Place, _ name: String, _ models: ModelNames) -> Item {
        let own = bindings.bindings.filter { $0.place == place }
        let texts = original?.texts(at: place) ?? []
        guard let first = own.first else {
            let isConstant = bindings.constants.contains { $0.place == place }
            if isConstant || bindings.headers.contains(where: { $0.place == place }), !SecretName.isCredential(name) {
                let values = texts.map { JSONValue($0) }
                let value = values.count == 1 ? values[0] : JSONValue(values)
                return Item(schema: [("const", value)], isRequired: isConstant)
            }
            // Which of the parameters are in it is not known, but a field of one may be called like it.
            let bound = bindings.bindings.map(\.parameter.name)
            let unknown = signature.parameters.filter { parameter in
                !bound.contains(parameter.name) && description.places.places[parameter.name] != []
            }
            let field = place.isFile ? nil : unknown.lazy.flatMap(fields).first { $0.key == name }
            let schema = field.map { models.writer(of: api, .request).members($0.shape) }
            return Item(
                schema: schema ?? [("type", "string")], isRequired: field?.isOptional == false,
                source: unknown.map(signature.shownName).nonEmpty)
        }
        var item = Item(isRequired: own.contains { !$0.parameter.isOptional })
        item.note = own.flatMap { notes(on: $0.parameter, isAlone: own.count == 1) }.joined(separator: "; ").nonEmpty
        if place.isFile {
            item.schema = [("type", "string"), ("contentMediaType", "application/octet-stream")]
            return item
        }
        let isSecret = own.contains { description.places.credentials.contains($0.parameter.name) }
        if own.count == 1, first.pattern.literals == [[], []], let (schema, style) = value(first, models) {
            (item.schema, item.style) = (schema, style)
            item.example = isSecret ? nil : examples[first.parameter.name]
            return item
        }
        let pattern = own.sorted { $0.index < $1.index }.map { binding in
            switch binding.parameter.type {
            case .integer: "-?[0-9]+"
            case .number: "-?[0-9]+(\\.[0-9]+)?"
            default: ".+"
            }
        }
        let literals = first.pattern.literals.map { literal in
            String(exactBytes: literal).map { "\\^$.|?*+()[]{}/".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        let regex = zip(literals, pattern + [""]).map { $0 + $1 }.joined()
        item.schema = [("type", "string"), ("pattern", JSONValue("^\(regex)$"))]
        item.example = isSecret || examples.isEmpty ? nil : texts.first.map { JSONValue($0) }
        item.source = own.map { signature.shownName(of: $0.parameter) }
        return item
    }

    /// What is declared about a parameter, and which others it can't be used with.
    private func notes(on parameter: Parameter, isAlone: Bool) -> [String] {
        let others = exclusive.filter { $0.contains(flagName(parameter.name)) }.flatMap(\.self)
            .filter { $0 != flagName(parameter.name) }
        let excluded = others.isEmpty ? nil : "not with " + others.joined(separator: ", ")
        return [endpoint.notes[parameter.name], excluded].compactMap(\.self).map {
            isAlone ? $0 : "\(parameter.name): \($0)"
        }
    }

    /// Parameters of which at most one is given.
    var exclusive: [[String]] {
        endpoint.rules.compactMap { if case .exclusive(let names) = $0.kind { names.map(flagName) } else { nil } }
    }

    private func flagName(_ key: String) -> String { signature.flagName(key.split(separator: ".").map(String.init)) }

    /// The schema of a parameter that has a place alone, and how several values are written; nil if that can't be said.
    private func value(
        _ binding: CallBinding, _ models: ModelNames
    ) -> (schema: JSONMembers, style: (name: String, explode: Bool)?)? {
        let name = binding.parameter.name
        guard let field = shape.directFields(of: shape.root).first(where: { $0.key == name }) else { return nil }
        let schema = models.writer(of: api, .request).members(field.shape)
        if binding.nested != nil { return (schema, (binding.place.name == "" ? "form" : "deepObject", true)) }
        guard binding.parameter.type.isArray else { return (schema, nil) }
        let styles = [nil: "form", ",": "form", " ": "spaceDelimited", "|": "pipeDelimited"]
        // In a path or a header there is one way.
        let style = binding.place.name != nil ? styles[binding.separator] : binding.separator == "," ? "simple" : nil
        return style.map { (schema, ($0, binding.separator == nil)) }
    }

    // MARK: Bodies

    func body(_ models: ModelNames) -> JSONValue? {
        guard let body = description.places.endpoint.body else { return nil }
        let content: JSONValue =
            switch bindings.form {
            case .form, .multipart: form(models)
            case .json:
                JSONValue(members: [
                    "schema": bodyShape.map { JSONValue(models.writer(of: api, .request).members($0)) }
                ])
            // An empty body is none.
            default: if case .text = body { ["schema": ["type": "string", "minLength": 1]] } else { [:] }
            }
        let type = api.fields(of: endpoint).first { $0.isNamed("Content-Type") }?.value.description
        // A body that is made of optional parameters alone may be left out.
        let inBody = bindings.bindings.filter { $0.place.part == .body }
        let isRequired = inBody.isEmpty || inBody.contains { !$0.parameter.isOptional }
        return JSONValue(members: [
            "required": isRequired ? .some(true) : .none, "content": JSONValue([(type ?? body.contentType, content)]),
        ])
    }

    /// The schema of a form, and how its lists are written.
    private func form(_ models: ModelNames) -> JSONValue {
        var (properties, required, encoding): (JSONMembers, [JSONValue], JSONMembers) = ([], [], [])
        for place in places {
            let name: String
            switch place {
            case .field(let field), .file(let field): name = field
            default: continue
            }
            if name.isEmpty, let whole = bindings.bindings.first(where: { $0.place == place }) {
                // The fields of a parameter are those of the form.
                let fields = fields(of: whole.parameter)
                let writer = models.writer(of: api, .request)
                properties += fields.map { ($0.key, writer.schema($0.shape)) }
                required += fields.filter { !$0.isOptional }.map { JSONValue($0.key) }
                let nested = (original?.items ?? []).compactMap(\.place.name).filter { $0.contains("[") }
                let names = nested.map { QueryItem.keys(of: $0)[0] }.withoutRepetitions
                encoding += names.map { ($0, ["style": "deepObject", "explode": true]) }
                continue
            }
            let item = item(place, name, models)
            let note = item.note.map { [("description", JSONValue($0))] } ?? []
            properties.append((name, JSONValue(item.schema + note)))
            if item.isRequired { required.append(JSONValue(name)) }
            if let style = item.style {
                encoding.append((name, ["style": JSONValue(style.name), "explode": JSONValue(style.explode)]))
            }
        }
        let schema = JSONValue(members: [
            "type": "object", "properties": JSONValue(properties), "required": required.nonEmpty.map { JSONValue($0) },
        ])
        return JSONValue(members: ["schema": schema, "encoding": encoding.nonEmpty.map { JSONValue($0) }])
    }

    // MARK: Responses

    func responses(_ models: ModelNames) -> JSONValue {
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
            // Without secrets.
            let clean = sample.flatMap { try? JSONValue(text: BodyToken.removed(from: $0.bytes, $0.contentType)) }
            let example = clean.map { JSONValue(members: [description.name: JSONValue(members: ["value": $0])]) }
            let head = ResponseHead(
                status: 200, fields: sample.map { [ResponseHead.Field("Content-Type", $0.contentType)] } ?? [])
            content = media(head.mediaType ?? "application/json", description.responseShape, example)
        }
        let (status, words): (String, JSONValue) = endpoint.isBodiless ? ("204", "No content") : ("200", "OK")
        let failure = description.errorShape.map { media("application/json", $0) }
        return JSONValue([
            (status, JSONValue(members: ["description": words, "content": content])),
            ("default", JSONValue(members: ["description": "A failure", "content": failure])),
        ])
    }

    /// How the next page is found; nil if the response is not a page.
    var pages: JSONValue? {
        endpoint.pages.map { pages in
            let members: [(String, String?)] =
                switch pages.scheme {
                case .number(let parameter, let last): [("by", "number"), ("parameter", parameter), ("last", last)]
                case .cursor(let parameter, let from, let more):
                    [("by", "cursor"), ("parameter", parameter), ("from", from), ("more", more)]
                case .link(let from): [("by", "link"), ("from", from)]
                case .header(let name, let parameter):
                    [("by", "header"), ("header", name), ("parameter", parameter)]
                }
            return JSONValue(
                (members + [("items", pages.items)]).compactMap { key, text in
                    text.map { (key, JSONValue($0)) }
                })
        }
    }
}
