/// Writes the tree of a YAML document as JSON text.
///
/// Aliases are replaced by what they repeat, and merge keys by the members that they merge:
///
///     cat: &cat {legs: 4}
///     tom: {<<: *cat, name: Tom}      {"cat":{"legs":4},"tom":{"legs":4,"name":"Tom"}}
///
/// The writer is iterative, because a hostile document chooses its depth. The composer has checked the size of the
/// result.
struct JSONTreeWriter {
    /// A collection that is being written.
    private struct Collection {
        /// The elements of a sequence or the keys of a mapping that have not been written yet.
        enum Children {
            /// The elements or keys from one node of the tree up to another one, which is not included.
            case run(next: Int, end: Int)
            /// The keys of a mapping and of those that are merged into it, from a position in the list on.
            case merged([Int], next: Int)
        }

        var children: Children
        let isMapping: Bool
        /// Whether no element or member has been written yet.
        var isEmpty = true
    }

    private let tree: YAMLTree
    /// The collections around the current value, the innermost one last.
    private var collections: [Collection] = []
    /// The JSON text that has been written so far.
    private(set) var json: [UInt8] = []
    /// The places in the YAML text of the values that have been written so far.
    private(set) var places = YAMLPlaces()

    /// Writes a tree: ``json`` is its text, and ``places`` are the places of its values.
    init(_ tree: YAMLTree) {
        self.tree = tree
        json.reserveCapacity(tree.jsonLength)
        places.reserveCapacity(tree.nodes.count)
        // The first node holds all others.
        writeValue(0)
        while let innermost = collections.indices.last {
            if let child = takeNextChild(of: innermost) {
                write(child, in: innermost)
            } else {
                let ended = collections.removeLast()
                json.append(ended.isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            }
        }
    }

    /// Writes an element of a sequence, or a key of a mapping with its value.
    private mutating func write(_ child: Int, in collection: Int) {
        if !collections[collection].isEmpty { json.append(UInt8(ascii: ",")) }
        collections[collection].isEmpty = false
        guard collections[collection].isMapping else { return writeValue(child) }
        json += tree.json(of: child)
        json.append(UInt8(ascii: ":"))
        // The value of a key is the next node.
        writeValue(child + 1)
    }

    /// Writes a scalar, or starts a collection whose children follow. For an alias, the node that it repeats is
    /// written.
    private mutating func writeValue(_ node: Int) {
        places.append(tree.nodes[node], at: json.count)
        let value = tree.target(of: node)
        // This is the node after a collection. It is not used for a scalar.
        let end = Int(tree.nodes[value].end)
        switch tree.nodes[value].kind {
        case .scalar, .mergeKey, .alias: json += tree.json(of: value)
        case .sequence: open(.run(next: value + 1, end: end), isMapping: false)
        case .mapping: open(.run(next: value + 1, end: end), isMapping: true)
        case .mergingMapping: open(.merged(tree.mergedKeys(of: value), next: 0), isMapping: true)
        }
    }

    /// Starts a collection, whose children are written next.
    private mutating func open(_ children: Collection.Children, isMapping: Bool) {
        json.append(isMapping ? UInt8(ascii: "{") : UInt8(ascii: "["))
        collections.append(Collection(children: children, isMapping: isMapping))
    }

    /// Removes the next element or key from the children of a collection, and returns it.
    ///
    /// - Parameter collection: The index of the collection in ``collections``.
    /// - Returns: The node; nil if no child is left.
    private mutating func takeNextChild(of collection: Int) -> Int? {
        switch collections[collection].children {
        case .run(let child, let end):
            guard child < end else { return nil }
            // A key is followed by its value, which may hold many nodes.
            let value = collections[collection].isMapping ? child + 1 : child
            let next = tree.next(after: value)
            collections[collection].children = .run(next: next, end: end)
            return child
        case .merged(let children, let index):
            guard index < children.count else { return nil }
            collections[collection].children = .merged(children, next: index + 1)
            return children[index]
        }
    }
}

extension YAMLTree {
    /// Returns the keys of a mapping, in which a merge key is replaced by the keys of the mappings that it names.
    ///
    /// The keys of `{<<: *cat, name: Tom}` are `legs` and `name` if `cat` is `{legs: 4, name: Cat}`.
    ///
    /// A key of the mapping itself wins over a merged one, and an earlier merged mapping over a later one
    /// (<https://yaml.org/type/merge.html>).
    ///
    /// - Parameter mapping: A mapping with a merge key.
    fileprivate func mergedKeys(of mapping: Int) -> [Int] {
        var seenNames: Set<ByteText> = []
        // The mapping's own keys are known first, because they win over merged ones even if they come later in the
        // text.
        for key in children(of: mapping) where nodes[key].kind != .mergeKey { seenNames.insert(name(of: key)) }
        var keys: [Int] = []
        for key in children(of: mapping) {
            if nodes[key].kind == .mergeKey {
                appendKeys(mergedBy: key, to: &keys, &seenNames)
            } else {
                keys.append(key)
            }
        }
        return keys
    }

    /// Appends the keys that a merge key adds to a mapping.
    ///
    /// The mappings to merge may have merge keys themselves. They are visited depth first, without recursion, because a
    /// hostile document chooses the depth. Circles are impossible: an alias never repeats a node that it is inside of.
    ///
    /// - Parameters:
    ///   - mergeKey: The merge key.
    ///   - keys: The keys of the mapping so far.
    ///   - seenNames: The names of the keys that the mapping has. A key with one of these names is not appended.
    private func appendKeys(mergedBy mergeKey: Int, to keys: inout [Int], _ seenNames: inout Set<ByteText>) {
        // The mappings that are still to be visited. The last one is visited next.
        var pending: [Int] = []
        appendMappings(mergedBy: mergeKey, to: &pending)
        while let mapping = pending.popLast() {
            for key in children(of: mapping) {
                if nodes[key].kind == .mergeKey {
                    appendMappings(mergedBy: key, to: &pending)
                } else if seenNames.insert(name(of: key)).inserted {
                    keys.append(key)
                }
            }
        }
    }

    /// Returns the JSON text of a key, by which it is compared with others.
    private func name(of key: Int) -> ByteText { ByteText(bytes: Array(json(of: key))) }

    /// Appends the mappings that a merge key names to those that are still to be visited.
    ///
    /// The value of a merge key is one mapping or a sequence of mappings, with aliases or without. The first mapping is
    /// appended last, because the last one is visited first.
    private func appendMappings(mergedBy mergeKey: Int, to pending: inout [Int]) {
        let value = target(of: mergeKey + 1)
        if nodes[value].kind == .sequence {
            pending += children(of: value).map(target(of:)).reversed()
        } else {
            pending.append(value)
        }
    }
}
