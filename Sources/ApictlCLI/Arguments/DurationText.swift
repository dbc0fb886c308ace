/// Parses durations on the command line: `2.5` and `20s` are seconds, `500ms` milliseconds.
enum DurationText {
    static let expectation = "a duration such as 2.5, 500ms or 20s"

    /// The duration, or nil if `text` is not one; not negative, and at most a year.
    static func parse(_ text: String) -> Duration? {
        let (digits, unit): (Substring, Double) =
            text.hasSuffix("ms") ? (text.dropLast(2), 0.001) : (text.hasSuffix("s") ? text.dropLast() : text[...], 1)
        guard let first = digits.utf8.first, first == UInt8(ascii: ".") || (0x30...0x39).contains(first),
            digits.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }),
            let count = Double(digits), count * unit <= 31_536_000
        else { return nil }
        return .milliseconds(Int64((count * unit * 1000).rounded(.up)))
    }
}
