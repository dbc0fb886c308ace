/// The colours of JSON text at a terminal, as parameters of SGR sequences (ECMA-48, 8.3.117): `"1;34"` is bold blue.
///
/// An empty text leaves that kind of token uncoloured. Each coloured token is followed by a reset of its own.
public struct JSONPalette: Equatable, Sendable {
    public var key: String
    public var string: String
    public var number: String
    /// `true` and `false`.
    public var literal: String
    public var null: String
    /// Brackets, braces, commas and colons.
    public var punctuation: String

    public init(key: String, string: String, number: String, literal: String, null: String, punctuation: String) {
        self.key = key
        self.string = string
        self.number = number
        self.literal = literal
        self.null = null
        self.punctuation = punctuation
    }

    /// Colours that can be read on dark and on light backgrounds: no white, no yellow, no plain blue.
    public static let standard = JSONPalette(
        key: "1;34", string: "32", number: "36", literal: "35", null: "90", punctuation: "")
}

/// A palette's sequences as the bytes that are written.
struct SGRSequences {
    enum Kind: Int, CaseIterable {
        case key, string, number, literal, null, punctuation
    }

    static let reset = Array("\u{1B}[0m".utf8)

    /// One for each kind; none at all without a palette.
    private let sequences: [[UInt8]]

    init(_ palette: JSONPalette?) {
        guard let palette else {
            sequences = []
            return
        }
        sequences = Kind.allCases.map { kind in
            let parameters =
                switch kind {
                case .key: palette.key
                case .string: palette.string
                case .number: palette.number
                case .literal: palette.literal
                case .null: palette.null
                case .punctuation: palette.punctuation
                }
            return parameters.isEmpty ? [] : Array("\u{1B}[\(parameters)m".utf8)
        }
    }

    var isEmpty: Bool { sequences.isEmpty }

    /// What is written before a token of that kind; there must be a palette.
    subscript(kind: Kind) -> [UInt8] { sequences[kind.rawValue] }
}
