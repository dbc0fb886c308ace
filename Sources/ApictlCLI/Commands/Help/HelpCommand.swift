import EndpointKit
import EndpointTools

/// `help`: shows help on the tool, a command, an endpoint or a topic.
struct HelpCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var printsManual = false
    }

    static let name = "help"
    static let usage = "help [COMMAND | API | GROUP | API.ENDPOINT | TOPIC]"
    static let summary = "show help; topics: " + HelpTopic.all.map(\.name).joined(separator: ", ")
    static let operands = CommandOperands.topics
    static let table = OptionTable<Options>(command: [
        OptionGroup(
            title: "Options", options: [Option("man", "print the manual page, for man") { $0.printsManual = true }])
    ])

    /// A function that makes a page of help.
    typealias Page = @Sendable (CommandContext) throws -> String

    private let page: Page
    let isPaged: Bool

    init(_ words: CommandWords<Options>) throws {
        if words.options.printsManual { try words.requireAtMost(0) }
        self.init(words.options.printsManual ? ManualPage.text : try Self.page(words))
    }

    /// Makes a command that prints a text, as `--version`, `--help` and `__complete` need it.
    init(isPaged: Bool = true, _ page: @escaping Page) {
        self.page = page
        self.isPaged = isPaged
    }

    /// Returns the page that the words name: of a command, a topic, an API, a group or an endpoint; the overview
    /// without words.
    ///
    /// - Throws: ``UsageError`` if there is no such page.
    private static func page(_ words: CommandWords<Options>) throws -> Page {
        let registry = words.registry
        let others = words.others
        if let command = words.commands.first(where: { $0.name == others.first?.text }) {
            if others.count == 1 { return { HelpText.command(command, $0) } }
            // `help call movies.popular` is about the endpoint.
            guard [.call, .subject].contains(command.operands), let name = try registry.name(Array(others.dropFirst()))
            else { throw UsageError.unexpectedArgument(others[1]) }
            return HelpText.endpoint(try registry.endpoint(name))
        }
        guard let word = try registry.name(others) else { return HelpText.overview }
        if let topic = HelpTopic.all.first(where: { $0.name == word.text }) { return topic.text }
        if let subject = registry.apiOrGroup(word.text) { return HelpText.subject(subject) }
        if word.text.contains(".") { return HelpText.endpoint(try registry.endpoint(word)) }
        let known = words.commands.map { $0.name } + HelpTopic.all.map(\.name) + registry.names
        throw UsageError("unknown help topic \(word.shown)" + NearestWord.question(word.text, in: known))
    }

    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        let text = try page(context)
        // A page is for people. Completion, which is for a shell, makes its own texts safe.
        try environment.stdout.write(environment.marked(isPaged ? text.safeLines : text))
        return .success
    }
}

/// The pages of help about the tool, commands, APIs and endpoints.
enum HelpText {
    /// Returns the page of `--help`: the APIs, commands to try, and all commands.
    @Sendable static func overview(_ context: CommandContext) -> String {
        let tool = context.tool
        let table = context.table
        let commands =
            context.commands.map { [$0.usage, $0.summary] } + [
                ["API, GROUP", "show an API, or a group of APIs: servers, credentials and endpoints"],
                ["API.ENDPOINT …, URL …", "the same as call"],
            ]
        func wrapped(_ text: String) -> String { TextWrap.text(text, width: table.width) + "\n" }
        return wrapped("\(tool) calls HTTP APIs by name: every endpoint is a command, every parameter a flag.")
            + table.section("APIs", context.registry.outermostSubjects.map { [$0.name, $0.summary] })
            + table.section("Try", examples(context)) + table.section("Commands", commands)
            + table.section("Options", [["--help, -h", "show this help"], ["--version, -V", "print the version"]])
            + "\n"
            + wrapped(
                "See '\(tool) help COMMAND' for a command's options, '\(tool) help API.ENDPOINT' for an endpoint.")
    }

    /// Returns rows of a command line to start with and the description of its output. They need no network if there
    /// are samples.
    static func examples(_ context: CommandContext) -> [[String]] {
        let endpoint = context.registry.exampleName ?? "API.ENDPOINT"
        let api = endpoint.prefix { $0 != "." }
        let trial = context.registry.offlineArguments(endpoint)
        let hasSample = trial.hasSuffix("--sample")
        return [
            ["\(api)", "an API: its servers, credentials and endpoints"],
            ["call \(trial)", hasSample ? "a recorded response: no network, no key" : "the request; nothing is sent"],
            ["curl \(endpoint)", "the request as a curl command"],
            hasSample
                ? ["mock \(api)", "a server on this machine with the recorded responses"]
                : ["mock \(api) --record DIR", "forward requests to the real server, and save its responses"],
            ["--api FILE|URL list", "the endpoints of an OpenAPI document: see '\(context.tool) help documents'"],
        ].map { ["\(context.invocation) \($0[0])", $0[1]] }
    }

