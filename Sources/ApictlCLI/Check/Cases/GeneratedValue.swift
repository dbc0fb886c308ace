import EndpointKit
import JSONText

/// A value that is made up when a case runs, by its name in a placeholder such as `{{$uuid}}`.
enum GeneratedValue: Equatable {
    /// `$uuid`: a random UUID (RFC 9562, version 4).
    case uuid
    /// `$now`, `$now+1d`: the time, with this many seconds added, in UTC (RFC 3339).
    case time(offset: Int)
    /// `$timestamp`: the number of seconds since 1970.
    case timestamp
    /// `$random`: a random whole number below ``randomLimit``.
    case random

    /// The end of a message about a text that is no name of a value.
    static let expectation = "expected $uuid, $now, $now+1d, $timestamp or $random"
    /// All random numbers are below this one, so that they fit into 32 bits.
    static let randomLimit: UInt64 = 1_000_000_000

    private static let secondsOfUnits: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    /// The most digits of an offset, so that no time is outside the years that RFC 3339 can write.
    private static let maxOffsetDigits = 5

    /// Whether the name of a placeholder can only be that of a generated value. It may be misspelled.
    static func isGenerated(_ placeholderName: String) -> Bool { placeholderName.hasPrefix("$") }

    /// Reads the name of a value; nil for any other text.
    init?(_ name: String) {
        switch name {
        case "$uuid": self = .uuid
        case "$timestamp": self = .timestamp
        case "$random": self = .random
        case "$now": self = .time(offset: 0)
        default:
            guard name.hasPrefix("$now"), let offset = Self.offset(name.dropFirst("$now".count)) else { return nil }
            self = .time(offset: offset)
        }
    }

    /// Returns the number of seconds of an offset: `+1d`, `-90m`. Nil for any other text.
    private static func offset(_ text: Substring) -> Int? {
        guard let sign = text.first, "+-".contains(sign) else { return nil }
        let digits = text.dropFirst().dropLast()
        guard let unit = text.last.flatMap({ secondsOfUnits[$0] }) else { return nil }
        guard digits.utf8.count <= maxOffsetDigits, let count = Int(digits: digits) else { return nil }
        return (sign == "-" ? -count : count) * unit
    }

    /// Whether the value depends on the seed, and not only on the clock.
    var isRandom: Bool {
        switch self {
        case .uuid, .random: true
        case .time, .timestamp: false
        }
    }
}

/// The generated values of one case. A name always gives the same value.
///
/// A random value depends on the seed, the file, the number of the case and its own name alone. So a run with the same
/// seed has the same values, in whatever order its cases run.
struct CaseGenerator {
    let seed: Int
    /// Identifies the case among all cases of the run.
    let caseID: String
    /// The time that `$now` and `$timestamp` are.
    let time: Date

    /// Returns a value.
    func value(_ generated: GeneratedValue) -> JSONValue {
        switch generated {
        case .uuid: JSONValue(uuid)
        case .random: JSONValue(Int(randomNumber("random") % GeneratedValue.randomLimit))
        case .timestamp: JSONValue(Int(time.timeIntervalSince1970))
        case .time(let offset):
            JSONValue(DateText.iso8601(wholeSecond.addingTimeInterval(Double(offset))) ?? "")
        }
    }

    /// The time without its fraction of a second.
    private var wholeSecond: Date { Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down)) }

    /// A UUID of version 4, in which six bits say so and the others are random.
    private var uuid: String {
        var bytes = Array(randomBytes("uuid").prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = MessageDigest.hexadecimal(bytes)[...]
        var groups: [Substring] = []
        var start = digits.startIndex
        for length in [8, 4, 4, 4, 12] {
            let end = digits.index(start, offsetBy: length)
            groups.append(digits[start..<end])
            start = end
        }
        return groups.joined(separator: "-")
    }

    private func randomNumber(_ purpose: String) -> UInt64 {
        randomBytes(purpose).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns 32 bytes that look random, and are the same for the same seed, case and purpose.
    private func randomBytes(_ purpose: String) -> [UInt8] {
        MessageDigest.sha256.digest(of: "\(seed) \(caseID) \(purpose)".exactBytes)
    }
}
