import JSONText
import Testing

/// The result of formatting one input: all that was printed, and the error if there was one.
struct Outcome: Equatable {
    var output: [UInt8] = []
    var error: JSONSyntaxError?

    var text: String { String(decoding: output, as: UTF8.self) }
}

extension JSONFormatter {
    /// Feeds the pieces to a copy of this unused formatter, and finishes it.
    func run(_ pieces: [[UInt8]]) -> Outcome {
        var formatter = self
        var outcome = Outcome()
        do throws(JSONSyntaxError) {
            for piece in pieces { try formatter.feed(piece, into: &outcome.output) }
            try formatter.finish(into: &outcome.output)
        } catch {
            outcome.error = error
        }
        return outcome
    }

    /// Feeds `text` in one piece to a copy of this unused formatter, and finishes it.
    func run(_ text: String) -> Outcome { run([Array(text.utf8)]) }

    /// Returns the ways of cutting `bytes` into chunks whose outcome differs from that of `bytes` in one chunk.
    ///
    /// The cuts are made after every byte at once, and at each place alone. A correct formatter has no differences.
    func cutsThatDiffer(_ bytes: [UInt8]) -> [String] {
        let whole = run([bytes])
        var different: [String] = []
        if run(bytes.map { [$0] }) != whole { different.append("byte by byte") }
        for cut in bytes.indices where run([Array(bytes[..<cut]), [], Array(bytes[cut...])]) != whole {
            different.append("cut at \(cut)")
        }
        return different
    }

    static let pretty = JSONFormatter(style: .pretty(indent: .spaces(2)))
    static let compact = JSONFormatter(style: .compact)
    static let checking = JSONFormatter(style: .none)
    static let terminal = JSONFormatter(
        style: .pretty(indent: .tab), isColored: true, escapesControls: true)

    static let all = [pretty, compact, checking, terminal]
}

/// An input of the formatter: a text, or bytes that are not UTF-8.
struct Row: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    /// The offset of the first invalid byte, which valid text has none of.
    let offset: Int

    init(_ text: String, at offset: Int = 0) { self.init(Array(text.utf8), at: offset) }

    init(_ bytes: [UInt8], at offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    var testDescription: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONTextDecoder {
    func decode<Model: Decodable>(_ model: Model.Type, from text: [UInt8]) throws -> Model {
        try decode(model, from: JSONDocument(text))
    }
}

/// Returns `bytes` between two quotes (0x22).
func inQuotes(_ bytes: UInt8...) -> [UInt8] { [0x22] + bytes + [0x22] }
