import EndpointKit
import JSONText

/// The settings of calls that the configuration file has for all APIs, for a group of them, or for one.
struct CallSettings: Sendable {
    /// The server to send to.
    enum Server: Sendable {
        /// A server that the API declares, by its name.
        case name(String)
        /// Any server, by its base URL.
        case url(BaseURL)
    }

    var server: Setting<Server>?
    /// The values of headers. Nil means that a header which is otherwise sent is left out.
    var headers: [NamedSetting<String?>] = []
    /// Values of query items; an item may have several.
    var query: [NamedSetting<[String]>] = []
    /// Values of parameters that a command does not give, for every endpoint that has them.
    var parameters: [NamedSetting<JSONValue>] = []
    /// The sources of credentials, by the names of the variables that the credentials have.
    var credentials: [NamedSetting<CredentialSource>] = []
    /// The credential to use if an endpoint accepts several.
    var auth: SourcedText?
    @Indirect var transfer = TransferChoices()
    @Indirect var connection = ConnectionChoices()

    /// When output is coloured.
    var color: Setting<ColorChoice>?
    /// The program that shows long texts on a terminal; empty for none.
    var pager: Setting<String>?
}

// MARK: - Reading

extension CallSettings {
    /// Reads the settings of calls from an object of the configuration file. The caller reads the object's other
    /// members, and refuses unknown ones.
    ///
    /// - Parameters:
    ///   - object: The object, which notes the keys that are known.
    ///   - directory: The directory where relative paths start.
    /// - Throws: ``UsageError`` with the place of a value that is wrong.
    init(_ object: inout SettingsObject, in directory: ConfigurationDirectory) throws {
        server = try Self.readServer(&object)
        headers = try object.readMembers("headers", Self.readHeaderValue)
        query = try object.readMembers("query", Self.readQueryValues)
        parameters = try object.readMembers("parameters") { _, value in value.json }
        credentials = try object.readMembers("credentials") { _, value in try CredentialSource(value) }
        auth = try object.read("auth") { try $0.string() }?.sourced
        connection = try Self.readConnection(&object, in: directory)
        transfer.maxTime = try object.read("max-time") { try $0.duration() }?.sourced
        transfer.connectTimeout = try object.read("connect-timeout") { try $0.duration() }?.sourced
        transfer.retry = try object.read("retry") { try $0.nonNegativeInteger() }?.sourced
        color = try object.read("color") { try $0.choice(of: ColorChoice.self) }
        pager = try object.read("pager") { try $0.string() }
    }

    /// Reads the settings of the connection, such as `proxy` and `cacert`. Paths in them are relative to the directory
    /// of the configuration file.
    ///
    /// - Throws: ``UsageError`` with the place of a value that is wrong.
    private static func readConnection(
        _ object: inout SettingsObject, in directory: ConfigurationDirectory
    ) throws -> ConnectionChoices {
        func readPath(_ value: JSONPlace) throws -> String { directory.path(to: try value.string()) }
        var connection = ConnectionChoices()
        connection.proxy = try object.read("proxy") { value in
            try value.string(problem: OptionValueRules.problem(proxy:))
        }?.sourced
        connection.authorities = try object.read("cacert", readPath)?.sourced
        connection.certificate = try object.read("cert", readPath)?.sourced
        connection.key = try object.read("key", readPath)?.sourced
        connection.isInsecure = try object.read("insecure") { try $0.bool() }?.sourced
        connection.resolve = try object.read("resolve") { value in
            try value.elements.map { try $0.string(problem: ResolveEntry.problem) }
        }?.sourced
        connection.unixSocket = try object.read("unix-socket") { value in
            // The limit of a socket's path is for the path that is used, with its directory.
            let socketPath = try readPath(value)
            if let problem = OptionValueRules.problem(unixSocket: socketPath) { throw value.error(problem) }
            return socketPath
        }?.sourced
        return connection
    }

    /// Reads the server to send to: a name under the key `server`, or a base URL under the key `url`.
    ///
    /// - Returns: The server; nil if the object has neither key.
    /// - Throws: ``UsageError`` with the place of a wrong value, or of `url` if both keys are given.
    private static func readServer(_ object: inout SettingsObject) throws -> Setting<Server>? {
        let namedServer = try object.read("server", readServerName)
        let serverWithURL = try object.read("url", readServerURL)
        if namedServer != nil, let serverWithURL {
            throw serverWithURL.place.error("server and url can't be used together")
        }
        return serverWithURL ?? namedServer
    }

    /// Reads the server that a value of `server` names.
    ///
    /// - Throws: ``UsageError`` for a URL, which belongs under another key, and for a value that is not text.
    private static func readServerName(_ value: JSONPlace) throws -> Server {
        let name = try value.string { text in
            text.contains("://") ? "expected the name of a server; a URL belongs under url" : nil
        }
        return .name(name)
    }

    /// Reads the base URL of a server, which is a value of `url`.
    ///
    /// - Throws: ``UsageError`` for a value that is not the base URL of a server.
    private static func readServerURL(_ value: JSONPlace) throws -> Server {
        let text = try value.string()
        do throws(BaseURL.Problem) {
            return .url(try BaseURL(text))
        } catch {
            // The sentence does not get the URL, because it must not show it: a URL may hold a password.
            throw value.error("the URL " + error.sentence(""))
        }
    }

