/// Finds many spellings of secrets in a text at once, with the algorithm of Aho and Corasick ("Efficient string
/// matching", 1975).
///
/// The time is proportional to the length of the text, however many spellings there are.
///
/// The spellings form a tree, in which those that begin alike share the path from the root. A node stands for the bytes
/// on its path. Each node also has a failure link, which says where the search goes on if no child fits the next byte.
struct SecretSearch: Sendable {
    private struct Node {
        /// The last byte on the path to this node.
        let byte: UInt8
        /// The number of bytes on the path.
        let depth: Int32
        /// Whether all bytes on the path are digits.
        let isNumber: Bool
        /// Whether the path is a whole spelling.
        var isSpelling = false
        /// The index of the first child, whose siblings follow by ``nextSibling``; 0 if there is none.
        var firstChild: Int32 = 0
        /// The index of the next child of the same parent; 0 if there is none.
        var nextSibling: Int32 = 0
        /// The failure link: the index of the node for the longest proper suffix of the path that is in the tree.
        var failure: Int32 = 0
        /// The index of the node for the longest spelling that the path ends with; 0 if there is none.
        var longestSpelling: Int32 = 0
    }

    /// The length in bytes from which on a secret is also found inside a word: `x` is part of many words.
    private static let minLengthInsideWords = 4
    /// The number of bytes of a spelling that must be there if the text is cut off within it.
    private static let minLengthOfCutSpelling = 4

    /// The tree. Its root is at index 0, so no child, sibling or spelling has the index 0, which can mean "none".
    private var nodes = [Node(byte: 0, depth: 0, isNumber: true)]
    /// The index of the root, which stands for no bytes.
    private static let root = 0
    /// The root's children by their bytes, or 0. Most bytes of a text are looked up only here.
    private var childrenOfRoot = [Int32](repeating: 0, count: 256)

    /// Prepares the search for `spellings`.
    init(_ spellings: some Sequence<[UInt8]>) {
        for spelling in spellings where !spelling.isEmpty { insert(spelling) }
        linkFailures()
    }

    /// Adds the nodes of a spelling that are not in the tree yet, and marks the last one as a spelling.
    private mutating func insert(_ spelling: [UInt8]) {
        var node = Self.root
        for byte in spelling {
            node = child(of: node, for: byte) ?? addChild(to: node, for: byte)
        }
        nodes[node].isSpelling = true
    }

    /// Adds a child for `byte` to the node `parent`, as the first one in the linked list of the parent's children.
    ///
    /// - Returns: The index of the new node.
    private mutating func addChild(to parent: Int, for byte: UInt8) -> Int {
        let newNode = nodes.count
        nodes.append(
            Node(
                byte: byte, depth: nodes[parent].depth + 1, isNumber: nodes[parent].isNumber && byte.isDigit,
                nextSibling: nodes[parent].firstChild))
        nodes[parent].firstChild = Int32(newNode)
        if parent == Self.root { childrenOfRoot[Int(byte)] = Int32(newNode) }
        return newNode
    }

    /// Returns the child of `node` for `byte`; nil if no spelling continues with this byte.
    private func child(of node: Int, for byte: UInt8) -> Int? {
        var child = node == Self.root ? Int(childrenOfRoot[Int(byte)]) : Int(nodes[node].firstChild)
        while child != 0, nodes[child].byte != byte { child = Int(nodes[child].nextSibling) }
        return child == 0 ? nil : child
    }

    /// Gives every node its failure link: the node at which a search continues if no child fits the next byte of the
    /// text (Aho–Corasick algorithm).
    ///
    /// A node stands for the bytes that lead to it. Suppose that the spellings are `abcd` and `bc`, and that the text
    /// is `abce`. The search reads `abc` and finds no child for `e`. It continues at the longest suffix of `abc` that
    /// is in the tree, the node `bc`, which is the ``Node/failure`` of `abc`. That suffix is a spelling, so it is also
    /// the ``Node/longestSpelling`` of `abc`.
    ///
    /// The nodes are visited breadth-first, because a link depends on the links of nodes with fewer bytes.
    private mutating func linkFailures() {
        var queue = [Self.root]
        var visitedCount = 0
        while visitedCount < queue.count {
            let parent = queue[visitedCount]
            visitedCount += 1
            var child = Int(nodes[parent].firstChild)
            // Index 0 ends the linked list of children.
            while child != 0 {
                let failureLink = findFailureLink(of: child, parent: parent)
                nodes[child].failure = Int32(failureLink)
                nodes[child].longestSpelling =
                    nodes[child].isSpelling ? Int32(child) : nodes[failureLink].longestSpelling
                queue.append(child)
                child = Int(nodes[child].nextSibling)
            }
        }
    }

