// Strings that preserve bytes that are not UTF-8.
//
//     bytes  66 6F FF      (not UTF-8)
//     String "fo" U+10FFFE U+00FF
//
// Swift strings are always valid Unicode, but an argument, a variable or a header need not be UTF-8. A byte that is not
// part of a well-formed sequence is kept as two scalars: the noncharacter U+10FFFE, which is reserved for internal use
// and never interchanged, and the scalar with the byte's value. A U+10FFFE in the input is itself kept byte by byte in
// the same way, so the mapping is lossless.

extension String {
    /// Creates a string that remembers bytes that are not UTF-8, so that ``exactBytes`` returns them unchanged.
    package init(exactBytes bytes: some Collection<UInt8>) {
        // The conversion is specialised for one buffer type, for speed: it is applied to every header of every
        // response.
        if let text = bytes.withContiguousStorageIfAvailable(Self.text) {
            self = text
        } else {
            self = Array(bytes).withUnsafeBufferPointer(Self.text)
        }
    }

    /// Returns the text of bytes, in which every byte that is not UTF-8 follows a mark.
    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        // Nearly every text is ASCII and needs no validation.
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validUTF8: bytes), !text.holdsRawByteMarks { return text }
        return text(Array(bytes)) { [rawByteMark, Unicode.Scalar($0)] }
    }

    /// Decodes bytes of which some are not UTF-8.
    ///
    ///     66 6F FF    →    "fo", then scalarsForRawByte(0xFF)
    ///
    /// - Parameters:
    ///   - bytes: Any bytes, such as those of a header.
    ///   - scalarsForRawByte: Returns what stands in the text for a byte that is not part of well-formed UTF-8. It is
    ///     also called for each byte of a U+10FFFE, because ``exactBytes`` takes this scalar for the mark of a raw
    ///     byte.
    private static func text(
        _ bytes: [UInt8], scalarsForRawByte: (UInt8) -> some Sequence<Unicode.Scalar>
    ) -> String {
        var text = String.UnicodeScalarView()
        var unreadBytes = bytes[...]
        while let byte = unreadBytes.first {
            if let (scalar, length) = Unicode.Scalar.leading(unreadBytes), scalar != rawByteMark {
                text.append(scalar)
                unreadBytes = unreadBytes.dropFirst(length)
            } else {
                text.append(contentsOf: scalarsForRawByte(byte))
                unreadBytes = unreadBytes.dropFirst()
            }
        }
        return String(text)
    }

    /// The bytes from which `init(exactBytes:)` made this string, whether they are UTF-8 or not.
    ///
    ///     "fo" U+10FFFE U+00FF    →    66 6F FF
    ///
    /// A byte that is not UTF-8 is kept as two scalars: the mark U+10FFFE, and the scalar with the byte's value. The
    /// bytes of any other string are its UTF-8.
    package var exactBytes: [UInt8] {
        guard holdsRawByteMarks else { return Array(utf8) }
        var bytes: [UInt8] = []
        var unreadScalars = unicodeScalars[...]
        while let scalar = unreadScalars.popFirst() {
            guard scalar == Self.rawByteMark, let scalarAfterMark = unreadScalars.popFirst() else {
                bytes += scalar.utf8Bytes
                continue
            }
            if let rawByte = UInt8(exactly: scalarAfterMark.value) {
                bytes.append(rawByte)
            } else {
                // A mark without a byte after it, which `init(exactBytes:)` never makes, stands for itself.
                bytes += scalar.utf8Bytes
                bytes += scalarAfterMark.utf8Bytes
            }
        }
        return bytes
    }

    /// Whether ``exactBytes`` is not valid UTF-8.
    package var holdsRawBytes: Bool {
        holdsRawByteMarks && String(validUTF8: exactBytes) == nil
    }

    /// This text with every kept raw byte written like `\xFF`, for display.
    package var escapingRawBytes: String {
        guard holdsRawByteMarks else { return self }
        return Self.text(exactBytes) { ("\\x" + String($0, radix: 16, uppercase: true)).unicodeScalars }
    }

    /// The scalar before a kept raw byte.
    private static let rawByteMark: Unicode.Scalar = "\u{10FFFE}"

    /// Whether the text contains the mark of a raw byte.
    private var holdsRawByteMarks: Bool {
        // A quick search comes first. The mark's UTF-8 starts with 0xF4, which ordinary text hardly ever contains.
        let firstByteOfMark: UInt8 = 0xF4
        let mayHoldMark =
            utf8.withContiguousStorageIfAvailable { $0.contains(firstByteOfMark) } ?? utf8.contains(firstByteOfMark)
        return mayHoldMark && unicodeScalars.contains(Self.rawByteMark)
    }
}

extension Unicode.Scalar {
    /// Returns the scalar at the start of `bytes`, and the number of bytes that it has in UTF-8.
    ///
    /// - Returns: The scalar and the number; nil if `bytes` do not start with well-formed UTF-8.
    package static func leading(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        guard let first = bytes.first else { return nil }
        let length = utf8Length(firstByte: first)
        guard let text = String(validUTF8: bytes.prefix(length)),
            text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first
        else { return nil }
        return (scalar, length)
    }

    /// Returns the number of bytes that a scalar with this first byte has in UTF-8 (RFC 3629, section 3).
    ///
    /// For a byte that can't be the first one, the result has no meaning.
    private static func utf8Length(firstByte: UInt8) -> Int {
        switch firstByte {
        case ..<0x80: 1
        case ..<0xE0: 2
        case ..<0xF0: 3
        default: 4
        }
    }

    /// The scalar in UTF-8.
    fileprivate var utf8Bytes: [UInt8] { Array(UTF8.encode(self) ?? UTF8.encodedReplacementCharacter) }
}

extension Sequence<UInt8> {
    /// A hash of the bytes that is the same in every run, computed by the algorithm FNV-1a.
    package var hash64: UInt64 {
        let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
        // Contiguous storage is hashed faster, which counts for large files.
        return withContiguousStorageIfAvailable { $0.reduce(offsetBasis, addToFNVHash) }
            ?? reduce(offsetBasis, addToFNVHash)
    }
}

/// Returns the FNV-1a hash of some bytes and one more byte.
///
/// - Parameters:
///   - hash: The hash of the bytes before `byte`.
///   - byte: The byte to add.
private func addToFNVHash(_ hash: UInt64, byte: UInt8) -> UInt64 {
    let fnvPrime: UInt64 = 0x100_0000_01B3
    return (hash ^ UInt64(byte)) &* fnvPrime
}
