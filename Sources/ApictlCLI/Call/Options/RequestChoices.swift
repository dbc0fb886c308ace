import EndpointKit

/// The options of a call that change its request.
struct RequestChoices: Sendable, Equatable {
    /// The method for a URL; nil is POST for a request with data, and GET for any other.
    var method: HTTPMethod?
    /// The server to send to; nil leaves it to variables and the configuration.
    var server: CallServerName?
    var headers: [HeaderChange] = []
    /// The items to add to the query.
    var query: [QueryItem] = []
    /// The body that is sent in place of the endpoint's: text, `@FILE`, or `-` for stdin.
    var body: SourcedText?
    /// Which credential is used, of several that the endpoint accepts.
    var auth: SourcedText?
    /// The files of `--env-file`. If several set a variable, the last one counts.
    var environmentFiles: [SourcedText] = []
    /// Whether user and password come from the netrc file.
    var netrc = false
    /// The session whose cookies are sent and kept; nil keeps cookies only within the call.
    var session: SessionName?
}

/// A change of the headers of a request.
enum HeaderChange: Sendable, Equatable {
    case add(HTTPField)
    /// The header of that name is not sent.
    case remove(String)

    /// The name of the header.
    var name: String {
        switch self {
        case .add(let header): header.name
        case .remove(let name): name
        }
    }
}

extension RequestChoices {
    /// The title of the options on a help page.
    static let title = "Request"

    /// All options of a call that change its request.
    static let group = OptionGroup<RequestChoices>(
        title: title,
        options: [method] + servers + changes + bodies + credentials + [session])

    /// The options for commands that send several requests, except for those that choose the server. There are none
    /// for the body, because one body would make no sense for all requests.
    static let ofSeveral = changes + credentials

    private static let method = Option<RequestChoices>(
        "request", short: "X", .method, \.method, "the method for a URL; default GET, or POST with data")

    private static let session = Option<RequestChoices>(
        "session", .session, \.session, "keep cookies, also those without an expiry, for later calls with this NAME"
    ).excluding("dry-run", "sample").rarelyUsed()

    /// The options that choose the server.
    static let servers: [Option<RequestChoices>] = [
        .server("a server of the API, by its name") { $0.server = CallServerName(word: $1) }.excluding("base-url"),
        Option("base-url", .word("URL"), "send to this base URL instead") {
            $0.server = CallServerName(word: $1, isURL: true)
        },
    ]

    private static let changes: [Option<RequestChoices>] = [
        Option(
            "header", short: "H", .header, "add a header; 'Name:' removes one, 'Name;' sends it empty"
        ) { $0.headers.append($1) },
        Option("query", .member, "add a query item") { $0.query.append(QueryItem($1.name, $1.text)) },
    ]

    private static let bodies: [Option<RequestChoices>] = [
        // DocumentOption reads it before all other words.
        Option("body-type", .text("TYPE"), "send the body of a document's operation in this media type") { _, _ in }
            .rarelyUsed(),
        Option(
            "body", .word("@FILE|-|TEXT", mayBeEmpty: true, completion: .filesAfterAt), \.body,
            "send this instead of the endpoint's body"),
    ]

    private static let credentials: [Option<RequestChoices>] = [
        Option(
            "auth", .word("NAME", completion: .credentials), \.auth,
            "credential to use: its scheme (bearer) or variable; none: send none"),
        Option(
            "env-file", .word("FILE", completion: .files),
            "read variables that are not set from FILE (-: stdin), NAME=value a line; "
                + "not those of proxies and certificates"
        ) { $0.environmentFiles.append($1) }.rarelyUsed(),
        Option("netrc", short: "n", \.netrc, "take user and password from ~/.netrc, or from the file in NETRC")
            .rarelyUsed(),
    ]
}

extension Option {
    /// The option `--server NAME`, which chooses a server of an API; `--env` means the same.
    static func server(_ help: String, set: @escaping @Sendable (inout Options, SourcedText) -> Void) -> Option {
        let type = OptionValueType<SourcedText>.word("NAME", completion: .servers)
        return Option("server", type, help, set: set).withSynonym("env")
    }
}

extension OptionValueType where Value == HeaderChange {
    /// The value of `-H`, as in curl.
    ///
    /// | Word | Change |
    /// |---|---|
    /// | `Name: value` | adds the header |
    /// | `Name:` | removes the header |
    /// | `Name;` | adds the header with an empty value |
    static let header = OptionValueType(placeholder: "'NAME: VALUE'") { word, flag throws(UsageError) in
        // A header's value is never in a message, because it may be a secret.
        func invalid(_ problem: String, _ name: String) -> UsageError {
            .unusableValue(option: "--header", problem: "\(problem) '\(name)'", source: word.source)
        }
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the colon.
        let scalars = word.text.unicodeScalars
        guard let separator = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }), separator > scalars.startIndex
        else { throw invalid("expected 'Name: value', got", word.start) }
        let name = String(scalars[..<separator])
        let afterSeparator = scalars[separator...].dropFirst()
        let isSentEmpty = scalars[separator] == ";"
        if isSentEmpty, !afterSeparator.isEmpty {
            throw invalid("expected 'Name: value', or 'Name;' for an empty one, got", name)
        }
        let value = String(afterSeparator.drop { $0 == " " || $0 == "\t" })
        let header: HTTPField
        do throws(RequestError) {
            header = try HTTPField(name, value).checked()
        } catch {
            throw invalid("\(error.headerFault), in", name)
        }
        let isRemoved = header.value.isEmpty && !isSentEmpty
        return isRemoved ? .remove(name) : .add(header)
    }
}
