import EndpointKit
import EndpointTools

/// An option of `call` as it is written for curl.
struct CurlForm: Sendable {
    typealias Argument = CurlCommandText.Argument

    /// The long name of the option.
    let option: String
    /// Returns the arguments for curl; none if the option has no value.
    let arguments: @Sendable (CallPlan, CommandContext) -> [Argument]

    /// The names of the options that a printed command needs no warning about. All other options have no form for curl.
    static let covered = Set(all.map(\.option)).union(notNeeded)

    /// The names of the options that may change a printed command, and of those that every command has.
    static let listed = covered.subtracting(["dry-run", "fail-with-body"])

    /// The options that curl does not need. They are part of the request already, as a header, the URL or the body, or
    /// curl does the same by default.
    private static let notNeeded = [
        "any-status", "fail-with-body", "request", "server", "base-url", "header", "query", "body", "body-type", "auth",
        "data", "data-urlencode", "json", "form", "get", "cookie", "user", "env-file", "dry-run", "retry-unsafe",
        "color",
        "no-pager", "json-errors", "help", "api", "server-variable",
    ]

    /// The options that curl has in some form, in the order of its arguments.
    private static let all = output + transfer + connection

    /// Returns the forms of all options: first the given ones in their order, then the others.
    ///
    /// The others matter too, because the configuration may have a value for any option.
    ///
    /// - Parameter given: The names of the given options.
    static func all(in given: [String]) -> [CurlForm] {
        let givenForms = given.compactMap { name in all.first { $0.option == name } }
        return givenForms + all.filter { !given.contains($0.option) }
    }

    private static let output = [
        CurlForm("output", outputFile), CurlForm("remote-name") { _, _ in nil },
        CurlForm("remote-header-name") { _, _ in nil },
        CurlForm("continue") { options, _ in options.output.resumes ? ["--continue-at", "-"] : nil },
        CurlForm("include") { options, _ in
            guard options.output.includesHeaders else { return nil }
            // With an output file, curl's --include would write the headers into the file.
            return options.output.writesFile ? ["--dump-header", "-"] : ["--include"]
        },
        CurlForm("verbose") { options, _ in options.output.verbosity > 0 ? ["--verbose"] : nil },
        CurlForm("write-out", writeOut),
        CurlForm("quiet") { options, _ in
            guard options.output.quiet else { return nil }
            return ["--silent"] + (options.output.file == nil ? ["--output", "/dev/null"] : [])
        },
        CurlForm("netrc") { options, context in
            guard options.request.netrc else { return nil }
            return context.environment.isSet("NETRC") ? ["--netrc-file", .variable("NETRC")] : ["--netrc"]
        },
    ]

    private static let transfer = [
        CurlForm("max-time") { options, _ in options.transfer.maxTime.map { ["--max-time", .seconds($0.value)] } },
        CurlForm("connect-timeout") { options, _ in
            options.transfer.connectTimeout.map { ["--connect-timeout", .seconds($0.value)] }
        },
        CurlForm("max-bytes") { options, _ in
            // In curl, 0 means no limit.
            options.transfer.maxBytes.map { ["--max-filesize", Argument("\(max($0, 1))")] }
        },
        CurlForm("max-redirects") { options, _ in
            options.transfer.maxRedirects.map { ["--max-redirs", Argument("\($0)")] }
        },
        CurlForm(option: "retry") { plan, _ in retry(plan) },
        CurlForm("retry-delay") { options, _ in
            // Whole seconds, rounded up: older versions of curl take no others.
            options.transfer.retryDelay.map { ["--retry-delay", Argument("\(Int($0.inSeconds.rounded(.up)))")] }
        },
    ]

    private static let connection = [
        CurlForm("insecure") { options, _ in options.connection.isInsecure?.value == true ? ["--insecure"] : nil },
        CurlForm("cacert", authorities),
        CurlForm("cert", certificate),
        CurlForm("key") { options, _ in options.connection.key.map { ["--key", Argument($0.text)] } },
        CurlForm("proxy") { options, _ in options.connection.proxy.map { ["--proxy", Argument($0.text)] } },
        CurlForm("unix-socket") { options, _ in
            options.connection.unixSocket.map { ["--unix-socket", Argument($0.text)] }
        },
        CurlForm("resolve") { options, _ in
            options.connection.resolve.map { entries in entries.value.flatMap { ["--resolve", Argument($0)] } }
        },
        CurlForm("http1.1") { options, _ in options.connection.httpVersion == .http1 ? ["--http1.1"] : nil },
        CurlForm("http2") { options, _ in options.connection.httpVersion == .http2 ? ["--http2"] : nil },
        CurlForm("tlsv1.2") { options, _ in options.connection.tlsVersion == .tls12 ? ["--tlsv1.2"] : nil },
        CurlForm("tlsv1.3") { options, _ in options.connection.tlsVersion == .tls13 ? ["--tlsv1.3"] : nil },
    ]
}

