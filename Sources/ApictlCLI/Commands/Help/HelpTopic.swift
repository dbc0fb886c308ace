import EndpointKit
import EndpointTools

/// A page of help that is not about a command, an API or an endpoint.
struct HelpTopic: Sendable {
    let name: String
    /// The subject of the page in a few words, for the list of topics.
    let summary: String
    let title: String
    /// The heading in the manual page; nil for a page that the manual page lacks.
    var section: String?
    /// Returns the text below the title.
    let notes: @Sendable (CommandContext) throws -> CommandNotes
    /// The text for the manual page if it differs from ``notes``, because that depends on the user's settings.
    var manualNotes: (@Sendable (CommandContext) throws -> CommandNotes)?

    /// Returns the page: the title, then the notes. Paragraphs are separated from the title by an empty line, rows are
    /// not.
    @Sendable func text(_ context: CommandContext) throws -> String {
        let notes = try notes(context)
        let separator = notes.paragraphs.isEmpty ? "\n" : "\n\n"
        return title + separator + notes.text(context.table)
    }

    /// The topics in the order in which help lists them.
    static let all = [
        HelpTopic(
            name: "select", summary: "a part of a result: --select, --table",
            title: "A part of a result: --select, --table", section: "SELECTION", notes: selection),
        HelpTopic(
            name: "samples", summary: "recorded responses: --sample, mock", title: "Samples: recorded responses",
            section: "SAMPLES", notes: samples),
        HelpTopic(name: "cases", summary: "files for check --cases", title: "Cases: check --cases", section: "CASES") {
            CheckCommand.caseNotes($0)
        },
        HelpTopic(
            name: "credentials", summary: "keys and tokens, and what is kept secret", title: "Credentials",
            section: "CREDENTIALS", notes: credentials, manualNotes: credentialRules),
        HelpTopic(
            name: "exit-codes", summary: "the meaning of exit codes", title: "Exit codes", section: "EXIT STATUS"
        ) { _ in
            CommandNotes(rows: ExitCode.allCases.map { [String($0.rawValue), $0.meaning] })
        },
        HelpTopic(
            name: "environment", summary: "the environment variables that are read", title: "Environment variables",
            section: "ENVIRONMENT"
        ) {
            CommandNotes(rows: variables($0))
        },
        HelpTopic(
            name: "documents", summary: "APIs of OpenAPI documents: --api", title: "APIs of OpenAPI documents: --api",
            section: "DOCUMENTS", notes: documents),
        // The page is a SKILL.md, whose front matter begins with this line.
        HelpTopic(name: "agents", summary: "a page that teaches agents this program", title: "---") {
            CommandNotes(example: AgentsPage.text($0))
        },
    ]