    /// Returns the failure link of `child` in the Aho–Corasick tree: the node for the longest proper suffix of its
    /// bytes.
    ///
    /// For `abc`, this is where the search gets when it reads `c` at the failure link of the parent `ab`.
    private func findFailureLink(of child: Int, parent: Int) -> Int {
        // The only proper suffix of a single byte is empty.
        if parent == Self.root { return Self.root }
        return nextNode(after: Int(nodes[parent].failure), reading: nodes[child].byte)
    }

    /// Returns the node that the Aho–Corasick search gets to when it reads one more byte of the text.
    ///
    /// If the node has no child for the byte, the failure links lead to ever shorter suffixes of what has been read,
    /// until one of them has such a child.
    ///
    /// - Parameters:
    ///   - currentNode: The node for what has been read so far.
    ///   - byte: The next byte.
    /// - Returns: The node for the longest suffix of what has been read, `byte` included, that begins a spelling. It is
    ///   the root if no suffix does.
    private func nextNode(after currentNode: Int, reading byte: UInt8) -> Int {
        var suffixNode = currentNode
        while true {
            if let childNode = child(of: suffixNode, for: byte) { return childNode }
            if suffixNode == Self.root { return Self.root }
            suffixNode = Int(nodes[suffixNode].failure)
        }
    }

    // MARK: Search

