import EndpointKit

/// The texts of help.
enum HelpText {
    /// `example` is the name of an endpoint of the tool's.
    static func overview(tool: String, example: String) -> String {
        """
        \(tool) calls HTTP APIs by name: every endpoint is a command, every parameter a flag.

        Usage
        \(Table.text(CommandName.allCases.map { ["\(tool) \($0.usage)", $0.summary] }, indent: "  "))
        Options
          --help, -h   this help
          --version    the version

        Examples
          \(tool) list \(example.prefix { $0 != "." })
          \(tool) describe \(example)
          \(tool) call \(example) --sample
          \(tool) curl \(example)

        Run '\(tool) help COMMAND' for a command's options, '\(tool) help API.ENDPOINT' for an endpoint.

        """
    }

    static func command(_ command: CommandName, tool: String) -> String {
        let isInvocation = command == .call || command == .curl
        var text = "\(tool) \(command.usage)\n  \(command.summary)\n"
        text += isInvocation ? options(CallOptions.groups) : options([("Options", command.options)])
        if isInvocation {
            text += """

                Parameters and options may stand in any order behind the endpoint's name.
                Run '\(tool) help API.ENDPOINT' for an endpoint's parameters.

                """
        }
        return text
    }

    static func endpoint(_ description: EndpointDescription) -> String {
        DescriptionText.text(description) + options(CallOptions.groups)
    }

    static var exitCodes: String {
        "Exit codes\n" + Table.text(ExitCode.allCases.map { [String($0.rawValue), $0.meaning] }, indent: "  ")
    }

    static func environment(_ registry: Registry) -> String {
        var rows = [
            ["APICTL_ENV", "the environment to use, as --env"],
            ["NO_COLOR", "no colour, whatever the terminal"],
            ["CLICOLOR_FORCE", "colour, even into a pipe"],
            [
                "http_proxy, https_proxy, no_proxy",
                "proxies, as libcurl reads them, with a password where one is needed",
            ],
            ["CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR", "the certificates to trust"],
            ["NETRC", "the file that --netrc reads, instead of ~/.netrc"],
            [ConnectionPreparation.passphraseVariable, "the passphrase of the key of --cert and --key"],
        ]
        for api in registry.apis {
            rows.append([RequestPreparation.urlVariable(of: api), "the base URL of \(api.name), as --base-url"])
        }
        for (variable, names) in credentialVariables(registry) {
            rows.append([variable, "a credential of \(names.joined(separator: ", "))"])
        }
        return "Environment variables\n" + Table.text(rows, indent: "  ")
    }

    /// The options under their titles, all summaries under each other.
    private static func options(_ groups: [(title: String, specs: [OptionSpec])]) -> String {
        let rows = groups.flatMap(\.specs).map { spec in
            let short = spec.short.map { "-\($0), " } ?? "    "
            return [short + spec.flag + (spec.placeholder.map { " \($0)" } ?? ""), spec.summary]
        }
        var lines = Table.text(rows, indent: "  ").split(separator: "\n")[...]
        return groups.map { title, specs in
            defer { lines = lines.dropFirst(specs.count) }
            return "\n\(title)\n" + lines.prefix(specs.count).map { $0 + "\n" }.joined()
        }.joined()
    }

    /// Each variable with the names it is a credential of, in the order they are declared.
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
