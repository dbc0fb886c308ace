import EndpointKit
import EndpointTools
import JSONText

/// A call as it was asked for: an endpoint or a URL, values of its parameters, options.
///
/// Requests come from the command line, cases, agents, the mock server and imports. ``CallResolver`` makes a
/// ``CallPlan`` of each.
struct CallRequest: Sendable {
    /// The endpoint. For a URL, it is the only endpoint of ``CalledURLAPI``.
    let declaration: EndpointDeclaration
    /// The URL that is requested in place of an endpoint.
    let url: CalledURL?
    var parameters: [ParameterWord] = []
    /// The call, if it is known already, such as the call of an example. Then ``parameters`` are not used.
    var call: EndpointCall?
    /// The endpoint to request in place of that of ``call``.
    var endpoint: Endpoint?
    var options = CallOptions()
    /// Whether the whole body is read before anything is shown.
    ///
    /// The call then has the time limit of a decoded response, and not that of a stream, which only limits the time
    /// without data.
    var isReadWhole = false

    /// Makes the request of an endpoint, with no parameters and options so far.
    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        url = nil
    }

    /// Makes the request of a URL, which belongs to no API.
    ///
    /// - Throws: The errors of `CatalogueAPI.declarations()`.
    init(_ url: CalledURL) throws {
        // This API stands for all URLs, and has a single endpoint.
        declaration = try CatalogueAPI(CalledURLAPI.self).declarations()[0]
        self.url = url
        call = EndpointCall(CalledURLAPI.url)
    }

    /// The name of the endpoint; nil for a URL.
    var endpointName: String? { url == nil ? declaration.name : nil }
}

/// A value of a parameter as it was given.
struct ParameterWord: Sendable, Equatable {
    let path: [String]
    let word: SourcedText
    /// Whether the word is JSON, `@FILE`, or `-` for stdin, as for a structure. Otherwise the word is the text to
    /// send.
    let mayBeJSON: Bool
}

extension CallRequest {
    /// Returns the error to report for an error that ends a call before anything is sent: a ``Failure`` with hints.
    ///
    /// A ``UsageError`` is returned unchanged, because it is about the command line and not about the call.
    ///
    /// - Parameter mayBeOffline: Whether the command has `--sample` and `--dry-run`, which need no credential. A
    ///   message about a missing credential then recommends them.
    func reportedError(for error: any Error, mayBeOffline: Bool = true) -> any Error {
        if error is UsageError { return error }
        let hasSample = declaration.endpoint.sample != nil
        var failure = Failure(
            error, endpoint: endpointName, options: mayBeOffline ? options : nil, hasSample: hasSample)
        failure.exchange.endpoint = endpointName
        return failure
    }

    /// Adds the value of a parameter, given as JSON, to ``parameters``. A list adds one word for each element.
    ///
    /// A null that can't be sent is an error. From an agent, it adds nothing, because agents write null for a parameter
    /// that they leave out.
    ///
    /// - Parameters:
    ///   - value: The value in a case, in the arguments of an agent or in the configuration.
    ///   - name: The name of the parameter.
    ///   - source: The place of the value.
    /// - Throws: ``UsageError`` for an unknown name, and for a value that the parameter can't have.
    mutating func addValue(
        _ value: JSONValue, ofParameter name: String, from source: ValueSource
    ) throws(UsageError) {
        let parameter = try declaration.parameter(named: name, from: source)
        let isLeftOutByAgent = source == .agent && value.isNull && !parameter.type.takesNull
        if isLeftOutByAgent { return }
        let shownName = declaration.shown([parameter.name])
        for text in try parameter.type.texts(of: value, for: shownName, from: source) {
            let word = SourcedText(text, source)
            parameters.append(
                ParameterWord(path: [parameter.name], word: word, mayBeJSON: parameter.type.mayBeJSON(text)))
        }
    }

    /// Returns this request, completed by the configuration: an option or parameter that was not given gets the value
    /// of its setting.
    ///
    /// - Throws: ``UsageError`` with the place of a setting that a parameter can't have.
    func completed(by settings: CallSettings) throws(UsageError) -> CallRequest {
        var result = self
        result.options.transfer = options.transfer.overriding(settings.transfer)
        result.options.connection = options.connection.overriding(settings.connection)
        // A URL has no parameters, and no credential of an API.
        if url != nil { return result }
        result.options.request = options.request.completed(by: settings)
        try result.addConfiguredParameters(of: settings)
        return result
    }

    /// Adds the configured values of parameters that the call does not give. Settings for parameters that this
    /// endpoint does not have are for other endpoints of the API.
    private mutating func addConfiguredParameters(of settings: CallSettings) throws(UsageError) {
        let givenNames = Set(parameters.compactMap(\.path.first))
        let missingNames = Set(declaration.signature.parameters.map(\.name)).subtracting(givenNames)
        for setting in settings.parameters where missingNames.contains(setting.name) {
            try addValue(setting.value, ofParameter: setting.name, from: .configuration(setting.place))
        }
    }
}

extension RequestChoices {
    /// Returns these choices, with the credential, headers and query items of the configuration added.
    ///
    /// A configured header or item is left out if these choices have one of the same name. Upper and lower case are
    /// the same in the names of headers. Configured ones come first.
    fileprivate func completed(by settings: CallSettings) -> RequestChoices {
        var result = self
        result.auth = auth ?? settings.auth
        result.headers = configuredHeaders(in: settings) + headers
        result.query = configuredItems(in: settings) + query
        return result
    }

    /// Returns the changes of headers in the configuration, except for headers that the options change themselves.
    private func configuredHeaders(in settings: CallSettings) -> [HeaderChange] {
        let givenNames = Set(headers.map { $0.name.lowercased() })
        var changes: [HeaderChange] = []
        for setting in settings.headers where !givenNames.contains(setting.name.lowercased()) {
            // A null in the configuration removes the header.
            if let value = setting.value {
                changes.append(.add(HTTPField(setting.name, value)))
            } else {
                changes.append(.remove(setting.name))
            }
        }
        return changes
    }

    /// Returns the query items in the configuration, except for those whose names the options give themselves.
    private func configuredItems(in settings: CallSettings) -> [QueryItem] {
        let givenNames = Set(query.map(\.name))
        let configured = settings.query.filter { !givenNames.contains($0.name) }
        // A setting may have several values, which are sent as items of the same name.
        return configured.flatMap { setting in setting.value.map { QueryItem(setting.name, $0) } }
    }
}
