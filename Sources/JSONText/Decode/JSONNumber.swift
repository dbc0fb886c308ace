/// Numbers from their text, which is known to be a JSON number (RFC 8259, section 6).
enum JSONNumber {
    // MARK: Integers

    /// Reads an integer of at most 18 bytes, such as `-12`, which always fits 64 bits.
    ///
    /// - Parameter text: The bytes of a scalar, at most 18 of them. A number has neither a fraction nor an exponent.
    /// - Returns: The integer, or nil if the scalar is not a number.
    @inline(__always)
    static func parseShortInteger(_ text: UnsafeRawBufferPointer) -> Int64? {
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        guard index < text.count else { return nil }
        // 18 digits are less than 2^63, so nothing can overflow.
        var magnitude: Int64 = 0
        repeat {
            // For a byte before `0`, the subtraction wraps around to a number above 9.
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            magnitude = magnitude &* 10 &+ Int64(digit)
            index &+= 1
        } while index < text.count
        return isNegative ? 0 &- magnitude : magnitude
    }

    /// Reads a number as an integer, also if it is written `1.0` or `1e2`.
    ///
    /// As in Foundation's decoder, a number with a fraction or an exponent is an integer if the nearest double is one.
    /// From 2^53 on, where doubles are too far apart, the integer is the exact value without its fraction.
    ///
    /// - Parameters:
    ///   - type: The type of the integer.
    ///   - slot: The slot of the number in the document's index.
    ///   - document: The document that has the number.
    /// - Returns: The integer, or nil if the value is not a number, not an integer, or too large for the type.
    @inline(never)
    static func parseInteger<I: FixedWidthInteger & Decodable>(
        _ type: I.Type, at slot: Int, in document: JSONDocument
    ) -> I? {
        guard document.isNumber(slot) else { return nil }
        let text = document.writtenText(of: slot)
        let isWrittenAsInteger = document.slots[slot].isPlain
        if isWrittenAsInteger { return I(text) }
        guard let nearestDouble = Double(text), let integer = I(exactly: nearestDouble) else { return nil }
        let isDoubleExact = nearestDouble.magnitude < 0x1p53
        return isDoubleExact ? integer : parseExactInteger(text)
    }

    /// Reads the integer part of a number with a fraction or an exponent from its exact digits: -12 for `-1.25e1`.
    ///
    /// - Parameter text: A number whose magnitude is at least 2^53 and fits an integer type, so its exponent is small.
    /// - Returns: The integer, or nil, as in Foundation's decoder, if its digits or its value take more than 64 bits.
    private static func parseExactInteger<I: FixedWidthInteger>(_ text: String) -> I? {
        // `-1.25e1` has the mantissa -1.25 and the exponent 1. The whole part of the mantissa is 1, its fraction 25.
        let mantissaAndExponent = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        // The exponent is small, so it always fits an `Int`.
        let exponent = mantissaAndExponent.count == 2 ? Int(mantissaAndExponent[1]) ?? 0 : 0
        let isNegative = text.hasPrefix("-")
        let wholeAndFraction = mantissaAndExponent[0].drop { $0 == "-" }.split(separator: ".")
        let digits = wholeAndFraction.joined()
        let digitsWithoutTrailingZeros = String(digits.reversed().drop { $0 == "0" }.reversed())
        // Foundation refuses a number with more digits than an integer of 64 bits has.
        guard UInt64(digitsWithoutTrailingZeros) != nil else { return nil }

        // The exponent moves the decimal point: the integer part may end before the last digit, or need more zeros.
        let wholePart = wholeAndFraction[0]
        let integerLength = wholePart.count + exponent
        let addedZeros = String(repeating: "0", count: max(integerLength - digits.count, 0))
        let magnitude = digits.prefix(integerLength) + addedZeros
        if isNegative {
            guard let integer = Int64("-" + magnitude) else { return nil }
            return I(exactly: integer)
        }
        guard let integer = UInt64(magnitude) else { return nil }
        return I(exactly: integer)
    }

    // MARK: Floating point

