import EndpointKit

extension TransportError {
    /// A line that suggests an option to try; nil if no option would help.
    ///
    /// `base` is the server that was called, and `isRepeatable` says whether the request may be sent again.
    func hint(_ options: CallOptions, _ names: VariableNames, server base: BaseURL, isRepeatable: Bool) -> String? {
        let withoutProxy = "To use no proxy: -x ''"
        // No option changes the server of a redirect, or of a URL.
        let isFixed = options.url != nil || isAboutAnother(than: base)
        return switch cause {
        case .proxy(.credentialsRequired), .proxy(.credentialsRejected):
            "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"
        case .proxy: withoutProxy
        case .nameNotResolved:
            party == .proxy
                ? withoutProxy : "Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS."
        case .notConnected where party == .proxy: withoutProxy
        case .notConnected:
            options.connection.unixSocket != nil || isFixed
                ? "Is the server running?" : "Is the server running? --base-url or --env sets another."
        case .notTLS:
            party == .proxy || isFixed ? nil : "Check scheme and port; --base-url sets others."
        case .tls: "Does the server speak https on that port? -vv shows how far the connection got."
        case .clientCertificateRequired: "Use --cert FILE, and --key FILE if the key is separate."
        case .credentialFile(.clientCertificate, _) where phase != .preparing && options.connection.clientKey == nil:
            "If its key is in another file: --key FILE"
        case .credentialFile(.clientKey, _) where phase != .preparing:
            "The passphrase of an encrypted key is read from \(names.keyPassphrase)."
        case .certificate(.selfSigned) where party == .proxy, .certificate(.unknownIssuer) where party == .proxy:
            "To trust another issuer: --cacert FILE"
        case .certificate(let problem):
            party == .proxy || !options.connection.verifiesCertificate ? nil : problem.hint
        case .timedOut(.idle): "To wait as long as it takes: --max-time 0"
        case .timedOut(.connecting(let limit)): Self.hint(toRaise: "--connect-timeout", limit)
        case .timedOut(.whole): Self.hint(toRaise: "--max-time", options.wholeLimit)
        case .cutShort: isRepeatable && options.retry == 0 ? "To try again: --retry 3" : nil
        case .notHTTP:
            isFixed
                ? nil : "Does that port speak HTTP, and is the scheme right? --base-url sets another server."
        // Following more redirects does not help in a loop.
        case .tooManyRedirects: cause.isRedirectLoop ? nil : "To follow more: --max-redirects N"
        case .unreadableBody(let path) where path.hasPrefix("@"):
            "The path is given without the @: \(path.dropFirst())"
        case .clientCertificateRejected, .credentialFile, .malformedResponse, .headersTooLarge, .contentCoding,
            .unreadableBody, .unsafeRedirect, .libraryMissing, .unsupportedOption, .invalidRequest, .other:
            nil
        }
    }

    /// Whether the failure is about a server other than `base`, which a redirect led to and no option can change.
    private func isAboutAnother(than base: BaseURL) -> Bool {
        guard let server else { return false }
        let first = Peer(base)
        return server.host.lowercased() != first.host.lowercased() || server.port != first.port
    }

    /// A hint to double the limit that an option sets; nil if there is none.
    static func hint(toRaise option: String, _ limit: Duration) -> String? {
        guard limit != .zero else { return nil }
        let seconds = (limit * 2).inSeconds
        let value = seconds < 1 ? "\(Decimals.text(seconds * 1000, places: 0))ms" : "\(Decimals.trimmed(seconds))s"
        return "To wait longer: \(option) \(value)"
    }

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