    /// Returns where spellings of secrets are in `text`: ranges in order that neither overlap nor touch.
    ///
    /// The text is read once, byte for byte (Aho–Corasick algorithm). Each byte leads to the node for the longest
    /// suffix of what has been read that begins a spelling.
    ///
    /// - Parameter cutPositions: Positions at which the text may be cut off within a secret, such as before the `…` of
    ///   `invalid key 's3cr…'`. The beginning of a spelling right before such a position, here `s3cr`, counts too.
    func ranges(in text: [UInt8], cutPositions: Set<Int> = []) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        let hasNoSpellings = nodes.count == 1
        if hasNoSpellings { return ranges }
        var node = Self.root
        for (index, byte) in text.enumerated() {
            if !cutPositions.isEmpty, cutPositions.contains(index) {
                addCutSpelling(node, endingAt: index, to: &ranges)
            }
            // Most bytes begin no spelling. They are skipped without a call, for speed.
            if node == Self.root, childrenOfRoot[Int(byte)] == 0 { continue }
            node = nextNode(after: node, reading: byte)
            addLongestSecret(of: node, endingAt: index + 1, in: text, to: &ranges)
        }
        if cutPositions.contains(text.count) { addCutSpelling(node, endingAt: text.count, to: &ranges) }
        return ranges
    }

    /// Adds the range of the longest secret that ends at `end`, if there is one.
    ///
    /// Several spellings may end there, such as `s3cret` and `cret`. They are tried from the longest to the shortest,
    /// because a spelling may be part of something else, such as of a longer number, and does not count then.
    ///
    /// - Parameters:
    ///   - node: The node of the Aho–Corasick tree that the search has reached. It stands for the bytes before `end`.
    ///   - end: The index after the last byte that has been read.
    ///   - text: The text that is searched.
    ///   - ranges: The ranges that have been found so far.
    private func addLongestSecret(of node: Int, endingAt end: Int, in text: [UInt8], to ranges: inout [Range<Int>]) {
        var spellingNode = Int(nodes[node].longestSpelling)
        // The root is no spelling, so its index means that there are no more spellings.
        while spellingNode != Self.root {
            let spelling = nodes[spellingNode]
            let range = end - Int(spelling.depth)..<end
            if isSecret(range, isNumber: spelling.isNumber, in: text) {
                Self.append(range, to: &ranges)
                return
            }
            // The failure link leads to the longest proper suffix, which ends with the next shorter spelling.
            spellingNode = Int(nodes[Int(spelling.failure)].longestSpelling)
        }
    }

    /// Returns whether the spelling of a secret at `range` is the secret itself, and not a part of something else.
    ///
    /// A short spelling must be a value of its own. A spelling of digits must be a whole number: the PIN `1234` does
    /// not count in `51234`. Any other spelling counts everywhere.
    private func isSecret(_ range: Range<Int>, isNumber: Bool, in text: [UInt8]) -> Bool {
        if range.count < Self.minLengthInsideWords { return Self.isWholeValue(range, in: text) }
        return !isNumber || Self.isWholeNumber(range, in: text)
    }

    /// Returns whether the digits at `range` have no other digit beside them.
    ///
    /// A digit that belongs to an escape does not count: `1234` is a whole number in `%201234`.
    private static func isWholeNumber(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        if range.upperBound < text.count, text[range.upperBound].isDigit { return false }
        guard range.lowerBound > 0, text[range.lowerBound - 1].isDigit else { return true }
        return text.endsEscape(before: range.lowerBound)
    }

    /// Punctuation that may stand before a short secret, as in `?token=x`, `"x"` or `(x)`.
    private static let punctuationBeforeValue = Set("=:\"'(>,;&".utf8)
    /// Punctuation that may stand after a short secret, as in `x&page=2`, `"x"`, `x</p>` or `x%20`.
    private static let punctuationAfterValue = Set("&;,\"'<)\\%".utf8)

    /// Returns whether the text at `range` is a value of its own, and not a part of a word, number, version or path.
    ///
    /// `x` is a whole value in `token=x`, but not in `1.x` or `/x/y`.
    private static func isWholeValue(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        canBeginValue(at: range.lowerBound, in: text) && canEndValue(at: range.upperBound, in: text)
    }

    /// Returns whether a value can begin at `index`: at the start of the text, after an escape such as `%20`, or after
    /// a space or one of ``punctuationBeforeValue``.
    private static func canBeginValue(at index: Int, in text: [UInt8]) -> Bool {
        if index == 0 || text.endsEscape(before: index) { return true }
        return isSpaceOrControl(text[index - 1]) || punctuationBeforeValue.contains(text[index - 1])
    }

    /// Returns whether a value can end before `index`: at the end of the text, or before a space or one of
    /// ``punctuationAfterValue``.
    private static func canEndValue(at index: Int, in text: [UInt8]) -> Bool {
        if index == text.count { return true }
        return isSpaceOrControl(text[index]) || punctuationAfterValue.contains(text[index])
    }

    /// Returns whether a byte is a space or an ASCII control character such as a line feed.
    private static func isSpaceOrControl(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

    /// Adds the beginning of a spelling that ends at `cutPosition`, at which the text may be cut off.
    ///
    /// The bytes on the path to `node` are that beginning. A very short one is not added, because many words end with
    /// the first letters of some secret.
    private func addCutSpelling(_ node: Int, endingAt cutPosition: Int, to ranges: inout [Range<Int>]) {
        let length = Int(nodes[node].depth)
        if length < Self.minLengthOfCutSpelling { return }
        Self.append(cutPosition - length..<cutPosition, to: &ranges)
    }

    /// Appends `newRange`, and joins it with the ranges that it overlaps or touches.
    ///
    ///     [0..<3, 5..<9] and 8..<12    →    [0..<3, 5..<12]
    ///
    /// Precondition: `ranges` are in order, neither overlap nor touch, and none ends after `newRange`.
    static func append(_ newRange: Range<Int>, to ranges: inout [Range<Int>]) {
        var joinedRange = newRange
        while let last = ranges.last, last.upperBound >= joinedRange.lowerBound {
            joinedRange = min(last.lowerBound, joinedRange.lowerBound)..<joinedRange.upperBound
            ranges.removeLast()
        }
        ranges.append(joinedRange)
    }
}