    /// Reads a JSON number as the nearest floating-point number.
    ///
    /// Most numbers have few digits and a small exponent. Then the digits, as an integer, and the power of ten are
    /// exact values of the type, and one multiplication or division rounds correctly: `12.5` is 125 / 10. All others go
    /// through the standard library, which takes longer.
    ///
    /// - Parameter text: The bytes of the JSON number.
    /// - Returns: The number. It is nil if the JSON number is too large for the type, or so small that it would become
    ///   zero.
    @inline(__always)
    static func parseFloat<F: BinaryFloatingPoint & LosslessStringConvertible>(_ text: UnsafeRawBufferPointer) -> F? {
        // `significandBitCount` leaves out the implicit first bit. The 53 bits of a `Double` hold every integer up to
        // 2^53.
        let greatestExactInteger: Int64 = 1 << Int64(F.significandBitCount + 1)
        // A power of ten is exact if its power of five is: 5^22 < 2^53 for `Double`, 5^10 < 2^24 for `Float`.
        let greatestExactPower = F.significandBitCount > 23 ? 22 : 10
        guard let shortNumber = ShortNumber(text), shortNumber.mantissa <= greatestExactInteger,
            shortNumber.exponent.magnitude <= greatestExactPower
        else { return parseAnyFloat(text) }
        let mantissa = F(shortNumber.mantissa)
        let power = F(powersOfTen[Int(shortNumber.exponent.magnitude)])
        let magnitude = shortNumber.exponent < 0 ? mantissa / power : mantissa * power
        return shortNumber.isNegative ? -magnitude : magnitude
    }

    /// Reads a JSON number with any digits and exponent as the nearest floating-point number.
    ///
    /// - Returns: The number, or nil if the JSON number is too large, or so small that it would become zero.
    @inline(never)
    private static func parseAnyFloat<F: BinaryFloatingPoint & LosslessStringConvertible>(
        _ text: UnsafeRawBufferPointer
    ) -> F? {
        guard let number = F(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        guard number.isZero else { return number }
        // A number that is written with other digits than zeros has become zero because it is too small.
        // The bit 0x20 turns `E` into `e`.
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let hasOtherDigitThanZero = mantissa.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        return hasOtherDigitThanZero ? nil : number
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}

/// A number of at most 18 digits, as an integer times a power of ten: `-12.5e3` is -125 times 10^2.
private struct ShortNumber {
    var isNegative = false
    /// All digits of the number as an integer: 125 for `12.5`.
    var mantissa: Int64 = 0
    /// The power of ten by which the mantissa is multiplied: -1 for `12.5`.
    var exponent = 0

    /// Takes the text of a JSON number apart: `-12.5e3` is negative, with the mantissa 125 and the exponent 2.
    ///
    /// The result is nil for a number with more than 18 digits, more than 24 bytes, or more than three digits after the
    /// `e`. Such numbers are rare, and could overflow.
    @inline(__always)
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count <= 24 else { return nil }
        var index = 0
        if index < text.count, text[index] == UInt8(ascii: "-") {
            isNegative = true
            index &+= 1
        }
        guard readMantissa(text, at: &index) else { return nil }
        let hasExponent = index < text.count
        if hasExponent {
            let afterE = index &+ 1
            guard readExponent(text, from: afterE) else { return nil }
        }
    }

    /// Reads the digits and the decimal point of a number into ``mantissa``, up to its end or an `e`. Each digit after
    /// the point lowers ``exponent`` by 1.
    ///
    /// - Parameters:
    ///   - text: The number.
    ///   - index: The index of the first digit. It is moved to the end or the `e`.
    /// - Returns: Whether there are at most 18 digits, which always fit 64 bits.
    @inline(__always)
    private mutating func readMantissa(_ text: UnsafeRawBufferPointer, at index: inout Int) -> Bool {
        var digitCount = 0
        var isInFraction = false
        while index < text.count {
            // For a byte before `0`, the subtraction wraps around to a number above 9.
            let digit = text[index] &- UInt8(ascii: "0")
            if digit < 10 {
                digitCount &+= 1
                guard digitCount <= 18 else { return false }
                mantissa = mantissa &* 10 &+ Int64(digit)
                if isInFraction { exponent &-= 1 }
            } else if text[index] == UInt8(ascii: ".") {
                isInFraction = true
            } else {
                break
            }
            index &+= 1
        }
        return true
    }

    /// Reads the number after an `e`, and adds it to ``exponent``.
    ///
    /// - Parameters:
    ///   - text: The number.
    ///   - start: The index after the `e`.
    /// - Returns: Whether the exponent has at most three digits.
    @inline(__always)
    private mutating func readExponent(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var index = start
        var isNegative = false
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = text[index] == UInt8(ascii: "-")
            index &+= 1
        }
        guard text.count &- index <= 3 else { return false }
        var magnitude = 0
        while index < text.count {
            // Only digits are left, because the number is valid JSON.
            magnitude = magnitude &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
            index &+= 1
        }
        exponent &+= isNegative ? 0 &- magnitude : magnitude
        return true
    }
}