    /// Explains how a document is used as an API, and how its APIs differ from compiled ones.
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
                You can use a document in OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, as JSON or YAML, like a compiled API \
                with list, describe, call, curl, check, mock, diff, openapi, docs, mcp, config and completion. --api \
                is repeatable, and may be anywhere before --. With --api, a command without names, such as list or \
                check, works only on the documents.
                """,
                """
                An endpoint is named after its operationId: getPet is get-pet. If all ids of a tag start with the same \
                words, these words are left out. With more than 20 operations, the tag comes first: pets.get. Without \
                an operationId, the name is the method and the path: get-pets-owner.
                """,
                """
                Credentials come from variables that are named after the API and the security scheme. For the API \
                shop, the scheme api_key uses SHOP_API_KEY, and a scheme login with basic authentication uses \
                SHOP_LOGIN_USER and SHOP_LOGIN_PASSWORD. describe shows them. For a document without security schemes, \
                -n takes user and password from ~/.netrc, and -H sends a header.
                """,
                """
                --server-variable NAME=VALUE sets a variable in a server's URL. If a document in a file has only a \
                path as its server, give --base-url. If a body has several media types, the first JSON type is sent, \
                or the type that --body-type names. After the name of an endpoint, a parameter with one of these names \
                wins over the option.
                """,
                """
                Give the body of an operation with the flags of its fields. If a field has the name of another \
                parameter, all flags of the body start with --body. Give an element of a list by its position: \
                --lines.0.sku X. To send keys that the schema allows without naming them (additionalProperties), give \
                the whole object as JSON. Send bytes with the option --body @FILE.
                """,
                """
                check compares a response with its schema. Keys that the schema does not name are drift, unless \
                additionalProperties is true or a schema. Keywords such as pattern are not compared. describe lists \
                them under Left out, and check counts them.
                """,
                """
                The configuration can name documents too: "documents": {"shop": {"file": "shop.yaml"}}, with the same \
                keys as under apis. Such a document is read if the command line names its API, or no API at all.
                """,
            ])
    }

    /// Explains the paths of `--select`, and the rows of `--table`, `--tsv` and `--csv`.
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
                --select PATH prints each value that it finds on a line of its own. --array puts the values into one \
                array, and --raw-strings prints strings without quotes. With -e, the exit code is 1 if nothing is \
                found. If the model of the response does not have a name, it is an error and nothing is sent.
                """,
                """
                --table, --tsv and --csv print a list as rows: the list in the result, or the values that --select \
                finds. --columns chooses the columns. 'A.B' is the field B of the object A, and '"A.B"' is a field \
                with that name. Without a model, the rows come from the longest list of objects or lists. Cells are \
                written as they are, so a spreadsheet reads a cell such as =1+1 as a formula.
                """,
            ],
            example: """
                  \(context.tool) call API.ENDPOINT --select results.title --raw-strings
                  \(context.tool) call API.ENDPOINT --select '$.results[0]'
                  \(context.tool) call API.ENDPOINT --table --columns id,title

                """)
    }

    /// Explains recorded responses, and the names of their files.
    @Sendable private static func samples(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            rows: [
                ["API.ENDPOINT.json", "the response to every call of the endpoint"],
                ["API.ENDPOINT@id=550.json", "the response to calls with this value of a parameter, percent-encoded"],
                ["API.ENDPOINT.2.json", "the response to the second call; after the last number it starts again"],
                ["API.ENDPOINT!503.json", "a response with the status 503"],
                ["API.ENDPOINT!503.headers", "the headers of that response"],
            ],
            paragraphs: [
                """
                A sample is a recorded response that an API declares for an endpoint. --sample prints it without \
                network or key. Parameters that you leave out come from the example. 'check --sample' compares it with \
                the model, and 'mock' serves it to apps and tests.
                """,
                """
                'mock --samples DIR' serves the files in DIR first. 'call --record DIR' and 'mock --record DIR' write \
                such files with the responses of a real server, without secrets. The names of the files are:
                """,
            ],
            example: """
                  \(context.tool) call API.ENDPOINT --sample
                  \(context.tool) check API.ENDPOINT --sample
                  \(context.tool) mock API --samples DIR

                """)
    }

    /// Explains credentials and other secrets, and lists every variable that has a credential: whether it is set, and
    /// the APIs that need it.
    @Sendable private static func credentials(_ context: CommandContext) throws -> CommandNotes {
        let settings = try Settings(context)
        let rows = CredentialVariable.all(of: context.registry.apis).map { variable in
            // The configuration may give a variable a value for one API only.
            let isSet = context.registry.apis.contains { settings.hasValue(variable.name, of: $0) }
            let owners = variable.owners.joined(separator: ", ")
            return [variable.name, isSet ? "set" : "not set", owners, variable.page ?? ""]
        }
        var notes = credentialRules(context)
        notes.rows = rows
        notes.paragraphs.append(
            rows.isEmpty
                ? "No API declares a credential."
                : "These are the variables, and the APIs and endpoints that need them:")
        return notes
    }

    /// Explains credentials and other secrets, without what depends on the user's settings.
    @Sendable private static func credentialRules(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            paragraphs: [
                """
                A credential is a key, token or password that a server asks for. It is read from an environment \
                variable, or from the source that the configuration file names (see '\(context.tool) help config'). It \
                is never printed. '\(context.tool) API' shows how it is sent.
                """,
                """
                If an API declares a login, '\(context.tool) login API' gets the value and stores it. See \
                '\(context.tool) help login'.
                """,
            ],
            closing: secretRules)
    }

    /// The rules for secrets other than declared credentials, with their lists.
    private static var secretRules: [String] {
        let mark = SecretRules.mark
        let names = SecretName.list
        let exceptions = SecretName.exceptions
        return [
            """
            Recordings, imports and reports have \(mark) in place of other secrets, and 0 in place of a secret JSON \
            number:
            """,
            "- the values of the headers Authorization, Proxy-Authorization, Cookie and Set-Cookie;",
            "- user and password in a URL, and a private key in PEM;",
            """
            - the value of a header, query item, form field or JSON member whose name ends with one of these words: \
            \(names.joined(separator: ", ")). Whole words are compared, whatever separates them: X-Api-Key, apiKey and \
            api_key_2 end with 'api key', and sort_key does not. These names are not secret: \
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
            "These are all the rules.",
        ]
    }

    /// Returns a row for each environment variable that is read, with its meaning. The variables that do not depend on
    /// APIs come first, and then the variables of servers and credentials.
    private static func variables(_ context: CommandContext) -> [[String]] {
        let names = context.variableNames
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
        let credentials = CredentialVariable.all(of: context.registry.apis).map {
            [$0.name, "a credential of \($0.owners.joined(separator: ", "))"]
        }
        return generalVariables(context) + servers + [synonyms] + credentials
    }

    /// Returns the rows about environment variables that do not depend on APIs: variables of the tool, of terminals, of
    /// libcurl and of CI systems.
    private static func generalVariables(_ context: CommandContext) -> [[String]] {
        let names = context.variableNames
        return [
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
    }
}
