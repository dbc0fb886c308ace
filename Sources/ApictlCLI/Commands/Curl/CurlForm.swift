import EndpointKit
import EndpointTools

/// How an option of `call` is written for curl.
enum CurlForm: Sendable {
    /// An option of the same name with the same value.
    case same(@Sendable (CallOptions) -> String?)
    /// The arguments that this function makes.
    case arguments(@Sendable (CallPlan, CommandContext) -> Arguments)
    /// Nothing: the option shows in the request already, as a header, the URL or the body; or curl does this anyway.
    case notNeeded

    typealias Arguments = [CurlCommandText.Argument]

    /// The options of `call` by their long names. curl has nothing like an option that is not listed.
    static let table: [String: CurlForm] = [
        // Output
        "output": .same(\.output),
        "continue": .arguments { _, _ in ["--continue-at", "-"] },
        // With an output file, curl's --include would write the headers into the file.
        "include": .arguments { plan, _ in plan.options.writesFile ? ["--dump-header", "-"] : ["--include"] },
        "any-status": .notNeeded,
        "fail-with-body": .notNeeded,
        "verbose": .arguments { _, _ in ["--verbose"] },
        "write-out": .arguments(writeOut),
        "quiet": .arguments { plan, _ in
            ["--silent"] + (plan.options.output == nil ? ["--output", "/dev/null"] : [])
        },
        // Request
        "request": .notNeeded,
        "server": .notNeeded,
        "base-url": .notNeeded,
        "header": .notNeeded,
        "query": .notNeeded,
        "body": .notNeeded,
        "body-type": .notNeeded,
        "auth": .notNeeded,
        "env-file": .notNeeded,
        "netrc": .arguments { $1.environment.isSet("NETRC") ? ["--netrc-file", .variable("NETRC")] : ["--netrc"] },
        // Without a server
        "dry-run": .notNeeded,
        // Transfer
        "max-time": .arguments { plan, _ in ["--max-time", .seconds(plan.options.wholeLimit)] },
        "connect-timeout": .arguments { plan, _ in ["--connect-timeout", .seconds(plan.options.connectTimeout)] },
        // In curl, 0 means no limit.
        "max-bytes": .arguments { plan, _ in ["--max-filesize", .init("\(max(plan.options.maxBytes ?? 0, 1))")] },
        "max-redirects": .arguments { plan, _ in ["--max-redirs", .init("\(plan.options.maxRedirects)")] },
        "retry": .arguments(retry),
        "retry-delay": .arguments(retryDelay),
        // curl retries every method.
        "retry-unsafe": .notNeeded,
        // Connection
        "insecure": .arguments { _, _ in ["--insecure"] },
        "cacert": .arguments(authorities),
        "cert": .arguments(certificate),
        "key": .same(\.connection.clientKey),
        "proxy": .same(\.connection.proxy),
        "unix-socket": .same(\.connection.unixSocket),
        "resolve": .arguments { plan, _ in
            plan.options.connection.resolve.flatMap { ["--resolve", .init($0)] }
        },
        "http1.1": .arguments { _, _ in ["--http1.1"] },
        "http2": .arguments { _, _ in ["--http2"] },
        // Common options
        "color": .notNeeded,
        "no-pager": .notNeeded,
        "json-errors": .notNeeded,
        "help": .notNeeded,
        "api": .notNeeded,
        "server-variable": .notNeeded,
    ]
}

extension CurlForm {
    /// curl repeats every method.
    @Sendable private static func retry(_ plan: CallPlan, _ context: CommandContext) -> Arguments {
        guard plan.options.retryUnsafe || plan.request.method.isIdempotent else { return [] }
        return ["--retry", .init("\(plan.options.retry)"), "--retry-connrefused"]
    }

    /// Whole seconds, rounded up: older versions of curl take no others.
    @Sendable private static func retryDelay(_ plan: CallPlan, _ context: CommandContext) -> Arguments {
        plan.options.retryDelay.map { ["--retry-delay", .init("\(Int($0.inSeconds.rounded(.up)))")] } ?? []
    }

    /// In curl, a file's text goes to stdout: it becomes an argument. What can't be read now is left to curl.
    @Sendable private static func writeOut(_ plan: CallPlan, _ context: CommandContext) -> Arguments {
        guard let word = plan.options.writeOut else { return [] }
        let bytes = word.isStdin ? nil : word.file.map { try? context.environment.files.readAll($0) }
        let text = word.file == nil ? word.text : bytes?.map { String(line: $0) }
        return ["--write-out", .init(text.map { "%{stderr}" + $0 } ?? word.text)]
    }

    /// For curl, an HTTPS proxy's certificates are an option of their own.
    @Sendable private static func authorities(_ plan: CallPlan, _ context: CommandContext) -> Arguments {
        let file = CurlCommandText.Argument(plan.options.connection.certificateAuthorities ?? "")
        let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        let proxies = plan.options.connection.proxy.map { [$0] } ?? names.compactMap(context.environment.variable)
        let isHTTPS = proxies.contains { $0.lowercased().hasPrefix("https://") }
        return ["--cacert", file] + (isHTTPS ? ["--proxy-cacert", file] : [])
    }

    /// curl reads text after a colon as the passphrase, so colons are escaped with a backslash.
    @Sendable private static func certificate(_ plan: CallPlan, _ context: CommandContext) -> Arguments {
        let file = plan.options.connection.clientCertificate ?? ""
        let escaped = file.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:")
        let passphrase = context.variableNames.keyPassphrase
        return ["--cert", .init(escaped)]
            + (context.environment.isSet(passphrase) ? ["--pass", .variable(passphrase)] : [])
    }
}
