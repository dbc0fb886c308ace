/// Names under which people pass credentials, by which a typed value is known to be one: of header fields and of query items alike.
package enum SecretName {
    /// Words that mark a name as a credential in any position: `X-Auth-Key`, `sessionId`, `X-Amz-Credential`.
    private static let words: Set<String> = [
        "apikey", "assertion", "auth", "authentication", "authorization", "authn", "authz", "bearer", "cookie",
        "credential", "csrf", "hmac", "jwt", "mfa", "oauth", "otp", "passcode", "passphrase", "passwd", "password",
        "pin", "pw", "pwd", "samlresponse", "secret", "session", "sessionid", "sid", "sig", "signature", "totp",
        "xauth", "xsrf",
    ]

    /// Words that say so at the end: `Ocp-Apim-Subscription-Key`, `PRIVATE-TOKEN`.
    private static let lastWords: Set<String> = ["key", "pass", "token"]

    /// Ends of words that are written without a sign between them: `accesstoken`, `hapikey`, `PHPSESSID`.
    private static let endings = [
        "accesskey", "apikey", "appid", "appkey", "authcode", "authkey", "backupcode", "backupcodes", "clientkey",
        "codeverifier", "masterkey", "passkey", "passphrase", "passwd",
        "password", "privatekey", "secret", "recoverycode", "recoverycodes", "secretkey", "sessid", "sessionid",
        "sessionkey", "sharedkey", "signature",
        "signingkey", "subscriptionkey", "token", "userkey",
    ]

    /// Words that mark a key or token as not a credential: `page_token`, `Idempotency-Key`.
    private static let harmless = [
        "analysis", "bos", "cache", "continuation", "cursor", "eos", "group", "idempotency", "max", "next", "order",
        "pad", "page", "pagination", "paging", "partition", "prev", "previous", "primary", "public", "routing", "row",
        "sort", "surrogate", "sync",
    ]

    /// Whether what is passed as `name` is a credential.
    package static func isCredential(_ name: String) -> Bool {
        var parts = parts(of: name).map(stem)
        // `X-Api-Key-V2`.
        if parts.count > 1, parts.last == "v" { parts.removeLast() }
        guard let last = parts.last else { return false }
        if !words.isDisjoint(with: parts) { return true }
        let joined = parts.joined()
        let ending = lastWords.contains(last) ? last : endings.first(where: joined.hasSuffix)
        guard let ending else { return false }
        let purpose = joined.dropLast(ending.count)
        return !harmless.contains(where: purpose.hasSuffix)
    }

    /// `word` without a number after it, and in the singular if that is known: `token2`, `secrets`.
    private static func stem(_ word: String) -> String {
        let letters = word.utf8.reversed().drop { (0x30...0x39).contains($0) }.count
        let stem = letters == 0 ? word : String(word.utf8.prefix(letters)) ?? word
        guard stem.utf8.last == UInt8(ascii: "s") else { return stem }
        let singular = String(stem.dropLast())
        return words.contains(singular) || singular == "token" ? singular : stem
    }

    /// The words of `X-Api-Key`, `access_token` or `sessionId`, lowercased.
    private static func parts(of name: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var wasLowercase = false
        for scalar in name.unicodeScalars {
            let isUppercase = scalar.isUppercase
            let isLetter =
                isUppercase || scalar.isLowercase || ("0"..."9").contains(scalar)
                || !scalar.isASCII && scalar.properties.isAlphabetic
            if !part.isEmpty, !isLetter || isUppercase && wasLowercase {
                parts.append(part.lowercased())
                part = ""
            }
            if isLetter { part.unicodeScalars.append(scalar) }
            wasLowercase = isLetter && !isUppercase
        }
        return part.isEmpty ? parts : parts + [part.lowercased()]
    }
}