    /// Returns the page about a command: usage, summary, options and notes.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - context: The context.
    ///   - width: The width of lines; nil for the width of the terminal.
    ///   - excluded: The names of options that are not listed.
    static func command(
        _ command: any Command.Type, _ context: CommandContext, width: Int? = nil, without excluded: Set<String> = []
    ) -> String {
        var table = context.table
        table.width = width ?? table.width
        let notes = command.notes(context).text(table)
        let explanations = [command.usageNote, command.summary].filter { !$0.isEmpty }
            .map { "  " + TextWrap.text($0, width: table.width, hang: 2) + "\n" }
        return "\(context.tool) \(command.usage)\n\(explanations.joined())"
            + options(command.groups.map { $0.without(excluded) }, table) + (notes.isEmpty ? "" : "\n" + notes)
    }

    /// Returns the page about an API, a group or an endpoint.
    static func subject(_ subject: Subject) -> HelpCommand.Page {
        switch subject {
        case .api(let api): { try APIDescription(api, $0).text($0) }
        case .group(let group): { try GroupDescription(group, $0).text($0) }
        case .endpoint(let declaration): endpoint(declaration)
        }
    }

    /// Returns the page about an endpoint, with the names of the options of `call`.
    static func endpoint(_ declaration: EndpointDeclaration) -> HelpCommand.Page {
        { context in
            let rows = CallCommand.groups.map {
                [$0.title, $0.options.map(\.flag).filter { $0 != "--request" }.joined(separator: " ")]
            }
            return EndpointDescription(declaration).text(declaration, context)
                + context.table.section("Options of call", rows)
                + "  See '\(context.tool) help call' for what they do.\n"
        }
    }

    /// Returns the options under their headings.
    ///
    /// All options are laid out as one table, so that their help texts are aligned, and then divided among the groups.
    private static func options(_ groups: [OptionSpecGroup], _ table: Table) -> String {
        let rows = groups.flatMap(\.options).map { option in
            [(option.short.map { "-\($0), " } ?? "    ") + option.syntax, option.help]
        }
        var lines = table.lines(rows)[...]
        var text = ""
        for group in groups {
            text += "\n\(group.title)\n"
            for line in lines.prefix(group.options.count) { text += line + "\n" }
            lines = lines.dropFirst(group.options.count)
        }
        return text
    }
}

/// A page of help that is not about a command, an API or an endpoint.
struct HelpTopic: Sendable {
    let name: String
    let title: String
    /// The heading in the manual page; nil for a topic that depends on this machine, which the manual page lacks.
    var section: String?
    let notes: @Sendable (CommandContext) throws -> CommandNotes

    /// Returns the page: the title, then paragraphs, rows and the example.
    @Sendable func text(_ context: CommandContext) throws -> String {
        let notes = try notes(context)
        return title + (notes.paragraphs.isEmpty ? "\n" : "\n\n") + notes.text(context.table)
    }

    static let all = [
        HelpTopic(
            name: "select", title: "A part of a result: --select, --table", section: "SELECTION", notes: selection),
        HelpTopic(name: "samples", title: "Samples: recorded responses", section: "SAMPLES", notes: samples),
        HelpTopic(name: "credentials", title: "Credentials", notes: credentials),
        HelpTopic(name: "exit-codes", title: "Exit codes", section: "EXIT STATUS") { _ in
            CommandNotes(rows: ExitCode.allCases.map { [String($0.rawValue), $0.meaning] })
        },
        HelpTopic(name: "environment", title: "Environment variables", section: "ENVIRONMENT") {
            CommandNotes(rows: variables($0))
        },
        HelpTopic(name: "documents", title: "APIs of OpenAPI documents: --api", section: "DOCUMENTS", notes: documents),
        // The page is a SKILL.md, whose front matter begins with this line.
        HelpTopic(name: "agents", title: "---") { CommandNotes(example: AgentsPage.text($0)) },
    ]

