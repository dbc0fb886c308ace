/// A JSON number of any length, compared by its exact value: `1e2` equals `100.0`, and 9007199254740993 is more than
/// 9007199254740992.
package struct DecimalNumber: Comparable, Sendable {
    private let text: String
    /// The nearest double.
    private let double: Double

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
        let parts = parts
        return parts.sign == 0 || parts.digits.utf8.count <= parts.exponent
    }

    // Two numbers with different nearest doubles are in the order of these doubles. Only others need their digits
    // compared.

    package static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
        guard left.double == right.double else { return false }
        return left.text == right.text || left.parts == right.parts
    }

    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        if left.double != right.double { return left.double < right.double }
        return left.parts < right.parts
    }

    /// A number in normal form: sign · 0.digits · 10^exponent.
    ///
    /// The first and the last digit are not zero, so numbers of the same value have the same parts:
    ///
    ///     -12.50     -0.125 · 10^2     sign -1, digits 125, exponent 2
    ///     -125e-1    -0.125 · 10^2     the same
    ///     0.00125     0.125 · 10^-2    sign 1, digits 125, exponent -2
    private struct Parts: Comparable {
        /// -1, 0 or 1.
        var sign: Int
        var exponent: Int
        /// The digits of the fraction after `0.`, without zeros at either end.
        var digits: Substring

        static let zero = Parts(sign: 0, exponent: 0, digits: "")

        static func < (left: Parts, right: Parts) -> Bool {
            if left.sign != right.sign { return left.sign < right.sign }
            if left.sign < 0 { return right.isSmaller(than: left) }
            return left.isSmaller(than: right)
        }

        /// Compares without the sign. Since the first digit is not zero, the greater exponent decides.
        private func isSmaller(than other: Parts) -> Bool {
            if exponent != other.exponent { return exponent < other.exponent }
            return digits < other.digits
        }
    }

    /// The normal form of the number.
    ///
    /// The exponent is the written exponent, plus the number of digits before the decimal point, less the number of
    /// leading zeros. Moving the point of `12.50` to the front of its digits moves it over two digits. In `0.00125`, it
    /// moves over one digit to `.000125`, and then back over the three zeros that are dropped: 1 - 3 = -2.
    private var parts: Parts {
        let isNegative = text.hasPrefix("-")
        let halves = text.lowercased().split(separator: "e")
        let number = halves[0].drop { $0 == "-" }.split(separator: ".")
        let allDigits = number.joined()
        let withoutLeadingZeros = allDigits.drop { $0 == "0" }
        // Without any digit but zeros, the number is zero.
        guard let lastDigit = withoutLeadingZeros.lastIndex(where: { $0 != "0" }) else { return .zero }
        let leadingZeros = allDigits.count - withoutLeadingZeros.count
        let writtenExponent = halves.count > 1 ? Self.exponent(halves[1]) : 0
        return Parts(
            sign: isNegative ? -1 : 1, exponent: writtenExponent + number[0].count - leadingZeros,
            digits: withoutLeadingZeros[...lastDigit])
    }

    /// The exponent in the text after an `e`.
    ///
    /// An exponent of too many digits for an `Int` becomes a very large or very small one. It is half of the possible
    /// at most, so that the number of digits can be added without an overflow.
    private static func exponent(_ text: Substring) -> Int {
        let exponent = Int(text) ?? (text.hasPrefix("-") ? .min : .max)
        return max(.min / 2, min(exponent, .max / 2))
    }
}
