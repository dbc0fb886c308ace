import EndpointKit

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: Command {
    static let name = "curl"
    static let usage = "curl API.ENDPOINT|URL [parameters] [options]"
    static let summary = "print the curl command that sends the same request"
    static let table = CallOptions.table
    static let operands = Operands.call

    static func notes(_ context: RunContext) -> CommandNotes {
        var notes = CallCommand.notes(context)
        notes.paragraphs.append(
            "The printed command can be pasted into sh, bash, zsh and fish. Options that curl does not have, such as --select and --timing, are left out; a note on stderr names them."
        )
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
    case arguments(@Sendable (CallPlan, RunContext) -> [CurlInvocation.Argument])
    /// It already shows in the request, as a header, the URL or the body; or curl does this anyway.
    case notNeeded
    /// curl has nothing like it.
    case missing
}

extension CurlInvocation {
    /// The command that does what `plan` says, with warnings about options that curl lacks.
    init(_ plan: CallPlan, _ context: RunContext) {
        var request = plan.request
        request.headers.removeAll(where: plan.headersOmittedFromCurl.contains)
        self.init(request, replacement: plan.options.body)
        // The rest of a file must not be compressed, because the first part is not.
        if plan.options.resumes { arguments.removeAll { $0 == "--compressed" } }
        var missing: [String] = []
        for name in plan.options.common.given {
            switch CallOptions.table[name]?.curl {
            case .same(let value): arguments += [Argument("--" + name), Argument(value(plan.options) ?? "")]
            case .arguments(let make): arguments += make(plan, context)
            case .notNeeded: break
            case .missing, nil: missing.append("--" + name)
            }
        }
        // One difference remains: after a 303, curl keeps a method given with --request, while call sends GET.
        if !plan.options.anyStatus { arguments.insert("--fail-with-body", at: 0) }
        if plan.options.maxRedirects > 0 { arguments.insert("--location", at: 0) }
        if !missing.isEmpty { warnings.append("curl has no \(missing.joined(separator: ", no ")); left out") }
    }
}

extension CurlInvocation.Argument {
    static func variable(_ name: String) -> Self { Self([.variable(name)]) }
    static func seconds(_ duration: Duration) -> Self { Self("\(duration.inSeconds)") }
}

extension CurlForm {
    typealias Arguments = [CurlInvocation.Argument]

    /// curl repeats every method.
    @Sendable static func retry(_ plan: CallPlan, _ context: RunContext) -> Arguments {
        guard plan.options.retryUnsafe || plan.request.method.isIdempotent else { return [] }
        return ["--retry", .init("\(plan.options.retry)"), "--retry-connrefused"]
    }

    /// For curl, an HTTPS proxy's certificates are an option of their own.
    @Sendable static func authorities(_ plan: CallPlan, _ context: RunContext) -> Arguments {
        let file = CurlInvocation.Argument(plan.options.connection.certificateAuthorities ?? "")
        let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        let proxies = plan.options.connection.proxy.map { [$0] } ?? names.compactMap(context.environment.variable)
        let isHTTPS = proxies.contains { $0.lowercased().hasPrefix("https://") }
        return ["--cacert", file] + (isHTTPS ? ["--proxy-cacert", file] : [])
    }

    /// curl reads text after a colon as the passphrase, so colons are escaped with a backslash.
    @Sendable static func certificate(_ plan: CallPlan, _ context: RunContext) -> Arguments {
        let file = plan.options.connection.clientCertificate ?? ""
        let escaped = file.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:")
        let passphrase = context.variableNames.keyPassphrase
        return ["--cert", .init(escaped)]
            + (context.environment.isSet(passphrase) ? ["--pass", .variable(passphrase)] : [])
    }
}
