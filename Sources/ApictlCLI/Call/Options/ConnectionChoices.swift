import EndpointKit

/// The options that say how the connection to a server is made.
///
/// A value that is nil is not chosen, and a default counts.
struct ConnectionChoices: Sendable, Equatable {
    /// Whether any certificate of the server is accepted.
    var isInsecure: Sourced<Bool>?
    /// A file of certificates that are trusted in place of the system's.
    var authorities: SourcedText?
    /// The file with the client's certificate.
    var certificate: SourcedText?
    /// The file with the private key of ``certificate``.
    var key: SourcedText?
    /// The proxy's URL; empty is no proxy.
    var proxy: SourcedText?
    var unixSocket: SourcedText?
    /// Addresses to use in place of name lookups, each `HOST:PORT:ADDRESS`.
    var resolve: Sourced<[String]>?
    var httpVersion: ConnectionOptions.HTTPVersion?
    /// The oldest version of TLS that is accepted.
    var tlsVersion: ConnectionOptions.TLSVersion?
}

extension ConnectionChoices {
    /// The files that are named.
    var files: [SourcedText] { [authorities, certificate, key].compactMap(\.self) }

    /// Returns these choices, in which each choice that is nil is replaced by the one in `general`.
    ///
    /// - Parameter general: The choices that count less, such as those of the configuration.
    func overriding(_ general: ConnectionChoices) -> ConnectionChoices {
        var result = self
        result.isInsecure = isInsecure ?? general.isInsecure
        result.authorities = authorities ?? general.authorities
        result.certificate = certificate ?? general.certificate
        result.key = key ?? general.key
        result.proxy = proxy ?? general.proxy
        result.unixSocket = unixSocket ?? general.unixSocket
        result.resolve = resolve ?? general.resolve
        result.httpVersion = httpVersion ?? general.httpVersion
        result.tlsVersion = tlsVersion ?? general.tlsVersion
        return result
    }

    /// The options for the transport, with defaults for what is not chosen. They lack the passphrase of the client's
    /// key, which a variable holds.
    var resolved: ConnectionOptions {
        var options = ConnectionOptions()
        options.verifiesCertificate = isInsecure?.value != true
        options.certificateAuthorities = authorities?.text
        options.clientCertificate = certificate?.text
        options.clientKey = key?.text
        options.proxy = proxy?.text
        options.unixSocket = unixSocket?.text
        options.resolve = resolve?.value ?? []
        options.httpVersion = httpVersion
        options.tlsVersion = tlsVersion
        return options
    }
}

extension ConnectionChoices {
    static let group = OptionGroup<ConnectionChoices>(
        title: "Connection",
        options: [
            Option("insecure", short: "k", sourced: \.isInsecure, "accept any certificate"),
            Option(
                "cacert", .file, sourced: \.authorities,
                "trust the certificates in FILE (PEM) instead of the system's"
            ).rarelyUsed(),
            Option("cert", short: "E", .file, sourced: \.certificate, "client certificate (PEM)").rarelyUsed(),
            Option(
                "key", .file, sourced: \.key, "private key of --cert (PEM), if in a separate file"
            ).needing("cert").rarelyUsed(),
            Option(
                "proxy", short: "x", .text("URL", mayBeEmpty: true, problem: OptionValueRules.problem(proxy:)),
                sourced: \.proxy, "use a proxy: http, https, socks4, socks5, socks5h; '': none"),
            Option(
                "unix-socket", .text("PATH", completion: .files, problem: OptionValueRules.problem(unixSocket:)),
                sourced: \.unixSocket, "connect to a Unix domain socket"
            ).rarelyUsed(),
            Option(
                "resolve", .resolveEntry, "use ADDRESS for HOST instead of a name lookup"
            ) { $0.resolve = Sourced(($0.resolve?.value ?? []) + [$1.value], $1.source) }.rarelyUsed(),
            Option("http1.1", \.httpVersion, is: .http1, "use HTTP/1.1").excluding("http2").rarelyUsed(),
            Option("http2", \.httpVersion, is: .http2, "use HTTP/2 if the server does").rarelyUsed(),
            Option("tlsv1.2", \.tlsVersion, is: .tls12, "use TLS 1.2 or newer").excluding("tlsv1.3").rarelyUsed(),
            Option("tlsv1.3", \.tlsVersion, is: .tls13, "use TLS 1.3 or newer").rarelyUsed(),
        ])
}

extension OptionValueType where Value == SourcedText {
    /// The value of `--resolve`.
    fileprivate static let resolveEntry = OptionValueType(placeholder: "HOST:PORT:ADDRESS") {
        word, flag throws(UsageError) in
        if let problem = ResolveEntry.problem(word.text) {
            throw .unusableValue(option: flag, problem: problem, source: word.source)
        }
        return word
    }
}
