// Printing the encoder's values, with the same layout and colours as JSON text that is read.

extension JSONFormatter {
    /// Opens an object or array as the next value.
    @inline(__always)
    mutating func begin(isObject: Bool, _ out: inout StagedWriter) {
        open(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["), &out)
        phase = isObject ? .firstKey : .firstElement
    }

    /// Closes the innermost object or array.
    @inline(__always)
    mutating func end(isObject: Bool, _ out: inout StagedWriter) {
        if pretty, phase == .afterValue { out.writeLineBreak(indent, level: nesting.depth &- 1) }
        close(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), &out)
    }

    /// Sets what may come next in the innermost object or array after its last member or element was removed.
    mutating func resume(isEmpty: Bool, isObject: Bool) {
        phase = !isEmpty ? .afterValue : isObject ? .firstKey : .firstElement
    }

    /// Writes a key and its colon.
    @inline(__always)
    mutating func writeKey(_ name: String, _ out: inout StagedWriter) {
        if pretty { out.writeLineBreak(indent, level: nesting.depth) }
        beginColour(.key, &out)
        writeQuoted(name, &out)
        endColour(&out)
        writeColon(&out)
    }

    @inline(__always)
    mutating func write(_ text: String, _ out: inout StagedWriter) {
        writeScalar(.string, &out) { formatter, out in formatter.writeQuoted(text, &out) }
    }

    /// Writes ASCII text that needs no escape, such as a number, between quotes if it is a string.
    @inline(__always)
    mutating func write(
        plain kind: SGRSequences.Kind, upTo count: Int, _ out: inout StagedWriter,
        _ body: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        writePlain(kind, &out) { out in out.write(upTo: count, body) }
    }

    /// Writes ASCII text that needs no escape, like the overload with a closure.
    mutating func write(plain kind: SGRSequences.Kind, _ text: String, _ out: inout StagedWriter) {
        writePlain(kind, &out) { out in out.write(Array(text.utf8)) }
    }

    @inline(__always)
    private mutating func writePlain(
        _ kind: SGRSequences.Kind, _ out: inout StagedWriter, _ body: (inout StagedWriter) -> Void
    ) {
        writeScalar(kind, &out) { _, out in
            if kind == .string { out.write(UInt8(ascii: "\"")) }
            body(&out)
            if kind == .string { out.write(UInt8(ascii: "\"")) }
        }
    }

    @inline(__always)
    mutating func write(_ integer: some FixedWidthInteger, _ out: inout StagedWriter) {
        guard let magnitude = UInt64(exactly: integer.magnitude) else {
            return write(plain: .number, integer.description, &out)
        }
        write(plain: .number, upTo: 21, &out) { start in
            var rest = magnitude
            let first = integer < 0 ? 1 : 0
            var end = first &+ 1
            var limit: UInt64 = 10
            while rest >= limit, end < first &+ 20 {
                end &+= 1
                let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
                if overflow { break }
                limit = next
            }
            start[0] = UInt8(ascii: "-")
            var index = end
            repeat {
                index &-= 1
                start[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while index > first
            return end
        }
    }

    @inline(__always)
    mutating func write(_ value: Bool, _ out: inout StagedWriter) {
        writeScalar(.literal, &out) { _, out in
            out.write(value ? 0x6575_7274 : 0x736C_6166, count: 4)
            if !value { out.write(UInt8(ascii: "e")) }
        }
    }

    @inline(__always)
    mutating func writeNull(_ out: inout StagedWriter) {
        writeScalar(.null, &out) { _, out in out.write(0x6C6C_756E, count: 4) }
    }

    /// Writes a value given as JSON text. False if it is not a single JSON value.
    mutating func write(json text: UnsafeRawBufferPointer, _ out: inout StagedWriter) -> Bool {
        // Text that is valid both in an array and in an object has no comma or bracket outside of the value.
        guard Self.isMember(text, isInObject: !nesting.isInObject) else { return false }
        if phase == .start { phase = .ready }
        do {
            try readTokens(text, &out)
        } catch {
            return false
        }
        if phase.canEndNumber { endScalar(&out) }
        return true
    }

    private static func isMember(_ text: UnsafeRawBufferPointer, isInObject: Bool) -> Bool {
        var formatter = JSONFormatter(style: .none)
        var nothing: [UInt8] = []
        do throws(JSONSyntaxError) {
            try formatter.feed(Array((isInObject ? "{\"\":" : "[").utf8), into: &nothing)
            try formatter.feed(text, into: &nothing)
            try formatter.feed(Array((isInObject ? "}" : "]").utf8), into: &nothing)
            try formatter.finish(into: &nothing)
            return true
        } catch {
            return false
        }
    }

    @inline(__always)
    private mutating func writeScalar(
        _ kind: SGRSequences.Kind, _ out: inout StagedWriter, _ body: (inout JSONFormatter, inout StagedWriter) -> Void
    ) {
        startLine(&out)
        beginColour(kind, &out)
        body(&self, &out)
        endScalar(&out)
    }

    @inline(__always)
    private mutating func writeQuoted(_ text: String, _ out: inout StagedWriter) {
        var text = text
        out.write(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            var index = out.writeUnescaped(bytes, from: 0, stops: stops)
            while index < bytes.count {
                index = writeEscape(bytes, at: index, &out)
                index = out.writeUnescaped(bytes, from: index, stops: stops)
            }
        }
        out.write(UInt8(ascii: "\""))
    }

    /// Writes the escape for the character at `index`, or the character itself if it is beyond ASCII and harmless.
    private func writeEscape(_ text: UnsafeRawBufferPointer, at index: Int, _ out: inout StagedWriter) -> Int {
        let lead = text[index]
        if lead < 0x80 {
            if let letter = JSONQuoting.letter(lead) {
                out.write(UInt32(UInt8(ascii: "\\")) | UInt32(letter) << 8, count: 2)
            } else {
                out.write(Hexadecimal.escape(UInt32(lead)))
            }
            return index &+ 1
        }
        let length = UTF8Sequence.length(lead: lead)
        let word = (0..<length).reduce(0) { $0 | UInt32(text[index &+ $1]) << (8 &* UInt32($1)) }
        if let scalar = UTF8Sequence.scalar(word, length: length), TerminalText.isHazardBeyondASCII(scalar) {
            out.write(Hexadecimal.escape(scalar))
        } else {
            out.write(word, count: length)
        }
        return index &+ length
    }
}
