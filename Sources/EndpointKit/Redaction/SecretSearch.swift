/// Finds spellings of secrets in a text, all at once (Aho and Corasick, 1975): the time is that of the text, however
/// many spellings there are.
///
/// The spellings form a tree, in which those that begin alike share the way from the root. Each node also knows where
/// to go on if the next byte does not fit: the node of the longest shorter ending of what was read.
struct SecretSearch: Sendable {
    private struct Node {
        let byte: UInt8
        /// How many bytes lead here.
        let depth: Int32
        /// Whether these bytes are digits.
        let isNumber: Bool
        /// Whether these bytes are a spelling.
        var isSpelling = false
        /// The first of the nodes after this one, which are linked by ``nextSibling``; 0 is none.
        var firstChild: Int32 = 0
        var nextSibling: Int32 = 0
        /// The node of the longest proper ending of these bytes that is in the tree.
        var failure: Int32 = 0
        /// The node of the longest spelling that these bytes end with; 0 is none.
        var match: Int32 = 0
    }

    /// A secret shorter than this, in bytes, is found only where it stands alone: `x` is part of many words.
    private static let minAnywhere = 4
    /// How many bytes of a spelling must be there if the text is cut off in it.
    private static let minCut = 4

    /// The tree. The node at index 0 is its root, so that as a child or match, 0 can mean that there is none.
    private var nodes = [Node(byte: 0, depth: 0, isNumber: true)]
    /// The index of the root, which stands for no bytes.
    private static let root = 0
    /// The nodes after the root, by their bytes: most bytes of a text are looked up only here.
    private var starts = [Int32](repeating: 0, count: 256)

    /// Prepares the search for these spellings.
    init(_ spellings: some Sequence<[UInt8]>) {
        for spelling in spellings where !spelling.isEmpty { insert(spelling) }
        linkFailures()
    }

    /// Adds the nodes of a spelling, as far as the tree does not have them yet.
    private mutating func insert(_ spelling: [UInt8]) {
        var node = 0
        for byte in spelling {
            node = child(of: node, byte) ?? addChild(to: node, byte)
        }
        nodes[node].isSpelling = true
    }

    /// Adds a node that `byte` leads to from `parent`, and returns its index.
    private mutating func addChild(to parent: Int, _ byte: UInt8) -> Int {
        let newNode = nodes.count
        nodes.append(
            Node(
                byte: byte, depth: nodes[parent].depth + 1, isNumber: nodes[parent].isNumber && byte.isDigit,
                nextSibling: nodes[parent].firstChild))
        nodes[parent].firstChild = Int32(newNode)
        if parent == Self.root { starts[Int(byte)] = Int32(newNode) }
        return newNode
    }

    /// Returns the node that `byte` leads to from `node`; nil if no spelling goes on like that.
    private func child(of node: Int, _ byte: UInt8) -> Int? {
        var child = node == 0 ? Int(starts[Int(byte)]) : Int(nodes[node].firstChild)
        while child != 0, nodes[child].byte != byte { child = Int(nodes[child].nextSibling) }
        return child == 0 ? nil : child
    }

    /// Links every node to the node at which a search goes on if the next byte of the text does not fit (Aho and
    /// Corasick, 1975).
    ///
    /// A node stands for the bytes that lead to it. Suppose that the spellings are `abcd` and `bc`, and the text is
    /// `abce`. The search reads `abc` and finds no `e` after it. It goes on at the longest ending of `abc` that is in
    /// the tree, the node `bc`, which is the ``Node/failure`` of `abc`. That ending is a spelling, so it is also the
    /// ``Node/match`` of `abc`.
    ///
    /// The nodes are visited level by level (breadth-first), because a link depends on those of shorter nodes.
    private mutating func linkFailures() {
        var queue = [Self.root]
        var visitedCount = 0
        while visitedCount < queue.count {
            let parent = queue[visitedCount]
            visitedCount += 1
            var child = Int(nodes[parent].firstChild)
            while child != 0 {
                let failure = failure(of: child, after: parent)
                nodes[child].failure = Int32(failure)
                nodes[child].match = nodes[child].isSpelling ? Int32(child) : nodes[failure].match
                queue.append(child)
                child = Int(nodes[child].nextSibling)
            }
        }
    }

    /// Returns the node of the longest proper ending of the bytes that lead to `child`.
    ///
    /// For `abc`, the search reads `c` at the node of the longest proper ending of its parent `ab`.
    private func failure(of child: Int, after parent: Int) -> Int {
        // A single byte has no shorter ending but the empty one.
        if parent == Self.root { return Self.root }
        return step(from: Int(nodes[parent].failure), nodes[child].byte)
    }

