/// The elements of an array or the members of an object, one after the other, in JSON text that is known to be valid.
package struct JSONElements {
    /// A value, and the key it stands under in an object.
    package typealias Element = (key: String?, value: Range<Int>)

    private let bytes: [UInt8]
    private let isObject: Bool
    private var cursor: JSONCursor
    private var isFirst = true

    /// The elements of the container at `range`; of any other value there are none.
    package init(of range: Range<Int>, in bytes: [UInt8]) {
        self.bytes = bytes
        isObject = bytes[range.lowerBound] == UInt8(ascii: "{")
        cursor = JSONCursor(bytes, at: range.lowerBound)
    }

    /// The value that `bytes` as a whole are; nil for several values in a row, or none.
    package static func whole(of bytes: [UInt8]) -> Range<Int>? {
        var cursor = JSONCursor(bytes)
        guard let value = cursor.skipValue(), cursor.isAtEnd else { return nil }
        return value
    }

    /// The text that the string at `range`, quotes included, stands for; nil if it has half a surrogate pair.
    package static func text(of range: Range<Int>, in bytes: [UInt8]) -> String? {
        bytes[range].dropFirst().dropLast().withUnsafeBytes { JSONUnquoting.text($0) }
    }

    /// The next element; nil at the end.
    package mutating func next() -> Element? {
        let opening = isObject ? UInt8(ascii: "{") : UInt8(ascii: "[")
        guard cursor.take(isFirst ? opening : UInt8(ascii: ",")) else { return nil }
        isFirst = false
        var key: String?
        if isObject {
            guard let quoted = cursor.skipKey() else { return nil }
            key = Self.text(of: quoted, in: bytes)
        }
        return cursor.skipValue().map { (key, $0) }
    }
}
