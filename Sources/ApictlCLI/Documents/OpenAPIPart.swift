import APIImport
import EndpointKit
import JSONText
import MockServer

/// An endpoint as a part of an OpenAPI document.
struct OpenAPIPart {
    let description: EndpointDescription
    let api: any API.Type
    private let bindings: CallBindings
    /// The first example's request.
    private let original: CallParts?
    /// The sample without secrets; nil if it is not JSON.
    let sample: [UInt8]?
    let response: ModelShape?
    let error: ModelShape?
    let bodyShape: ModelShape?
    /// The parameters by their Swift names.
    let shape: ModelShape
    /// The parameters' values in the first example.
    private let examples: [String: JSONValue]

    init(_ description: EndpointDescription) {
        let declaration = description.declaration
        (self.description, api, bindings) = (description, declaration.api, description.bindings)
        original = try? CallParts(description.places.endpoint, of: api)
        (response, bodyShape) = (description.responseShape, description.bodyShape)
        error = api.errorModel.flatMap { ResponseModel($0).shape(coding: declaration.api.coding) }
        shape = (try? declaration.parameterShape()) ?? ModelShape(root: .any, models: [])
        let clean = description.endpoint.sample.map { BodyToken.removed(from: $0.bytes, $0.contentType) }
        sample =
            description.endpoint.response.kind == .json
            ? clean.flatMap { (try? JSONValue(text: $0)) == nil ? nil : $0 } : nil
        let values = try? declaration.examples.first.map { try CallValue.parameters(of: $0) }
        examples = Dictionary((values ?? []).map { ($0.name, $0.value) }) { first, _ in first }
    }

    private var endpoint: Endpoint { description.endpoint }
    private var signature: Signature { description.declaration.signature }

    /// The path with a name of its own for each value, and the path without names.
    var template: (key: String, path: String) {
        let names = Self.names(in: description.path).map { $0.first == "+" ? String($0.dropFirst()) : $0 }
        let known = names.map { $0.isEmpty ? "value" : $0.replacing(",", with: "-") }.numbered("-")
        let texts = description.path.split(separator: "{", omittingEmptySubsequences: false).enumerated().map {
            $0 == 0 ? $1 : $1.drop { $0 != "}" }.dropFirst()
        }
        let path = zip(texts, known.map { "{\($0)}" } + [""]).map { $0 + $1 }.joined()
        return (texts.joined(separator: "{}"), path.hasPrefix("/") ? path : "/" + path)
    }

    /// The names of a path's values.
    static func names(in path: String) -> [String] {
        path.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { String($0.prefix { $0 != "}" }) }
    }

    // MARK: Parameters

    /// The values of the path under those names, query items and headers.
    func parameters(_ names: [String], _ components: OpenAPIComponents) -> [JSONValue] {
        let others = places.compactMap { place -> JSONValue? in
            switch place {
            case .query(let name): item(place, name, components).parameter("query", name.isEmpty ? whole(place) : name)
            case .header(let name): header(name).map { item(place, $0, components).parameter("header", $0) }
            default: nil
            }
        }
        return names.enumerated().map { index, name in
            var item = item(.path(index), name, components)
            item.isRequired = true
            if description.path.contains("{+\(name)}") { item.notes.append(("x-multi-segment", true)) }
            return item.parameter("path", name)
        } + others
    }

    /// The places of parameters and of what is always the same, in their order.
    private var places: [CallParts.Place] {
        let all =
            bindings.bindings.map(\.place) + bindings.constants.map(\.place) + (original?.items.map(\.place) ?? [])
        return all.withoutRepetitions.filter { place in
            !bindings.bindings.contains { $0.place != place && $0.covers(place) }
        }
    }

    /// The name of the parameter whose fields have places of their own.
    private func whole(_ place: CallParts.Place) -> String {
        bindings.bindings.first { $0.place == place }.map { signature.shownName(of: $0.parameter) } ?? ""
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
        var schema: JSONMembers
        var isRequired = false
        var style: JSONMembers = []
        var notes: JSONMembers = []

        func parameter(_ place: String, _ name: String) -> JSONValue {
            JSONValue(
                [("name", JSONValue(name)), ("in", JSONValue(place))] + (isRequired ? [("required", true)] : [])
                    + style + [("schema", JSONValue(schema))] + notes)
        }
    }

