import EndpointKit
import JSONText

/// The parts of the request that each parameter of an endpoint appears in, and the template of the endpoint's path.
///
/// An endpoint does not declare where its parameters go: `"/movie/\(id)/videos"` only holds the value's text. So a
/// ``ParameterProbe`` changes each parameter of a call in turn. The parts of the request that change with a parameter
/// are its places.
package struct ParameterPlaces: Sendable {
    /// The calls that show the places. They have a body if any call of the endpoint has one.
    package let probe: ParameterProbe
    /// The endpoint of the call whose parameters were changed.
    package let endpoint: Endpoint
    /// The places of each parameter, by its Swift name. A parameter that could not be changed is missing here.
    package private(set) var places: [String: [ParameterLocation]] = [:]
    /// The texts that are sent for parameters that are not given, by Swift name: `20` for `"limit": limit ?? 20`.
    package private(set) var defaults: [String: String] = [:]
    /// The Swift names of the parameters that are credentials, by their own names or by those of the headers and query
    /// items that hold them.
    package private(set) var credentials: Set<String> = []
    /// The query items and headers that are credentials, but whose text no parameter changes.
    private(set) var literalCredentials: [ParameterTexts.Item] = []

    /// The path with `{name}` in place of parameters: `/movie/{id}/videos`. As in RFC 6570, `{+name}` may be several
    /// segments.
    package let template: String
    /// The text between the braces for each value in the path: the names of its parameters with commas between them, or
    /// nothing.
    package let owners: [String]

    /// The Swift names of the optional parameters without which a segment of the path is empty.
    package private(set) var emptySegments: Set<String> = []

    /// Finds the places by building the endpoint's request again with other values for each parameter.
    package init(of declaration: EndpointDeclaration) {
        let api = declaration.api
        let probe = ParameterProbe(declaration)
        let endpoint = probe.original.resolvedEndpoint
        self.probe = probe
        self.endpoint = endpoint
        owners = endpoint.path.values(api.coding).indices.map { index in
            let trials = probe.trials.filter { $0.difference.map(\.place).contains(.path(index)) }
            let names = trials.map { declaration.signature.shownName(of: $0.parameter.name) }
            return names.joined(separator: ",")
        }
        template = Self.template(endpoint.path, owners: owners)
        for trial in probe.trials { add(trial) }
        literalCredentials = findLiteralCredentials()
    }

    /// Adds what the calls with other values for one parameter show about it.
    private mutating func add(_ trial: ParameterProbe.Trial) {
        let name = trial.parameter.name
        places[name] = requestParts(of: trial)
        if isCredential(trial) {
            credentials.insert(name)
        } else {
            defaults[name] = defaultText(of: trial)
        }
        if let omission = trial.omission, !omission.request.hasPath, probe.request.hasPath {
            emptySegments.insert(name)
        }
    }

    /// Returns the parts of the request that change with a parameter; nil if no call with another value is known.
    private func requestParts(of trial: ParameterProbe.Trial) -> [ParameterLocation]? {
        if trial.informativeCalls.isEmpty { return nil }
        var parts = Set(trial.difference.map(\.place.part))
        // A parameter may also choose between paths, such as `/cats` and `/dogs`.
        if trial.informativeCalls.contains(where: { $0.request.literals != probe.request.literals }) {
            parts.insert(.path)
        }
        return ParameterLocation.allCases.filter(parts.contains)
    }

    /// Whether a parameter has the name of a credential, or changes a query item or header that is one.
    private func isCredential(_ trial: ParameterProbe.Trial) -> Bool {
        if SecretName.isCredential(trial.parameter.name) { return true }
        let api = probe.declaration.api
        return trial.difference.contains { api.isCredential($0.place, of: endpoint) }
    }

    /// Returns the text that is sent where a parameter's value would be, if the parameter is not given; nil if none is.
    private func defaultText(of trial: ParameterProbe.Trial) -> String? {
        guard let omission = trial.omission, let change = trial.changes.first, change.texts.count == 1 else {
            return nil
        }
        return omission.request.replacement(of: change.texts[0], in: change.request)
    }

    /// Returns the query items and headers of the endpoint itself that are credentials, but that no parameter changes.
    private func findLiteralCredentials() -> [ParameterTexts.Item] {
        let api = probe.declaration.api
        let changedItems = probe.trials.flatMap(\.difference)
        let items = probe.request.items + probe.request.secrets
        return items.filter { item in
            // The API's headers are not the endpoint's.
            if case .header(let name) = item.place, !endpoint.headers.fields.contains(where: { $0.isNamed(name) }) {
                return false
            }
            return !changedItems.contains(item) && api.isCredential(item.place, of: endpoint)
        }
    }
}

// MARK: - Templates of paths

extension ParameterPlaces {
    /// Returns the template of an endpoint's path: `/movie/{id}/videos`.
    ///
    /// Parameters are only changed in turn if the values in the path leave open which parameters they are.
    package static func template(of declaration: EndpointDeclaration) -> String {
        let call = declaration.firstCall
        let template = try? template(of: call, call.placedEndpoint, declaration.signature.caseName) { declaration }
        return template ?? ""
    }

    /// Returns the template of a call's path, which it can mostly tell from the values of the call alone.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of `call`.
    ///   - caseName: The name of the case that `call` is of.
    ///   - declaration: Examines the parameters of the case. It is only called if the values leave open which
    ///     parameters they are, or if the name of a parameter depends on its type.
    /// - Returns: The template; empty if it needs a declaration and there is none.
    static func template(
        of call: any API, _ endpoint: Endpoint, _ caseName: String,
        declaration: () throws -> EndpointDeclaration?
    ) throws -> String {
        let values = endpoint.path.values(type(of: call).coding)
        let parameters = try values.isEmpty ? [] : CallValue.texts(of: call, caseName)
        let owners = values.compactMap { onlyOwner(of: $0, among: parameters) }
        let isUnambiguous = owners.count == values.count && Set(owners).count == owners.count
        // The name of a parameter without a label (`_0`) depends on the types of all parameters.
        let areLabelled = owners.allSatisfy { !$0.hasPrefix("_") }
        if isUnambiguous, areLabelled {
            return template(endpoint.path, owners: owners.map(KebabCase.text))
        }
        guard let declaration = try declaration() else { return "" }
        if isUnambiguous {
            return template(endpoint.path, owners: owners.map(declaration.signature.shownName))
        }
        return ParameterPlaces(of: declaration).template
    }

    /// Returns the name of the one parameter with that value; nil if there is none, or several. `1.0` and `1` are the
    /// same value.
    private static func onlyOwner(of value: String, among parameters: [(name: String, text: String)]) -> String? {
        let number = Double(value)
        let owners = parameters.filter { parameter in
            if parameter.text == value { return true }
            guard let number else { return false }
            return Double(parameter.text) == number
        }
        return owners.count == 1 ? owners[0].name : nil
    }

    /// Returns the template of `path`, with `owners` between braces in place of its values.
    package static func template(_ path: Endpoint.Path, owners: [String]) -> String {
        var template = ""
        var remainingOwners = owners[...]
        for piece in path.pieces {
            switch piece {
            case .literal(let text): template += text
            case .value: template += "{\(remainingOwners.popFirst() ?? "")}"
            case .rest: template += "{+\(remainingOwners.popFirst() ?? "")}"
            }
        }
        return template
    }
}
