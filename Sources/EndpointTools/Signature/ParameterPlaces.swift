import EndpointKit
import JSONText

/// The parts of the request that each parameter of an endpoint appears in, and the template of the endpoint's path.
///
/// An endpoint does not declare where its parameters go: `"/movie/\(id)/videos"` only holds the text of a value. So a
/// ``ParameterProbe`` changes each parameter of a call in turn and builds the requests. What changes in the request
/// when a parameter changes is the parameter's:
///
///     videos(id: 550, language: "en")     /movie/550/videos?language=en
///     videos(id: 71, language: "en")      /movie/71/videos?language=en      so id goes into the path
///     videos(id: 550, language: "enx")    /movie/550/videos?language=enx    so language goes into the query
///
/// The path's template is therefore `/movie/{id}/videos`.
package struct ParameterPlaces: Sendable {
    /// The calls that show the places. They have a body if any call of the endpoint has one.
    package let probe: ParameterProbe
    /// The endpoint of the call whose parameters were changed.
    package let endpoint: Endpoint
    /// The places of each parameter, by its Swift name. A parameter that could not be changed is missing here, unless
    /// the declaration itself says where it goes.
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
    package private(set) var optionalsNeededByPath: Set<String> = []

    /// Finds where the parameters of an endpoint go, by building its request again with other values for each
    /// parameter. Nothing is sent.
    ///
    /// If the declaration itself says where a parameter goes, as a document does, that place counts.
    package init(of declaration: EndpointDeclaration) {
        let probe = ParameterProbe(declaration)
        let endpoint = probe.original.endpoint
        let valueIndexes = endpoint.path.values(declaration.api.coding).indices
        // A value that several parameters change has all of their names.
        let owners = valueIndexes.map { Self.owners(ofPathValue: $0, in: probe).joined(separator: ",") }
        self.probe = probe
        self.endpoint = endpoint
        self.owners = owners
        template = Self.template(endpoint.path, owners: owners)
        for trial in probe.trials { noteResults(of: trial) }
        // A declared place replaces the places that the trial shows.
        for (name, place) in declaration.declaredPlaces { places[name] = [place] }
        literalCredentials = findLiteralCredentials()
    }

    /// Returns the names of the parameters that change a value of the path, as the template shows them.
    ///
    /// - Parameters:
    ///   - index: The index of the value among the values of the path.
    ///   - probe: The requests with other values for each parameter.
    private static func owners(ofPathValue index: Int, in probe: ParameterProbe) -> [String] {
        let trialsThatChangeValue = probe.trials.filter { trial in
            trial.changedItems.contains { $0.place == .path(index) }
        }
        let signature = probe.declaration.signature
        return trialsThatChangeValue.map { signature.shownName(of: $0.parameter.name) }
    }

    /// Notes what the requests of a trial show about its parameter: its places, whether it is a credential, its
    /// default, and whether the path needs it.
    ///
    /// The default of a credential is not kept, because it may be a secret.
    ///
    /// - Parameter trial: The requests with other values for the parameter, and without it.
    private mutating func noteResults(of trial: ParameterProbe.Trial) {
        let name = trial.parameter.name
        places[name] = requestParts(of: trial)
        if isCredential(trial) {
            credentials.insert(name)
        } else {
            defaults[name] = defaultText(of: trial)
        }
        // Without the parameter, the path may lack a segment that it otherwise has: `/movie//videos`.
        if let omission = trial.omission, !omission.request.hasCompletePath, probe.request.hasCompletePath {
            optionalsNeededByPath.insert(name)
        }
    }

    /// Returns the parts of the request that change with a parameter, such as the path and the query.
    ///
    /// - Parameter trial: The requests with other values for the parameter, or else the one without it.
    /// - Returns: The parts, in the order in which they are described; nil if there is no call with another value or
    ///   without the parameter.
    private func requestParts(of trial: ParameterProbe.Trial) -> [ParameterLocation]? {
        if trial.informativeCalls.isEmpty { return nil }
        var changedParts = Set(trial.changedItems.map(\.place.part))
        // A parameter may also choose between paths, such as `/cats` and `/dogs`.
        let changesLiterals = trial.informativeCalls.contains { $0.request.literals != probe.request.literals }
        if changesLiterals { changedParts.insert(.path) }
        return ParameterLocation.allCases.filter(changedParts.contains)
    }

    /// Whether a parameter has the name of a credential, or changes a query item or header that is one.
    private func isCredential(_ trial: ParameterProbe.Trial) -> Bool {
        if SecretName.isCredential(trial.parameter.name) { return true }
        let requestBuilder = probe.declaration.api.requestBuilder
        return trial.changedItems.contains { requestBuilder.isCredential($0.place, of: endpoint) }
    }

    /// Returns the text that is sent where a parameter's value would be, if the parameter is not given.
    ///
    /// For example, an endpoint may send `"limit": limit ?? 20`. The request for `limit: 71` has the text `71` in the
    /// query item `limit`. The request without the parameter has `20` there, so that is the default.
    ///
    /// - Parameter trial: The requests with other values for the parameter, and without it.
    /// - Returns: The text; nil if there is none, or if the parameter's value is not a single text.
    private func defaultText(of trial: ParameterProbe.Trial) -> String? {
        guard let omission = trial.omission, let changedCall = trial.changedCalls.first else { return nil }
        guard changedCall.texts.count == 1 else { return nil }
        return omission.request.replacement(of: changedCall.texts[0], in: changedCall.request)
    }

    /// Returns the query items and headers whose text is a credential that is written in the endpoint's code, as in
    /// `query: ["api_key": "k3y"]`.
    ///
    /// The text of such an item is the same in all requests of the endpoint. So the items that a parameter changes are
    /// left out, as are the headers that the API adds to all of its requests.
    private func findLiteralCredentials() -> [ParameterTexts.Item] {
        let requestBuilder = probe.declaration.api.requestBuilder
        // Each trial has sent other values for one parameter, and knows which items have changed.
        let itemsSetByParameters = Set(probe.trials.flatMap(\.changedItems))
        let allItems = probe.request.items + probe.request.secrets
        let literalItems = allItems.filter { item in
            let isSetByParameter = itemsSetByParameters.contains(item)
            return !isSetByParameter && !isHeaderOfWholeAPI(item)
        }
        return literalItems.filter { requestBuilder.isCredential($0.place, of: endpoint) }
    }

    /// Whether an item of a request is a header that the endpoint itself does not declare. The API adds such a header
    /// to all of its requests.
    private func isHeaderOfWholeAPI(_ item: ParameterTexts.Item) -> Bool {
        guard case .header(let name) = item.place else { return false }
        let isOfEndpoint = endpoint.headers.fields.contains { $0.isNamed(name) }
        return !isOfEndpoint
    }
}

