import EndpointKit
import JSONText

// MARK: Credentials by their looks

extension BodyToken {
    /// How tokens begin whose makers mark them so that they are found.
    private static let starts = [
        "AKIA", "ASIA", "AIza", "SG.", "gho_", "ghp_", "ghs_", "ghu_", "github_pat_", "glpat-", "hf_", "npm_", "rk_",
        "shpat_", "sk-", "sk_", "xapp-", "xox", "ya29.",
    ]

    /// Stands in the first line of a private key (RFC 7468).
    static let privateKey = Array("PRIVATE KEY-----".utf8)

    /// Whether a text is a token by its looks.
    static func isToken(_ text: String) -> Bool {
        let hasDigit = text.utf8.contains(where: \.isDigit)
        guard hasDigit || text.utf8.first.map("Bb".utf8.contains) == true else { return false }
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        if words.count == 2 {
            let (scheme, secret) = (words[0].lowercased(), words[1])
            let isPair = scheme == "basic" && Data(base64Encoded: secret)?.contains(UInt8(ascii: ":")) == true
            // Unlike a word.
            let isLong = secret.utf8.count > 20 || secret.utf8.dropFirst().contains { (0x41...0x5A).contains($0) }
            return isPair || scheme == "bearer" && isLong
                || hasDigit && (["basic", "bearer"].contains(scheme) && secret.utf8.count >= 8 || isToken(secret))
        }
        guard text.utf8.count >= 20, !text.utf8.contains(where: " /".utf8.contains) else { return false }
        // `bot123456:AbC…`, as Telegram's paths have it, and JSON Web Tokens.
        let isBot = text.hasPrefix("bot") && text.dropFirst(3).first?.isNumber == true && text.contains(":")
        return isBot || text.hasPrefix("eyJ") && text.contains(".") || starts.contains(where: text.hasPrefix)
    }

    /// Whether a segment of a path is random: letters of both cases and digits, of which one kind follows the other more often than in words.
    static func isRandom(_ segment: String) -> Bool {
        let kinds = segment.utf8.map { byte in
            byte.isDigit ? 0 : (0x41...0x5A).contains(byte) ? 1 : (0x61...0x7A).contains(byte) ? 2 : 3
        }
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
        return kinds.count >= 20 && Set(kinds).isSuperset(of: [0, 1, 2]) && 3 * changes >= kinds.count
            && segment.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }

    /// Whether a segment has letters and digits, and at least so many bytes.
    private static func isMixed(_ segment: String, atLeast count: Int) -> Bool {
        segment.utf8.count >= count && segment.utf8.contains(where: \.isDigit)
            && segment.utf8.contains { $0.isLetterOrDigit && !$0.isDigit }
    }

    /// The places of the segments of a path that are secret by their looks, by the name before them, or as a webhook's.
    static func secretSegments(_ segments: [String]) -> Set<Int> {
        let others = segments.indices.filter { place in
            let segment = segments[place]
            let before = place > 0 ? segments[place - 1] : ""
            // What is random after a noun is a thing of that name.
            return isMixed(segment, atLeast: 8) && SecretName.isCredential(before)
                || segment.parts(at: "-").contains(where: isToken)
                || isRandom(segment) && PathTemplate.isVersion(SwiftNames.words(before))
        }
        return webhook(segments).union(others)
    }

    /// Whether a text is the URL of a webhook.
    static func isWebhook(_ text: String) -> Bool {
        guard let start = text.firstRange(of: "://")?.upperBound else { return false }
        let path = text[start...].prefix { !"?#".contains($0) }.drop { $0 != "/" }
        return !webhook(PathTemplate.split(String(path))).isEmpty
    }

    /// The places of the segments of a webhook's path that make it secret, such as the last one of `/hooks/catch/1234567/bxq9k2z`.
    private static func webhook(_ segments: [String]) -> Set<Int> {
        let hooks = ["hook", "hooks", "webhook", "webhooks"]
        func isHook(_ segment: String) -> Bool { hooks.contains(segment.lowercased()) }
        // The others are those of other things too.
        let words = hooks + ["services", "workflows", "triggers"]
        guard let start = segments.firstIndex(where: { words.contains($0.lowercased()) }) else { return [] }
        let rest = segments.indices.dropFirst(start + 1).filter { !segments[$0].isEmpty }
        let secret = rest.filter { place in
            let segment = segments[place]
            let isLong = segment.utf8.count >= 24
            return isRandom(segment) || isHook(segments[start]) && (isMixed(segment, atLeast: 6) || isLong)
        }
        // Where a token has its place it may be of letters alone: Zapier's `/hooks/catch/1234567/TOKEN`, Slack's `/services/T024BE7LH/B0AB1CD2F/TOKEN`.
        guard rest.count >= 3 else { return Set(secret) }
        let (first, second) = (segments[rest[0]], segments[rest[1]])
        let isZapier = first == "catch" && second.utf8.allSatisfy(\.isDigit)
        let isSlack =
            first.first == "T" && first.utf8.count >= 8 && first.utf8.contains(where: \.isDigit)
            && first.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) }
        return Set(secret + (isZapier || isSlack ? rest.suffix(1) : []))
    }
}
