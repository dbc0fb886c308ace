/// The syntax of numbers (RFC 8259, section 6), as a state machine whose states are the phases of a scanner within a
/// number.
///
///     minus → zero or integer → point → fraction → exponent → exponentSign → exponentDigits
///
/// Each phase is named after the part that was read last. Parts may be left out as the grammar allows: `-0`, `1.5`,
/// `1e3`.
enum NumberSyntax {
    typealias Phase = JSONScanner.Phase

    /// Returns the phase after the first byte of a number, which is a `-` or a digit.
    @inline(__always)
    static func phase(afterFirst byte: UInt8) -> Phase {
        switch byte {
        case UInt8(ascii: "-"): .minus
        case UInt8(ascii: "0"): .zero
        default: .integer
        }
    }

    /// Reads the rest of a number, such as the `2.5e3` of `-12.5e3`.
    ///
    /// Each step applies only to the phases that it continues, so that a number may go on in another chunk at any byte.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - start: The index at which the rest of the number starts.
    ///   - phase: The phase after the part that has been read. It is set to the phase after the last byte of the number
    ///     in this chunk.
    /// - Returns: The index of the first byte that does not belong to the number, or the end of the chunk.
    @inline(never)
    static func read(_ chunk: JSONChunk, from start: Int, phase: inout Phase) -> Int {
        var index = start
        if phase == .minus {
            guard hasDigit(chunk, at: index) else { return index }
            phase = Self.phase(afterFirst: chunk[index])
            index &+= 1
        }
        if phase == .integer {
            index = skipDigits(chunk, from: index)
        }
        if phase == .integer || phase == .zero, chunk.has(".", at: index) {
            phase = .point
            index &+= 1
        }
        if phase == .point {
            guard hasDigit(chunk, at: index) else { return index }
            phase = .fraction
        }
        if phase == .fraction {
            index = skipDigits(chunk, from: index)
        }
        return readExponent(chunk, from: index, phase: &phase)
    }

    /// Reads the exponent of a number, such as `e-3`, or the rest of it. It is the last step of
    /// ``read(_:from:phase:)``.
    @inline(__always)
    private static func readExponent(_ chunk: JSONChunk, from start: Int, phase: inout Phase) -> Int {
        var index = start
        if phase == .integer || phase == .zero || phase == .fraction {
            guard chunk.has("e", at: index) || chunk.has("E", at: index) else { return index }
            phase = .exponent
            index &+= 1
        }
        if phase == .exponent, chunk.has("+", at: index) || chunk.has("-", at: index) {
            phase = .exponentSign
            index &+= 1
        }
        if phase == .exponent || phase == .exponentSign {
            guard hasDigit(chunk, at: index) else { return index }
            phase = .exponentDigits
        }
        return skipDigits(chunk, from: index)
    }

    /// Whether there is a byte at an index, and it is a digit.
    @inline(__always)
    static func hasDigit(_ chunk: JSONChunk, at index: Int) -> Bool {
        index < chunk.count && chunk[index] &- UInt8(ascii: "0") < 10
    }

    /// Returns the index of the first byte from `start` on that is not a digit, or the end of the chunk.
    @inline(__always)
    private static func skipDigits(_ chunk: JSONChunk, from start: Int) -> Int {
        JSONScanner.skip(chunk, from: start) { word in
            // The digits 0x30 to 0x39 become 0 to 9, all other bytes more. Adding 0x76 sets the highest bit of
            // everything above 9. A carry may corrupt the bytes above the first byte that is not a digit, but only the
            // lowest mark counts.
            let values = word ^ 0x3030_3030_3030_3030
            return (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
        }
    }
}
