/// The forms of all secrets, read from their ends: the way from the root to a node spells the end of a form backwards.
struct SecretTrie {
    static let root = 0

    private struct Node {
        let byte: UInt8
        /// How many bytes lie between the root and this node.
        let depth: Int32
        var isForm = false
        /// Nodes are numbers; 0 is the root, and as a child means none.
        var firstChild: Int32 = 0
        var nextSibling: Int32 = 0
    }

    private var nodes = [Node(byte: 0, depth: 0)]
    /// The children of the root, which nearly every byte of a text asks for.
    private var first = [Int32](repeating: 0, count: 256)
    /// The nodes that a byte leads to, from wherever.
    private var byByte = [[Int32]](repeating: [], count: 256)

    mutating func insert(_ forms: some Sequence<[UInt8]>) {
        for form in forms where !form.isEmpty {
            var node = Self.root
            for byte in form.reversed() { node = child(of: node, byte) ?? add(byte, to: node) }
            nodes[node].isForm = true
        }
    }

    var count: Int { nodes.count }

    var isEmpty: Bool { nodes.count == 1 }

    /// Whether a form ends with `byte`.
    func begins(with byte: UInt8) -> Bool { first[Int(byte)] != 0 }

    /// Whether a whole form lies between the root and `node`.
    func isForm(_ node: Int) -> Bool { nodes[node].isForm }

    /// Whether a form continues after `node`.
    func isLonger(_ node: Int) -> Bool { nodes[node].firstChild != 0 || node == Self.root }

    func depth(_ node: Int) -> Int { Int(nodes[node].depth) }

    func child(of node: Int, _ byte: UInt8) -> Int? {
        if node == Self.root { return first[Int(byte)] == 0 ? nil : Int(first[Int(byte)]) }
        var child = nodes[node].firstChild
        while child != 0 {
            if nodes[Int(child)].byte == byte { return Int(child) }
            child = nodes[Int(child)].nextSibling
        }
        return nil
    }

    /// The nodes that `byte` leads to from a node other than the root: whatever comes after it in a form is taken as read.
    func nodes(endingBefore byte: UInt8) -> [Int32] { byByte[Int(byte)] }

    private mutating func add(_ byte: UInt8, to parent: Int) -> Int {
        let node = nodes.count
        var new = Node(byte: byte, depth: nodes[parent].depth + 1)
        if parent == Self.root {
            first[Int(byte)] = Int32(node)
        } else {
            new.nextSibling = nodes[parent].firstChild
            nodes[parent].firstChild = Int32(node)
            byByte[Int(byte)].append(Int32(node))
        }
        nodes.append(new)
        return node
    }
}
