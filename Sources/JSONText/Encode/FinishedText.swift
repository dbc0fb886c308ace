/// Text that is complete, but for what belongs into its holes.
struct FinishedText {
    var bytes: [UInt8] = []
    var holes: [TextPart.Hole] = []

    /// The text with all holes filled by `parts`, each of which may have holes itself.
    consuming func filled(with parts: [FinishedText]) -> [UInt8] {
        if holes.isEmpty { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + parts.reduce(0) { $0 + $1.bytes.count })
        var open = [Reader(self)]
        while let last = open.indices.last {
            if let part = open[last].copy(to: &output) {
                open.append(Reader(parts[part]))
            } else {
                open.removeLast()
            }
        }
        return output
    }

    /// Goes through a text from hole to hole.
    private struct Reader {
        let bytes: [UInt8]
        /// Those that come first last.
        var holes: [TextPart.Hole]
        var index = 0
        var lastHole = -1

        init(_ text: FinishedText) {
            bytes = text.bytes
            // Where a value was replaced more than once, the last hole counts: parts are numbered in their order.
            holes = text.holes.sorted {
                ($0.range.lowerBound, $1.part) > ($1.range.lowerBound, $0.part)
            }
        }

        /// Copies up to the next hole, whose part it returns; nil at the end.
        mutating func copy(to output: inout [UInt8]) -> Int? {
            while let hole = holes.popLast() {
                // Within what was replaced, or replaced itself.
                if hole.range.lowerBound < index || hole.range.lowerBound == lastHole { continue }
                lastHole = hole.range.lowerBound
                output.append(contentsOf: bytes[index..<hole.range.lowerBound])
                index = hole.range.upperBound
                return hole.part
            }
            output.append(contentsOf: bytes[index...])
            return nil
        }
    }
}