    /// Reads one byte of a text.
    ///
    /// - Parameters:
    ///   - node: The node of what has been read so far.
    ///   - byte: The next byte.
    /// - Returns: The node of the longest ending of what has been read, `byte` included. The root if no spelling begins
    ///   with any ending.
    private func step(from node: Int, _ byte: UInt8) -> Int {
        var node = node
        while true {
            if let child = child(of: node, byte) { return child }
            if node == Self.root { return Self.root }
            node = Int(nodes[node].failure)
        }
    }

    // MARK: Search

    /// Returns where spellings are in `text`: ranges in order that neither overlap nor touch.
    ///
    /// The text is read once. The node that is reached by each byte stands for the longest ending of what has been read
    /// that begins a spelling.
    ///
    /// - Parameter cuts: Positions at which the text may be cut off within a secret, such as before the `…` of
    ///   `invalid key 's3cr…'`. The start of a spelling right before such a position, here `s3cr`, counts as found.
    func ranges(in text: [UInt8], cuts: Set<Int> = []) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        let hasNoSpellings = nodes.count == 1
        if hasNoSpellings { return ranges }
        var node = Self.root
        for (index, byte) in text.enumerated() {
            if !cuts.isEmpty, cuts.contains(index) { addSpellingStart(node, endingAt: index, to: &ranges) }
            // Most bytes begin no spelling, so they take the short way.
            if node == Self.root, starts[Int(byte)] == 0 { continue }
            node = step(from: node, byte)
            addMatch(node, in: text, at: index + 1, to: &ranges)
        }
        if cuts.contains(text.count) { addSpellingStart(node, endingAt: text.count, to: &ranges) }
        return ranges
    }

    /// Adds the longest spelling that ends at `end` and counts there. A short one counts only if it stands alone.
    private func addMatch(_ node: Int, in text: [UInt8], at end: Int, to ranges: inout [Range<Int>]) {
        var match = Int(nodes[node].match)
        while match != 0 {
            let range = end - Int(nodes[match].depth)..<end
            if countsAsSecret(match, range, in: text) { return Self.append(range, to: &ranges) }
            match = Int(nodes[Int(nodes[match].failure)].match)
        }
    }

    /// Returns whether a spelling that was found is a secret, and not a part of something else.
    ///
    /// A short spelling must stand alone. One of digits must be a whole number: `1234` does not count in `51234`.
    private func countsAsSecret(_ match: Int, _ range: Range<Int>, in text: [UInt8]) -> Bool {
        if range.count < Self.minAnywhere { return Self.standsAlone(range, in: text) }
        guard nodes[match].isNumber else { return true }
        let isAfterDigit = range.lowerBound > 0 && text[range.lowerBound - 1].isDigit
        let isBeforeDigit = range.upperBound < text.count && text[range.upperBound].isDigit
        return !(isAfterDigit && !text.endsEscape(before: range.lowerBound)) && !isBeforeDigit
    }

    /// Adds the start of a spelling before a position at which the text may be cut off, if it is long enough.
    private func addSpellingStart(_ node: Int, endingAt end: Int, to ranges: inout [Range<Int>]) {
        let depth = Int(nodes[node].depth)
        if depth >= Self.minCut { Self.append(end - depth..<end, to: &ranges) }
    }

    /// Appends a range that ends after all others, and joins it with those that it reaches.
    static func append(_ range: Range<Int>, to ranges: inout [Range<Int>]) {
        var range = range
        while let last = ranges.last, last.upperBound >= range.lowerBound {
            range = min(last.lowerBound, range.lowerBound)..<range.upperBound
            ranges.removeLast()
        }
        ranges.append(range)
    }

    /// Returns whether the text at a range is a value of its own, and not a part of a word, number, version or path.
    ///
    /// `x` stands alone in `token=x`, but not in `1.x` or `/x/y`.
    private static func standsAlone(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        if range.lowerBound > 0, !text.endsEscape(before: range.lowerBound) {
            let before = text[range.lowerBound - 1]
            if before > UInt8(ascii: " "), !"=:\"'(>,;&".utf8.contains(before) { return false }
        }
        guard range.upperBound < text.count else { return true }
        let after = text[range.upperBound]
        return after <= UInt8(ascii: " ") || "&;,\"'<)\\%".utf8.contains(after)
    }
}