// MARK: - Templates of paths

extension ParameterPlaces {
    /// Returns the template of an endpoint's path: `/movie/{id}/videos`.
    ///
    /// Requests with other values for the parameters are only built if the values in the path leave open which
    /// parameters they are.
    package static func template(of declaration: EndpointDeclaration) -> String {
        let path = declaration.endpoint.path
        let owners = unambiguousOwners(
            ofValuesIn: path, coding: declaration.api.coding, among: declaration.firstValues.scalars)
        guard let owners else { return ParameterPlaces(of: declaration).template }
        return template(path, owners: owners.map(declaration.signature.shownName))
    }

    /// Finds the parameter that each value in a path comes from, if the values alone tell that.
    ///
    /// In the path `/movie/550/videos` of `videos(id: 550, language: "en")`, 550 can only be `id`. If two parameters
    /// are 550, or none is, its owner is not clear.
    ///
    /// - Parameters:
    ///   - path: The path of a call, with the call's values.
    ///   - coding: How the API writes values in paths.
    ///   - scalars: The parameters of the call that are single texts. They are evaluated only if the path has values.
    /// - Returns: The Swift names of the parameters, a different one for each value in the path; nil if the owner of a
    ///   value is not clear.
    /// - Throws: The error of evaluating `scalars`.
    static func unambiguousOwners(
        ofValuesIn path: Endpoint.Path, coding: Coding,
        among scalars: @autoclosure () throws -> [(name: String, text: String)]
    ) rethrows -> [String]? {
        let values = path.values(coding)
        if values.isEmpty { return [] }
        let parameters = try scalars()
        let owners = values.compactMap { onlyOwner(of: $0, among: parameters) }
        let allHaveOwners = owners.count == values.count
        let ownersDiffer = Set(owners).count == owners.count
        return allHaveOwners && ownersDiffer ? owners : nil
    }

    /// Returns the Swift name of the parameter that a value in a path comes from; nil if no parameter, or more than
    /// one, has that value.
    ///
    /// - Parameters:
    ///   - value: A value in the path. Numbers may be written in several ways: `1.0` and `1` are the same value.
    ///   - parameters: The parameters of the call, with their values as text.
    private static func onlyOwner(of value: String, among parameters: [(name: String, text: String)]) -> String? {
        let number = Double(value)
        let owners = parameters.filter { parameter in
            if parameter.text == value { return true }
            guard let number else { return false }
            return Double(parameter.text) == number
        }
        return owners.count == 1 ? owners[0].name : nil
    }

    /// Returns the template of a path: `/movie/{id}/videos` for `"/movie/\(id)/videos"`.
    ///
    /// - Parameters:
    ///   - path: The path of an endpoint, in which literal text and values alternate.
    ///   - owners: The names to write between the braces, one for each value in the path; empty to leave all braces
    ///     empty. A value that may be several segments gets a plus sign too: `{+name}`, as in RFC 6570.
    package static func template(_ path: Endpoint.Path, owners: [String]) -> String {
        var templateText = ""
        var remainingOwners = owners[...]
        for piece in path.pieces {
            // If there is no name for a value, its braces stay empty: `/movie/{}/videos`.
            switch piece {
            case .literal(let literal):
                templateText += literal
            case .value, .encoded:
                let owner = remainingOwners.popFirst() ?? ""
                templateText += "{\(owner)}"
            case .segments:
                let owner = remainingOwners.popFirst() ?? ""
                templateText += "{+\(owner)}"
            }
        }
        return templateText
    }
}
