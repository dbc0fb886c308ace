/// Numbers from their text, which is known to be a JSON number.
enum JSONNumber {
    /// The value of a number of at most 18 bytes without fraction and exponent. Nil for anything that starts otherwise than a number.
    @inline(__always)
    static func shortInteger(_ text: UnsafeRawBufferPointer) -> Int64? {
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        guard index < text.count else { return nil }
        var number: Int64 = 0
        repeat {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int64(digit)
            index &+= 1
        } while index < text.count
        return isNegative ? 0 &- number : number
    }

    /// The value of the token at `slot` if it is an integer, as Foundation sees it.
    @inline(never)
    static func integer<I: FixedWidthInteger & Decodable>(
        _ type: I.Type, _ document: JSONDocument, _ slot: Int
    ) -> I? {
        guard document.isNumber(slot) else { return nil }
        let text = document.writtenText(of: slot)
        if document.slots[slot].isPlain { return I(text) }
        guard let double = Double(text), let integer = I(exactly: double) else { return nil }
        // From here on a double cannot hold every integer, and Foundation's rules are intricate.
        guard double.magnitude >= 0x1p53 else { return integer }
        return try? JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// The nearest number of a type, rounded once. Nil if it is too large or, not being zero, too small.
    @inline(__always)
    static func float<F: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ text: UnsafeRawBufferPointer
    ) -> F? {
        // Doubles have the powers of ten up to 22, floats up to 10.
        let exponent = F.significandBitCount > 23 ? 22 : 10
        guard let parts = parts(text), parts.digits <= 1 << Int64(F.significandBitCount + 1),
            parts.exponent.magnitude <= exponent, parts.digits > 0
        else { return general(F.self, text) }
        // Both are exact, so the one rounding is right.
        let power = F(powersOfTen[Int(parts.exponent.magnitude)])
        let number = parts.exponent < 0 ? F(parts.digits) / power : F(parts.digits) * power
        return parts.isNegative ? -number : number
    }

    @inline(never)
    private static func general<F: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: F.Type, _ text: UnsafeRawBufferPointer
    ) -> F? {
        guard let number = F(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        // A number that would round to zero is refused. Foundation searches for digits other than 0, by
        // rules of its own if they are in the exponent.
        if number.isZero, text.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }) {
            return try? JSONDecoder().decode(type, from: Data(text))
        }
        return number
    }

    /// A number of at most 18 digits as an integer times a power of ten.
    @inline(__always)
    private static func parts(_ text: UnsafeRawBufferPointer) -> (isNegative: Bool, digits: Int64, exponent: Int)? {
        guard text.count <= 24 else { return nil }
        var index = 0
        var parts = (isNegative: false, digits: 0 as Int64, exponent: 0)
        if index < text.count, text[index] == UInt8(ascii: "-") {
            parts.isNegative = true
            index &+= 1
        }
        var digitCount = 0
        var isInFraction = false
        while index < text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            if digit < 10 {
                digitCount &+= 1
                guard digitCount <= 18 else { return nil }
                parts.digits = parts.digits &* 10 &+ Int64(digit)
                if isInFraction { parts.exponent &-= 1 }
            } else if text[index] == UInt8(ascii: ".") {
                isInFraction = true
            } else {
                break
            }
            index &+= 1
        }
        guard index < text.count else { return parts }
        // e, E
        index &+= 1
        var isNegative = false
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = text[index] == UInt8(ascii: "-")
            index &+= 1
        }
        guard text.count &- index <= 3 else { return nil }
        var exponent = 0
        while index < text.count {
            exponent = exponent &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
            index &+= 1
        }
        parts.exponent &+= isNegative ? 0 &- exponent : exponent
        return parts
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
