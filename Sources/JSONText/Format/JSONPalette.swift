/// The colours of JSON text at a terminal, as parameters of SGR sequences (ECMA-48, 8.3.117): `"1;34"` is bold blue.
///
/// An empty text leaves that kind of token uncoloured. Each coloured token is followed by a reset of its own.
package struct JSONPalette: Equatable, Sendable {
    /// Strings that are names of members.
    package var key: String
    /// Strings that are values.
    package var string: String
    /// Numbers of any form.
    package var number: String
    /// `true` and `false`.
    package var literal: String
    /// `null`.
    package var null: String
    /// Brackets, braces, commas and colons.
    package var punctuation: String

    /// A palette of SGR parameters, without `ESC [` and `m`; they are not checked.
    package init(key: String, string: String, number: String, literal: String, null: String, punctuation: String) {
        self.key = key
        self.string = string
        self.number = number
        self.literal = literal
        self.null = null
        self.punctuation = punctuation
    }

    /// Colours that can be read on dark and on light backgrounds: no white, no yellow, no plain blue.
    package static let standard = JSONPalette(
        key: "1;34", string: "32", number: "36", literal: "35", null: "90", punctuation: "")
}

/// A palette's sequences as the bytes that are written.
struct SGRSequences {
    enum Kind {
        case key, string, number, literal, null, punctuation
    }

    /// What is written before a token.
    struct Sequence {
        let bytes: [UInt8]
        /// The same bytes as a block, if they fit, which is faster to write than the array.
        let block: SIMD16<UInt8>
        let count: Int
        var isShort: Bool { count <= SIMD16<UInt8>.scalarCount }

        init(parameters: String?) {
            bytes = parameters.flatMap { $0.isEmpty ? nil : Array("\u{1B}[\($0)m".utf8) } ?? []
            count = bytes.count
            var block = SIMD16<UInt8>()
            for (index, byte) in bytes.prefix(block.scalarCount).enumerated() { block[index] = byte }
            self.block = block
        }
    }

    /// `ESC [ 0 m`, the first byte lowest.
    static let reset: UInt32 = 0x6D30_5B1B

    private let key, string, number, literal, null, punctuation: Sequence

    /// All are empty without a palette.
    init(_ palette: JSONPalette?) {
        key = Sequence(parameters: palette?.key)
        string = Sequence(parameters: palette?.string)
        number = Sequence(parameters: palette?.number)
        literal = Sequence(parameters: palette?.literal)
        null = Sequence(parameters: palette?.null)
        punctuation = Sequence(parameters: palette?.punctuation)
    }

    /// What is written before a token of that kind.
    subscript(kind: Kind) -> Sequence {
        switch kind {
        case .key: key
        case .string: string
        case .number: number
        case .literal: literal
        case .null: null
        case .punctuation: punctuation
        }
    }
}
