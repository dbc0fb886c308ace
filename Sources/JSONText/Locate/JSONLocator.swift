/// Finds the value at a coding path in JSON text, so that an error can show it.
public enum JSONLocator {
    /// The location of the value at `path`; nil if there is none.
    ///
    /// Keys are compared after resolving escapes. Of several members with the same key the first one counts, as in
    /// Foundation's `JSONDecoder`. `bytes` should be valid JSON; if not, the result may be nil or any value.
    public static func locate(_ path: [JSONPathComponent], in bytes: [UInt8]) -> JSONLocation? {
        var cursor = JSONCursor(bytes)
        for component in path {
            let isFound =
                switch component {
                case .key(let key): cursor.enterMember(key)
                case .index(let index): cursor.enterElement(index)
                }
            guard isFound else { return nil }
        }
        return cursor.skipValue().flatMap { JSONLocation(of: $0, in: bytes) }
    }

    /// The path as text: `$.results[3].id`, with `["odd key"]` for keys that are not identifiers.
    ///
    /// Control characters in keys are escaped, so the text is safe to print at a terminal.
    public static func text(of path: [JSONPathComponent]) -> String {
        path.reduce("$") { $0 + $1.text }
    }

    /// The line and column of a byte: lines end with LF, columns are Unicode scalars, both count from 1.
    ///
    /// A byte order mark does not count. An `offset` beyond the text means its end.
    public static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        let start = bytes.startOfText
        for byte in bytes[start..<max(min(offset, bytes.count), start)] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }
}
