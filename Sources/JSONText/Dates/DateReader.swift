/// Reads the fields of a date from text, from left to right.
struct DateReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// Passes over that byte, if it comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// A number of exactly so many digits.
    mutating func number(digits count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var number = 0
        for offset in 0..<count {
            let digit = bytes[index + offset] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        index += count
        return number
    }

    /// A number of one digit or more, as many as there are; more than nine are refused.
    mutating func number() -> Int? {
        var count = 0
        while count < 10, index + count < bytes.count, bytes[index + count] &- UInt8(ascii: "0") < 10 { count += 1 }
        return 1...9 ~= count ? number(digits: count) : nil
    }

    /// The digits after a decimal point, one at least; those beyond the fifteenth do not count.
    mutating func fraction() -> Double? {
        let start = index
        var number = 0
        var scale = 1
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            if index - start < 15 {
                number = number * 10 + Int(digit)
                scale *= 10
            }
            index += 1
        }
        return index > start ? Double(number) / Double(scale) : nil
    }

    /// `+01:00`, `+0100` or `+01`, in seconds; up to 23:59 either way.
    mutating func offset() -> Int? {
        let isNegative = take(UInt8(ascii: "-"))
        guard isNegative || take(UInt8(ascii: "+")), let hours = number(digits: 2), hours <= 23 else { return nil }
        var minutes = 0
        let hasColon = take(UInt8(ascii: ":"))
        if let number = number(digits: 2) {
            minutes = number
        } else if hasColon {
            return nil
        }
        guard minutes <= 59 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isNegative ? -seconds : seconds
    }
}
