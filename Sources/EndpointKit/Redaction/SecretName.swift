/// The names under which people pass secrets: names of headers, query items, form fields and JSON members alike.
///
/// A name is secret if its last words are an entry of ``list``: `X-Api-Key`, `apiKey`, `stripe_api_key` and `apikey`
/// end with `api key`. Words are compared whole, so `pin_code_length`, `projectKey`, `sort_key`, `authLoginDomain`,
/// `max_tokens` and `key` are not secret.
package enum SecretName {
    /// The entries: words in lower case. Those of several words also match names that write them as one word, such as
    /// `accesstoken`.
    package static let list = [
        "access key", "access token", "account key", "admin key", "api key", "api token", "app key", "application key",
        "assertion", "auth", "auth code", "auth key", "auth token", "authentication", "authorization",
        "authorization code", "backup code", "backup codes", "bearer", "card number", "client key", "client secret",
        "code verifier", "cookie", "credential", "credentials", "csrf", "csrf token", "csrfmiddlewaretoken", "cvc",
        "cvv", "dpop", "encryption key", "functions key", "hapikey", "hmac", "id token", "jsessionid", "jwt",
        "license key", "master key", "mfa", "mfa code", "mnemonic", "new password", "old password", "otp", "otp code",
        "pass", "passcode", "passphrase", "passwd", "password", "phpsessid", "pin", "private key", "pw", "pwd",
        "rapidapi key", "recovery code", "recovery codes", "refresh token", "saml response", "secret", "secret key",
        "security code", "security token", "seed phrase", "service role key", "sessid", "session id", "session key",
        "session token", "shared key", "sig", "signature", "signing key", "subscription key", "token", "totp",
        "user key", "user password", "xsrf", "xsrf token",
    ]

    /// Names that end with `token` but are not secret: places in a list, and marks in the text of a language model.
    package static let exceptions = [
        "bos token", "continuation token", "cursor token", "eos token", "next token", "pad token", "page token",
        "skip token", "sync token",
    ]

    /// The entries of ``list`` without spaces.
    private static let joinedNames = Set(list.map(joined))
    /// The entries of ``exceptions`` without spaces.
    private static let joinedExceptions = Set(exceptions.map(joined))

    /// The length of the end of a name that is compared, in Unicode scalars. The longest entry is shorter. Without a
    /// limit, a hostile server could send a name of megabytes.
    private static let maxComparedLength = 100

    /// Returns the words of a name without the spaces between them: `apikey` for `api key`.
    private static func joined(_ words: String) -> String { words.filter { $0 != " " } }

    /// Returns whether a header, query item, form field or JSON member of this name holds a secret.
    ///
    /// It does if the last words of the name are in ``list``, such as `X-Api-Key`, unless its last words are in
    /// ``exceptions``, such as `nextToken`. A number at the end of the name does not count: `password2`.
    package static func isCredential(_ name: String) -> Bool {
        var ending = ""
        var isListed = false
        // From `key` for `X-Api-Key` over `apikey` to `xapikey`.
        for word in words(of: name).reversed() {
            ending = word + ending
            if joinedExceptions.contains(ending) { return false }
            if joinedNames.contains(ending) { isListed = true }
        }
        return isListed
    }

    /// Splits a name into its words, in lower case and without a number at the end.
    ///
    ///     X-Api-Key       →    x, api, key
    ///     accessToken2    →    access, token
    ///     AWSSecretKey    →    aws, secret, key
    ///
    /// Anything that is neither a letter nor a digit ends a word. In camel case, an uppercase letter begins one. Of a very
    /// long name, only the words at its end are returned.
    private static func words(of name: String) -> [String] {
        var scalars = Array(name.unicodeScalars.suffix(maxComparedLength))
        while let last = scalars.last, isDigit(last) { scalars.removeLast() }
        var words: [String] = []
        var word = ""
        for (index, scalar) in scalars.enumerated() {
            let isPartOfWord = scalar.isLetter || isDigit(scalar)
            if !isPartOfWord || startsCamelCaseWord(scalars, at: index) {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if isPartOfWord { word.unicodeScalars.append(scalar) }
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }

    /// Returns whether an uppercase letter starts a word in camel case: after a lowercase letter, or before one.
    ///
    /// In `AWSSecretKey`, the second `S` starts a word because a lowercase letter follows.
    private static func startsCamelCaseWord(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard index > 0, scalars[index].isUppercase else { return false }
        if !scalars[index - 1].isUppercase { return true }
        return index + 1 < scalars.count && scalars[index + 1].isLowercase
    }

    /// Returns whether a scalar is an ASCII digit.
    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
