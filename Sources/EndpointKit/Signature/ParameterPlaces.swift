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

    /// Finds the places by building the endpoint once per parameter, with a different value for it.
    package init(of declaration: EndpointDeclaration) {
        let original = Parts(declaration.endpoint, of: declaration.api)
        var owners = [[String]](repeating: [], count: original.values.count)
        for parameter in declaration.signature.parameters {
            if SecretName.isCredential(parameter.name) { credentials.insert(parameter.name) }
            guard let (other, text) = declaration.changing(parameter) else { continue }
            let changed = Parts(other.resolvedEndpoint, of: declaration.api)
            var found: [Place] = []
            if changed.values != original.values {
                found.append(.path)
                for (index, pair) in zip(original.values, changed.values).enumerated() where pair.0 != pair.1 {
                    owners[index].append(parameter.name)
                }
            }
            if changed.query != original.query { found.append(.query) }
            if changed.headers != original.headers { found.append(.header) }
            if changed.body != original.body { found.append(.body) }
            places[parameter.name] = found
            if changed.credentials != original.credentials { credentials.insert(parameter.name) }
            if parameter.isOptional, let text, let other = declaration.omitting(parameter) {
                defaults[parameter.name] = Parts(other.resolvedEndpoint, of: declaration.api)
                    .replacement(of: text, in: changed)
            }
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
    static func template(of path: Endpoint.Path, in group: ExampleGroup) throws -> String {
        if path.values.isEmpty { return template(path, owners: []) }
        // The name of a value without a label takes the types of all parameters to find out.
        let texts = try Signature.texts(of: group.examples[0]).map { name, text in
            (name.first == "_" ? nil : KebabCase.text(name), text)
        }
        return try template(path, texts) ?? template(of: group.declaration())
    }

    /// The template of `path` if each value in it is the text of exactly one parameter, whose name is known; otherwise nil.
    private static func template(_ path: Endpoint.Path, _ texts: [(name: String?, text: String)]) -> String? {
        var owners: [String] = []
        for value in path.values {
            let names = texts.filter { $0.text == value }.map(\.name)
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
    /// The values in ``query`` and ``headers`` under names of credentials.
    var credentials: [SensitiveText]

    init(_ endpoint: Endpoint, of api: any API.Type) {
        values = endpoint.path.values
        query = endpoint.query.items
        headers = endpoint.headers.fields
        body = try? endpoint.body?.encoded(api.coding, boundary: "").body
        credentials =
            query.filter { api.isCredential(query: $0.name, of: endpoint) }.map(\.value)
            + headers.filter { api.isCredential(header: $0.name, of: endpoint) }.map(\.value)
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

extension EndpointDeclaration {
    /// The first example with a different value for `parameter`, and its text; nil if none is found.
    fileprivate func changing(_ parameter: Parameter) -> (call: any API, text: String?)? {
        for text in parameter.otherTexts {
            var arguments = signature.parameters.filter { $0.name != parameter.name }.flatMap(\.exampleArguments)
            arguments += parameter.arguments([text])
            if let call = try? api.decode(case: signature.caseName, from: arguments) { return (call, text) }
        }
        // A structure without an example value, or a list of structures: omitting it is a change too.
        return omitting(parameter).map { ($0, nil) }
    }

    /// The first example without a value for `parameter`; nil if it needs one.
    fileprivate func omitting(_ parameter: Parameter) -> (any API)? {
        guard parameter.isOptional else { return nil }
        let without = signature.parameters.filter { $0.name != parameter.name }.flatMap(\.exampleArguments)
        return try? api.decode(case: signature.caseName, from: without)
    }
}

extension Parameter {
    /// The example's value as arguments.
    package var exampleArguments: [Argument] {
        // A list that is not nil may be empty.
        if example.isEmpty, type.isArray, !isOptional {
            return [Argument([name], .json(Array("[]".utf8), source: "example"))]
        }
        return arguments(example)
    }

    fileprivate func arguments(_ texts: [String]) -> [Argument] {
        texts.map { text in
            guard type.isDictionary else { return Argument([name], argumentValue(text)) }
            return MemberText(text).map { Argument([name, $0.key], $0.value) }
                ?? Argument([name], .json(text.exactBytes, source: "example"))
        }
    }

    fileprivate func argumentValue(_ text: String) -> Argument.Value {
        type.isJSON ? .json(Array(text.utf8), source: "example") : .text(text)
    }

    /// Candidates for a value different from the example's.
    fileprivate var otherTexts: [String] {
        let own = example.first ?? ""
        let all: [String] =
            switch type.element {
            case .bool: ["true", "false"]
            case .integer, .number: ["1", "2", "3"]
            case .string: [own + "x"]
            case .url: [own + "x", "https://example.com/"]
            case .uuid: ["00000000-0000-0000-0000-000000000000"]
            case .date: ["2001-01-01T00:00:00Z"]
            case .choice(let values): values
            case .object(let fields):
                Self.otherObjects(type.isArray ? [] : fields, than: own) + Self.otherTexts(than: own)
            case .variants: Self.otherTexts(than: own)
            case .dictionary: example.isEmpty ? ["a=1", #"{"a":"x"}"#] : ["{}"]
            case .json: ["0", "1", #"{"a":1}"#]
            case .array: []
            }
        return all.filter { $0 != own }
    }

    /// Copies of the JSON `text` in which one scalar is another one.
    private static func otherTexts(than text: String) -> [String] {
        JSONValue(text: text).map { others(than: $0).map(\.description) } ?? []
    }

    /// Copies of `value` in which one scalar is another one.
    private static func others(than value: JSONValue) -> [JSONValue] {
        switch value.content {
        case .null: []
        case .bool(let value): [JSONValue(!value)]
        case .number(let text): ["1", "2"].filter { $0 != text }.compactMap { JSONValue(text: $0) }
        case .string(let text): [JSONValue(text + "x")]
        case .array(let elements):
            // The others are of the same type.
            elements.first { _ in true }.map { first in
                others(than: first).map { JSONValue([$0] + elements.dropFirst()) }
            } ?? []
        case .object(let members):
            members.flatMap { changed in
                others(than: changed.value).map { other in
                    JSONValue(members.map { ($0.key, $0.key == changed.key ? other : $0.value) })
                }
            }
        }
    }

    /// Copies of the object `example` in which one field has a different value.
    private static func otherObjects(_ fields: [Parameter], than example: String) -> [String] {
        guard let members = JSONValue(text: example)?.members else { return [] }
        return fields.flatMap { field in
            field.otherTexts.flatMap(field.jsonValues).map { value in
                let others = members.filter { $0.key != field.name }
                return JSONValue(others + [(field.name, value)]).description
            }
        }
    }

    /// `text` parsed as JSON, and as a JSON string.
    private func jsonValues(_ text: String) -> [JSONValue] {
        let values = [JSONValue(text: text), JSONValue(text)].compactMap { $0 }
        return type.isArray ? values.map { JSONValue([$0]) } : values
    }
}

extension JSONValue {
    /// The value of a JSON text; nil if it is not JSON.
    fileprivate init?(text: String) {
        guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
        self.init(document)
    }
}

extension ParameterType {
    /// The type of a single value: for an array, its element type.
    package var element: ParameterType {
        if case .array(let element) = self { element } else { self }
    }
}
