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
        var text = "\(context.tool) \(command.usage)\n  \(TextWrap.text(command.summary, width: width, hang: 2))\n"
        switch command {
        case .list: text += options(DisplayOptions.listTable, width)
        case .describe: text += options(DisplayOptions.table, width)
        case .format: text += options(FormatOptions.table, width)
        case .help: text += options(HelpCommand.table, width)
        case .completions:
            text += """

                bash  source <(\(context.tool) completions bash)      in ~/.bashrc
                zsh   source <(\(context.tool) completions zsh)       in ~/.zshrc, after compinit
                fish  \(context.tool) completions fish | source       in ~/.config/fish/config.fish

                Completion never uses the network.

                """
        case .check:
            text += options(CheckOptions.table, width)
            let about = [
                "A check sends one example of an endpoint, expects a 2xx status and compares the response with the endpoint's model.",
                "PATTERN is part of an endpoint's name, method, path or summary, or a glob with * and ?; without one, every endpoint is checked.",
                "✓ fits; ~ fits, but has keys that the model does not have; ✗ failed; – skipped: nothing was sent.",
                "Exit codes: 0 if nothing failed, 1 if a check failed or none ran, 2 for a wrong command line, 130 if interrupted.",
            ]
            text += "\n" + about.map { TextWrap.text($0, width: width) + "\n" }.joined()
        case .diff:
            text += options(DiffCommand.table, width)
            text += "\nExit codes: 0 if the responses are alike, 1 if they differ.\n"
        case .mock:
            text += options(MockOptions.table, width)
            let about = [
                "The address is the only line on stdout; the routes, the variables to set and a line for each request go to stderr.",
                "One API is served at /, several under /API each; without a name, all are served. The path of an API's own server, such as /3, may be there or not.",
                "Ctrl-C stops the server when the responses under way have been sent, after 5 seconds at the latest.",
            ]
            text += "\n" + about.map { TextWrap.text($0, width: width) + "\n" }.joined()
        case .call, .curl:
            text += options(CallOptions.table, width)
            text += """

                Parameters and options may come in any order after the endpoint's name.
                See '\(context.tool) help API.ENDPOINT' for an endpoint's parameters.

                """
            if command == .curl { text += "The printed command can be pasted into sh, bash, zsh and fish.\n" }
        }
        return text
    }

    /// The endpoint, and the options of `call`: all with their help, or only their names.
    static func endpoint(_ declaration: EndpointDeclaration, all: Bool, _ context: RunContext) -> String {
        let text = DescriptionText.text(declaration, context)
        if all { return text + options(CallOptions.table, context.textWidth) }
        let rows = CallOptions.table.groups.map { group in
            [group.title, group.options.map(\.spec.flag).joined(separator: " ")]
        }
        return text + "\nOptions of call\n" + Table(width: context.textWidth).text(rows)
            + "  See '\(context.tool) call \(declaration.name) --help-all' for what they do.\n"
    }

    static func exitCodes(_ context: RunContext) -> String {
        let rows = ExitCode.allCases.map { [String($0.rawValue), $0.meaning] }
        return "Exit codes\n" + Table(width: context.textWidth).text(rows)
    }

    static func environment(_ context: RunContext) -> String {
        let names = context.variableNames
        var rows = [
            [names.server, "the server to use, like --env"],
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
        for credential in credentialVariables(context.registry) {
            rows.append([credential.variable, "a credential of \(credential.owners.joined(separator: ", "))"])
        }
        return "Environment variables\n" + Table(width: context.textWidth).text(rows)
    }

    /// Every variable that holds a credential, whether it is set, and what needs it.
    static func credentials(_ context: RunContext) -> String {
        let rows = credentialVariables(context.registry).map { credential in
            [
                credential.variable, context.environment.isSet(credential.variable) ? "set" : "not set",
                credential.owners.joined(separator: ", "), credential.source ?? "",
            ]
        }
        let note =
            "Credentials are read from these variables only. They are never printed; '\(context.tool) API' shows how each is sent."
        let width = context.textWidth
        return "Credentials\n" + Table(width: width).text(rows) + "\n" + TextWrap.text(note, width: width) + "\n"
    }

    /// The options under their headings, with aligned help texts.
    private static func options<Options>(_ table: OptionTable<Options>, _ width: Int) -> String {
        let rows = table.specs.map { spec in
            let short = spec.short.map { "-\($0), " } ?? "    "
            return [short + spec.flag + (spec.placeholder.map { " \($0)" } ?? ""), spec.help]
        }
        var lines = Table(width: width).lines(rows)[...]
        return table.groups.map { group in
            defer { lines = lines.dropFirst(group.options.count) }
            return "\n\(group.title)\n" + lines.prefix(group.options.count).map { $0 + "\n" }.joined()
        }.joined()
    }

    /// A variable that holds a credential, what uses it, and the page where a person gets it.
    private struct CredentialVariable {
        let variable: String
        var owners: [String]
        let source: String?
    }

    /// Each credential variable with the APIs and endpoints that use it, in declaration order.
    private static func credentialVariables(_ registry: Registry) -> [CredentialVariable] {
        var found: [CredentialVariable] = []
        func add(_ credentials: [Credential], _ owner: String) {
            for credential in credentials {
                for scheme in credential.alternatives {
                    for variable in scheme.variables {
                        if let index = found.firstIndex(where: { $0.variable == variable }) {
                            if !found[index].owners.contains(owner) { found[index].owners.append(owner) }
                        } else {
                            found.append(
                                CredentialVariable(
                                    variable: variable, owners: [owner], source: credential.source(of: scheme)))
                        }
                    }
                }
            }
        }
        for api in registry.apis {
            add(api.credentials, api.name)
            for server in api.servers { add(server.credentials ?? [], "\(api.name) on \(server.name)") }
            for endpoint in (try? EndpointDeclaration.all(of: api)) ?? [] {
                add(endpoint.endpoint.credentials ?? [], endpoint.name)
            }
        }
        return found
    }
}