    /// What may be at a place.
    private func item(_ place: CallParts.Place, _ name: String, _ components: OpenAPIComponents) -> Item {
        let own = bindings.bindings.filter { $0.place == place }
        let texts = original?.texts(at: place) ?? []
        guard let first = own.first else {
            let isConstant = bindings.constants.contains { $0.place == place }
            if isConstant || bindings.headers.contains(where: { $0.place == place }), !SecretName.isCredential(name) {
                let values = texts.map { JSONValue($0) }
                let value = values.count == 1 ? values[0] : JSONValue(values)
                return Item(schema: [("const", value)], isRequired: isConstant)
            }
            // Which of the parameters are in it is not known.
            let bound = bindings.bindings.map(\.parameter.name)
            let unknown = signature.parameters.filter { parameter in
                !bound.contains(parameter.name) && description.places.places[parameter.name] != []
            }
            return Item(schema: [("type", "string")], notes: source(unknown))
        }
        let notes = own.compactMap { binding in
            endpoint.notes[binding.parameter.name].map { own.count == 1 ? $0 : "\(binding.parameter.name): \($0)" }
        }
        let isSecret = own.contains { description.places.credentials.contains($0.parameter.name) }
        let described = OpenAPIWriter.text("description", notes.joined(separator: "; "))
        let isRequired = own.contains { !$0.parameter.isOptional }
        if place.isFile {
            return Item(
                schema: [("type", "string"), ("contentMediaType", "application/octet-stream")], isRequired: isRequired,
                notes: described)
        }
        if own.count == 1, first.pattern.literals == [[], []], let (schema, style) = value(first, place, components) {
            let example = isSecret ? nil : examples[first.parameter.name]
            return Item(
                schema: schema, isRequired: isRequired, style: style,
                notes: described + (example.map { [("example", $0)] } ?? []))
        }
        let pattern = own.sorted { $0.index < $1.index }.map { binding in
            switch binding.parameter.type {
            case .integer: "-?[0-9]+"
            case .number: "-?[0-9]+(\\.[0-9]+)?"
            default: ".+"
            }
        }
        let literals = first.pattern.literals.map { Self.escaped(String(exactBytes: $0)) }
        let regex = zip(literals, pattern + [""]).map { $0 + $1 }.joined()
        let example = isSecret || examples.isEmpty ? nil : texts.first.map { JSONValue($0) }
        return Item(
            schema: [("type", "string"), ("pattern", JSONValue("^\(regex)$"))], isRequired: isRequired,
            notes: described + (example.map { [("example", $0)] } ?? []) + source(own.map(\.parameter)))
    }

    /// The parameters that a text is made of.
    private func source(_ parameters: [Parameter]) -> JSONMembers {
        parameters.isEmpty
            ? [] : [("x-apictl-from", JSONValue(parameters.map { JSONValue(signature.shownName(of: $0)) }))]
    }

