/// Where every value of one JSON document stands in its text.
///
///     {"a": [1], "b": 2}      0 {…}  next 6
///                             1 "a"  next 2       a key and its value are neighbours,
///                             2 [1]  next 4       `next` leads past all that a value contains
///                             3 1    next 4
///                             4 "b"  next 5
///                             5 2    next 6
struct JSONTree: Sendable {
    /// The levels of nesting that Foundation's `JSONDecoder` reads. No deeper text gets a tree, so what walks one by
    /// recursion cannot run out of stack.
    static let deepestLevel = 512

    /// Why a text has no tree although its syntax is right, and the bytes before the place.
    enum Problem: Error, Equatable {
        case tooDeep(offset: Int)
        case secondDocument(offset: Int)
        case recordSeparator(offset: Int)
    }

    struct Node: Sendable {
        var range: Range<Int>
        /// The index of the first node that is not part of this one.
        var next: Int
    }

    let text: [UInt8]
    private(set) var nodes: [Node] = []

    /// `text` must be valid JSON; if it is not, the tree is some tree, and no more.
    init(_ text: [UInt8]) throws(Problem) {
        self.text = text
        var open: [Int] = []
        var separator: Int?
        var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","),
                UInt8(ascii: ":"):
                index += 1
            // RFC 7464 puts it before each document of a sequence.
            case 0x1E:
                separator = separator ?? index
                index += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                index += 1
                guard let node = open.popLast() else { continue }
                nodes[node].range = nodes[node].range.lowerBound..<index
                nodes[node].next = nodes.count
            case let first:
                if open.isEmpty, !nodes.isEmpty { throw .secondDocument(offset: index) }
                let start = index
                if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
                    guard open.count < Self.deepestLevel else { throw .tooDeep(offset: index) }
                    open.append(nodes.count)
                    index += 1
                } else {
                    index = Self.endOfScalar(text, from: index)
                }
                nodes.append(Node(range: start..<index, next: nodes.count + 1))
            }
        }
        if let separator { throw .recordSeparator(offset: separator) }
    }

    /// The nodes directly inside the one at `parent`, members as key and value by turns.
    func children(of parent: Int) -> [Int] {
        var result: [Int] = []
        var child = parent + 1
        while child < nodes[parent].next {
            result.append(child)
            child = nodes[child].next
        }
        return result
    }

    private static func endOfScalar(_ text: [UInt8], from start: Int) -> Int {
        var index = start + 1
        if text[start] == UInt8(ascii: "\"") {
            while index < text.count, text[index] != UInt8(ascii: "\"") {
                index += text[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(index + 1, text.count)
        }
        while index < text.count {
            switch text[index] {
            case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return index
            default: index += 1
            }
        }
        return index
    }
}
