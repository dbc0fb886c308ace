import EndpointKit

/// The options that give a request to a URL its data, cookies and user, as in curl.
struct DataChoices: Sendable, Equatable {
    /// The values of `--data`, `--data-urlencode` and `--json`, in their order.
    var pieces: [DataPiece] = []
    /// The parts of a form (`--form`), such as `photo=@cat.png`.
    var form: [SourcedText] = []
    /// Whether the data is sent as the query (`--get`).
    var isQuery = false
    /// The cookies: `theme=dark; lang=en`.
    var cookies: [SourcedText] = []
    /// The name of the user who has the password in a variable or in the netrc file.
    var user: SourcedText?
}

/// A value of an option that gives data.
struct DataPiece: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A part of a form, sent as it is given.
        case form
        /// A part of a form that is percent-encoded.
        case encodedForm
        /// JSON.
        case json
    }

    let kind: Kind
    let word: SourcedText
}

extension DataChoices {
    static let group = OptionGroup<DataChoices>(title: "Data for a URL, as in curl", options: pieces + [form] + others)

    /// The names of all options of the group.
    static let names = group.options.map(\.spec.name)

    private static let pieces: [Option<DataChoices>] = [
        Option(
            "data", short: "d", .word("DATA|@FILE|-", mayBeEmpty: true, completion: .filesAfterAt),
            "send this with POST, as a form unless -H says otherwise; repeatable: the parts are joined with &"
        ) { $0.pieces.append(DataPiece(kind: .form, word: $1)) }.excluding("body", "json"),
        Option(
            "data-urlencode", .word("NAME=TEXT", mayBeEmpty: true, completion: .filesAfterAt),
            "the same, percent-encoded; also TEXT, @FILE and NAME@FILE"
        ) { $0.pieces.append(DataPiece(kind: .encodedForm, word: $1)) }.excluding("body", "json").rarelyUsed(),
        Option(
            "json", .word("JSON|@FILE|-", completion: .filesAfterAt),
            "send this with POST as JSON, and ask for JSON"
        ) { $0.pieces.append(DataPiece(kind: .json, word: $1)) }.excluding("body"),
    ]

    private static let form = Option<DataChoices>(
        "form", short: "F", .word("NAME=TEXT|@FILE", mayBeEmpty: true),
        "send this with POST as a part of a form with files (multipart/form-data); repeatable; also NAME=<FILE for "
            + "the content of a file, and ;type= and ;filename= after the value"
    ) { $0.form.append($1) }.excluding("body", "data", "data-urlencode", "json")

    private static let others: [Option<DataChoices>] = [
        Option("get", short: "G", \.isQuery, "send the data as the query of a GET request")
            .needing("data", "data-urlencode").rarelyUsed(),
        Option("cookie", short: "b", .cookies, "send cookies") { $0.cookies.append($1) }.rarelyUsed(),
        Option("user", short: "u", .user, \.user, "the user's name; the password is read from a variable or ~/.netrc"),
    ]
}

extension OptionValueType where Value == SourcedText {
    /// Cookies as they are sent: `theme=dark; lang=en`.
    fileprivate static let cookies = OptionValueType(placeholder: "'NAME=VALUE; …'") {
        word, flag throws(UsageError) in
        guard word.text.contains("=") else {
            let problem = "expected NAME=VALUE; a file of cookies is not read"
            throw .unusableValue(option: flag, problem: problem, source: word.source)
        }
        return word
    }

    /// The name of a user. A password is refused, because everybody on the machine can see the words of a command.
    fileprivate static let user = OptionValueType(placeholder: "USER") { word, flag throws(UsageError) in
        if word.text.contains(":") {
            let problem =
                "it holds a password, which would show in process lists; give the user's name alone, "
                + "and the password in a variable (see help environment) or in ~/.netrc"
            throw .unusableValue(option: flag, problem: problem, source: word.source)
        }
        return word
    }
}
