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

    /// The number of seconds in each unit of an offset.
    private static let secondsByUnit: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    /// The most digits of an offset. `$now+99999d` is in the 23rd century, and RFC 3339 can write years up to 9999.
    private static let maxOffsetDigits = 5

    /// Whether the name of a placeholder can only be meant for a generated value, because it starts with a dollar sign.
    /// It may be misspelled, such as `$uid`.
    static func isGenerated(_ placeholderName: String) -> Bool { placeholderName.hasPrefix("$") }

    /// Reads the name of a value, such as `$uuid` or `$now+1d`; nil for any other text.
    init?(_ name: String) {
        switch name {
        case "$uuid": self = .uuid
        case "$timestamp": self = .timestamp
        case "$random": self = .random
        case "$now": self = .time(offset: 0)
        default:
            guard name.hasPrefix("$now") else { return nil }
            guard let offset = Self.seconds(ofOffset: name.dropFirst("$now".count)) else { return nil }
            self = .time(offset: offset)
        }
    }

    /// Returns the number of seconds that an offset stands for: `+1d` → 86400, `-90m` → -5400. Nil for any other text.
    private static func seconds(ofOffset text: Substring) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        guard let unit = text.last, let secondsOfUnit = secondsByUnit[unit] else { return nil }
        let digits = text.dropFirst().dropLast()
        guard digits.utf8.count <= maxOffsetDigits, let count = Int(digits: digits) else { return nil }
        let seconds = count * secondsOfUnit
        return sign == "-" ? -seconds : seconds
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
    /// The number that decides the random values of a run.
    let seed: Int
    /// Identifies the case among all cases of the run.
    let caseID: String
    /// The time that `$now` and `$timestamp` are.
    let time: Date

    /// Returns the value for a placeholder of the case.
    func value(_ generatedValue: GeneratedValue) -> JSONValue {
        switch generatedValue {
        case .uuid: JSONValue(randomUUID)
        case .random: JSONValue(randomNumber)
        case .timestamp: JSONValue(Int(time.timeIntervalSince1970))
        case .time(let offset):
            // Offsets are so short that RFC 3339 can write all times.
            JSONValue(DateText.iso8601(wholeSecond.addingTimeInterval(Double(offset))) ?? "")
        }
    }

    /// The time without its fraction of a second.
    private var wholeSecond: Date { Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down)) }

    /// A UUID of version 4 (RFC 9562, section 5.4). Six bits say its version and its variant, and the others are
    /// random.
    private var randomUUID: String {
        var bytes = Array(randomBytes(for: "uuid").prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40  // The version, 4.
        bytes[8] = bytes[8] & 0x3F | 0x80  // The variant, binary 10.
        // The bytes of each group of digits: 8-4-4-4-12.
        let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return groups.map { MessageDigest.hexadecimal(Array($0)) }.joined(separator: "-")
    }

    /// A number below ``GeneratedValue/randomLimit``.
    private var randomNumber: Int {
        // The first 8 of the bytes, as an integer with the most significant byte first.
        let integer = randomBytes(for: "random").prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(integer % GeneratedValue.randomLimit)
    }

    /// Returns 32 bytes that look random, and are the same for the same seed, case and purpose.
    private func randomBytes(for purpose: String) -> [UInt8] {
        MessageDigest.sha256.digest(of: "\(seed) \(caseID) \(purpose)".exactBytes)
    }
}
