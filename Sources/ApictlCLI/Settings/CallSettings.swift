import EndpointKit
import JSONText

/// The settings of calls that the configuration file has for all APIs, for a group of them, or for one.
struct CallSettings: Sendable {
    /// The server to send to.
    enum Server: Sendable {
        /// A server that the API declares.
        case name(String)
        case url(BaseURL)
    }

    var server: Setting<Server>?
    /// Values of headers; nil leaves a header out.
    var headers: [NamedSetting<String?>] = []
    /// Values of query items; an item may have several.
    var query: [NamedSetting<[String]>] = []
    /// Values of parameters that a command does not give, for every endpoint that has them.
    var parameters: [NamedSetting<JSONValue>] = []
    /// Where the values of credentials come from, by the names of their variables.
    var credentials: [NamedSetting<CredentialSource>] = []
    var auth: SourcedText?
    var transfer = TransferChoices()
    var connection = ConnectionChoices()

    var color: Setting<ColorChoice>?
    /// The program that shows long texts on a terminal; empty for none.
    var pager: Setting<String>?
}

extension CallSettings {
    /// Reads the settings among the members of `object`.
    ///
    /// - Parameter directory: The directory where relative paths start.
    /// - Throws: ``UsageError`` with the place of a value that is wrong.
    init(_ object: inout SettingsObject, in directory: ConfigurationDirectory) throws {
        server = try Self.server(&object)
        headers = try object.readMembers("headers", Self.header)
        query = try object.readMembers("query", Self.queryItem)
        parameters = try object.readMembers("parameters") { $1.json }
        credentials = try object.readMembers("credentials") { try CredentialSource($1) }
        auth = try object.read("auth") { try $0.string() }?.sourced
        connection = try Self.connection(&object, in: directory)
        transfer.maxTime = try object.read("max-time") { try $0.duration() }?.sourced
        transfer.connectTimeout = try object.read("connect-timeout") { try $0.duration() }?.sourced
        transfer.retry = try object.read("retry") { try $0.count() }?.sourced
        color = try object.read("color") { try $0.choice(of: ColorChoice.self) }
        pager = try object.read("pager") { try $0.string() }
    }

    private static func connection(
        _ object: inout SettingsObject, in directory: ConfigurationDirectory
    ) throws -> ConnectionChoices {
        func path(_ place: JSONPlace) throws -> String { directory.path(to: try place.string()) }
        var connection = ConnectionChoices()
        connection.proxy = try object.read("proxy") { place in
            try place.string(problem: OptionValueRules.problem(proxy:))
        }?.sourced
        connection.authorities = try object.read("cacert", path)?.sourced
        connection.certificate = try object.read("cert", path)?.sourced
        connection.key = try object.read("key", path)?.sourced
        connection.isInsecure = try object.read("insecure") { try $0.bool() }?.sourced
        connection.resolve = try object.read("resolve") { place in
            try place.elements.map { try $0.string(problem: ResolveEntry.problem) }
        }?.sourced
        connection.unixSocket = try object.read("unix-socket") { place in
            let socket = try path(place)
            if let problem = OptionValueRules.problem(unixSocket: socket) { throw place.error(problem) }
            return socket
        }?.sourced
        return connection
    }

    private static func server(_ object: inout SettingsObject) throws -> Setting<Server>? {
        let name = try object.read("server") { place in
            Server.name(
                try place.string { $0.contains("://") ? "expected the name of a server; a URL belongs under url" : nil }
            )
        }
        let url = try object.read("url") { place in
            let text = try place.string()
            do throws(BaseURL.Problem) {
                return Server.url(try BaseURL(text))
            } catch {
                // The URL is not shown, because it may hold a password.
                throw place.error("the URL " + error.sentence(""))
            }
        }
        if name != nil, let url { throw url.place.error("server and url can't be used together") }
        return url ?? name
    }

    private static func header(_ name: String, _ place: JSONPlace) throws -> String? {
        try refuseSecret(name, place)
        let value = place.json.isNull ? nil : try place.text()
        do {
            _ = try Header(name, value ?? "").checked()
        } catch {
            throw place.error("header '\(name)': \(error.headerFault)")
        }
        return value
    }

    private static func queryItem(_ name: String, _ place: JSONPlace) throws -> [String] {
        try refuseSecret(name, place)
        return try place.elements.map { try $0.text() }
    }

    /// Throws ``UsageError`` for the name of a header or query item that holds a credential.
    private static func refuseSecret(_ name: String, _ place: JSONPlace) throws {
        guard SecretName.isCredential(name) else { return }
        throw place.error(
            "a secret must not be in this file; name a variable, a file or a command under credentials")
    }
}

extension CallSettings {
    /// Returns these settings with those of `specific` in place of their own.
    ///
    /// Headers, query items, parameters and credentials are replaced by their names.
    func overridden(by specific: CallSettings) -> CallSettings {
        var result = self
        result.server = specific.server ?? server
        result.headers = Self.merge(headers, specific.headers) { $0.lowercased() }
        result.query = Self.merge(query, specific.query)
        result.parameters = Self.merge(parameters, specific.parameters)
        result.credentials = Self.merge(credentials, specific.credentials)
        result.auth = specific.auth ?? auth
        result.transfer = specific.transfer.overriding(transfer)
        result.connection = specific.connection.overriding(connection)
        result.color = specific.color ?? color
        result.pager = specific.pager ?? pager
        return result
    }

    private static func merge<Value>(
        _ general: [NamedSetting<Value>], _ specific: [NamedSetting<Value>],
        by key: (String) -> String = { $0 }
    ) -> [NamedSetting<Value>] {
        let replaced = Set(specific.map { key($0.name) })
        return general.filter { !replaced.contains(key($0.name)) } + specific
    }

    /// The settings that have a value, with the names that a listing shows, except for server and credentials.
    var rows: [(name: String, place: JSONPlace)] {
        let sources: [(String, ValueSource?)] = [
            ("auth", auth?.source), ("proxy", connection.proxy?.source), ("cacert", connection.authorities?.source),
            ("cert", connection.certificate?.source), ("key", connection.key?.source),
            ("insecure", connection.isInsecure?.source), ("resolve", connection.resolve?.source),
            ("unix-socket", connection.unixSocket?.source), ("max-time", transfer.maxTime?.source),
            ("connect-timeout", transfer.connectTimeout?.source), ("retry", transfer.retry?.source),
        ]
        let places =
            sources.map { name, source in (name, source?.file) }
            + [("color", color?.place), ("pager", pager?.place)]
        return parameters.map { ("parameter " + $0.name, $0.place) } + headers.map { ("header " + $0.name, $0.place) }
            + query.map { ("query " + $0.name, $0.place) }
            + places.compactMap { name, place in place.map { (name, $0) } }
    }
}

extension Setting {
    /// The value with its place as the source.
    var sourced: Sourced<Value> { Sourced(value, .configuration(place)) }
}
