import EndpointKit
import EndpointTools

/// An option of `call` as it is written for curl.
struct CurlOption: Sendable {
    typealias Argument = CurlCommandText.Argument

    /// The long name of the option of `call`.
    let name: String
    /// Returns the arguments for curl; none if the option has no value.
    let arguments: @Sendable (CallPlan, CommandContext) -> [Argument]

    /// The names of the options that a printed command needs no warning about. curl has nothing like the other ones.
    static let covered = Set(all.map(\.name)).union(notNeeded)

    /// The names of the options that may change a printed command, and of those that every command has.
    static let listed = covered.subtracting(["dry-run", "fail-with-body"])

    /// The options that curl does not need. They are part of the request already, as a header, the URL or the body, or
    /// curl does the same by default.
    private static let notNeeded = [
        "any-status", "fail-with-body", "request", "server", "base-url", "header", "query", "body", "body-type", "auth",
        "data", "data-urlencode", "json", "form", "get", "cookie", "user", "env-file", "dry-run", "retry-unsafe",
        "color", "no-pager", "json-errors", "help", "api", "server-variable",
    ]

    /// The options that curl has in some form, in the order of its arguments.
    private static let all = output + transfer + connection

    /// Returns all options that curl has: first those on the command line in their order, then the others.
    ///
    /// The others matter too, because the configuration may have a value for any option.
    ///
    /// - Parameter givenNames: The names of the options on the command line.
    static func all(startingWith givenNames: [String]) -> [CurlOption] {
        let givenOptions = givenNames.compactMap { name in all.first { $0.name == name } }
        return givenOptions + all.filter { !givenNames.contains($0.name) }
    }

    private static let output = [
        CurlOption("output", outputFile), CurlOption("remote-name") { _, _ in nil },
        CurlOption("remote-header-name") { _, _ in nil },
        CurlOption("continue") { options, _ in options.output.resumes ? ["--continue-at", "-"] : nil },
        CurlOption("include") { options, _ in
            guard options.output.includesHeaders else { return nil }
            // With an output file, curl's --include would write the headers into the file.
            return options.output.writesFile ? ["--dump-header", "-"] : ["--include"]
        },
        CurlOption("verbose") { options, _ in options.output.verbosity > 0 ? ["--verbose"] : nil },
        CurlOption("write-out", writeOut),
        CurlOption("quiet") { options, _ in
            guard options.output.quiet else { return nil }
            return ["--silent"] + (options.output.file == nil ? ["--output", "/dev/null"] : [])
        },
        CurlOption("netrc") { options, context in
            guard options.request.netrc else { return nil }
            return context.environment.isSet("NETRC") ? ["--netrc-file", .variable("NETRC")] : ["--netrc"]
        },
    ]

    private static let transfer = [
        CurlOption("max-time") { options, _ in options.transfer.maxTime.map { ["--max-time", .seconds($0.value)] } },
        CurlOption("connect-timeout") { options, _ in
            options.transfer.connectTimeout.map { ["--connect-timeout", .seconds($0.value)] }
        },
        CurlOption("max-bytes") { options, _ in
            // In curl, 0 means no limit.
            options.transfer.maxBytes.map { ["--max-filesize", Argument("\(max($0, 1))")] }
        },
        CurlOption("max-redirects") { options, _ in
            options.transfer.maxRedirects.map { ["--max-redirs", Argument("\($0)")] }
        },
        CurlOption(name: "retry") { plan, _ in retry(plan) },
        CurlOption("retry-delay") { options, _ in
            // Whole seconds, rounded up: older versions of curl take no others.
            options.transfer.retryDelay.map { ["--retry-delay", Argument("\(Int($0.inSeconds.rounded(.up)))")] }
        },
    ]

    private static let connection = [
        CurlOption("insecure") { options, _ in options.connection.isInsecure?.value == true ? ["--insecure"] : nil },
        CurlOption("cacert", certificateAuthorities),
        CurlOption("cert", certificate),
        CurlOption("key") { options, _ in options.connection.key.map { ["--key", Argument($0.text)] } },
        CurlOption("proxy") { options, _ in options.connection.proxy.map { ["--proxy", Argument($0.text)] } },
        CurlOption("unix-socket") { options, _ in
            options.connection.unixSocket.map { ["--unix-socket", Argument($0.text)] }
        },
        CurlOption("resolve") { options, _ in
            options.connection.resolve.map { entries in entries.value.flatMap { ["--resolve", Argument($0)] } }
        },
        CurlOption("http1.1") { options, _ in options.connection.httpVersion == .http1 ? ["--http1.1"] : nil },
        CurlOption("http2") { options, _ in options.connection.httpVersion == .http2 ? ["--http2"] : nil },
        CurlOption("tlsv1.2") { options, _ in options.connection.tlsVersion == .tls12 ? ["--tlsv1.2"] : nil },
        CurlOption("tlsv1.3") { options, _ in options.connection.tlsVersion == .tls13 ? ["--tlsv1.3"] : nil },
    ]
}