    @Sendable private static func documents(_ context: CommandContext) -> CommandNotes {
        let tool = context.tool
        return CommandNotes(
            rows: [
                ["\(tool) --api shop.json list", "the endpoints of a file; without --api, those of all APIs"],
                ["\(tool) --api shop=shop.yaml describe shop", "another name than that of the document's title"],
                [
                    "\(tool) --api https://shop.example/openapi.json list",
                    "a document at a URL, read with GET each time",
                ],
                ["\(tool) call shop.find-pets --api shop.yaml --status sold", "a call, with typed flags"],
                ["\(tool) check --document shop.yaml shop", "compare with the API shop; nothing is sent"],
            ],
            paragraphs: [
                """
                A document in OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, as JSON or YAML, is an API as if it were \
                compiled: list, describe, call, curl, check, mock, diff, openapi, docs, mcp, config and completion \
                know it. --api repeats and may stand anywhere before --. A command without names, such as list or \
                check, works on the documents of --api alone.
                """,
                """
                An endpoint is named after its operationId: getPet is get-pet. First words that all ids of a tag \
                share are left out. With more than 20 operations, the tag comes first: pets.get. Without an \
                operationId, the name is the method and the path: get-pets-owner.
                """,
                """
                Credentials come from variables that are named after the API and the security scheme: the scheme \
                api_key of shop from SHOP_API_KEY, basic authentication from SHOP_LOGIN_USER and \
                SHOP_LOGIN_PASSWORD. describe shows them. For a document without security schemes, -n takes user and \
                password from ~/.netrc, and -H sends a header.
                """,
                """
                --server-variable NAME=VALUE sets a variable in a server's URL. A document in a file whose server is \
                a path needs --base-url. Of a body's media types, the first in JSON is sent, or the one that \
                --body-type names. After the name of an endpoint, a parameter of one of these names wins over \
                the option.
                """,
                """
                The body of an operation is given by the flags of its fields; if one has the name of another \
                parameter, all are below --body. An element of a list is given by its position: --lines.0.sku X. Keys \
                that the schema allows without naming them (additionalProperties) are sent with JSON for the whole \
                object. Bytes are given with the option --body @FILE.
                """,
                """
                check compares a response with its schema. Keys that the schema does not name are drift, unless \
                additionalProperties is true or a schema. Keywords such as pattern are not compared: describe lists \
                them under Left out, and check says how many there are.
                """,
                """
                A document that the configuration names under documents is read if the command line names its API, \
                or no API at all: "documents": {"shop": {"file": "shop.yaml"}}, with the same keys as under apis.
                """,
            ])
    }

