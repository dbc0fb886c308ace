import EndpointKit

/// How curl says an option of `call`.
enum CurlForm: Sendable {
    /// By an option of the same name with the same value.
    case same(@Sendable (CallOptions) -> String?)
    /// By these arguments.
    case arguments(@Sendable (CurlContext) -> [CurlInvocation.Argument])
    /// By changes of the whole command.
    case custom(@Sendable (inout CurlInvocation, CurlContext) -> Void)
    /// The request itself shows it: a header, the URL, the body.
    case inRequest
    /// curl does so anyway, or it does not concern the command.
    case notNeeded
    /// curl has nothing like it.
    case missing
}

/// What the curl form of an option depends on.
struct CurlContext: Sendable {
    let options: CallOptions
    let method: HTTPMethod
    /// The variable with the passphrase of an encrypted key.
    let passphraseVariable: String
    /// Whether an environment variable is set.
    let isSet: @Sendable (String) -> Bool

    /// Whether `call` would send the request again after a failure.
    var isRetried: Bool { options.retry > 0 && (options.retryUnsafe || method.isIdempotent) }
}

extension CurlInvocation.Argument {
    static func variable(_ name: String) -> CurlInvocation.Argument { CurlInvocation.Argument([.variable(name)]) }

    static func seconds(_ duration: Duration) -> CurlInvocation.Argument {
        CurlInvocation.Argument("\(duration.inSeconds)")
    }
}

extension CurlInvocation {
    /// Adds curl's own options for those of `call` that were given, and warns of those that curl lacks.
    mutating func addOptions(_ context: CurlContext) {
        var missing: [String] = []
        for name in context.options.given {
            switch CallOptions.curlForms[name] {
            case .same(let value): arguments += [Argument("--" + name), Argument(value(context.options) ?? "")]
            case .arguments(let make): arguments += make(context)
            case .custom(let change): change(&self, context)
            case .inRequest, .notNeeded: break
            case .missing, nil: missing.append("--" + name)
            }
        }
        // After a 303, curl keeps a method given with --request; call sends a GET.
        if context.options.maxRedirects > 0 { arguments.insert("--location", at: 0) }
        if !missing.isEmpty {
            warnings.append("curl has no \(missing.joined(separator: ", no ")); left out")
        }
    }
}

extension CurlForm {
    /// Each moment from the start, which is what curl tells, not the length of each phase.
    static let timing: [CurlInvocation.Argument] = [
        "--write-out",
        .init(
            "%{stderr}timing: %{http_code}, name lookup %{time_namelookup} s, connected %{time_connect} s, "
                + "TLS %{time_appconnect} s, first byte %{time_starttransfer} s, total %{time_total} s\\n"),
    ]

    /// curl would put the headers into the file.
    @Sendable static func include(_ curl: inout CurlInvocation, _ context: CurlContext) {
        curl.arguments += context.options.writesFile ? ["--dump-header", "-"] : ["--include"]
    }

    /// The rest of a file must not come compressed, because the first part is not.
    @Sendable static func resume(_ curl: inout CurlInvocation, _ context: CurlContext) {
        curl.arguments.removeAll { $0 == "--compressed" }
        curl.arguments += ["--continue-at", "-"]
    }

    /// For curl the limit is that of each attempt.
    @Sendable static func maxTime(_ curl: inout CurlInvocation, _ context: CurlContext) {
        let limit = CurlInvocation.Argument.seconds(context.options.maxTime ?? .zero)
        curl.arguments += ["--max-time", limit] + (context.isRetried ? ["--retry-max-time", limit] : [])
    }

    /// For curl 0 is no limit.
    @Sendable static func maxBytes(_ curl: inout CurlInvocation, _ context: CurlContext) {
        guard let size = context.options.maxBytes, size > 0 else {
            return curl.warnings.append("curl has no --max-bytes 0; left out")
        }
        curl.arguments += ["--max-filesize", .init("\(size)")]
    }

    @Sendable static func retry(_ curl: inout CurlInvocation, _ context: CurlContext) {
        guard context.isRetried || context.options.retry == 0 else {
            return curl.warnings.append(
                "--retry left out: curl would repeat a \(context.method), which call does only with --retry-unsafe")
        }
        curl.arguments += ["--retry", .init("\(context.options.retry)"), "--retry-connrefused"]
    }

    /// curl counts whole seconds, and takes 0 for its own growing wait.
    @Sendable static func retryDelay(_ curl: inout CurlInvocation, _ context: CurlContext) {
        guard context.isRetried else { return }
        let delay = context.options.retryDelay ?? .zero
        let seconds = max(1, delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0))
        curl.arguments += ["--retry-delay", .init("\(seconds)")]
        if delay != .seconds(seconds) {
            curl.warnings.append("curl waits whole seconds, at least one: --retry-delay is \(seconds) s")
        }
    }

    /// curl takes the text after a colon for the passphrase unless a backslash precedes the colon.
    @Sendable static func certificate(_ curl: inout CurlInvocation, _ context: CurlContext) {
        let file = context.options.connection.clientCertificate ?? ""
        let escaped = file.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:")
        curl.arguments += ["--cert", .init(escaped)]
        if context.isSet(context.passphraseVariable) {
            curl.arguments += ["--pass", .variable(context.passphraseVariable)]
        }
    }
}
