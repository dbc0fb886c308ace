import EndpointKit

extension TransportError {
    /// What to try, in one line that names the option; nil where nothing of the command line would help.
    ///
    /// `server` is the one that was asked first, and `isRepeatable` tells whether the request may be sent again.
    func hint(_ options: CallOptions, _ names: VariableNames, server: BaseURL, isRepeatable: Bool) -> String? {
        // Transports say so in their message: the kinds are the same on the way to a proxy and to a server.
        let isProxys = message.contains("the proxy")
        return switch kind {
        case .proxy where message.contains("credentials"):
            "User and password go into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"
        case .proxy: "-x '' goes without a proxy."
        case .nameNotResolved where isProxys, .notConnected where isProxys: "-x '' goes without a proxy."
        case .nameNotResolved:
            "Is the name right, and is there a network? --resolve HOST:PORT:ADDRESS does without a lookup."
        case .notConnected:
            options.connection.unixSocket != nil || isAboutAnother(than: server)
                ? "Is the server running?" : "Is the server running? --base-url or --env chooses another."
        // What is wrong with a file of one's own is said already.
        case .tls where message.contains("does not speak TLS"):
            isProxys || isAboutAnother(than: server)
                ? nil : "Are scheme and port right? --base-url chooses others."
        case .tls where message.contains("wants a client certificate"):
            "Give one with --cert FILE, and --key FILE where its key is not in there."
        case .tls where message.contains("can't use the client's key"):
            "The passphrase of an encrypted key goes into \(names.keyPassphrase)."
        case .tls where message.contains("can't use the client certificate") && options.connection.clientKey == nil:
            "Where its key is not in there, name it with --key FILE."
        case .tls:
            message.hasPrefix("can't use")
                ? nil : "Does the server speak https on that port? -vv shows how far it came."
        case .certificate where isProxys: nil
        case .certificate(let problem): options.connection.verifiesCertificate ? problem.hint : nil
        case .timedOut: timeHint(options)
        case .cutShort: isRepeatable && options.retry == 0 ? "--retry 3 tries again." : nil
        case .notHTTP:
            isOfNoHTTP && !isAboutAnother(than: server)
                ? "Is that a server of HTTP, and the scheme right? --base-url chooses another." : nil
        // A loop has no end, however many are followed.
        case .tooManyRedirects: message.contains("in a loop") ? nil : "--max-redirects N follows more."
        case .unreadableBody, .unsafeRedirect, .libraryMissing, .unsupportedOption, .other: nil
        }
    }

    /// Whether the message names another server: one that a redirect led to, and no option chooses.
    private func isAboutAnother(than server: BaseURL) -> Bool {
        let text = " \(message) "
        guard text.contains(" port ") else {
            return text.contains(" the answer of ") && !text.contains(" the answer of \(server.host) ")
        }
        let name = " \(server.host) port \(server.port ?? (server.scheme == "https" ? 443 : 80))"
        return !text.contains("\(name) ") && !text.contains("\(name):")
    }

    /// Whether what came was no HTTP at all, rather than HTTP with a fault: libcurl takes such an answer for that of HTTP/0.9,
    /// which had no head.
    private var isOfNoHTTP: Bool { message.contains("HTTP/0.9") || message.contains("no HTTP status line") }

    /// The limit that was met, doubled. A transport says `no connection` where it was the one for connecting.
    private func timeHint(_ options: CallOptions) -> String? {
        let connect = options.connectTimeout
        if message.contains("was silent") { return "--max-time 0 waits as long as it takes." }
        let whole = options.maxTime ?? CallOptions.patience
        let wasConnecting =
            message.hasPrefix("no connection") && connect != .zero && (whole == .zero || connect < whole)
        let (option, limit) = wasConnecting ? ("--connect-timeout", connect) : ("--max-time", whole)
        guard limit != .zero else { return nil }
        let doubled = limit.inSeconds * 2
        let value = doubled < 1 ? "\(Decimals.text(doubled * 1000, places: 0))ms" : "\(Decimals.trimmed(doubled))s"
        return "\(option) \(value) allows longer."
    }
}

extension TransportError.CertificateProblem {
    fileprivate var hint: String {
        switch self {
        case .expired: "Only its owner can renew it; -k skips the check."
        case .notYetValid: "Is this machine's clock right? -k skips the check."
        case .wrongHost: "--resolve HOST:PORT:ADDRESS keeps the right name for another address; -k skips the check."
        case .selfSigned, .unknownIssuer: "--cacert FILE trusts another issuer; -k skips the check."
        case .other: "-k skips the check."
        }
    }
}
