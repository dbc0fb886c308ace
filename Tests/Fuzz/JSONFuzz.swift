// Hostile bytes through the JSON code.
//
// No input may cause a trap. For every input, these rules hold:
// - The outcome does not depend on how the text is cut into pieces.
// - Every style accepts the same texts, and refuses the others with the same error.
// - Pretty text stays the same when it is printed prettily again.
// - The compact text of pretty text is the compact text of the input.
// - A model accepts the texts that Foundation's decoder accepts, with the same values.
// - A model is the same after it is written and read.

@testable import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // The first byte says how the rest is cut, so that the cuts are searched through as well.
    let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let text = Array(input.dropFirst())
    let cuts = Cuts(seed: input.first ?? 0)

    let pretty = checked(.pretty(indent: .spaces(2)), text, cuts)
    let compact = checked(.compact, text, cuts)
    let none = checked(.none, text, cuts)
    let terminal = checked(.pretty(indent: .tab), isColored: true, escapesControls: true, text, cuts)
    require(pretty.error == none.error && compact.error == none.error && terminal.error == none.error, "styles agree")
    require(none.output.isEmpty, "checking prints nothing")
    require(isColoredSafely(terminal.output), "nothing that a terminal obeys but the colours")

    if pretty.error == nil {
        require(checked(.pretty(indent: .spaces(2)), pretty.output, cuts) == pretty, "pretty text is pretty")
        require(checked(.compact, compact.output, cuts) == compact, "compact text is compact")
        require(checked(.compact, pretty.output, cuts) == compact, "compact of pretty is compact")
    }
    read(text)
    decode(text)
    escape(text)
    return 0
}

/// The output of the formatter for a text, and its error.
struct Outcome: Equatable {
    var output: [UInt8] = []
    var error: JSONSyntaxError?
}

/// Returns the outcome of the whole text, and requires the same outcome for the text in pieces.
func checked(
    _ style: JSONStyle, isColored: Bool = false, escapesControls: Bool = false, _ text: [UInt8], _ cuts: Cuts
) -> Outcome {
    func run(_ pieces: [ArraySlice<UInt8>]) -> Outcome {
        var formatter = JSONFormatter(style: style, isColored: isColored, escapesControls: escapesControls)
        var outcome = Outcome()
        do throws(JSONSyntaxError) {
            for piece in pieces { try formatter.feed(piece, into: &outcome.output) }
            try formatter.finish(into: &outcome.output)
        } catch {
            outcome.error = error
        }
        return outcome
    }
    let whole = run([text[...]])
    require(run(cuts.pieces(of: text)) == whole, "pieces make no difference")
    return whole
}

/// Cuts a text into pieces of irregular length.
struct Cuts {
    let seed: UInt8

    func pieces(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        var state = UInt32(seed) &* 2_654_435_761 &+ 1
        while start < text.count {
            state = state &* 1_664_525 &+ 1_013_904_223
            // Seed 0 cuts at every byte; others make some pieces of many bytes and some of none.
            let limit: Int = seed < 128 ? 5 : 40
            let length = seed == 0 ? 1 : Int(state >> 24) % limit
            let end = min(start + length, text.count)
            pieces.append(text[start..<end])
            start = end
        }
        return pieces
    }
}

/// Returns whether `output` has no control character except for line breaks, tabs and the escapes of colours.
///
/// C1 and bidirectional controls are control characters too.
func isColoredSafely(_ output: [UInt8]) -> Bool {
    let scalars = Array(String(decoding: output, as: UTF8.self).unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
        switch scalar.value {
        case 0x09, 0x0A: continue
        case 0x1B: guard index + 1 < scalars.count, scalars[index + 1] == "[" else { return false }
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return false
        default: continue
        }
    }
    return true
}

/// Writes and reads the value of a text with one document, and looks up paths that may or may not exist in it.
func read(_ text: [UInt8]) {
    guard let document = try? JSONDocument(text) else { return }
    let value = JSONValue(document)
    if let encoded = try? JSONTextEncoder().encode(value) {
        let again = try? JSONDocument(encoded)
        require(again.map { JSONValue($0) } == value, "a value is the same after it is written and read")
    }

    let paths: [[JSONPathComponent]] = [
        [], [.key("a")], [.index(0)], [.index(2)], [.key("a"), .index(1), .key("")],
        [.key(String(decoding: text.prefix(4), as: UTF8.self)), .index(text.count)],
    ]
    for path in paths {
        require(!path.pathText.isEmpty, "a path has a text")
        var slot: Int? = JSONDocument.root
        for component in path { slot = slot.flatMap { document.child(component, of: $0) } }
        guard let offset = slot.map({ document.range(of: $0).lowerBound }) else { continue }
        let position = document.position(of: offset)
        require(text.indices.contains(offset) && position.line >= 1 && position.column >= 1, "a place is inside")
    }
}

/// A value of each kind, under keys that a search finds quickly.
struct Model: Codable, Equatable {
    var a: Int?
    var b: UInt8?
    var c: Double?
    var d: Float?
    var e: Decimal?
    var f: Bool?
    var g: String?
    var h: URL?
    var i: Data?
    var j: [Model]?
    var k: [String: Int64]?
    var l: [Int: UInt64?]?
}

/// Decodes a text with one document into the model.
///
/// Foundation does not check values that no model asks for, so texts that are not JSON are left out.
func decode(_ text: [UInt8]) {
    guard let document = try? JSONDocument(text) else { return }
    let model = try? JSONTextDecoder().decode(Model.self, from: document)
    require(model == (try? JSONDecoder().decode(Model.self, from: Data(text))), "a model is what Foundation decodes")
    guard let model, let written = try? JSONTextEncoder().encode(model) else { return }
    let again = try? JSONTextDecoder().decode(Model.self, from: JSONDocument(written))
    require(again == model, "a model is the same after it is written and read")
}

func escape(_ text: [UInt8]) {
    let escaped = TerminalText.escaped(String(decoding: text, as: UTF8.self))
    require(!escaped.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "escaped text has no controls")
    require(TerminalText.escaped(escaped) == escaped, "escaped text is escaped")
}
