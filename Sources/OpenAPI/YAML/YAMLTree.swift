/// A node of a YAML document, in 20 bytes: a document may have millions.
struct YAMLNode {
    /// The kind of a node. Merge keys and the mappings with them have kinds of their own, so that few mappings are
    /// searched for them.
    enum Kind: UInt8 {
        /// A scalar as value, or a key.
        case scalar
        /// The key `<<`, whose value is merged into the mapping around it.
        case mergeKey
        case sequence
        case mapping
        /// A mapping with a merge key.
        case mergingMapping
        case alias
    }

    var kind: Kind
    /// The start of a scalar's JSON text in ``YAMLTree/text``, or the node that an alias repeats.
    let start: UInt32
    /// The end of a scalar's JSON text. For any other node, the node after it and all that it holds, which is 0 while a
    /// collection is being read.
    var end: UInt32
    let line: UInt32
    let column: UInt32

    /// The place of the node in the YAML text.
    var place: TextPlace { TextPlace(line: Int(line), column: Int(column)) }
}

/// The nodes of a YAML document in the order of the text, with their scalars as JSON text.
///
/// A collection is followed by what it holds. A key of a mapping is followed by its value.
///
///     a: [1]      0  mapping, end 4
///                 1  scalar "a"
///                 2  sequence, end 4
///                 3  scalar 1
struct YAMLTree {
    var nodes: [YAMLNode] = []
    /// The scalars as JSON text, one after the other. Keys are strings.
    var text: [UInt8] = []
    /// The length of the whole document as JSON text, in which aliases are replaced by what they repeat. Merging makes
    /// it shorter.
    var jsonLength = 0

    /// Returns the node after a value and all that it holds.
    ///
    /// A scalar holds no nodes, and its `end` is an offset of its text.
    func next(after node: Int) -> Int {
        nodes[node].kind == .scalar ? node + 1 : Int(nodes[node].end)
    }

    /// Returns the node that an alias repeats, or else the node itself.
    func target(of node: Int) -> Int {
        nodes[node].kind == .alias ? Int(nodes[node].start) : node
    }

    /// Returns the JSON text of a scalar or key.
    func json(of scalar: Int) -> ArraySlice<UInt8> {
        text[Int(nodes[scalar].start)..<Int(nodes[scalar].end)]
    }

    /// Returns the elements of a sequence, or the keys of a mapping. The value of a key is the node after the key.
    func children(of collection: Int) -> YAMLChildren {
        let isMapping = nodes[collection].kind != .sequence
        return YAMLChildren(
            tree: self, isMapping: isMapping, child: collection + 1, end: Int(nodes[collection].end))
    }
}

/// The elements of a sequence, or the keys of a mapping, in the order of the text.
struct YAMLChildren: Sequence, IteratorProtocol {
    fileprivate let tree: YAMLTree
    fileprivate let isMapping: Bool
    /// The next element or key.
    fileprivate var child: Int
    /// The node after the collection.
    fileprivate let end: Int

    /// Returns the node of the next element or key; nil at the end.
    mutating func next() -> Int? {
        guard child < end else { return nil }
        let current = child
        child = tree.next(after: isMapping ? current + 1 : current)
        return current
    }
}
