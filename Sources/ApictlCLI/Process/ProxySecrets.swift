import EndpointKit

extension ProcessEnvironment {
    /// The passwords in the variables that name proxies: a proxy may repeat them, and so may a library.
    var proxySecrets: [SensitiveText] {
        ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap { name in
            variable(name).map(Self.secrets(ofProxy:)) ?? []
        }
    }

    /// What of `[SCHEME://][USER[:PASSWORD]@]HOST` nobody should see: the password, else the user, which may be a token.
    private static func secrets(ofProxy text: String) -> [SensitiveText] {
        let bytes = text.exactBytes
        // A password that is not encoded may hold any sign.
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return [] }
        let start = bytes.firstRange(of: Array("://".utf8))?.upperBound ?? 0
        guard start < at else { return [] }
        let parts = bytes[start..<at].split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let texts = parts.map { String(exactBytes: $0) }
        guard let user = texts.first, let last = texts.last else { return [] }
        let pair = SensitiveText.Piece.basic(
            user: Secret(PercentEncoding.decode(user)),
            password: Secret(PercentEncoding.decode(texts.count > 1 ? last : "")))
        return [SensitiveText([.secret(Secret(last))]), SensitiveText([pair])]
    }
}

extension ConnectionOptions {
    /// What of the options nobody should see.
    var secrets: [SensitiveText] { keyPassphrase.map { [SensitiveText([.secret($0)])] } ?? [] }
}
