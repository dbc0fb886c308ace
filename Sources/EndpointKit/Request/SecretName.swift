/// Names under which people pass secrets, by which a typed value is known to be one.
enum SecretName {
    private static let headerEndings = ["apikey", "token", "secret", "password"]
    private static let queryNames: Set<String> = [
        "apikey", "accesstoken", "authtoken", "token", "secret", "clientsecret", "password", "passwd", "signature",
        "sig",
    ]

    /// Whether a header field of that name holds a secret: `X-Api-Key`, `X-Auth-Token`, `Private-Token`.
    static func isHeader(_ name: String) -> Bool {
        let bare = bare(name)
        return headerEndings.contains(where: bare.hasSuffix)
    }

    /// Whether a query item of that name holds a secret. Only whole names: a `page_token` is none.
    static func isQuery(_ name: String) -> Bool { queryNames.contains(bare(name)) }

    private static func bare(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
}
