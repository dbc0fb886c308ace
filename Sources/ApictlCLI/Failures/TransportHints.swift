import EndpointKit

extension TransportError {
    /// The exit code of a run that ends with this error.
    var exitCode: ExitCode {
        switch cause {
        case .timedOut: .timeout
        case .unreadableBody: .failure
        default: .network
        }
    }

    /// Returns advice for a person after a request that got no response, or none that is complete.
    ///
    /// A ``Hint/fact(_:)`` is useful to everybody. ``Hint/options(_:)`` names options of the command line, so agents
    /// don't get it.
    ///
    /// - Parameters:
    ///   - options: The options of the call. Options that are given already are not advised.
    ///   - names: The names of the tool's variables.
    ///   - isRepeatable: Whether the request may be sent again without harm.
    /// - Returns: The advice; nil if there is none.
    func hint(_ options: CallOptions, _ names: VariableNames, isRepeatable: Bool) -> Hint? {
        switch cause {
        case .proxy(.credentialsRequired), .proxy(.credentialsRejected): return .fact(Self.proxyCredentials)
        case .proxy: return Self.noProxy
        case .nameNotResolved where party == .proxy, .notConnected where party == .proxy: return Self.noProxy
        case .nameNotResolved:
            return .options("Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS.")
        case .notConnected: return .fact("Is the server running?")
        case .notHTTP: return .fact("Does the server expect https on that port? Check scheme and port.")
        case .tls:
            return .options("Does the server speak https on that port? -vv shows how far the connection got.")
        case .certificate(let problem): return certificateHint(problem, options)
        case .clientCertificateRequired:
            return .options("Use --cert FILE, and --key FILE if the key is separate.")
        case .credentialFile(.clientCertificate, _): return clientCertificateHint(options, names)
        case .timedOut(let limit): return Self.timeLimitHint(limit, options)
        case .cutShort:
            let mayRetry = isRepeatable && options.transfer.retryCount == 0
            return mayRetry ? .options("To try again: --retry 3") : nil
        case .tooManyRedirects:
            // Following more redirects does not help in a loop.
            return cause.isRedirectLoop ? nil : .options("To follow more: --max-redirects N")
        case .unreadableBody(let path):
            // curl reads the body from a file if its name follows an `@`.
            let hasAtSign = path.hasPrefix("@")
            return hasAtSign ? .fact("The path is given without the @: \(path.dropFirst())") : nil
        case .contentCoding: return .options("To receive the body as it is sent: -H 'Accept-Encoding: identity'")
        case .clientCertificateRejected, .credentialFile, .malformedResponse, .headersTooLarge, .unsafeRedirect,
            .libraryMissing, .unsupportedOption, .invalidRequest, .other:
            return nil
        }
    }

    /// Returns advice about a file of the client's certificate that the TLS library does not accept. The key is
    /// probably encrypted or in another file.
    ///
    /// - Returns: The advice; nil if the file could not even be read, before the transfer.
    private func clientCertificateHint(_ options: CallOptions, _ names: VariableNames) -> Hint? {
        if phase == .preparing { return nil }
        let passphraseAdvice = "The passphrase of an encrypted key is read from \(names.keyPassphrase)."
        if options.connection.key != nil { return .fact(passphraseAdvice) }
        return .options("If its key is in another file: --key FILE. \(passphraseAdvice)")
    }

    /// Returns advice to raise the time limit that was exceeded; nil for a limit of zero, which means that there is
    /// none.
    private static func timeLimitHint(_ exceededLimit: Limit, _ options: CallOptions) -> Hint? {
        switch exceededLimit {
        case .idle: .options("To wait as long as it takes: --max-time 0")
        case .connecting(let limit): hint(toRaise: "--connect-timeout", from: limit)
        case .whole: hint(toRaise: "--max-time", from: options.transfer.shownTimeLimit)
        }
    }

    /// The advice after a proxy has refused a request: with an error before a tunnel, or with the status 407.
    static let proxyCredentials = "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"

    private static let noProxy = Hint.options("To use no proxy: -x ''")

    /// Returns advice about a certificate of the server or proxy that is not accepted.
    ///
    /// - Returns: The advice. Nil if nothing would help: certificates are not checked already (`-k`), or the proxy's
    ///   certificate is wrong in a way that no option can change.
    private func certificateHint(_ problem: CertificateProblem, _ options: CallOptions) -> Hint? {
        if party == .proxy {
            return problem.isIssuerUntrusted ? .options("To trust another issuer: --cacert FILE") : nil
        }
        let skipsCheck = options.connection.isInsecure?.value == true
        return skipsCheck ? nil : .options(problem.advice)
    }

    /// Returns the advice to double a time limit: `To wait longer: --max-time 60s`.
    ///
    /// - Parameters:
    ///   - option: The option that sets the limit, such as `--max-time`.
    ///   - limit: The limit that was exceeded.
    /// - Returns: The hint; nil for a limit of zero, which means that there is none.
    static func hint(toRaise option: String, from limit: Duration) -> Hint? {
        guard limit != .zero else { return nil }
        let seconds = (limit * 2).inSeconds
        let longerLimit: String
        if seconds < 1 {
            longerLimit = Decimals.text(seconds * 1000, places: 0) + "ms"
        } else {
            longerLimit = Decimals.trimmed(seconds) + "s"
        }
        return .options("To wait longer: \(option) \(longerLimit)")
    }
}

extension TransportError.CertificateProblem {
    /// Advice about the problem, as a sentence.
    fileprivate var advice: String {
        switch self {
        case .expired: "Only its owner can renew it; -k skips the check."
        case .notYetValid: "Is this machine's clock right? -k skips the check."
        case .wrongHost: "To keep the name for another address: --resolve HOST:PORT:ADDRESS; -k skips the check."
        case .selfSigned: "To trust this certificate: --cacert FILE, with the certificate itself; -k skips the check."
        case .unknownIssuer: "To trust another issuer: --cacert FILE; -k skips the check."
        case .other: "-k skips the check."
        }
    }
}