    @Sendable private static func selection(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            rows: [
                ["results.title", "the title of every item: names lead through lists"],
                ["results[0].title", "the title of the first item; also results.0.title"],
                [".results[].title", "the title of every item, as in jq"],
                ["results[\"odd.key\"]", "a name with other characters; also results.\"odd.key\""],
                ["$.results[?@.title]", "JSONPath (RFC 9535): every item that has a title"],
            ],
            paragraphs: [
                """
                --select PATH prints each value that it finds on a line of its own. --array puts them into one \
                array, --raw-strings prints strings without quotes, and with -e the exit code is 1 if nothing is \
                found. A name that the model of the response does not have is an error before anything is sent.
                """,
                """
                --table, --tsv and --csv print a list as rows: the one in the result, or what --select finds. \
                --columns chooses the columns; 'A.B' is the field B of the object A, '"A.B"' a field with that name. \
                Without a model, the list is the longest one of objects or lists. Cells are written as they are: a \
                spreadsheet takes one such as =1+1 for a formula.
                """,
            ],
            example: """
                  \(context.tool) call API.ENDPOINT --select results.title --raw-strings
                  \(context.tool) call API.ENDPOINT --select '$.results[0]'
                  \(context.tool) call API.ENDPOINT --table --columns id,title

                """)
    }

    @Sendable private static func samples(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            rows: [
                ["API.ENDPOINT.json", "the response to every call of the endpoint"],
                ["API.ENDPOINT@id=550.json", "to calls with that value of a parameter, percent-encoded"],
                ["API.ENDPOINT.2.json", "to the second call; after the last number it starts again"],
                ["API.ENDPOINT!503.json", "a response with the status 503"],
                ["API.ENDPOINT!503.headers", "the headers of that response"],
            ],
            paragraphs: [
                """
                A sample is a recorded response that an API declares for an endpoint. --sample prints it without \
                network or key; parameters that you leave out come from the example. 'check --sample' compares it \
                with the model, and 'mock' serves it to apps and tests.
                """,
                """
                'mock --samples DIR' serves the files in DIR first. 'call --record DIR' and 'mock --record DIR' \
                write them from what a real server sends, without secrets. Their names:
                """,
            ],
            example: """
                  \(context.tool) call API.ENDPOINT --sample
                  \(context.tool) check API.ENDPOINT --sample
                  \(context.tool) mock API --samples DIR

                """)
    }

    /// Describes every variable that has a credential: whether it is set, and the APIs that need it.
    @Sendable private static func credentials(_ context: CommandContext) throws -> CommandNotes {
        let settings = try Settings(context)
        let rows = CredentialVariable.all(of: context.registry.apis).map { credential in
            let isSet = context.registry.apis.contains { settings.hasValue(credential.name, of: $0) }
            return [
                credential.name, isSet ? "set" : "not set",
                credential.owners.joined(separator: ", "), credential.page ?? "",
            ]
        }
        return CommandNotes(
            rows: rows,
            paragraphs: [
                """
                A credential is a key, token or password that a server asks for. It is read from an environment \
                variable, or from where the configuration file says (see '\(context.tool) help config'), and is \
                never printed; '\(context.tool) API' shows how it is sent.
                """,
                """
                If an API declares a login, '\(context.tool) login API' gets the value and keeps it; see \
                '\(context.tool) help login'.
                """,
                rows.isEmpty ? "No API declares a credential." : "These are the variables, and what needs them:",
            ],
            example: secretRules(context.table))
    }

    /// Describes the secrets other than declared credentials: the rules and their lists.
    private static func secretRules(_ table: Table) -> String {
        let mark = SecretRules.mark
        let names = SecretName.list
        let exceptions = SecretName.exceptions
        let paragraphs = [
            """
            What is recorded, imported or reported has \(mark) in place of other secrets, and 0 in place of a number \
            of JSON that is one:
            """,
            "- the values of the headers Authorization, Proxy-Authorization, Cookie and Set-Cookie;",
            "- user and password in a URL, and a private key in PEM;",
            """
            - the value of a header, query item, form field or JSON member whose name ends with one of these words: \
            \(names.joined(separator: ", ")). Words are compared whole, however they are separated: X-Api-Key, \
            apiKey and api_key_2 end with 'api key', and sort_key does not. Not secret are: \
            \(exceptions.joined(separator: ", "));
            """,
            """
            - words that start with \(SecretToken.prefixes.joined(separator: ", ")), or that start with \
            \(SecretToken.dottedPrefixes.joined(separator: " or ")) and have two dots.
            """,
            """
            An import also removes long segments of a path after one named webhook or webhooks, because whoever knows \
            them may post there.
            """,
            "Nothing else is guessed.",
        ]
        return paragraphs.map { TextWrap.text($0, width: table.width, hang: $0.hasPrefix("-") ? 2 : 0) + "\n" }.joined()
    }

    /// Returns the rows about environment variables: the tool's own, those of libraries, and those of APIs and
    /// credentials.
    private static func variables(_ context: CommandContext) -> [[String]] {
        let names = context.variableNames
        let apis = context.registry.apis
        let common: [[String]] = [
            [names.server, "the server to use, like --server"],
            [names.configuration, "the configuration file; see '\(context.tool) help config'"],
            ["XDG_CONFIG_HOME", "where the directory \(context.tool) with config.json is, instead of ~/.config"],
            [
                "\(names.pager), PAGER",
                "the program that shows long texts on a terminal, instead of less; cat or empty: none",
            ],
            ["NO_COLOR", "no colour, even on a terminal"],
            ["CLICOLOR_FORCE", "colour, even in a pipe"],
            ["TERM", "dumb: no colour, no pager, no progress"],
            [
                "LC_ALL, LC_CTYPE, LANG",
                "marks are ASCII if the first one that is set names another encoding than UTF-8",
            ],
            ["http_proxy, https_proxy", "the proxy for URLs of that scheme, with a password if it needs one"],
            ["all_proxy, no_proxy", "the proxy for both, and the hosts that need none"],
            ["HTTPS_PROXY, ALL_PROXY, NO_PROXY", "the same; libcurl does not read HTTP_PROXY"],
            ["CURL_CA_BUNDLE, SSL_CERT_FILE", "the bundle of certificates to trust; the first one set counts"],
            ["SSL_CERT_DIR", "the directory of certificates to trust, unless CURL_CA_BUNDLE is set"],
            ["NETRC", "the file that --netrc reads, instead of ~/.netrc"],
            [names.password, "the password of the user of -u, for a URL"],
            [names.keyPassphrase, "the passphrase of an encrypted key (--cert, --key)"],
            ["GITHUB_ACTIONS", "check prints annotations; commands hidden in a server's texts are disarmed"],
            ["GITHUB_STEP_SUMMARY", "the file to which check adds a summary in GitHub Actions"],
            ["TF_BUILD", "Azure Pipelines: commands hidden in a server's texts are disarmed"],
        ]
        let servers: [[String]] = context.registry.names.flatMap { name in
            [
                [names.server(of: name), "the server of \(name), like --server"],
                [names.url(of: name), "the base URL of \(name), like --base-url"],
            ]
        }
        let synonyms = [
            "\(names.serverSynonym), \(names.serverSynonym(of: "api"))",
            "the same as \(names.server) and \(names.server(of: "api")), which win",
        ]
        let credentials = CredentialVariable.all(of: apis).map {
            [$0.name, "a credential of \($0.owners.joined(separator: ", "))"]
        }
        return common + servers + [synonyms] + credentials
    }
}

