// Reading numbers, true, false and null.

extension JSONFormatter.Phase {
    /// Whether a number may end here.
    var canEndNumber: Bool {
        switch self {
        case .zero, .integer, .fraction, .exponentDigits: true
        default: false
        }
    }
}

extension JSONFormatter {
    /// `true`, `false` or `null`.
    enum Literal: UInt8 {
        case `true`, `false`, null

        /// The characters, the first in the lowest byte.
        var letters: UInt64 {
            switch self {
            case .true: 0x6575_7274
            case .false: 0x65_736C_6166
            case .null: 0x6C6C_756E
            }
        }

        var length: Int { self == .false ? 5 : 4 }

        /// The end of the literal at `start`; nil if it is wrong or too close to the end of `input`.
        @inline(__always)
        func end(_ input: UnsafeRawBufferPointer, from start: Int) -> Int? {
            guard start &+ 8 <= input.count else { return nil }
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            // The bytes that are shifted out come after the literal.
            let others = (word ^ letters) << (64 &- 8 &* UInt64(length))
            return others == 0 ? start &+ length : nil
        }

        var name: String {
            switch self {
            case .true: "true"
            case .false: "false"
            case .null: "null"
            }
        }
    }

    /// The end of the number at `start`; nil if it is invalid or nothing comes after it in `input`.
    @inline(__always)
    static func endOfNumber(_ input: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        if input[index] == UInt8(ascii: "-") {
            index &+= 1
            guard index < input.count else { return nil }
        }
        let firstDigit = index
        index = skipDigits(input, from: index)
        guard index > firstDigit, index < input.count,
            input[firstDigit] != UInt8(ascii: "0") || index == firstDigit &+ 1
        else { return nil }
        if input[index] == UInt8(ascii: ".") {
            let point = index
            index = skipDigits(input, from: index &+ 1)
            guard index > point &+ 1, index < input.count else { return nil }
        }
        if input[index] | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            guard index < input.count else { return nil }
            if input[index] == UInt8(ascii: "+") || input[index] == UInt8(ascii: "-") { index &+= 1 }
            let exponent = index
            index = skipDigits(input, from: index)
            guard index > exponent, index < input.count else { return nil }
        }
        return index
    }

    /// Continues a number to its end or the end of `input`; `start` is after its first character.
    mutating func readNumber<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, from start: Int, _ out: inout Writer
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        var phase = phase
        scan: while index < input.count {
            let byte = input[index]
            switch phase {
            case .integer, .fraction, .exponentDigits:
                if Self.isDigit(byte) {
                    index = Self.skipDigits(input, from: index &+ 1)
                    continue
                }
                guard let next = Self.after(phase, byte) else { break scan }
                phase = next
            case .zero:
                guard let next = Self.after(phase, byte) else { break scan }
                phase = next
            case .minus where Self.isDigit(byte):
                phase = byte == UInt8(ascii: "0") ? .zero : .integer
            case .point where Self.isDigit(byte):
                phase = .fraction
            case .exponent where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"):
                phase = .exponentSign
            case .exponent where Self.isDigit(byte), .exponentSign where Self.isDigit(byte):
                phase = .exponentDigits
            default:
                break scan
            }
            index &+= 1
        }
        if index > start { out.write(input, start..<index) }
        self.phase = phase
        if index < input.count {
            guard phase.canEndNumber, !(phase == .zero && Self.isDigit(input[index])) else {
                throw unexpected(input, at: index)
            }
            endScalar(&out)
        }
        return index
    }

    /// What a point or an exponent after an integer or fraction leads to.
    @inline(__always)
    private static func after(_ phase: Phase, _ byte: UInt8) -> Phase? {
        switch byte {
        case UInt8(ascii: ".") where phase == .integer || phase == .zero: .point
        case UInt8(ascii: "e") where phase != .exponentDigits, UInt8(ascii: "E") where phase != .exponentDigits:
            .exponent
        default: nil
        }
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    private static func skipDigits(_ input: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index &+ 8 <= input.count {
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // Each digit becomes 0 to 9, any other byte more. Adding sets the highest bit of bytes that are not digits; a carry
            // may corrupt the bytes above such a byte, but the lowest one is right.
            let values = word ^ 0x3030_3030_3030_3030
            let others = (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
            guard others == 0 else { return index &+ others.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < input.count, isDigit(input[index]) { index &+= 1 }
        return index
    }

    /// Continues a literal, of which ``matched`` characters have been read.
    mutating func readLiteral<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, from start: Int, _ out: inout Writer
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        let letters = literal.letters
        let length = literal.length
        while matched < length {
            guard index < input.count else { return index }
            guard input[index] == UInt8(truncatingIfNeeded: letters >> (8 &* UInt64(matched))) else {
                throw unexpected(input, at: index)
            }
            out.write(input[index])
            matched &+= 1
            index &+= 1
        }
        endScalar(&out)
        return index
    }
}