    private static func escaped(_ text: String) -> String {
        text.map { "\\^$.|?*+()[]{}/".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    /// The schema of a parameter that has a place alone, and how several values are written; nil if that can't be said.
    private func value(
        _ binding: CallBinding, _ place: CallParts.Place, _ components: OpenAPIComponents
    ) -> (JSONMembers, style: JSONMembers)? {
        let name = binding.parameter.name
        guard let field = shape.directFields(of: shape.root).first(where: { $0.key == name }) else { return nil }
        let schema = components.writer(shape, api.name, .request).schema(field.shape)
        let members = bounded(schema, at: place).pairs
        if binding.nested != nil {
            return (members, [("style", place.name == "" ? "form" : "deepObject"), ("explode", true)])
        }
        guard binding.parameter.type.isArray else { return (members, []) }
        let isForm = if case .header = place { false } else if case .path = place { false } else { true }
        switch (binding.separator, isForm) {
        case (nil, true): return (members, [("style", "form"), ("explode", true)])
        case (",", _): return (members, [("style", isForm ? "form" : "simple"), ("explode", false)])
        case (" ", true): return (members, [("style", "spaceDelimited"), ("explode", false)])
        case ("|", true): return (members, [("style", "pipeDelimited"), ("explode", false)])
        default: return nil
        }
    }

    /// The schema of what is at a place, with the bounds that rules have for it and what is in it.
    private func bounded(_ schema: JSONValue, at place: CallParts.Place) -> JSONValue {
        endpoint.rules.reduce(schema) { schema, rule in
            guard case .range(let key, let range) = rule.kind, let field = signature.field(named: key),
                let binding = bindings.bindings.first(where: { $0.parameter.name == field.path[0] }),
                // Where a field with a converted key is, is not known.
                field.path.count == 1 || api.coding.keepsKeys
            else { return schema }
            var keys = field.path.dropFirst()
            if case .json(let place) = binding.place { keys = place + keys }
            guard place == binding.place || place == .json([]) && binding.place.isInBody else { return schema }
            let type = field.parameter.type
            let plain: JSONValue =
                type.isArray ? ["items": [:]] : type.isDictionary ? ["additionalProperties": [:]] : [:]
            let bounds = Self.bounded(plain, range)
            return schema.adding(
                keys.reversed().reduce(bounds) { schema, name in
                    name == Signature.anyPosition
                        ? ["items": schema] : JSONValue([("properties", JSONValue([(name, schema)]))])
                })
        }
    }

    /// A schema of a number, or of several of them, within bounds.
    static func bounded(_ schema: JSONValue, _ range: ClosedRange<Double>?) -> JSONValue {
        guard let range else { return schema }
        let known = [("minimum", range.lowerBound), ("maximum", range.upperBound)].filter { $0.1.isFinite }
        let bounds = JSONValue(known.map { ($0, Int(exactly: $1).map { JSONValue($0) } ?? JSONValue($1)) })
        let inner = ["items", "additionalProperties"].first { schema[$0] != nil }
        return schema.adding(inner.map { JSONValue([($0, bounds)]) } ?? bounds)
    }

    // MARK: Bodies

    func body(_ components: OpenAPIComponents) -> JSONValue? {
        guard let body = description.places.endpoint.body else { return nil }
        let type = api.fields(of: endpoint).first { $0.isNamed("Content-Type") }?.value.description
        var content: JSONMembers = []
        switch bindings.form {
        case .form, .multipart:
            let (schema, encoding) = fields(components)
            content = [("schema", schema)] + (encoding.isEmpty ? [] : [("encoding", JSONValue(encoding))])
        case .json:
            content = bodyShape.map { [("schema", json($0, components))] } ?? []
        default:
            // An empty body is none.
            if case .text = body { content = [("schema", ["type": "string", "minLength": 1])] }
        }
        // A body that is made of optional parameters alone may be left out.
        let inBody = bindings.bindings.filter { $0.place.isInBody }
        let isRequired = inBody.isEmpty || inBody.contains { !$0.parameter.isOptional }
        return JSONValue(
            (isRequired ? [("required", true)] : [])
                + [("content", JSONValue([(type ?? body.contentType, JSONValue(content))]))])
    }

    /// The schema of a form, and how its lists are written.
    private func fields(_ components: OpenAPIComponents) -> (JSONValue, encoding: JSONMembers) {
        var (properties, required, encoding): (JSONMembers, [JSONValue], JSONMembers) = ([], [], [])
        for place in places {
            guard let name = place.partName else { continue }
            if name.isEmpty, let whole = bindings.bindings.first(where: { $0.place == place }) {
                let own = shape.directFields(of: shape.root).filter { $0.key == whole.parameter.name }
                let fields = own.flatMap { shape.directFields(of: $0.shape) }
                let schema = components.writer(shape, api.name, .request).members(fields)
                properties += schema.first { $0.0 == "properties" }?.1.pairs ?? []
                required += schema.first { $0.0 == "required" }?.1.elements ?? []
                let nested = (original?.items ?? []).compactMap(\.place.name).filter { $0.contains("[") }
                let names = nested.map { QueryItem.keys(of: $0)[0] }.withoutRepetitions
                encoding += names.map { ($0, ["style": "deepObject", "explode": true]) }
                continue
            }
            let item = item(place, name, components)
            properties.append((name, JSONValue(item.schema + item.notes.filter { $0.0 == "description" })))
            if item.isRequired { required.append(JSONValue(name)) }
            if !item.style.isEmpty { encoding.append((name, JSONValue(item.style))) }
        }
        let schema: JSONMembers = [("type", "object"), ("properties", JSONValue(properties))]
        return (JSONValue(schema + (required.isEmpty ? [] : [("required", JSONValue(required))])), encoding)
    }

    /// The schema of a JSON body, with the bounds of what is in it.
    private func json(_ shape: ModelShape, _ components: OpenAPIComponents) -> JSONValue {
        let writer = components.writer(shape, api.name, .request)
        guard case .object(let fields) = shape.root else { return bounded(writer.schema(shape.root), at: .json([])) }
        // An object that is made of parameters: unknown keys are ignored, and null is what is absent.
        let members = fields.map { field in
            let constant = bindings.members.first { $0.key == field.key }
            return constant.map { Shape.Field(key: $0.key, shape: .values([$0.value]), isOptional: false) } ?? field
        }
        return bounded(JSONValue(writer.members(members, nullable: true)), at: .json([]))
    }

    // MARK: Responses

    static let sampleMark = "\u{10FFFD}"

    /// Stands for the sample in the document.
    var mark: String { Self.sampleMark + description.name }

    func responses(_ components: OpenAPIComponents) -> JSONValue {
        var responses: JSONMembers = []
        let sample = endpoint.sample
        switch endpoint.response.kind {
        case .empty:
            responses = [endpoint.isBodiless ? ("204", ["description": "No content"]) : ("200", ["description": "OK"])]
        case .bytes:
            let isTyped = sample?.contentType != ""
            responses = [("200", isTyped ? ["description": "OK", "content": ["*/*": [:]]] : ["description": "OK"])]
        case .json:
            let type = sample.map { ResponseHead.Field("Content-Type", $0.contentType) }
            let head = ResponseHead(status: 200, fields: type.map { [$0] } ?? [])
            let schema = response.map { components.writer($0, api.name, .response).schema($0.root) } ?? [:]
            var content: JSONMembers = [("schema", schema)]
            if self.sample != nil {
                let example = JSONValue([("value", JSONValue(mark))])
                content.append(("examples", JSONValue([(description.name, example)])))
            }
            let media = JSONValue([(head.mediaType ?? "application/json", JSONValue(content))])
            responses = [("200", ["description": "OK", "content": media])]
        }
        var failure: JSONMembers = [("description", "A failure")]
        if let error {
            let schema = components.writer(error, api.name, .response).schema(error.root)
            failure.append(("content", ["application/json": JSONValue([("schema", schema)])]))
        }
        return JSONValue(responses + [("default", JSONValue(failure))])
    }

    /// How the next page is found; nil if the response is not a page.
    var pages: JSONValue? {
        endpoint.pages.map { pages in
            let scheme: JSONMembers =
                switch pages.scheme {
                case .number(let parameter, let last):
                    [("by", "number"), ("parameter", JSONValue(parameter))] + OpenAPIWriter.text("last", last ?? "")
                case .cursor(let parameter, let from, let more):
                    [("by", "cursor"), ("parameter", JSONValue(parameter)), ("from", JSONValue(from))]
                        + OpenAPIWriter.text("more", more ?? "")
                case .link(let from): [("by", "link")] + OpenAPIWriter.text("from", from ?? "")
                case .header(let name, let parameter):
                    [("by", "header"), ("header", JSONValue(name)), ("parameter", JSONValue(parameter))]
                }
            return JSONValue(scheme + [("items", JSONValue(pages.items))])
        }
    }
}

extension CallParts.Place {
    /// The name of a part of a form.
    fileprivate var partName: String? {
        switch self {
        case .field(let name), .file(let name): name
        default: nil
        }
    }
}

extension JSONValue {
    /// This schema with what another one says besides.
    fileprivate func adding(_ other: JSONValue) -> JSONValue {
        guard let members, other.members != nil else { return other }
        let own = members.map { key, value in (key, other[key].map { value.adding($0) } ?? value) }
        return JSONValue(own + other.pairs.filter { self[$0.0] == nil })
    }
}

extension Endpoint {
    /// The bounds that a rule has for the parameter or field `key`.
    func range(of key: String) -> ClosedRange<Double>? {
        for case .range(key, let range) in rules.map(\.kind) { return range }
        return nil
    }
}

extension Coding {
    fileprivate var keepsKeys: Bool { if case .useDefaultKeys = keys { true } else { false } }
}
