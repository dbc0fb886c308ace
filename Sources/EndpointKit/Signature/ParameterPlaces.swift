import JSONText

/// Which parts of the request each parameter appears in, and the resulting path template.
///
/// The endpoint does not say: `"/movie/\(id)/videos"` only holds the value's text. So each parameter of an
/// example is changed in turn, and the parts of the request that change are its places.
package struct ParameterPlaces: Sendable, Equatable {
    /// A part of the request; the raw value is its name in a description.
    package enum Place: String, Sendable, Equatable {
        case path, query, header, body
    }

    /// The places of each parameter, by its Swift name.
    package private(set) var places: [String: [Place]] = [:]
    /// What is sent for parameters that are not given, by their Swift names: the 20 of `"limit": limit ?? 20`.
    package private(set) var defaults: [String: String] = [:]
    /// The parameters that are credentials, by their own names or by those of the headers and query items that they are sent in.
    package private(set) var credentials: Set<String> = []
    /// The path with `{name}` in place of parameters: `/movie/{id}/videos`; `{+name}` may be several segments, as in RFC 6570.
    package private(set) var template: String

    /// Finds the places by building the endpoint again with other values for each parameter.
    package init(of declaration: EndpointDeclaration) {
        let api = declaration.api
        let original = Parts(declaration.endpoint, of: api)
        let probe = ParameterProbe(declaration)
        var owners = [[String]](repeating: [], count: original.values.count)
        for parameter in declaration.signature.parameters {
            if SecretName.isCredential(parameter.name) { credentials.insert(parameter.name) }
            let without = parameter.isOptional ? probe.omission(of: parameter) : nil
            var found: Set<Place> = []
            var count = 0
            for change in probe.changes(of: parameter, or: without) {
                // A second value shows what the first one may hide; more are needed only if nothing has changed yet.
                if count > 1, !found.isEmpty { break }
                count += 1
                let changed = Parts(change.call.resolvedEndpoint, of: api)
                for (index, pair) in zip(original.values, changed.values).enumerated() where pair.0 != pair.1 {
                    if !owners[index].contains(parameter.name) { owners[index].append(parameter.name) }
                }
                if changed.values != original.values { found.insert(.path) }
                if changed.query != original.query { found.insert(.query) }
                if changed.headers != original.headers { found.insert(.header) }
                if changed.body != original.body { found.insert(.body) }
                if changed.sendsCredential(besides: original, declaration.endpoint, api) {
                    credentials.insert(parameter.name)
                }
                if count == 1, let without, change.texts.count == 1 {
                    defaults[parameter.name] = Parts(without.call.resolvedEndpoint, of: api)
                        .replacement(of: change.texts[0], in: changed)
                }
            }
            if count > 0 { places[parameter.name] = [.path, .query, .header, .body].filter(found.contains) }
        }
        let names = Dictionary(
            declaration.signature.parameters.map { ($0.name, declaration.signature.shownName(of: $0)) }
        ) { first, _ in first }
        template = Self.template(
            declaration.endpoint.path, owners: owners.map { $0.map { names[$0] ?? $0 }.joined(separator: ",") })
    }

    /// The template of `declaration`; parameters are only changed in turn if their example values are ambiguous.
    package static func template(of declaration: EndpointDeclaration) -> String {
        let texts = declaration.signature.parameters.compactMap { parameter in
            parameter.example.count == 1
                ? (declaration.signature.shownName(of: parameter), parameter.example[0]) : nil
        }
        return template(declaration.endpoint.path, texts) ?? ParameterPlaces(of: declaration).template
    }

    /// The template of `path`, which is the first example's; parameters are examined only if necessary.
    static func template(of path: Endpoint.Path, in endpointCase: EndpointCase) throws -> String {
        if path.values.isEmpty { return template(path, owners: []) }
        // The name of a value without a label takes the types of all parameters to find out.
        let texts = try CallValue.texts(of: endpointCase.examples[0], endpointCase.caseName).map { name, text in
            (name.first == "_" ? nil : KebabCase.text(name), text)
        }
        return try template(path, texts) ?? endpointCase.declaration().map(template) ?? ""
    }

    /// The template of `path` if each value in it is the text of exactly one parameter, whose name is known; otherwise nil.
    private static func template(_ path: Endpoint.Path, _ texts: [(name: String?, text: String)]) -> String? {
        var owners: [String] = []
        for value in path.values {
            let names = texts.filter { $0.text == value || Double($0.text) == Double(value) && Double(value) != nil }
                .map(\.name)
            guard names.count == 1, let name = names[0], !owners.contains(name) else { return nil }
            owners.append(name)
        }
        return template(path, owners: owners)
    }

    /// The template of `path`, with `owners` in place of its values.
    private static func template(_ path: Endpoint.Path, owners: [String]) -> String {
        var rest = owners[...]
        return path.pieces.reduce(into: "") { template, piece in
            switch piece {
            case .literal(let text):
                template += text
            case .value, .date: template += "{" + (rest.popFirst() ?? "") + "}"
            case .rest: template += "{+" + (rest.popFirst() ?? "") + "}"
            }
        }
    }
}

extension Endpoint.Path {
    /// The texts of the parameters in the path.
    fileprivate var values: [String] {
        pieces.compactMap { piece in
            switch piece {
            case .value(let text), .rest(let text): text
            case .literal, .date: nil
            }
        }
    }
}

/// The parts of an endpoint in which parameters can appear.
private struct Parts {
    var values: [String]
    var query: [QueryItem]
    var headers: [Header]
    var body: RequestBody?

    init(_ endpoint: Endpoint, of api: any API.Type) {
        values = endpoint.path.values
        query = endpoint.query.items
        headers = endpoint.headers.fields
        body = try? endpoint.body?.encoded(api.coding, boundary: "").body
    }

    /// Whether an item or header with the name of a credential is not the same as in `other`.
    func sendsCredential(besides other: Parts, _ endpoint: Endpoint, _ api: any API.Type) -> Bool {
        let items = query.filter { !other.query.contains($0) } + other.query.filter { !query.contains($0) }
        let fields = headers.filter { !other.headers.contains($0) } + other.headers.filter { !headers.contains($0) }
        return items.contains { api.isCredential(query: $0.name, of: endpoint) }
            || fields.contains { api.isCredential(header: $0.name, of: endpoint) }
    }

    /// What is here in the place that has `text` in `other`; nil if that is not one place, or nothing is here.
    func replacement(of text: String, in other: Parts) -> String? {
        var found: [String] = []
        for (own, others) in zip(values, other.values) where others == text { found.append(own) }
        for item in other.query where item.value.description == text {
            found += query.filter { $0.name == item.name }.map(\.value.description)
        }
        for header in other.headers where header.value.description == text {
            found += headers.filter { $0.isNamed(header.name) }.map(\.value.description)
        }
        return found.count == 1 && found[0] != text ? found[0] : nil
    }
}
