import EndpointKit

/// The names of hosts with letters outside ASCII, as the DNS has them (RFC 3492, RFC 5891).
enum InternationalHost {
    /// Returns the ASCII form of the host in an authority, without user and port.
    ///
    ///     bücher.example:8080   →   xn--bcher-kva.example
    static func ascii(ofAuthority authority: ArraySlice<UInt8>) -> String {
        let hostAndPort = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
        let host = String(exactBytes: Array(hostAndPort.prefix { $0 != UInt8(ascii: ":") })).lowercased()
        return host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + punycode(of: label)
        }.joined(separator: ".")
    }

    // The parameters of RFC 3492, section 5.
    private static let base = 36
    private static let minThreshold = 1
    private static let maxThreshold = 26

    /// Returns the Punycode of a label (RFC 3492, section 6.3). A label that the DNS could not have, because it has
    /// more than 63 bytes, is cut.
    private static func punycode(of label: Substring) -> String {
        let scalars = Array(label.unicodeScalars.prefix(63))
        var output = scalars.filter(\.isASCII).map(Character.init)
        let basicCount = output.count
        if basicCount > 0 { output.append("-") }
        var (code, delta, bias, handledCount) = (128, 0, 72, basicCount)
        while handledCount < scalars.count {
            let next = scalars.map { Int($0.value) }.filter { $0 >= code }.min() ?? code
            delta += (next - code) * (handledCount + 1)
            code = next
            for scalar in scalars {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                output += digits(of: delta, bias: bias)
                bias = adapted(delta, count: handledCount + 1, isFirst: handledCount == basicCount)
                delta = 0
                handledCount += 1
            }
            delta += 1
            code += 1
        }
        return String(output)
    }

    /// Returns a number as digits of variable length, from `a` for 0 to `9` for 35.
    private static func digits(of delta: Int, bias: Int) -> [Character] {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        var digits: [Character] = []
        var (rest, position) = (delta, base)
        while true {
            let threshold = min(max(position - bias, minThreshold), maxThreshold)
            if rest < threshold { return digits + [alphabet[rest]] }
            digits.append(alphabet[threshold + (rest - threshold) % (base - threshold)])
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
    }

    /// Returns the bias for the next number (RFC 3492, section 6.1).
    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var position = 0
        while delta > (base - minThreshold) * maxThreshold / 2 {
            delta /= base - minThreshold
            position += base
        }
        return position + (base - minThreshold + 1) * delta / (delta + 38)
    }
}
