/// Tokens of known services, which are recognised by their first characters.
///
/// The services chose these prefixes so that tools can find a token that was published by mistake.
package enum SecretToken {
    /// The prefixes of tokens that may be of any length.
    package static let prefixes = [
        "AIza", "AKIA", "ATATT3", "GOCSPX-", "PMAK-", "dckr_pat_", "dop_v1_", "figd_", "gho_", "ghp_",
        "ghr_", "ghs_", "ghu_", "github_pat_", "gldt-", "glpat-", "glptt-", "glrt-", "hf_", "hvs.", "lin_api_", "npm_",
        "ntn_", "pypi-AgE", "rk_live_", "rk_test_", "rubygems_", "shpat_", "shpca_", "shppa_", "shpss_", "sk-admin-",
        "sk-ant-", "sk-or-v1-", "sk-proj-", "sk-svcacct-", "sk_live_", "sk_test_", "sq0atp-", "sq0csp-", "whsec_",
        "xapp-", "xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-", "ya29.",
    ]

    /// The prefixes of tokens that have at least two dots: SendGrid's and JSON Web Tokens (RFC 7519). Other words start
    /// like that too, but without two dots.
    package static let dottedPrefixes = ["SG.", "eyJ"]

    private static let prefixesByFirstByte = Dictionary(grouping: prefixes.map { Array($0.utf8) }) { $0[0] }
    private static let dottedPrefixBytes = dottedPrefixes.map { Array($0.utf8) }

    /// Returns whether `byte` may be part of a token: the alphabet of Base64 for URLs (RFC 4648, section 5), and the
    /// dot.
    static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Returns whether `word` is the token of a known service.
    ///
    /// A token begins with one of ``prefixes`` and has at least one more character, or it begins with one of
    /// ``dottedPrefixes`` and has at least two dots.
    static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
        guard let firstByte = word.first else { return false }
        for prefix in prefixesByFirstByte[firstByte] ?? [] {
            if word.count > prefix.count, word.starts(with: prefix) { return true }
        }
        guard dottedPrefixBytes.contains(where: word.starts(with:)) else { return false }
        let dotCount = word.count { $0 == UInt8(ascii: ".") }
        return dotCount >= 2
    }
}
