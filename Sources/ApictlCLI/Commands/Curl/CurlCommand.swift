import EndpointKit

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: Command {
    static let name = "curl"
    static let usage = "curl API.ENDPOINT [parameters] [options]"
    static let summary = "print the curl command that sends the same request"
    static let table = CallOptions.table
    static let operands = Operands.call

    static func notes(_ context: RunContext) -> CommandNotes {
        var notes = CallCommand.notes(context)
        notes.paragraphs.append("The printed command can be pasted into sh, bash, zsh and fish.")
        return notes
    }

    private let words: CallWords

    init(_ words: CommandWords<CallOptions>) throws { self.words = try words.call(of: Self.name) }

    func run(_ context: RunContext) async throws -> ExitCode {
        let resolver = try Resolver(
            context, environmentFiles: words.options.environmentFiles, apis: [words.declaration.api])
        let curl = CurlInvocation(try resolver.plan(words, .curl), resolver.context)
        let environment = resolver.context.environment
        for warning in curl.warnings { try environment.stderr.write("note: \(warning.safeToShow)\n") }
        try environment.stdout.write(ShellText.command(curl) + "\n")
        return .success
    }
}

/// How an option of `call` is translated for curl.
enum CurlForm: Sendable {
    /// An option of the same name with the same value.
    case same(@Sendable (CallOptions) -> String?)
    /// These arguments.
    case arguments(@Sendable (inout CurlContext) -> [CurlInvocation.Argument])
    /// It already shows in the request, as a header, the URL or the body; or curl does this anyway.
    case notNeeded
    /// curl has nothing like it.
    case missing
}

/// What the translation of an option depends on.
struct CurlContext {
    let plan: CallPlan
    let run: RunContext
    /// Differences from `call`.
    var warnings: [String] = []

    var options: CallOptions { plan.options }

    /// Whether `call` would retry the request.
    var isRetried: Bool { options.retry > 0 && (options.retryUnsafe || plan.request.method.isIdempotent) }
}

extension CurlInvocation {
    /// The command that does what `plan` says, with warnings about options that curl lacks.
    init(_ plan: CallPlan, _ context: RunContext) {
        var request = plan.request
        request.headers.removeAll(where: plan.headersOmittedFromCurl.contains)
        self.init(request, replacement: plan.options.body)
        // The rest of a file must not be compressed, because the first part is not.
        if plan.options.resumes { arguments.removeAll { $0 == "--compressed" } }
        var context = CurlContext(plan: plan, run: context)
        var missing: [String] = []
        for name in plan.options.common.given {
            switch CallOptions.table[name]?.curl {
            case .same(let value): arguments += [Argument("--" + name), Argument(value(plan.options) ?? "")]
            case .arguments(let make): arguments += make(&context)
            case .notNeeded: break
            case .missing, nil: missing.append("--" + name)
            }
        }
        // One difference remains: after a 303, curl keeps a method given with --request, while call sends GET.
        if !plan.options.anyStatus { arguments.insert("--fail-with-body", at: 0) }
        if plan.options.maxRedirects > 0 { arguments.insert("--location", at: 0) }
        warnings += context.warnings
        if !missing.isEmpty { warnings.append("curl has no \(missing.joined(separator: ", no ")); left out") }
    }
}

extension CurlInvocation.Argument {
    static func variable(_ name: String) -> Self { Self([.variable(name)]) }
    static func seconds(_ duration: Duration) -> Self { Self("\(duration.inSeconds)") }
}

extension CurlForm {
    typealias Arguments = [CurlInvocation.Argument]

    /// curl reports the time since the start of the transfer, not the length of each phase.
    static let timing: Arguments = [
        "--write-out",
        .init(
            "%{stderr}timing: %{http_code}, name lookup %{time_namelookup} s, connected %{time_connect} s, "
                + "TLS %{time_appconnect} s, first byte %{time_starttransfer} s, total %{time_total} s\\n"),
    ]

    /// curl prints on stdout unless told otherwise.
    @Sendable static func writeOut(_ context: inout CurlContext) -> Arguments {
        guard let word = context.options.writeOut else { return [] }
        if word.file != nil { context.warnings.append("curl prints --write-out @FILE on stdout") }
        return ["--write-out", .init(word.file == nil ? "%{stderr}" + word.text : word.text)]
    }

    /// curl's --max-time limits each attempt; --retry-max-time limits all of them.
    @Sendable static func maxTime(_ context: inout CurlContext) -> Arguments {
        let limit = CurlInvocation.Argument.seconds(context.options.maxTime ?? .zero)
        return ["--max-time", limit] + (context.isRetried ? ["--retry-max-time", limit] : [])
    }

    /// In curl, 0 means no limit.
    @Sendable static func maxBytes(_ context: inout CurlContext) -> Arguments {
        if let size = context.options.maxBytes, size > 0 { return ["--max-filesize", .init("\(size)")] }
        context.warnings.append("curl has no --max-bytes 0; left out")
        return []
    }

    @Sendable static func retry(_ context: inout CurlContext) -> Arguments {
        if context.isRetried || context.options.retry == 0 {
            return ["--retry", .init("\(context.options.retry)"), "--retry-connrefused"]
        }
        let method = context.plan.request.method
        context.warnings.append(
            "--retry left out: curl would repeat a \(method), which call does only with --retry-unsafe")
        return []
    }

    /// curl only waits whole seconds, and 0 means its default, a growing wait.
    @Sendable static func retryDelay(_ context: inout CurlContext) -> Arguments {
        guard context.isRetried else { return [] }
        let delay = context.options.retryDelay ?? .zero
        let seconds = max(1, delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0))
        if delay != .seconds(seconds) {
            context.warnings.append("curl waits whole seconds, at least one: --retry-delay is \(seconds) s")
        }
        return ["--retry-delay", .init("\(seconds)")]
    }

    /// For curl, an HTTPS proxy's certificates are an option of their own.
    @Sendable static func authorities(_ context: inout CurlContext) -> Arguments {
        let file = CurlInvocation.Argument(context.options.connection.certificateAuthorities ?? "")
        let environment = context.run.environment
        let proxies =
            context.options.connection.proxy.map { [$0] }
            ?? ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"].compactMap(environment.variable)
        let isHTTPS = proxies.contains { $0.lowercased().hasPrefix("https://") }
        return ["--cacert", file] + (isHTTPS ? ["--proxy-cacert", file] : [])
    }

    /// curl reads text after a colon as the passphrase, so colons are escaped with a backslash.
    @Sendable static func certificate(_ context: inout CurlContext) -> Arguments {
        let file = context.options.connection.clientCertificate ?? ""
        let escaped = file.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:")
        let passphrase = context.run.variableNames.keyPassphrase
        return ["--cert", .init(escaped)]
            + (context.run.environment.isSet(passphrase) ? ["--pass", .variable(passphrase)] : [])
    }
}
