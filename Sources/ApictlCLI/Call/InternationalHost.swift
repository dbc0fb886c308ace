import EndpointKit

/// The names of hosts with letters outside ASCII, as the DNS has them (RFC 3492, RFC 5891).
enum InternationalHost {
    /// Returns the ASCII form of the host in an authority, without user and port.
    ///
    ///     bücher.example:8080   →   xn--bcher-kva.example
    static func ascii(ofAuthority authority: ArraySlice<UInt8>) -> String {
        let hostAndPort = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
        let hostBytes = hostAndPort.prefix { $0 != UInt8(ascii: ":") }
        let host = String(exactBytes: Array(hostBytes)).lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.map(ascii(ofLabel:)).joined(separator: ".")
    }

    /// Returns the ASCII form of a label, a part of a host's name between dots: `bücher` → `xn--bcher-kva`.
    private static func ascii(ofLabel label: Substring) -> String {
        let isASCII = label.utf8.allSatisfy { $0 < 0x80 }
        return isASCII ? String(label) : "xn--" + punycode(of: label)
    }

    // The parameters of Punycode (RFC 3492, section 5).
    private static let base = 36
    private static let minThreshold = 1
    private static let maxThreshold = 26
    private static let skew = 38
    private static let damp = 700
    private static let initialBias = 72
    private static let initialCode = 128

    /// The most scalars of a label that are converted, because a label of the DNS has at most 63 bytes.
    private static let maxLabelLength = 63

    /// Returns the Punycode of a label (RFC 3492, section 6.3).
    ///
    /// The Punycode has the ASCII characters of the label, a hyphen, and then a number for each other character. The
    /// number says which character to insert, and where.
    ///
    /// The other characters are inserted in the order of their codes. A number is the distance from one insertion to
    /// the next, where all positions for a code are counted before those for the next code.
    private static func punycode(of label: Substring) -> String {
        let scalars = Array(label.unicodeScalars.prefix(maxLabelLength))
        var output = scalars.filter(\.isASCII).map(Character.init)
        let asciiCount = output.count
        if asciiCount > 0 { output.append("-") }
        var code = initialCode
        var bias = initialBias
        var distance = 0
        var handledCount = asciiCount
        while handledCount < scalars.count {
            // Each code has as many positions as there are handled characters, plus one. Those of unused codes are
            // skipped.
            let remainingCodes = scalars.map { Int($0.value) }.filter { $0 >= code }
            let nextCode = remainingCodes.min() ?? code
            distance += (nextCode - code) * (handledCount + 1)
            code = nextCode
            for scalar in scalars {
                if scalar.value < code { distance += 1 }
                guard scalar.value == code else { continue }
                output += digits(of: distance, bias: bias)
                bias = adaptedBias(after: distance, count: handledCount + 1, isFirst: handledCount == asciiCount)
                distance = 0
                handledCount += 1
            }
            distance += 1
            code += 1
        }
        return String(output)
    }

    /// Returns a number as digits, the least significant one first, from `a` for 0 to `9` for 35.
    ///
    /// A digit below a threshold is the last one of its number. The threshold depends on the position of the digit and
    /// on the bias, so that numbers of the expected size are short. These are the generalized variable-length integers
    /// of RFC 3492, section 3.3.
    private static func digits(of number: Int, bias: Int) -> [Character] {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        var digits: [Character] = []
        var remaining = number
        var position = base
        while true {
            let threshold = min(max(position - bias, minThreshold), maxThreshold)
            if remaining < threshold { return digits + [alphabet[remaining]] }
            digits.append(alphabet[threshold + (remaining - threshold) % (base - threshold)])
            remaining = (remaining - threshold) / (base - threshold)
            position += base
        }
    }

    /// Returns the bias for the next number, which probably has the size of the last one.
    ///
    /// This is the function `adapt` of RFC 3492, section 6.1, with the constants of section 5.
    ///
    /// - Parameters:
    ///   - number: The last number.
    ///   - count: The number of characters that are handled, including that of the last number.
    ///   - isFirst: Whether it is the first number, which is usually much greater than the next one.
    private static func adaptedBias(after number: Int, count: Int, isFirst: Bool) -> Int {
        var scaled = isFirst ? number / damp : number / 2
        scaled += scaled / count
        var bias = 0
        while scaled > (base - minThreshold) * maxThreshold / 2 {
            scaled /= base - minThreshold
            bias += base
        }
        return bias + (base - minThreshold + 1) * scaled / (scaled + skew)
    }
}
