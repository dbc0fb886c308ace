import EndpointKit

/// The texts of help.
enum HelpText {
    static func overview(_ context: RunContext) -> String {
        let tool = context.tool
        let table = Table(width: context.textWidth)
        let example = context.registry.exampleName ?? "API.ENDPOINT"
        let commands =
            CommandName.allCases.map { [$0.usage, $0.summary] } + [
                ["API", "show an API: its servers, credentials and endpoints"],
                ["API.ENDPOINT [parameters] [options]", "the same as call"],
            ]
        return """
            \(TextWrap.text("\(tool) calls HTTP APIs by name: every endpoint is a command, every parameter a flag.", width: table.width))

            APIs
            \(table.text(context.registry.apis.map { [$0.name, $0.summary] }))
            Try
              \(tool) \(example.prefix { $0 != "." })
              \(tool) call \(example) --sample
              \(tool) curl \(example)

            Commands
            \(table.text(commands))
            Options
              --help, -h     show this help
              --version, -V  print the version

            \(TextWrap.text("See '\(tool) help COMMAND' for a command's options, '\(tool) help API.ENDPOINT' for an endpoint.", width: table.width))

            """
    }

    static func command(_ command: CommandName, _ context: RunContext) -> String {
        let width = context.textWidth
        let help = command.help(context)
        return "\(context.tool) \(command.usage)\n  \(TextWrap.text(command.summary, width: width, hang: 2))\n"
            + options(help.groups, width)
            + (help.paragraphs.isEmpty ? "" : "\n")
            + help.paragraphs.map { TextWrap.text($0, width: width) + "\n" }.joined()
            + (help.example.isEmpty ? "" : "\n" + help.example)
    }

    /// The endpoint, and the options of `call`: all with their help, or only their names.
    static func endpoint(_ declaration: EndpointDeclaration, all: Bool, _ context: RunContext) -> String {
        let text = DescriptionText.text(declaration, context)
        if all { return text + options(CommandHelp(CallOptions.table).groups, context.textWidth) }
        let rows = CallOptions.table.groups.map { group in
            [group.title, group.options.map(\.spec.flag).joined(separator: " ")]
        }
        return text + "\nOptions of call\n" + Table(width: context.textWidth).text(rows)
            + "  See '\(context.tool) call \(declaration.name) --help-all' for what they do.\n"
    }

    static func exitCodes(_ context: RunContext) -> String {
        "Exit codes\n" + Table(width: context.textWidth).text(exitCodeRows)
    }

    static var exitCodeRows: [[String]] { ExitCode.allCases.map { [String($0.rawValue), $0.meaning] } }

    static func environment(_ context: RunContext) -> String {
        "Environment variables\n" + Table(width: context.textWidth).text(environmentRows(context))
    }

    static func environmentRows(_ context: RunContext) -> [[String]] {
        let names = context.variableNames
        var rows = [
            [names.server, "the server to use, like --env"],
            [names.configuration, "the configuration file; see '\(context.tool) help config'"],
            [
                "\(names.pager), PAGER",
                "the program that shows long texts on a terminal, in place of less; cat or nothing: none",
            ],
            ["NO_COLOR", "no colour, even on a terminal"],
            ["CLICOLOR_FORCE", "colour, even in a pipe"],
            ["http_proxy, https_proxy, no_proxy", "proxies, as libcurl reads them, with a password if one is needed"],
            ["CURL_CA_BUNDLE, SSL_CERT_FILE", "the bundle of certificates to trust; the first one set counts"],
            ["SSL_CERT_DIR", "the directory of certificates to trust, unless CURL_CA_BUNDLE is set"],
            ["NETRC", "the file that --netrc reads, instead of ~/.netrc"],
            [names.keyPassphrase, "the passphrase of an encrypted key (--cert, --key)"],
        ]
        for api in context.registry.apis {
            rows.append([names.server(of: api), "the server of \(api.name), like --env"])
            rows.append([names.url(of: api), "the base URL of \(api.name), like --base-url"])
        }
        return rows
            + CredentialVariable.all(of: context.registry.apis).map { credential in
                [credential.name, "a credential of \(credential.owners.joined(separator: ", "))"]
            }
    }

    /// Every variable that holds a credential, whether it is set, and what needs it.
    static func credentials(_ context: RunContext) -> String {
        let rows = CredentialVariable.all(of: context.registry.apis).map { credential in
            [
                credential.name, context.hasValue(credential.name) ? "set" : "not set",
                credential.owners.joined(separator: ", "), credential.page ?? "",
            ]
        }
        let note =
            "Credentials are read from these variables, or from where the configuration file says (see '\(context.tool) help config'). They are never printed; '\(context.tool) API' shows how each is sent."
        let width = context.textWidth
        return "Credentials\n" + Table(width: width).text(rows) + "\n" + TextWrap.text(note, width: width) + "\n"
    }

    /// The options under their headings, with aligned help texts.
    private static func options(_ groups: [CommandHelp.Group], _ width: Int) -> String {
        let rows = groups.flatMap(\.options).map { spec in
            let short = spec.short.map { "-\($0), " } ?? "    "
            return [short + spec.syntax, spec.help]
        }
        var lines = Table(width: width).lines(rows)[...]
        return groups.map { group in
            defer { lines = lines.dropFirst(group.options.count) }
            return "\n\(group.title)\n" + lines.prefix(group.options.count).map { $0 + "\n" }.joined()
        }.joined()
    }
}
