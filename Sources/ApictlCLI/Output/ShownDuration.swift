extension Duration {
    /// For display, rounded: `0.5 ms`, `500 ms`, `1.2 s`, `60 s`, `3 min`, `6 h`.
    var shown: String {
        let seconds = inSeconds
        switch seconds {
        case ..<0.01: return "\(Decimals.text(seconds * 1000, places: 1)) ms"
        case ..<0.9995: return "\(Decimals.text(seconds * 1000, places: 0)) ms"
        case ..<9.95: return "\(Decimals.trimmed(seconds)) s"
        case ..<120: return "\(Decimals.text(seconds, places: 0)) s"
        case ..<7200: return "\(Decimals.trimmed(seconds / 60)) min"
        default: return "\(Decimals.trimmed(seconds / 3600)) h"
        }
    }

    /// For display in a table, with the same precision up to a second: `0.1 ms`, `203.0 ms`, `1.25 s`.
    var shownAsPhase: String {
        let seconds = inSeconds
        return seconds < 1
            ? "\(Decimals.text(seconds * 1000, places: 1)) ms" : "\(Decimals.text(seconds, places: 2)) s"
    }

    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Formats numbers with a fixed number of decimals.
enum Decimals {
    static func text(_ value: Double, places: Int) -> String {
        let factor = places == 0 ? 1 : places == 1 ? 10 : 100
        let scaled = (max(value, 0) * Double(factor)).rounded()
        // Avoids overflow; no real duration comes near.
        guard scaled < 1e15 else { return "very long" }
        let count = Int(scaled)
        if factor == 1 { return "\(count)" }
        return "\(count / factor)." + String(String(factor + count % factor).dropFirst())
    }

    /// One decimal, or none if it is 0.
    static func trimmed(_ value: Double) -> String {
        let text = text(value, places: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