/// The manual page in the language of man(7). Its sections are pages of help.
enum ManualPage {
    /// The layout of tables: 80 columns without the indentation of a manual page.
    private static let table = Table(width: 72)

    @Sendable static func text(_ context: CommandContext) throws -> String {
        let tool = context.tool
        let files = [
            ["~/.config/\(tool)/config.json", "the configuration file; see the command config"],
            ["~/.netrc", "users and passwords, read only with --netrc"],
        ]
        var sections = try HelpTopic.all.compactMap { topic in
            try topic.section.map { ($0, try topic.notes(context).text(table)) }
        }
        sections += [("FILES", table.text(files)), ("EXAMPLES", table.text(HelpText.examples(context)))]
        return """
            .TH \(escaped(tool.uppercased())) 1 "" "\(escaped("\(tool) \(context.version)"))"
            .SH NAME
            \(escaped("\(tool) - call HTTP APIs by name"))
            .SH SYNOPSIS
            \(verbatim(context.commands.map { "\(tool) \($0.usage)\n" }.joined())).SH DESCRIPTION
            Every endpoint of an API is a command, every parameter a flag;
            responses are decoded through the models of the API. The APIs are:
            \(verbatim(table.text(context.registry.outermostSubjects.map { [$0.name, $0.summary] }))).SH COMMANDS

            """ + context.commands.map { command($0, context) }.joined()
                + sections.map { ".SH \($0)\n" + verbatim($1) }.joined() + ".SH SEE ALSO\n.BR curl (1),\n.BR jq (1)\n"
    }

    /// Returns the section of the manual page about a command: its help without the first line, which is the heading
    /// here.
    private static func command(_ command: any Command.Type, _ context: CommandContext) -> String {
        let text =
            command == CurlCommand.self
            ? "\n  \(command.summary)\n\nIts options are those of \(CallCommand.name) that change the command.\n"
            : HelpText.command(command, context, width: table.width)
        return ".SS \(escaped("\(context.tool) \(command.usage)"))\n"
            + verbatim(String(text.drop { $0 != "\n" }.dropFirst()))
    }

    /// Returns lines that man(7) shows as they are, instead of filling them.
    private static func verbatim(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            // In man(7), a dot or quote at the start of a line begins a request. `\&` before it is an empty character.
            (line.first == "." || line.first == "'" ? "\\&" : "") + escaped(String(line)) + "\n"
        }
        return ".nf\n" + lines.joined() + ".fi\n"
    }

    /// The escapes of characters that man(7) changes or that not all fonts have.
    private static let escapes: [Unicode.Scalar: String] = [
        "…": "...", "✓": "+", "✗": "x", "–": "\\-", "\\": "\\e", "-": "\\-", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga",
    ]

    /// Returns text without characters that have a meaning in man(7), or are not ASCII: `\[u00E9]` for é.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if let escape = escapes[scalar] { return escape }
            if scalar.isASCII { return String(scalar) }
            let hex = String(scalar.value, radix: 16, uppercase: true)
            return "\\[u" + String(repeating: "0", count: max(4 - hex.count, 0)) + hex + "]"
        }.joined()
    }
}
