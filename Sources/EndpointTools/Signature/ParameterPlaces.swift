import EndpointKit
import JSONText

/// Which parts of the request each parameter appears in, and the resulting path template.
///
/// The endpoint does not say: `"/movie/\(id)/videos"` only holds the value's text. So each parameter of a
/// call is changed in turn, and the parts of the request that change are its places.
package struct ParameterPlaces: Sendable {
    /// A part of the request; the raw value is its name in a description.
    package enum Place: String, Sendable, Equatable {
        case path, query, header, body
    }

    /// The calls that show the places; they have a body if any has.
    package let probe: ParameterProbe
    /// The endpoint of the call whose parameters were changed.
    package let endpoint: Endpoint
    /// The places of each parameter, by its Swift name.
    package private(set) var places: [String: [Place]] = [:]
    /// What is sent for parameters that are not given, by their Swift names: the 20 of `"limit": limit ?? 20`.
    package private(set) var defaults: [String: String] = [:]
    /// The parameters that are credentials, by their own names or by those of the headers and query items that they are sent in.
    package private(set) var credentials: Set<String> = []
    /// The query items and headers that have the name of a credential and hold a text that no parameter changes.
    private(set) var literalCredentials: [RequestParts.Item] = []

    /// The path with `{name}` in place of parameters: `/movie/{id}/videos`; `{+name}` may be several segments, as in RFC 6570.
    package let template: String
    /// What stands for each value in it: the names of its parameters with commas between them, nothing if it has none.
    package let owners: [String]

    /// The parameters without which a segment of the path is empty although they are optional, by their Swift names.
    package private(set) var emptySegments: Set<String> = []

    /// Finds the places by building the endpoint again with other values for each parameter.
    package init(of declaration: EndpointDeclaration) {
        let api = declaration.api
        probe = ParameterProbe(declaration)
        let endpoint = probe.original.resolvedEndpoint
        self.endpoint = endpoint
        let original = probe.request
        // By the position of a value in the path.
        var owners: [Int: [String]] = [:]
        var owned: [RequestParts.Item] = []
        for trial in probe.trials {
            let parameter = trial.parameter
            let (without, changed) = (trial.omission?.request, trial.difference)
            owned += changed
            for case .path(let index) in changed.map(\.place) where owners[index]?.last != parameter.name {
                owners[index, default: []].append(parameter.name)
            }
            if SecretName.isCredential(parameter.name)
                || changed.contains(where: { api.isCredential($0.place, of: endpoint) })
            {
                credentials.insert(parameter.name)
            }
            if let without, let change = trial.changes.first, change.texts.count == 1,
                !credentials.contains(parameter.name)
            {
                defaults[parameter.name] = without.replacement(of: change.texts[0], in: change.request)
            }
            if !trial.revealingCalls.isEmpty {
                var found = Set(changed.map(\.place.part))
                if trial.revealingCalls.contains(where: { $0.request.literals != original.literals }) {
                    found.insert(.path)
                }
                places[parameter.name] = [.path, .query, .header, .body].filter(found.contains)
            }
            if let without, !without.hasPath, original.hasPath { emptySegments.insert(parameter.name) }
        }
        literalCredentials = (original.items + original.secrets).filter { item in
            if case .header(let name) = item.place, !endpoint.headers.fields.contains(where: { $0.isNamed(name) }) {
                return false
            }
            return !owned.contains(item) && api.isCredential(item.place, of: endpoint)
        }
        self.owners = endpoint.path.values(api.coding).indices.map { index in
            (owners[index] ?? []).map(declaration.signature.shownName).joined(separator: ",")
        }
        template = Self.template(endpoint.path, owners: self.owners)
    }

    /// The template of `declaration`; parameters are only changed in turn if its values are ambiguous.
    package static func template(of declaration: EndpointDeclaration) -> String {
        let (call, caseName) = (declaration.firstCall, declaration.signature.caseName)
        return (try? template(of: call, call.placedEndpoint, caseName) { declaration }) ?? ""
    }

    /// The template of a call's path; the whole declaration is only asked for if it is not clear which parameter a value is.
    static func template(
        of call: any API, _ endpoint: Endpoint, _ caseName: String, else declaration: () throws -> EndpointDeclaration?
    ) throws -> String {
        let values = endpoint.path.values(type(of: call).coding)
        let texts = try values.isEmpty ? [] : CallValue.texts(of: call, caseName)
        let owners = values.compactMap { value -> String? in
            let names = texts.filter { $0.text == value || Double($0.text) == Double(value) && Double(value) != nil }
            return names.count == 1 ? names[0].name : nil
        }
        let isClear = owners.count == values.count && Set(owners).count == owners.count
        // What a value without a label is called takes the types of all parameters to find out.
        if isClear, !owners.contains(where: { $0.hasPrefix("_") }) {
            return template(endpoint.path, owners: owners.map(KebabCase.text))
        }
        guard let declaration = try declaration() else { return "" }
        return isClear
            ? template(endpoint.path, owners: owners.map(declaration.signature.shownName))
            : ParameterPlaces(of: declaration).template
    }

    /// The template of `path`, with `owners` in place of its values.
    package static func template(_ path: Endpoint.Path, owners: [String]) -> String {
        var rest = owners[...]
        return path.pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .value: "{" + (rest.popFirst() ?? "") + "}"
            case .rest: "{+" + (rest.popFirst() ?? "") + "}"
            }
        }.joined()
    }
}
