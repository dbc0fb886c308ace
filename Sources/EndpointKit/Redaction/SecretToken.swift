/// Tokens that are known by their first characters, because their makers chose these so that tokens are found.
package enum SecretToken {
    /// How tokens start that may be of any length.
    package static let prefixes = [
        "AIza", "AKIA", "ATATT3", "GOCSPX-", "PMAK-", "dckr_pat_", "dop_v1_", "figd_", "gho_", "ghp_",
        "ghr_", "ghs_", "ghu_", "github_pat_", "gldt-", "glpat-", "glptt-", "glrt-", "hf_", "hvs.", "lin_api_", "npm_",
        "ntn_", "pypi-AgE", "rk_live_", "rk_test_", "rubygems_", "shpat_", "shpca_", "shppa_", "shpss_", "sk-admin-",
        "sk-ant-", "sk-or-v1-", "sk-proj-", "sk-svcacct-", "sk_live_", "sk_test_", "sq0atp-", "sq0csp-", "whsec_",
        "xapp-", "xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-", "ya29.",
    ]

    /// How tokens start that have at least two dots: JSON Web Tokens (RFC 7519) and SendGrid's. Without the dots,
    /// words start like that too.
    package static let dottedPrefixes = ["SG.", "eyJ"]

    private static let byFirstByte = Dictionary(grouping: prefixes.map { Array($0.utf8) }) { $0[0] }
    private static let dotted = dottedPrefixes.map { Array($0.utf8) }

    /// Returns whether a word may hold `byte`: the alphabet of Base64 for URLs (RFC 4648, section 5), and the dot.
    static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Returns whether `word` is a token: it starts with a prefix, and goes on.
    static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
        guard let first = word.first else { return false }
        if let prefixes = byFirstByte[first] {
            for prefix in prefixes where word.count > prefix.count && word.starts(with: prefix) { return true }
        }
        guard dotted.contains(where: word.starts(with:)) else { return false }
        return word.count { $0 == UInt8(ascii: ".") } >= 2
    }
}
