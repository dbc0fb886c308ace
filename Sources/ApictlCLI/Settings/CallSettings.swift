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
    var auth: Setting<String>?

    var proxy: Setting<String>?
    var authorities: Setting<String>?
    var certificate: Setting<String>?
    var key: Setting<String>?
    var isInsecure: Setting<Bool>?
    var resolve: Setting<[String]>?
    var unixSocket: Setting<String>?

    var maxTime: Setting<Duration>?
    var connectTimeout: Setting<Duration>?
    var retry: Setting<Int>?

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
        func path(_ place: JSONPlace) throws -> String { directory.path(to: try place.string()) }
        server = try Self.server(&object)
        headers = try object.readMembers("headers", Self.header)
        query = try object.readMembers("query", Self.queryItem)
        parameters = try object.readMembers("parameters") { $1.json }
        credentials = try object.readMembers("credentials") { try CredentialSource($1) }
        auth = try object.read("auth") { try $0.string() }

        proxy = try object.read("proxy") { try $0.string(problem: OptionValueRules.problem(proxy:)) }
        authorities = try object.read("cacert", path)
        certificate = try object.read("cert", path)
        key = try object.read("key", path)
        isInsecure = try object.read("insecure") { try $0.bool() }
        resolve = try object.read("resolve") { place in
            try place.elements.map { try $0.string(problem: ResolveEntry.problem) }
        }
        unixSocket = try object.read("unix-socket") { place in
            let socket = try path(place)
            if let problem = OptionValueRules.problem(unixSocket: socket) { throw place.error(problem) }
            return socket
        }

        maxTime = try object.read("max-time") { try $0.duration() }
        connectTimeout = try object.read("connect-timeout") { try $0.duration() }
        retry = try object.read("retry") { try $0.count() }

        color = try object.read("color") { try $0.choice(of: ColorChoice.self) }
        pager = try object.read("pager") { try $0.string() }
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
        result.proxy = specific.proxy ?? proxy
        result.authorities = specific.authorities ?? authorities
        result.certificate = specific.certificate ?? certificate
        result.key = specific.key ?? key
        result.isInsecure = specific.isInsecure ?? isInsecure
        result.resolve = specific.resolve ?? resolve
        result.unixSocket = specific.unixSocket ?? unixSocket
        result.maxTime = specific.maxTime ?? maxTime
        result.connectTimeout = specific.connectTimeout ?? connectTimeout
        result.retry = specific.retry ?? retry
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
        let singles: [(String, JSONPlace?)] = [
            ("auth", auth?.place), ("proxy", proxy?.place), ("cacert", authorities?.place),
            ("cert", certificate?.place), ("key", key?.place), ("insecure", isInsecure?.place),
            ("resolve", resolve?.place), ("unix-socket", unixSocket?.place), ("max-time", maxTime?.place),
            ("connect-timeout", connectTimeout?.place), ("retry", retry?.place), ("color", color?.place),
            ("pager", pager?.place),
        ]
        return parameters.map { ("parameter " + $0.name, $0.place) } + headers.map { ("header " + $0.name, $0.place) }
            + query.map { ("query " + $0.name, $0.place) }
            + singles.compactMap { name, place in place.map { (name, $0) } }
    }
}

extension CallSettings {
    /// Sets the options that the command line has neither given nor turned off.
    ///
    /// Headers and query items are not among them: ``add(to:)`` adds those to a request.
    func apply(to options: inout CallOptions) {
        let (given, off) = (Set(options.common.given), options.common.off)
        func set<Value>(_ name: String, _ setting: Setting<Value>?, _ set: (inout CallOptions, Value) -> Void) {
            guard let setting, !given.contains(name), !off.contains(name) else { return }
            set(&options, setting.value)
            options.common.given.append(name)
        }
        if let auth { set("auth", auth) { $0.auth = SourcedText($1, .configuration(auth.place)) } }
        set("proxy", proxy) { $0.connection.proxy = $1 }
        set("cacert", authorities) { $0.connection.certificateAuthorities = $1 }
        set("cert", certificate) { $0.connection.clientCertificate = $1 }
        set("key", key) { $0.connection.clientKey = $1 }
        set("resolve", resolve) { $0.connection.resolve = $1 }
        set("unix-socket", unixSocket) { $0.connection.unixSocket = $1 }
        set("max-time", maxTime) { $0.maxTime = $1 }
        set("connect-timeout", connectTimeout) { $0.connectTimeout = $1 }
        set("retry", retry) { $0.retry = $1 }
        // A switch that is off is not an option that was given.
        if isInsecure?.value == true {
            set("insecure", isInsecure) { $0.connection.verifiesCertificate = !$1 }
        }
    }

    /// Adds the headers and query items whose names `additions` does not have, before its own.
    func add(to additions: inout RequestOptions) {
        let givenHeaders = Set((additions.headers.map(\.name) + additions.withheldHeaders).map { $0.lowercased() })
        let openHeaders = headers.filter { !givenHeaders.contains($0.name.lowercased()) }
        let values = openHeaders.compactMap { header in header.value.map { Header(header.name, $0) } }
        additions.headers = values + additions.headers
        additions.withheldHeaders += openHeaders.filter { $0.value == nil }.map(\.name)
        let givenItems = Set(additions.query.map(\.name))
        let items = query.filter { !givenItems.contains($0.name) }
            .flatMap { item in item.value.map { QueryItem(item.name, $0) } }
        additions.query = items + additions.query
    }
}
