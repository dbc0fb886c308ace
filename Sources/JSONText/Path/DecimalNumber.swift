/// A JSON number of any length, compared by its exact value: `1e2` equals `100.0`, and 9007199254740993 is more than
/// 9007199254740992.
package struct DecimalNumber: Comparable, Sendable {
    private let text: String
    /// The nearest double.
    private let double: Double

    /// Makes a number of its JSON text.
    ///
    /// - Precondition: `text` is a JSON number.
    package init(_ text: String) {
        self.text = text
        double = Double(text) ?? .nan
    }

    /// Whether the number is a whole number, however it is written: `1e2` and `1.0` are.
    ///
    /// In 0.digits · 10^exponent, the decimal point moves right by the exponent. Nothing is left behind it if there are
    /// no more digits than that.
    package var isInteger: Bool {
        let normalForm = normalForm
        if normalForm.sign == 0 { return true }
        return normalForm.digits.utf8.count <= normalForm.exponent
    }

    /// Whether two numbers have the same value. Numbers with different nearest doubles differ, so their digits need not
    /// be compared.
    package static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
        guard left.double == right.double else { return false }
        return left.text == right.text || left.normalForm == right.normalForm
    }

    /// Whether a number is less than another one. If their nearest doubles are the same, their digits decide.
    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        if left.double != right.double { return left.double < right.double }
        return left.normalForm < right.normalForm
    }

    /// A number in normal form: sign · 0.digits · 10^exponent.
    ///
    /// The first and the last digit are not zero, so numbers of the same value have the same parts:
    ///
    ///     -12.50     -0.125 · 10^2     sign -1, digits 125, exponent 2
    ///     -125e-1    -0.125 · 10^2     the same
    ///     0.00125     0.125 · 10^-2    sign 1, digits 125, exponent -2
    private struct NormalForm: Comparable {
        /// -1, 0 or 1.
        var sign: Int
        var exponent: Int
        /// The digits of the fraction after `0.`, without zeros at either end.
        var digits: Substring

        static let zero = NormalForm(sign: 0, exponent: 0, digits: "")

        /// Whether a number is less than another one: first by their signs, then by their magnitudes.
        static func < (left: NormalForm, right: NormalForm) -> Bool {
            if left.sign != right.sign { return left.sign < right.sign }
            // A negative number of greater magnitude is less.
            if left.sign < 0 { return right.hasSmallerMagnitude(than: left) }
            return left.hasSmallerMagnitude(than: right)
        }

        /// Compares two numbers without their signs. Since the first digits are not zero, the greater exponent decides.
        private func hasSmallerMagnitude(than other: NormalForm) -> Bool {
            if exponent != other.exponent { return exponent < other.exponent }
            return digits < other.digits
        }
    }

    /// The number in the form sign · 0.digits · 10^exponent, in which the first and last digit are not zero.
    ///
    /// The exponent is the written exponent, plus the number of digits before the decimal point, less the number of
    /// leading zeros:
    ///
    ///     12.50e1    0.125 · 10^3      1 + 2 digits before the point
    ///     0.00125    0.125 · 10^-2     0 + 1 digit before the point - 3 leading zeros
    private var normalForm: NormalForm {
        let isNegative = text.hasPrefix("-")
        // `-12.50e1` has the mantissa -12.50 and the exponent 1. The whole part of the mantissa is 12, its fraction 50.
        let mantissaAndExponent = text.lowercased().split(separator: "e")
        let wholeAndFraction = mantissaAndExponent[0].drop { $0 == "-" }.split(separator: ".")
        let allDigits = wholeAndFraction.joined()
        let significantDigits = allDigits.drop { $0 == "0" }
        // Without any digit but zeros, the number is zero.
        guard let lastDigit = significantDigits.lastIndex(where: { $0 != "0" }) else { return .zero }

        let digitsBeforePoint = wholeAndFraction[0].count
        let leadingZeros = allDigits.count - significantDigits.count
        let writtenExponent = mantissaAndExponent.count > 1 ? Self.clampedExponent(mantissaAndExponent[1]) : 0
        return NormalForm(
            sign: isNegative ? -1 : 1, exponent: writtenExponent + digitsBeforePoint - leadingZeros,
            digits: significantDigits[...lastDigit])
    }

    /// Returns the exponent of a number from the text after its `e`: -2 for the `-2` of `1e-2`.
    ///
    /// An exponent that does not fit an `Int` becomes a very large or very small one. It is at most half of the
    /// greatest `Int`, so that a number of digits can be added without an overflow.
    private static func clampedExponent(_ writtenExponent: Substring) -> Int {
        let smallest = Int.min / 2
        let largest = Int.max / 2
        guard let exponent = Int(writtenExponent) else {
            let isNegative = writtenExponent.hasPrefix("-")
            return isNegative ? smallest : largest
        }
        return max(smallest, min(exponent, largest))
    }
}