    /// Reads the value of a header in `headers`; nil for `null`, which leaves the header out of requests.
    ///
    /// - Throws: ``UsageError`` for a header that can't be sent, and for one that holds a credential.
    private static func readHeaderValue(named name: String, from value: JSONPlace) throws -> String? {
        try refuseCredential(named: name, at: value)
        let text = value.json.isNull ? nil : try value.text()
        try validateHeader(named: name, text ?? "", at: value)
        return text
    }

    /// Checks that a header can be sent: its name is a token, and its value has no control characters (RFC 9110,
    /// section 5).
    ///
    /// - Throws: ``UsageError`` that says what is wrong, with the place of the value.
    private static func validateHeader(
        named name: String, _ text: String, at place: JSONPlace
    ) throws(UsageError) {
        do {
            _ = try HTTPField(name, text).checked()
        } catch {
            throw place.error("header '\(name)': \(error.headerFault)")
        }
    }

    /// Reads the values of an item in `query`: a value, or a list of values.
    ///
    /// - Throws: ``UsageError`` for an item that holds a credential, and for a value that is an object or null.
    private static func readQueryValues(named name: String, from value: JSONPlace) throws -> [String] {
        try refuseCredential(named: name, at: value)
        return try value.elements.map { try $0.text() }
    }

    /// Refuses a header or query item that holds a credential, because the file may end up in backups and
    /// repositories.
    ///
    /// - Parameters:
    ///   - name: The name of the header or item.
    ///   - place: The place of its value, for the error.
    /// - Throws: ``UsageError`` if the name is that of a credential, such as `Authorization`.
    private static func refuseCredential(named name: String, at place: JSONPlace) throws(UsageError) {
        guard SecretName.isCredential(name) else { return }
        let advice = "name a variable, a file or a command under credentials"
        throw place.error("a secret must not be in this file; " + advice)
    }
}

// MARK: - Overriding

extension CallSettings {
    /// Returns these settings, overridden by more specific ones, such as those of a group by those of one of its
    /// APIs.
    ///
    /// Headers, query items, parameters and credentials are overridden one by one: those with other names stay.
    func overridden(by specific: CallSettings) -> CallSettings {
        var result = self
        result.server = specific.server ?? server
        result.headers = Self.merge(headers, overriddenBy: specific.headers) { $0.lowercased() }
        result.query = Self.merge(query, overriddenBy: specific.query)
        result.parameters = Self.merge(parameters, overriddenBy: specific.parameters)
        result.credentials = Self.merge(credentials, overriddenBy: specific.credentials)
        result.auth = specific.auth ?? auth
        result.transfer = specific.transfer.overriding(transfer)
        result.connection = specific.connection.overriding(connection)
        result.color = specific.color ?? color
        result.pager = specific.pager ?? pager
        return result
    }

    /// Returns general and specific settings together. A general one is left out if a specific one has the same name.
    ///
    ///     general a=1, b=2 and specific b=3   →   a=1, b=3
    ///
    /// - Parameters:
    ///   - general: The general settings.
    ///   - specific: The specific settings.
    ///   - normalize: Returns the form in which names are compared: the lower case for headers, in whose names case
    ///     does not matter. By default, names are compared as they are.
    private static func merge<Value>(
        _ general: [NamedSetting<Value>], overriddenBy specific: [NamedSetting<Value>],
        comparing normalize: (String) -> String = { $0 }
    ) -> [NamedSetting<Value>] {
        let replacedNames = Set(specific.map { normalize($0.name) })
        return general.filter { !replacedNames.contains(normalize($0.name)) } + specific
    }
}

// MARK: - Listing

extension CallSettings {
    /// A setting that has a value, as the command `config` lists it.
    struct Row {
        /// The name, such as `max-time` or `header Accept`.
        let name: String
        /// The value, with its place in the configuration file.
        let place: JSONPlace
    }

    /// The settings that have a value, except for the server and the credentials, which `config` lists in its own way.
    var rows: [Row] {
        var rows = parameters.map { Row(name: "parameter " + $0.name, place: $0.place) }
        rows += headers.map { Row(name: "header " + $0.name, place: $0.place) }
        rows += query.map { Row(name: "query " + $0.name, place: $0.place) }
        for (key, place) in placesByKey {
            if let place { rows.append(Row(name: key, place: place)) }
        }
        return rows
    }

    /// The places of the settings that have one value, by their keys in the file; nil for those that are not set.
    private var placesByKey: KeyValuePairs<String, JSONPlace?> {
        [
            "auth": auth?.source.file, "proxy": connection.proxy?.source.file,
            "cacert": connection.authorities?.source.file, "cert": connection.certificate?.source.file,
            "key": connection.key?.source.file, "insecure": connection.isInsecure?.source.file,
            "resolve": connection.resolve?.source.file, "unix-socket": connection.unixSocket?.source.file,
            "max-time": transfer.maxTime?.source.file, "connect-timeout": transfer.connectTimeout?.source.file,
            "retry": transfer.retry?.source.file, "color": color?.place, "pager": pager?.place,
        ]
    }
}

extension Setting {
    /// The value with its place as the source.
    var sourced: Sourced<Value> { Sourced(value, .configuration(place)) }
}
