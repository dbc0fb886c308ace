/// A node of a YAML document. It takes 20 bytes, because a document may have millions of nodes.
struct YAMLNode {
    /// The kind of a node.
    enum Kind: UInt8 {
        /// A scalar value, or a key.
        case scalar
        /// The key `<<`. The mapping in its value is merged into the mapping around it.
        case mergeKey
        case sequence
        case mapping
        /// A mapping with a merge key.
        case mergingMapping
        case alias
    }

    var kind: Kind
    /// The meaning depends on the kind.
    ///
    /// - A scalar: the offset in ``YAMLTree/text`` at which its JSON text starts.
    /// - An alias: the index of the node that it repeats.
    /// - A collection: not used.
    let start: UInt32
    /// The meaning depends on the kind.
    ///
    /// - A scalar: the offset in ``YAMLTree/text`` at which its JSON text ends.
    /// - An alias or a collection: the index of the node after it and everything inside of it. It is 0 while the
    ///   collection is being read.
    var end: UInt32
    let line: UInt32
    let column: UInt32

    /// The place of the node in the YAML text.
    var place: TextPlace { TextPlace(line: Int(line), column: Int(column)) }
}

/// The nodes of a YAML document in the order of the text, with the JSON text of their scalars.
///
/// The nodes inside of a collection follow the collection, and the value of a key follows the key. The document
/// `a: [1]` has four nodes:
///
///     0  mapping, end 4
///     1  scalar "a"
///     2  sequence, end 4
///     3  scalar 1
struct YAMLTree {
    var nodes: [YAMLNode] = []
    /// The JSON texts of all scalars, one after the other. Keys are strings.
    var text: [UInt8] = []
    /// The length of the whole document as JSON text, with a copy of the repeated node for each alias.
    ///
    /// Merging may make the text shorter.
    var jsonLength = 0

    /// Returns the index of the node after a value and everything inside of it.
    func next(after node: Int) -> Int {
        nodes[node].kind == .scalar ? node + 1 : Int(nodes[node].end)
    }

    /// Returns the node that an alias repeats. For any other node, returns the node itself.
    func target(of node: Int) -> Int {
        nodes[node].kind == .alias ? Int(nodes[node].start) : node
    }

    /// Returns the JSON text of a scalar or key.
    func json(of scalar: Int) -> ArraySlice<UInt8> {
        text[Int(nodes[scalar].start)..<Int(nodes[scalar].end)]
    }

    /// Returns the elements of a sequence, or the keys of a mapping. The value of each key is the node after the key.
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
