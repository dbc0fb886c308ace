import EndpointKit

/// Sizes in bytes as text.
enum ByteCountText {
    static let expectation = "a size such as 65536, 64k, 10M or 1G"

    /// The number of bytes of a size on the command line, or nil if it is none; the units are powers of 1024, as in curl.
    static func parse(_ text: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let unit = text.lowercased().last.flatMap { units[$0] }
        guard let count = Int(digits: unit == nil ? text[...] : text.dropLast()) else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : bytes
    }

    /// A number of bytes for display, in powers of 1000: `512 B`, `63.1 MB`.
    static func shown(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var (value, units) = (Double(count) / 1000, ["kB", "MB", "GB", "TB", "PB", "EB"])
        while units.count > 1, value >= 999.95 {
            value /= 1000
            units.removeFirst()
        }
        return "\(Decimals.text(value, places: 1)) \(units[0])"
    }
}

extension Int {
    /// The number with what it counts: `1 page`, `2 pages`.
    func counted(_ noun: String, plural: String? = nil) -> String {
        "\(self) " + (self == 1 ? noun : plural ?? noun + "s")
    }
}

/// Durations as text.
enum DurationText {
    static let expectation = "a duration such as 2.5, 500ms or 20s"

    /// The duration on a command line, or nil if it is none: `2.5` and `20s` are seconds, `500ms` milliseconds, `2m` minutes.
    ///
    /// It is not negative, and at most a year.
    static func parse(_ text: String) -> Duration? {
        let unit = [("ms", 0.001), ("s", 1.0), ("m", 60.0)].first { text.hasSuffix($0.0) } ?? ("", 1)
        let digits = text.dropLast(unit.0.utf8.count)
        guard digits.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }),
            let count = Double(digits), count * unit.1 <= 31_536_000
        else { return nil }
        return .milliseconds(Int64((count * unit.1 * 1000).rounded(.up)))
    }
}

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

    var inSeconds: Double { self / .seconds(1) }
}

/// Formats numbers with a fixed number of decimals.
enum Decimals {
    static func text(_ value: Double, places: Int) -> String {
        let factor = [1, 10][places]
        let scaled = (max(value, 0) * Double(factor)).rounded()
        // Avoids overflow; no real duration comes near.
        guard scaled < 1e15 else { return "very long" }
        let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: factor)
        return "\(whole)" + (places == 0 ? "" : "." + String(factor + rest).dropFirst())
    }

    /// One decimal, or none if it is 0.
    static func trimmed(_ value: Double) -> String {
        let text = text(value, places: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
