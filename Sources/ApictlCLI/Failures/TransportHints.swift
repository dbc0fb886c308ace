import EndpointKit

extension TransportError {
    /// A line that suggests an option to try; nil if no option would help.
    ///
    /// `base` is the server that was called, and `isRepeatable` says whether the request may be sent again.
    func hint(_ options: CallOptions, _ names: VariableNames, server base: BaseURL, isRepeatable: Bool) -> String? {
        switch cause {
        case .proxy(.credentialsRequired), .proxy(.credentialsRejected):
            "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"
        case .proxy: Self.withoutProxy
        case .nameNotResolved, .notConnected: party == .proxy ? Self.withoutProxy : connectionHint(options, base)
        case .tls(.notTLS):
            party == .proxy || isAboutAnother(than: base) ? nil : "Check scheme and port; --base-url sets others."
        case .tls: "Does the server speak https on that port? -vv shows how far the connection got."
        case .clientCertificate(.required): "Use --cert FILE, and --key FILE if the key is separate."
        case .clientCertificate(.rejected): nil
        case .credentialFile(let file, _):
            phase == .preparing ? nil : fileHint(file, names, hasKey: options.connection.clientKey != nil)
        case .certificate(let problem):
            party == .proxy || !options.connection.verifiesCertificate ? nil : problem.hint
        case .timedOut(let limit): timeHint(limit, options)
        case .cutShort: isRepeatable && options.retry == 0 ? "To try again: --retry 3" : nil
        case .notHTTP(.noStatusLine):
            isAboutAnother(than: base)
                ? nil : "Does that port speak HTTP, and is the scheme right? --base-url sets another server."
        // Following more redirects does not help in a loop.
        case .tooManyRedirects: cause.isRedirectLoop ? nil : "To follow more: --max-redirects N"
        case .notHTTP, .contentCoding, .unreadableBody, .unsafeRedirect, .libraryMissing, .unsupportedOption,
            .invalidRequest, .other:
            nil
        }
    }

    private static let withoutProxy = "To use no proxy: -x ''"

    private func connectionHint(_ options: CallOptions, _ base: BaseURL) -> String {
        if cause == .nameNotResolved {
            return "Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS."
        }
        return options.connection.unixSocket != nil || isAboutAnother(than: base)
            ? "Is the server running?" : "Is the server running? --base-url or --env sets another."
    }

    private func fileHint(_ file: CredentialFile, _ names: VariableNames, hasKey: Bool) -> String? {
        switch file {
        case .certificateAuthorities: nil
        case .clientCertificate: hasKey ? nil : "If its key is in another file: --key FILE"
        case .clientKey: "The passphrase of an encrypted key is read from \(names.keyPassphrase)."
        }
    }

    /// Whether the failure is about a server other than `base`, which a redirect led to and no option can change.
    private func isAboutAnother(than base: BaseURL) -> Bool {
        guard let server else { return false }
        let first = Peer(base)
        return server.host.lowercased() != first.host.lowercased() || server.port != first.port
    }

    /// A hint to double the exceeded limit.
    private func timeHint(_ limit: Limit, _ options: CallOptions) -> String? {
        switch limit {
        case .idle: "To wait as long as it takes: --max-time 0"
        case .connecting(let limit): Self.hint(toRaise: "--connect-timeout", limit)
        case .whole: Self.hint(toRaise: "--max-time", options.wholeLimit)
        }
    }

    /// A hint to double the limit that an option sets; nil if there is none.
    static func hint(toRaise option: String, _ limit: Duration) -> String? {
        guard limit != .zero else { return nil }
        let seconds = (limit * 2).inSeconds
        let value = seconds < 1 ? "\(Decimals.text(seconds * 1000, places: 0))ms" : "\(Decimals.trimmed(seconds))s"
        return "To wait longer: \(option) \(value)"
    }
}

extension TransportError {
    /// Whether the transfer was cut short or timed out, perhaps in the middle of the body.
    var isInterruption: Bool {
        switch cause {
        case .cutShort, .timedOut: true
        default: false
        }
    }
}

extension TransportError.CertificateProblem {
    fileprivate var hint: String {
        switch self {
        case .expired: "Only its owner can renew it; -k skips the check."
        case .notYetValid: "Is this machine's clock right? -k skips the check."
        case .wrongHost: "To keep the name for another address: --resolve HOST:PORT:ADDRESS; -k skips the check."
        case .selfSigned, .unknownIssuer: "To trust another issuer: --cacert FILE; -k skips the check."
        case .other: "-k skips the check."
        }
    }
}