extension CurlForm {
    /// Makes the form of an option whose arguments depend on the options alone.
    ///
    /// - Parameter arguments: Returns the arguments; nil if the option has no value.
    private init(
        _ option: String, _ arguments: @escaping @Sendable (CallOptions, CommandContext) -> [Argument]?
    ) {
        self.init(option: option) { plan, context in arguments(plan.options, context) ?? [] }
    }

    /// Returns the arguments for the file of the body. Its name is known already, unless the server gives it.
    @Sendable private static func outputFile(_ options: CallOptions, _ context: CommandContext) -> [Argument]? {
        guard let file = options.output.file else { return nil }
        guard options.output.isNamedByServer else { return ["--output", Argument(file)] }
        let directory = FilePlace.directory(of: file)
        return (directory.isEmpty ? [] : ["--output-dir", Argument(directory)])
            + ["--remote-name", "--remote-header-name"]
    }

    /// Returns the arguments for `--retry`.
    ///
    /// curl retries every method. So there are none if `call` would not retry the method of the request.
    private static func retry(_ plan: CallPlan) -> [Argument] {
        let transfer = plan.options.transfer
        guard let retry = transfer.retry, transfer.retriesUnsafe || plan.request.method.isIdempotent else { return [] }
        return ["--retry", Argument("\(retry.value)"), "--retry-connrefused"]
    }

    /// Returns the argument for `--write-out`.
    ///
    /// curl writes the text to stdout unless it begins with `%{stderr}`. So the text of a file becomes an argument with
    /// this beginning. A file that can't be read now is left to curl.
    @Sendable private static func writeOut(_ options: CallOptions, _ context: CommandContext) -> [Argument]? {
        guard let word = options.output.writeOut else { return nil }
        guard let text = text(of: word, context.environment.files) else { return ["--write-out", Argument(word.text)] }
        return ["--write-out", Argument("%{stderr}" + text)]
    }

    /// Returns the text that a word stands for, which is the content of the file for `@FILE`.
    ///
    /// - Returns: Nil for stdin and for a file that can't be read.
    private static func text(of word: SourcedText, _ files: any FileSystem) -> String? {
        guard let file = word.file else { return word.text }
        guard !word.isStdin, let bytes = try? files.readAll(file) else { return nil }
        return String(line: bytes)
    }

    /// Returns the arguments for `--cacert`.
    ///
    /// In curl, `--cacert` does not apply to a proxy that is reached with HTTPS, so that such a proxy gets
    /// `--proxy-cacert` too. The proxy comes from the options or from the variables that curl reads.
    @Sendable private static func authorities(_ options: CallOptions, _ context: CommandContext) -> [Argument]? {
        guard let file = options.connection.authorities.map({ Argument($0.text) }) else { return nil }
        let variables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        let proxies = options.connection.proxy.map { [$0.text] } ?? variables.compactMap(context.environment.variable)
        let isHTTPS = proxies.contains { $0.lowercased().hasPrefix("https://") }
        return ["--cacert", file] + (isHTTPS ? ["--proxy-cacert", file] : [])
    }

    /// Returns the arguments for `--cert`, and for the passphrase of its key if there is one.
    ///
    /// curl reads the text after a colon as the passphrase, so that colons in the path are escaped: `C\:cert.pem`.
    @Sendable private static func certificate(_ options: CallOptions, _ context: CommandContext) -> [Argument]? {
        guard let file = options.connection.certificate else { return nil }
        let escaped = file.text.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:")
        let passphrase = context.variableNames.keyPassphrase
        return ["--cert", Argument(escaped)]
            + (context.environment.isSet(passphrase) ? ["--pass", .variable(passphrase)] : [])
    }
}
