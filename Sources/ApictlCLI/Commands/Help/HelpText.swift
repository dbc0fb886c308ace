import EndpointKit

/// The texts of help.
enum HelpText {
    static func overview(_ context: RunContext) -> String {
        let tool = context.tool
        let example = context.registry.exampleName ?? "API.ENDPOINT"
        return """
            \(tool) calls HTTP APIs by name: every endpoint is a command, every parameter a flag.

            Usage
            \(Table.text(CommandName.allCases.map { ["\(tool) \($0.usage)", $0.summary] }, indent: "  "))
            APIs
            \(Table.text(context.registry.apis.map { [$0.name, $0.summary] }, indent: "  "))
            Options
              --help, -h   show this help
              --version    print the version

            Examples
              \(tool) list \(example.prefix { $0 != "." })
              \(tool) describe \(example)
              \(tool) call \(example) --sample
              \(tool) curl \(example)

            See '\(tool) help COMMAND' for a command's options, '\(tool) help API.ENDPOINT' for an endpoint.

            """
    }

    static func command(_ command: CommandName, tool: String) -> String {
        var text = "\(tool) \(command.usage)\n  \(command.summary)\n"
        switch command {
        case .list, .describe: text += options(DisplayOptions.table)
        case .format: text += options(FormatOptions.table)
        case .help: text += options(HelpCommand.table)
        case .call, .curl:
            text += options(CallOptions.table)
            text += """

                Parameters and options may come in any order after the endpoint's name.
                See '\(tool) help API.ENDPOINT' for an endpoint's parameters.

                """
        }
        return text
    }

    static func endpoint(_ declaration: EndpointDeclaration, tool: String) -> String {
        DescriptionText.text(declaration, tool: tool) + options(CallOptions.table)
    }

    static var exitCodes: String {
        "Exit codes\n" + Table.text(ExitCode.allCases.map { [String($0.rawValue), $0.meaning] }, indent: "  ")
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
        for (variable, owners) in credentialVariables(context.registry) {
            rows.append([variable, "a credential of \(owners.joined(separator: ", "))"])
        }
        return "Environment variables\n" + Table.text(rows, indent: "  ")
    }

    /// The options under their headings, with aligned help texts.
    private static func options<Options>(_ table: OptionTable<Options>) -> String {
        let rows = table.specs.map { spec in
            let short = spec.short.map { "-\($0), " } ?? "    "
            return [short + spec.flag + (spec.placeholder.map { " \($0)" } ?? ""), spec.help]
        }
        var lines = Table.lines(rows, indent: "  ")[...]
        return table.groups.map { group in
            defer { lines = lines.dropFirst(group.options.count) }
            return "\n\(group.title)\n" + lines.prefix(group.options.count).map { $0 + "\n" }.joined()
        }.joined()
    }

    /// Each credential variable with the APIs and endpoints that use it, in declaration order.
    private static func credentialVariables(_ registry: Registry) -> [(String, [String])] {
        var found: [(variable: String, names: [String])] = []
        func add(_ credentials: [Credential], _ name: String) {
            for variable in credentials.flatMap(\.alternatives).flatMap(\.variables) {
                if let index = found.firstIndex(where: { $0.variable == variable }) {
                    if !found[index].names.contains(name) { found[index].names.append(name) }
                } else {
                    found.append((variable, [name]))
                }
            }
        }
        for api in registry.apis {
            add(api.credentials, api.name)
            for endpoint in (try? EndpointDeclaration.all(of: api)) ?? [] {
                add(endpoint.endpoint.credentials ?? [], endpoint.name)
            }
        }
        return found
    }
}
