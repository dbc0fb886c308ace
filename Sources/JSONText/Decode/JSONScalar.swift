/// A type that is read from one token of the text.
protocol JSONScalar: Decodable {
    /// Returns the value of a scalar of the document, or nil if the type has no such value.
    ///
    /// - Parameters:
    ///   - session: The state of the decoding, which has the document.
    ///   - slot: The slot of the scalar in the document's index.
    static func read(from session: DecodingSession, at slot: Int) -> Self?

    /// Decodes an array of the document whose elements are scalars of this type.
    ///
    /// - Parameters:
    ///   - session: The state of the decoding, which has the document.
    ///   - place: The slot of the array, and the path to it.
    /// - Returns: An array of `Self`.
    static func readArray(from session: DecodingSession, at place: ValuePlace) throws -> Any

    /// The kind of token that stands for values of the type.
    static var kind: JSONDocument.Kind { get }

    /// The value that an observed decoding continues with if the text has none that fits.
    static var placeholder: Self { get }
}

extension Bool: JSONScalar {
    /// Returns the boolean at a slot, which its first letter tells, or nil for any other value.
    @inline(__always)
    static func read(from session: DecodingSession, at slot: Int) -> Bool? {
        switch session.document.byte(at: Int(session.document.slots[slot].start)) {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    static var kind: JSONDocument.Kind { .boolean }
    static var placeholder: Bool { false }
}

extension String: JSONScalar {
    /// Returns the text of the string at a slot, or nil for any other value, and for a string with a lone surrogate.
    @inline(__always)
    static func read(from session: DecodingSession, at slot: Int) -> String? {
        session.document.isString(slot) ? session.document.string(at: slot) : nil
    }

    static var kind: JSONDocument.Kind { .string }
    static var placeholder: String { "" }
}

extension JSONScalar where Self: Numeric {
    static var kind: JSONDocument.Kind { .number }
    static var placeholder: Self { 0 }
}

extension JSONScalar where Self: FixedWidthInteger {
    /// Returns the integer at a slot. It is nil for any other value, and for an integer that the type can't hold.
    ///
    /// Most integers are short, and are read here. All others, such as `1e2`, are left to ``JSONNumber``.
    @inline(__always)
    static func read(from session: DecodingSession, at slot: Int) -> Self? {
        let scalarSlot = session.document.slots[slot]
        // 18 digits always fit in 64 bits.
        let mayBeShortInteger = scalarSlot.isPlain && scalarSlot.length <= 18
        guard mayBeShortInteger else {
            return JSONNumber.parseInteger(Self.self, at: slot, in: session.document)
        }
        let number: Int64? = session.document.withToken(slot) { JSONNumber.parseShortInteger($0) }
        // A string or boolean is not a number.
        guard let number else { return nil }
        return Self(exactly: number)
    }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
@available(iOS 18, macOS 15, *)
extension Int128: JSONScalar {}
@available(iOS 18, macOS 15, *)
extension UInt128: JSONScalar {}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// Returns the nearest floating-point number to the number at a slot, or nil if it is out of range.
    ///
    /// A string may stand for infinity or NaN, if the coding has such strings. Any other value is nil.
    @inline(__always)
    static func read(from session: DecodingSession, at slot: Int) -> Self? {
        guard session.document.isNumber(slot) else { return session.infinityOrNaN(Self.self, at: slot) }
        return session.document.withToken(slot) { JSONNumber.parseFloat($0) }
    }
}

extension Double: JSONScalar {}
extension Float: JSONScalar {}

extension Decimal: JSONScalar {
    /// Returns the number at a slot in all of its digits, or nil for any other value.
    static func read(from session: DecodingSession, at slot: Int) -> Decimal? {
        guard session.document.isNumber(slot) else { return nil }
        return Decimal(string: session.document.writtenText(of: slot))
    }
}

extension DecodingSession {
    /// Returns infinity or NaN if the value is the string that the coding uses for it, such as `"Infinity"`.
    ///
    /// - Parameters:
    ///   - type: The floating-point type.
    ///   - slot: The slot of a value in the document's index.
    /// - Returns: The number, or nil if the value is anything else or the coding has no such strings.
    @inline(never)
    func infinityOrNaN<F: BinaryFloatingPoint>(_ type: F.Type, at slot: Int) -> F? {
        guard case .strings(let positiveInfinity, let negativeInfinity, let nan) = coding.floats,
            document.isString(slot), let text = document.string(at: slot)
        else { return nil }
        switch text {
        case positiveInfinity: return .infinity
        case negativeInfinity: return -.infinity
        case nan: return .nan
        default: return nil
        }
    }
}
