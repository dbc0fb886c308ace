import EndpointKit

/// How an option of `call` is translated for curl.
enum CurlForm: Sendable {
    /// An option of the same name with the same value.
    case same(@Sendable (CallOptions) -> String?)
    /// These arguments.
    case arguments(@Sendable (CurlContext) -> [CurlInvocation.Argument])
    /// Changes to the whole command.
    case custom(@Sendable (inout CurlInvocation, CurlContext) -> Void)
    /// It already shows in the request: a header, the URL, the body.
    case inRequest
    /// curl does this anyway, or it makes no difference to the command.
    case notNeeded
    /// curl has nothing like it.
    case missing
}

/// What the translation of an option depends on.
struct CurlContext: Sendable {
    let options: CallOptions
    let method: HTTPMethod
    /// The variable with the passphrase of an encrypted key.
    let passphraseVariable: String
    /// Whether an environment variable is set.
    let isSet: @Sendable (String) -> Bool

    /// Whether `call` would retry the request.
    var isRetried: Bool { options.retry > 0 && (options.retryUnsafe || method.isIdempotent) }
}

extension CurlInvocation.Argument {
    static func variable(_ name: String) -> CurlInvocation.Argument { CurlInvocation.Argument([.variable(name)]) }

    static func seconds(_ duration: Duration) -> CurlInvocation.Argument {
        CurlInvocation.Argument("\(duration.inSeconds)")
    }
}

extension CurlInvocation {
    /// Adds curl's options for the given options of `call`, and warns about those that curl lacks.
    mutating func addOptions(_ context: CurlContext) {
        var missing: [String] = []
        for name in context.options.given {
            switch CallOptions.table[name]?.curl {
            case .same(let value): arguments += [Argument("--" + name), Argument(value(context.options) ?? "")]
            case .arguments(let make): arguments += make(context)
            case .custom(let change): change(&self, context)
            case .inRequest, .notNeeded: break
            case .missing, nil: missing.append("--" + name)
            }
        }
        // One difference remains: after a 303, curl keeps a method given with --request, while call sends GET.
        if !context.options.anyStatus { arguments.insert("--fail-with-body", at: 0) }
        if context.options.maxRedirects > 0 { arguments.insert("--location", at: 0) }
        if !missing.isEmpty {
            warnings.append("curl has no \(missing.joined(separator: ", no ")); left out")
        }
    }
}

extension CurlForm {
    /// curl reports the time since the start of the transfer, not the length of each phase.
    static let timing: [CurlInvocation.Argument] = [
        "--write-out",
        .init(
            "%{stderr}timing: %{http_code}, name lookup %{time_namelookup} s, connected %{time_connect} s, "
                + "TLS %{time_appconnect} s, first byte %{time_starttransfer} s, total %{time_total} s\\n"),
    ]

    /// curl prints on stdout unless told otherwise.
    @Sendable static func writeOut(_ curl: inout CurlInvocation, _ context: CurlContext) {
        guard let word = context.options.writeOut else { return }
        if word.file != nil { curl.warnings.append("curl prints --write-out @FILE on stdout") }
        curl.arguments += ["--write-out", .init(word.file == nil ? "%{stderr}" + word.text : word.text)]
    }

    /// With an output file, curl's --include would write the headers into the file.
    @Sendable static func include(_ curl: inout CurlInvocation, _ context: CurlContext) {
        curl.arguments += context.options.writesFile ? ["--dump-header", "-"] : ["--include"]
    }

    /// The rest of a file must not be compressed, because the first part is not.
    @Sendable static func resume(_ curl: inout CurlInvocation, _ context: CurlContext) {
        curl.arguments.removeAll { $0 == "--compressed" }
        curl.arguments += ["--continue-at", "-"]
    }

    /// curl's --max-time limits each attempt; --retry-max-time limits all of them.
    @Sendable static func maxTime(_ curl: inout CurlInvocation, _ context: CurlContext) {
        let limit = CurlInvocation.Argument.seconds(context.options.maxTime ?? .zero)
        curl.arguments += ["--max-time", limit] + (context.isRetried ? ["--retry-max-time", limit] : [])
    }

    /// In curl, 0 means no limit.
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

    /// curl only waits whole seconds, and 0 means its default, a growing wait.
    @Sendable static func retryDelay(_ curl: inout CurlInvocation, _ context: CurlContext) {
        guard context.isRetried else { return }
        let delay = context.options.retryDelay ?? .zero
        let seconds = max(1, delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0))
        curl.arguments += ["--retry-delay", .init("\(seconds)")]
        if delay != .seconds(seconds) {
            curl.warnings.append("curl waits whole seconds, at least one: --retry-delay is \(seconds) s")
        }
    }

    /// curl reads text after a colon as the passphrase, so colons are escaped with a backslash.
    @Sendable static func certificate(_ curl: inout CurlInvocation, _ context: CurlContext) {
        let file = context.options.connection.clientCertificate ?? ""
        let escaped = file.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:")
        curl.arguments += ["--cert", .init(escaped)]
        if context.isSet(context.passphraseVariable) {
            curl.arguments += ["--pass", .variable(context.passphraseVariable)]
        }
    }
}
