import EndpointKit
import EndpointTools
import JSONText

/// A call as it was asked for: an endpoint or a URL, values of its parameters, options.
///
/// The command line, cases, agents, the mock server and imports make it; ``CallResolver`` makes a ``CallPlan`` of it.
struct CallRequest: Sendable {
    /// The endpoint; for a URL, that of ``CalledURLAPI``.
    let declaration: EndpointDeclaration
    /// The URL that is requested in place of an endpoint.
    let url: CalledURL?
    var parameters: [ParameterWord] = []
    /// The call, if it is known already, as an example is; then ``parameters`` do not count.
    var call: EndpointCall?
    /// The endpoint to request in place of that of ``call``.
    var endpoint: Endpoint?
    var options = CallOptions()
    /// Whether the whole body is read before anything is shown, so that the default time limit is that of a decoded
    /// response.
    var isReadWhole = false

    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        url = nil
    }

    /// Makes the request of a URL.
    ///
    /// - Throws: The same errors as `CatalogueAPI.declarations()`.
    init(_ url: CalledURL) throws {
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
    /// Whether the word may be JSON, `@FILE` or `-` for stdin; otherwise it is text.
    let mayBeJSON: Bool
}

extension CallRequest {
    /// Returns the failure of a call that ends with `error` before anything is sent.
    ///
    /// A ``UsageError`` is about the command line, not about the call, and stays as it is.
    ///
    /// - Parameter mayBeOffline: Whether the command has options that need no credential, so that these may be advised.
    func failure(_ error: any Error, mayBeOffline: Bool = true) -> any Error {
        if error is UsageError { return error }
        let hasSample = declaration.endpoint.sample != nil
        let options = mayBeOffline ? options : nil
        var failure = Failure(error, endpoint: endpointName, options: options, hasSample: hasSample)
        failure.exchange.endpoint = endpointName
        return failure
    }

    /// Takes a value of a parameter.
    ///
    /// A null that can't be sent is refused, except from agents, who leave a parameter out with it.
    ///
    /// - Parameters:
    ///   - value: The value, as a case, an agent or the configuration has it.
    ///   - name: The name of the parameter.
    ///   - source: The source of the value.
    /// - Throws: ``UsageError``.
    mutating func take(_ value: JSONValue, for name: String, from source: ValueSource) throws(UsageError) {
        let parameter = try declaration.parameter(named: name, from: source)
        if source == .agent, value.isNull, !parameter.type.takesNull { return }
        let shown = declaration.shown([parameter.name])
        parameters += try parameter.type.texts(of: value, for: shown, from: source).map { text in
            ParameterWord(
                path: [parameter.name], word: SourcedText(text, source), mayBeJSON: parameter.type.mayBeJSON(text))
        }
    }

    /// Returns this request with the settings of the configuration for all that it leaves open.
    ///
    /// - Throws: ``UsageError`` with the place of a value that a parameter can't have.
    func completed(by settings: CallSettings) throws(UsageError) -> CallRequest {
        var result = self
        result.options.transfer = options.transfer.overriding(settings.transfer)
        result.options.connection = options.connection.overriding(settings.connection)
        // A URL has no parameters, and no credential of an API.
        if url != nil { return result }
        result.options.request = options.request.completed(by: settings)
        try result.takeParameters(of: settings)
        return result
    }

    /// Takes the values that the configuration has for parameters that were not given.
    private mutating func takeParameters(of settings: CallSettings) throws(UsageError) {
        let given = Set(parameters.compactMap(\.path.first))
        let declared = declaration.signature.parameters.map(\.name)
        for setting in settings.parameters where declared.contains(setting.name) && !given.contains(setting.name) {
            try take(setting.value, for: setting.name, from: .configuration(setting.place))
        }
    }
}

extension RequestChoices {
    /// Returns these choices with the credential, the headers and the query items of the configuration whose names they
    /// do not have. Those of the configuration come first.
    fileprivate func completed(by settings: CallSettings) -> RequestChoices {
        var result = self
        result.auth = auth ?? settings.auth
        let givenHeaders = Set(headers.map { $0.name.lowercased() })
        let openHeaders = settings.headers.filter { !givenHeaders.contains($0.name.lowercased()) }
        result.headers =
            openHeaders.map { setting in
                setting.value.map { .add(Header(setting.name, $0)) } ?? .remove(setting.name)
            } + headers
        let givenItems = Set(query.map(\.name))
        let openItems = settings.query.filter { !givenItems.contains($0.name) }
        result.query = openItems.flatMap { setting in setting.value.map { QueryItem(setting.name, $0) } } + query
        return result
    }
}