extension CurlOption {
    /// Makes an option whose arguments do not depend on the request.
    ///
    /// - Parameters:
    ///   - name: The long name of the option of `call`.
    ///   - arguments: Returns the arguments for curl; nil if the option has no value.
    private init(
        _ name: String, _ arguments: @escaping @Sendable (CallOptions, CommandContext) -> [Argument]?
    ) {
        self.init(name: name) { plan, context in arguments(plan.options, context) ?? [] }
    }

    /// Returns the arguments for the file of the response's body, whose name may come from the options or the server.
    @Sendable private static func outputFile(_ options: CallOptions, _ context: CommandContext) -> [Argument]? {
        guard let file = options.output.file else { return nil }
        if !options.output.isNamedByServer { return ["--output", Argument(file)] }
        let directory = FilePlace.directory(of: file)
        let directoryArguments: [Argument] = directory.isEmpty ? [] : ["--output-dir", Argument(directory)]
        return directoryArguments + ["--remote-name", "--remote-header-name"]
    }

    /// Returns the arguments for `--retry`.
    ///
    /// curl retries requests with any method. `call` only does with `--retry-unsafe`, and otherwise retries idempotent
    /// methods such as GET (RFC 9110, section 9.2.2). For other methods, there are no arguments.
    private static func retry(_ plan: CallPlan) -> [Argument] {
        let transfer = plan.options.transfer
        guard let retryCount = transfer.retry?.value else { return [] }
        let retriesMethod = transfer.retriesUnsafe || plan.request.method.isIdempotent
        guard retriesMethod else { return [] }
        // Unlike `call`, curl does not retry a refused connection by default.
        return ["--retry", Argument("\(retryCount)"), "--retry-connrefused"]
    }

    /// Returns the argument for `--write-out`.
    ///
    /// `call` writes the text to stderr, curl to stdout unless the text begins with `%{stderr}`. So the argument is the
    /// text with this beginning, also for a text in a file. A file that can't be read now is left to curl.
    @Sendable private static func writeOut(_ options: CallOptions, _ context: CommandContext) -> [Argument]? {
        guard let word = options.output.writeOut else { return nil }
        if let text = readText(word, context.environment.files) {
            return ["--write-out", Argument("%{stderr}" + text)]
        }
        return ["--write-out", Argument(word.text)]
    }

    /// Returns the text of an option. For `@FILE`, it is read from the file.
    ///
    /// - Returns: The text; nil for stdin and for a file that can't be read.
    private static func readText(_ word: SourcedText, _ files: any FileSystem) -> String? {
        guard let path = word.filePath else { return word.text }
        if word.isStdin { return nil }
        guard let bytes = try? files.readAll(path) else { return nil }
        return String(line: bytes)
    }

    /// Returns the arguments for `--cacert`.
    ///
    /// In curl, `--cacert` does not apply to a proxy that is reached with HTTPS, so that such a proxy gets
    /// `--proxy-cacert` too. The proxy comes from the options or from the variables that curl reads.
    ///
    /// - Returns: The arguments; nil if the option is not given.
    @Sendable private static func certificateAuthorities(
        _ options: CallOptions, _ context: CommandContext
    ) -> [Argument]? {
        guard let authorities = options.connection.authorities else { return nil }
        let file = Argument(authorities.text)
        let proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        let proxiesOfVariables = proxyVariables.compactMap(context.environment.variable)
        let proxies = options.connection.proxy.map { [$0.text] } ?? proxiesOfVariables
        let hasHTTPSProxy = proxies.contains { $0.lowercased().hasPrefix("https://") }
        return ["--cacert", file] + (hasHTTPSProxy ? ["--proxy-cacert", file] : [])
    }

    /// Returns the arguments for `--cert`, and for the passphrase of its key if there is one.
    ///
    /// curl reads the text after a colon as the passphrase, so that colons in the path are escaped: `C\:cert.pem`.
    @Sendable private static func certificate(_ options: CallOptions, _ context: CommandContext) -> [Argument]? {
        guard let file = options.connection.certificate else { return nil }
        let escapedPath = file.text.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:")
        var arguments: [Argument] = ["--cert", Argument(escapedPath)]
        let passphraseVariable = context.variableNames.keyPassphrase
        if context.environment.isSet(passphraseVariable) { arguments += ["--pass", .variable(passphraseVariable)] }
        return arguments
    }
}
