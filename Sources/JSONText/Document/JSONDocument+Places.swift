// Positions for people: the path, line and column of a value.

extension JSONDocument {
    /// The line and column of a byte: lines are ended by LF, columns are Unicode scalars, both count from 1. Time is in the offset.
    package func position(of offset: Int) -> (line: Int, column: Int) {
        bytes.position(of: offset)
    }

    /// The lines and columns of bytes, as ``position(of:)`` returns them, in one pass. The offsets must be in ascending order.
    package func positions(of offsets: [Int]) -> [(line: Int, column: Int)] {
        var (line, column) = (1, 1)
        var next = bytes.startOfText
        return bytes.withUnsafeBufferPointer { bytes in
            offsets.map { offset in
                while next < min(offset, bytes.count) {
                    if bytes[next] == UInt8(ascii: "\n") {
                        line += 1
                        column = 1
                    } else if bytes[next] & 0xC0 != 0x80 {
                        column += 1
                    }
                    next += 1
                }
                return (line, column)
            }
        }
    }

    package func location(of slot: Int) -> JSONLocation? {
        JSONLocation(of: range(of: slot), in: bytes)
    }

    package func child(_ component: JSONPathComponent, of slot: Int) -> Int? {
        switch (component, kind(of: slot)) {
        case (.key(let key), .object): return member(key, of: slot)
        case (.index(let index), .array):
            guard index >= 0, index < count(of: slot) else { return nil }
            var element = first(in: slot)
            for _ in 0..<index { element = next(after: element) }
            return element
        default: return nil
        }
    }

    /// The way from the root to a value, with the keys as they are in the text. Half a surrogate pair in a key is shown as it is written.
    package func path(to slot: Int) -> [JSONPathComponent] {
        var path: [JSONPathComponent] = []
        var container = Self.root
        while container < slot {
            let isObject = kind(of: container) == .object
            var child = first(in: container)
            var index = 0
            // The last child that does not start after the value is the value, or holds it.
            while true {
                let value = isObject ? child + 1 : child
                let next = next(after: value)
                guard next <= slot else {
                    path.append(isObject ? .key(string(at: child) ?? writtenText(of: child)) : .index(index))
                    container = value
                    break
                }
                child = next
                index += 1
            }
        }
        return path
    }
}
