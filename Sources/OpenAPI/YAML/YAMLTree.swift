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
    /// For a scalar ``jsonRange``'s lower bound, and for an alias ``repeatedNode``. A collection does not use it.
    private let startOrRepeatedNode: UInt32
    /// For a scalar ``jsonRange``'s upper bound, and for all other nodes ``nextNode``.
    private var endOrNextNode: UInt32
    let line: UInt32
    let column: UInt32

    /// Creates a scalar or a merge key.
    ///
    /// - Parameters:
    ///   - kind: The kind of the node: a scalar or a merge key.
    ///   - jsonRange: The offsets of its JSON text in ``YAMLTree/text``.
    ///   - place: The place of the node in the YAML text.
    init(scalar kind: Kind, jsonRange: Range<Int>, place: TextPlace) {
        self.init(kind, startOrRepeatedNode: jsonRange.lowerBound, endOrNextNode: jsonRange.upperBound, place: place)
    }

    /// Creates an alias, by the indexes of the node that it repeats and of the node after the alias.
    init(aliasOf repeatedNode: Int, nextNode: Int, place: TextPlace) {
        self.init(.alias, startOrRepeatedNode: repeatedNode, endOrNextNode: nextNode, place: place)
    }

    /// Creates a sequence or a mapping. ``nextNode`` is set when the whole collection has been read.
    init(collection kind: Kind, place: TextPlace) {
        self.init(kind, startOrRepeatedNode: 0, endOrNextNode: 0, place: place)
    }

    /// Creates a node of any kind. A text has at most `JSONDocument.maxTextLength` bytes, so all numbers fit into 32
    /// bits.
    private init(_ kind: Kind, startOrRepeatedNode: Int, endOrNextNode: Int, place: TextPlace) {
        self.kind = kind
        self.startOrRepeatedNode = UInt32(truncatingIfNeeded: startOrRepeatedNode)
        self.endOrNextNode = UInt32(truncatingIfNeeded: endOrNextNode)
        line = UInt32(truncatingIfNeeded: place.line)
        column = UInt32(truncatingIfNeeded: place.column)
    }

    /// The offsets of a scalar's or merge key's JSON text in ``YAMLTree/text``.
    var jsonRange: Range<Int> { Int(startOrRepeatedNode)..<Int(endOrNextNode) }

    /// The index of the node that an alias repeats.
    var repeatedNode: Int { Int(startOrRepeatedNode) }

    /// The index of the node after an alias, or after a collection and everything inside of it.
    ///
    /// It is 0 while the collection is being read.
    var nextNode: Int {
        get { Int(endOrNextNode) }
        set { endOrNextNode = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The place of the node in the YAML text.
    var place: TextPlace { TextPlace(line: Int(line), column: Int(column)) }
}

/// The nodes of a YAML document in the order of the text, with the JSON text of their scalars.
///
/// The nodes inside of a collection follow the collection, and the value of a key follows the key. The document
/// `a: [1]` has four nodes:
///
///     0  mapping, next node 4
///     1  scalar "a"
///     2  sequence, next node 4
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
    func nodeAfter(_ node: Int) -> Int {
        nodes[node].kind == .scalar ? node + 1 : nodes[node].nextNode
    }

    /// Returns the node that an alias repeats. For any other node, returns the node itself.
    func target(of node: Int) -> Int {
        nodes[node].kind == .alias ? nodes[node].repeatedNode : node
    }

    /// Returns the JSON text of a scalar or key.
    func json(of scalar: Int) -> ArraySlice<UInt8> {
        text[nodes[scalar].jsonRange]
    }

    /// Returns the elements of a sequence, or the keys of a mapping. The value of each key is the node after the key.
    func children(of collection: Int) -> YAMLChildren {
        let isMapping = nodes[collection].kind != .sequence
        return YAMLChildren(
            tree: self, isMapping: isMapping, nextChild: collection + 1,
            nodeAfterCollection: nodes[collection].nextNode)
    }
}

/// The elements of a sequence, or the keys of a mapping, in the order of the text.
struct YAMLChildren: Sequence, IteratorProtocol {
    fileprivate let tree: YAMLTree
    fileprivate let isMapping: Bool
    /// The node of the next element or key.
    fileprivate var nextChild: Int
    /// The node after the collection.
    fileprivate let nodeAfterCollection: Int

    /// Returns the node of the next element or key; nil at the end.
    mutating func next() -> Int? {
        guard nextChild < nodeAfterCollection else { return nil }
        let child = nextChild
        // In a mapping, the value of the key is between this key and the next one.
        nextChild = tree.nodeAfter(isMapping ? child + 1 : child)
        return child
    }
}
