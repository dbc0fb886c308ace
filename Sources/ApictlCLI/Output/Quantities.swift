import EndpointKit

/// Reads and formats sizes in bytes.
enum ByteCountText {
    /// The end of a message about a text that is no size.
    static let expectation = "a size such as 65536, 64k, 10M or 1G"

    /// Reads a size on the command line, in bytes.
    ///
    /// The units are powers of 1024, as in curl: `64k` is 65536. A number without a unit is in bytes.
    ///
    /// - Returns: Nil if `text` is no size, or if the number is too large.
    static func parse(_ text: String) -> Int? {
        let bytesOfUnits: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        guard let suffix = text.lowercased().last, let bytesOfUnit = bytesOfUnits[suffix] else {
            return Int(digits: text[...])
        }
        guard let count = Int(digits: text.dropLast()) else { return nil }
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: bytesOfUnit)
        return isTooLarge ? nil : bytes
    }

    /// Returns a size for display, in powers of 1000: `512 B`, `63.1 MB`.
    static func shown(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var value = Double(count) / 1000
        // No Int is larger than 9.3 exabytes (EB).
        for unit in ["kB", "MB", "GB", "TB", "PB"] {
            // From 999.95 on, the value would be rounded to 1000.0, so it is shown in the next unit.
            if value < 999.95 { return "\(Decimals.text(value, places: 1)) \(unit)" }
            value /= 1000
        }
        return "\(Decimals.text(value, places: 1)) EB"
    }
}

extension Int {
    /// Returns the number with a noun in the singular or the plural: `1 page`, `2 pages`.
    ///
    /// - Parameters:
    ///   - noun: The noun in the singular.
    ///   - plural: The noun in the plural; nil for a noun whose plural ends with an `s`.
    func counted(_ noun: String, plural: String? = nil) -> String {
        if self == 1 { return "1 \(noun)" }
        return "\(self) \(plural ?? noun + "s")"
    }
}

/// Reads durations on the command line.
enum DurationText {
    /// The end of a message about a text that is no duration.
    static let expectation = "a duration such as 2.5, 500ms or 20s"

    /// The longest duration that is accepted: 365 days. A longer one is a mistake.
    private static let maxSeconds = 31_536_000.0

    /// Reads a duration on the command line. It is rounded up to milliseconds.
    ///
    /// | Text | Duration |
    /// |---|---|
    /// | `2.5`, `20s` | seconds |
    /// | `500ms` | milliseconds |
    /// | `2m` | minutes |
    ///
    /// - Returns: Nil if `text` is no duration, or is negative or longer than 365 days.
    static func parse(_ text: String) -> Duration? {
        let (number, secondsOfUnit) = splitAtUnit(text)
        // Double alone would also accept a sign, an exponent and "nan".
        let hasOnlyDigits = number.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        guard hasOnlyDigits, let count = Double(number) else { return nil }
        let seconds = count * secondsOfUnit
        guard seconds <= maxSeconds else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }

    /// Splits a duration into its number and the length of its unit in seconds: `500ms` into `500` and 0.001.
    ///
    /// A number without a unit is in seconds.
    private static func splitAtUnit(_ text: String) -> (number: Substring, secondsOfUnit: Double) {
        if text.hasSuffix("ms") { return (text.dropLast(2), 0.001) }
        if text.hasSuffix("s") { return (text.dropLast(), 1) }
        if text.hasSuffix("m") { return (text.dropLast(), 60) }
        return (text[...], 1)
    }
}

extension Duration {
    /// The duration for display, rounded: `0.5 ms`, `500 ms`, `1.2 s`, `60 s`, `3 min`, `6 h`.
    ///
    /// The limits between the forms are the values from which on a form would show one more digit, such as `1000 ms`
    /// from 0.9995 s on.
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

    /// The duration in seconds.
    var inSeconds: Double { self / .seconds(1) }
}

/// Formats numbers with a fixed number of decimals.
enum Decimals {
    /// Returns a number with one decimal or none, rounded: `1.2` or `1`.
    ///
    /// - Parameters:
    ///   - value: The number; a negative one counts as 0.
    ///   - places: The number of decimals, 0 or 1.
    static func text(_ value: Double, places: Int) -> String {
        let factor = places == 0 ? 1 : 10
        let scaled = (max(value, 0) * Double(factor)).rounded()
        // The limit keeps the conversion to Int from failing. No real duration or size comes near.
        guard scaled < 1e15 else { return "very long" }
        let (whole, tenths) = Int(scaled).quotientAndRemainder(dividingBy: factor)
        return places == 0 ? "\(whole)" : "\(whole).\(tenths)"
    }

    /// Returns a number with one decimal, or with none if the decimal would be 0: `1.2`, `3`.
    static func trimmed(_ value: Double) -> String {
        let text = text(value, places: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
