import EndpointKit

extension ProcessEnvironment {
    /// The passwords in the variables that name proxies, because proxies and libraries may repeat them.
    var proxySecrets: [SensitiveText] {
        ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap { name in
            variable(name).map(Self.secrets(ofProxy:)) ?? []
        }
    }

    /// The secrets of `[SCHEME://][USER[:PASSWORD]@]HOST`: the password, or else the user, which may be a token.
    private static func secrets(ofProxy text: String) -> [SensitiveText] {
        let bytes = text.exactBytes
        // The last @, because a password that is not percent-encoded may contain one.
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
    /// The secrets among the options.
    var secrets: [SensitiveText] { keyPassphrase.map { [SensitiveText([.secret($0)])] } ?? [] }
}
