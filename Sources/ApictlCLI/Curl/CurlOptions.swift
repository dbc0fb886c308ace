import EndpointKit

extension CurlInvocation {
    /// What `--timing` becomes: curl tells each moment from the start, not how long each phase took.
    private static let timing =
        "%{stderr}timing: %{http_code}, name lookup %{time_namelookup} s, connected %{time_connect} s, "
        + "TLS %{time_appconnect} s, first byte %{time_starttransfer} s, total %{time_total} s\\n"

    /// Adds curl's own options for those of `call`, and warns of those it has none for.
    ///
    /// `method` is the request's; `variable` gives the value of an environment variable.
    mutating func add(_ options: CallOptions, for method: HTTPMethod, _ variable: (String) -> String?) {
        var without: [String] = []
        let retries = options.retryUnsafe || method.isIdempotent
        for name in options.given {
            switch name {
            case "output": arguments += ["--output", Argument(options.output ?? "-")]
            case "include":
                // curl would put the head into the file.
                let isFile = options.output.map { $0 != "-" } ?? false
                arguments += isFile ? ["--dump-header", "-"] : ["--include"]
            case "verbose": arguments.append("--verbose")
            case "quiet": arguments += ["--silent"] + (options.output == nil ? ["--output", "/dev/null"] : [])
            case "max-time":
                let limit = Self.seconds(options.maxTime ?? .zero)
                // For curl the limit is each attempt's.
                arguments += ["--max-time", limit] + (options.retry > 0 && retries ? ["--retry-max-time", limit] : [])
            case "connect-timeout": arguments += ["--connect-timeout", Self.seconds(options.connectTimeout)]
            case "max-redirects":
                if options.maxRedirects > 0 { arguments += ["--max-redirs", Argument(String(options.maxRedirects))] }
            case "retry":
                guard retries else {
                    warnings.append("left out, as curl would send a \(method) again and call does not: --retry")
                    break
                }
                arguments += ["--retry", Argument(String(options.retry)), "--retry-connrefused"]
            case "retry-delay": if retries { addRetryDelay(options.retryDelay ?? .zero) }
            case "max-bytes":
                // For curl none is no limit.
                guard let size = options.maxBytes, size > 0 else {
                    without.append("--max-bytes 0")
                    break
                }
                arguments += ["--max-filesize", Argument(String(size))]
            case "continue":
                // The rest of a file must not come packed, as what is there is not.
                arguments.removeAll { $0 == "--compressed" }
                arguments += ["--continue-at", "-"]
            case "timing":
                arguments += ["--write-out", Argument(Self.timing)]
            // curl itself prints any status's body, and asks nobody before it tries again.
            case "env", "base-url", "header", "query", "body", "dry-run", "any-status", "retry-unsafe": break
            default:
                guard let arguments = Self.connectionArguments(name, options.connection, variable) else {
                    without.append("--" + name)
                    break
                }
                self.arguments += arguments
            }
        }
        // A method of its own would be sent again to where a 303 leads, which a GET has to go to.
        if options.maxRedirects > 0, !arguments.contains("--request") { arguments.insert("--location", at: 0) }
        if !without.isEmpty {
            warnings.append("left out, as curl has nothing like it: " + without.joined(separator: ", "))
        }
    }

    /// The options of the connection, which are curl's own; nil for any other.
    private static func connectionArguments(
        _ name: String, _ connection: ConnectionOptions, _ variable: (String) -> String?
    ) -> [Argument]? {
        func isSet(_ name: String) -> Bool { !(variable(name) ?? "").isEmpty }
        switch name {
        case "insecure": return ["--insecure"]
        case "http1.1": return ["--http1.1"]
        case "http2": return ["--http2"]
        case "cacert": return ["--cacert", Argument(connection.certificateAuthorities ?? "")]
        case "cert":
            let passphrase: [Argument] =
                isSet(ConnectionPreparation.passphraseVariable)
                ? ["--pass", Argument([.variable(ConnectionPreparation.passphraseVariable)])] : []
            return ["--cert", certificate(connection.clientCertificate ?? "")] + passphrase
        case "key": return ["--key", Argument(connection.clientKey ?? "")]
        case "netrc": return isSet("NETRC") ? ["--netrc-file", Argument([.variable("NETRC")])] : ["--netrc"]
        case "proxy": return ["--proxy", Argument(connection.proxy ?? "")]
        case "unix-socket": return ["--unix-socket", Argument(connection.unixSocket ?? "")]
        case "resolve": return connection.resolve.flatMap { ["--resolve", Argument($0)] }
        default: return nil
        }
    }

    /// curl takes what is behind a colon for the passphrase; a backslash takes that meaning away.
    private static func certificate(_ file: String) -> Argument {
        Argument(file.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: ":", with: "\\:"))
    }

    /// curl counts whole seconds, and takes none for its own growing wait.
    private mutating func addRetryDelay(_ delay: Duration) {
        let seconds = max(1, delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0))
        arguments += ["--retry-delay", Argument(String(seconds))]
        if delay != .seconds(seconds) {
            warnings.append("curl waits whole seconds, one at least: --retry-delay is \(seconds) s")
        }
    }

    private static func seconds(_ duration: Duration) -> Argument {
        Argument("\(duration.inSeconds)")
    }
}
