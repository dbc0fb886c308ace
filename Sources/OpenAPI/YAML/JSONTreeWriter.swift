/// Writes the tree of a YAML document as JSON text.
///
/// Each alias is replaced by a copy of its node, and each merge key (`<<`) by the members of the merged mapping:
///
///     cat: &cat {legs: 4}             →  {"cat":{"legs":4},
///     tom: {<<: *cat, name: Tom}          "tom":{"legs":4,"name":"Tom"}}
///
/// The writer needs no recursion, because a hostile document could be nested very deeply. ``YAMLComposer`` has limited
/// the size of the result.
struct JSONTreeWriter {
    /// A collection that is being written.
    private struct Collection {
        /// The elements of a sequence, or the keys of a mapping, that have not been written yet.
        enum Children {
            /// The elements or keys from one node of the tree up to the node after the collection.
            case inTree(nextChild: Int, nodeAfter: Int)
            /// The keys of a mapping after merging, from an index of the list.
            case merged([Int], nextIndex: Int)
        }

        var children: Children
        let isMapping: Bool
        /// Whether no element or member has been written yet.
        var isEmpty = true
    }

    private let tree: YAMLTree
    /// The collections around the current value. The innermost one is the last.
    private var collections: [Collection] = []
    /// The JSON text that has been written so far.
    private(set) var json: [UInt8] = []
    /// The places in the YAML text of the values in ``json``.
    private(set) var places = YAMLPlaces()

    /// Writes a tree into ``json``, and the places of its values into ``places``.
    init(_ tree: YAMLTree) {
        self.tree = tree
        json.reserveCapacity(tree.jsonLength)
        places.reserveCapacity(tree.nodes.count)
        // The first node contains all other nodes. If it is a collection, it becomes the innermost collection.
        writeValue(0)
        // Each step writes one child of the innermost collection, or the end of that collection.
        while let innermost = collections.indices.last {
            if let child = takeNextChild(of: innermost) {
                writeChild(child, in: innermost)
            } else {
                let ended = collections.removeLast()
                json.append(ended.isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            }
        }
    }

    /// Writes an element of a sequence, or a key of a mapping with its value.
    private mutating func writeChild(_ child: Int, in collection: Int) {
        if !collections[collection].isEmpty { json.append(UInt8(ascii: ",")) }
        collections[collection].isEmpty = false
        guard collections[collection].isMapping else { return writeValue(child) }
        json += tree.json(of: child)
        json.append(UInt8(ascii: ":"))
        // The value of a key is the next node.
        writeValue(child + 1)
    }

    /// Writes a scalar, or the start of a collection. For an alias, writes the node that the alias repeats.
    ///
    /// The place of the node in the YAML text is added to ``places``. The children of a collection are written later.
    ///
    /// - Parameter node: The index of the node in the tree.
    private mutating func writeValue(_ node: Int) {
        places.append(tree.nodes[node], at: json.count)
        let value = tree.target(of: node)
        switch tree.nodes[value].kind {
        // The target of an alias is never an alias, so this is a scalar.
        case .scalar, .mergeKey, .alias: json += tree.json(of: value)
        case .sequence:
            openCollection(.inTree(nextChild: value + 1, nodeAfter: tree.nodes[value].nextNode), isMapping: false)
        case .mapping:
            openCollection(.inTree(nextChild: value + 1, nodeAfter: tree.nodes[value].nextNode), isMapping: true)
        case .mergingMapping: openCollection(.merged(tree.mergedKeys(of: value), nextIndex: 0), isMapping: true)
        }
    }

    /// Writes the start of a collection, and makes it the innermost collection.
    private mutating func openCollection(_ children: Collection.Children, isMapping: Bool) {
        json.append(isMapping ? UInt8(ascii: "{") : UInt8(ascii: "["))
        collections.append(Collection(children: children, isMapping: isMapping))
    }

    /// Removes the next element or key from the children of a collection.
    ///
    /// - Parameter collection: The index of the collection in ``collections``.
    /// - Returns: The node of the element or key; nil if all children have been written.
    private mutating func takeNextChild(of collection: Int) -> Int? {
        switch collections[collection].children {
        case .inTree(let child, let nodeAfter):
            guard child < nodeAfter else { return nil }
            // The next key follows the value of this key, and the value may contain many nodes.
            let value = collections[collection].isMapping ? child + 1 : child
            let nextChild = tree.nodeAfter(value)
            collections[collection].children = .inTree(nextChild: nextChild, nodeAfter: nodeAfter)
            return child
        case .merged(let children, let index):
            guard index < children.count else { return nil }
            collections[collection].children = .merged(children, nextIndex: index + 1)
            return children[index]
        }
    }
}

extension YAMLTree {
    /// Returns the keys of a mapping after merging: its own keys, and the keys of the mappings that it merges.
    ///
    /// If `cat` is `{legs: 4, name: Cat}`, the keys of `{<<: *cat, name: Tom}` are `legs` of `cat` and `name` of the
    /// mapping itself. The mapping's own keys win over merged keys, and earlier merged mappings win over later ones
    /// (<https://yaml.org/type/merge.html>).
    ///
    /// - Parameter mapping: A mapping with a merge key.
    /// - Returns: The indexes of the keys' nodes.
    fileprivate func mergedKeys(of mapping: Int) -> [Int] {
        // The mapping's own keys win even if they follow the merge key, so all of them are collected first.
        var seenNames: Set<ByteText> = []
        for key in children(of: mapping) where nodes[key].kind != .mergeKey { seenNames.insert(name(of: key)) }
        var keys: [Int] = []
        for key in children(of: mapping) {
            if nodes[key].kind == .mergeKey {
                appendKeys(mergedBy: key, to: &keys, skippingSeen: &seenNames)
            } else {
                keys.append(key)
            }
        }
        return keys
    }

    /// Appends the keys that a merge key adds to a mapping.
    ///
    /// The merged mappings may have merge keys themselves. They are visited depth first, with a list instead of a
    /// recursion, because a hostile document could nest them very deeply. The walk ends, because no alias repeats a
    /// node that contains the alias.
    ///
    /// - Parameters:
    ///   - mergeKey: The index of the merge key's node.
    ///   - keys: The keys are appended to it.
    ///   - seenNames: The names of the keys that the mapping has. Further keys with these names are skipped. The names
    ///     of the appended keys are added.
    private func appendKeys(
        mergedBy mergeKey: Int, to keys: inout [Int], skippingSeen seenNames: inout Set<ByteText>
    ) {
        // The mappings that have not been visited yet. The last one is visited next.
        var unvisitedMappings: [Int] = []
        appendMappings(mergedBy: mergeKey, to: &unvisitedMappings)
        while let mapping = unvisitedMappings.popLast() {
            for key in children(of: mapping) {
                if nodes[key].kind == .mergeKey {
                    appendMappings(mergedBy: key, to: &unvisitedMappings)
                } else if seenNames.insert(name(of: key)).inserted {
                    keys.append(key)
                }
            }
        }
    }

    /// Returns the JSON text of a key. Two keys are equal if their texts are.
    private func name(of key: Int) -> ByteText { ByteText(bytes: Array(json(of: key))) }

    /// Appends the mappings in the value of a merge key to a list of mappings to visit.
    ///
    ///     <<: *cat             →  cat
    ///     <<: [*cat, *pet]     →  pet, cat, because the last one in the list is visited first
    private func appendMappings(mergedBy mergeKey: Int, to unvisitedMappings: inout [Int]) {
        // The value of a key is the next node.
        let value = target(of: mergeKey + 1)
        if nodes[value].kind == .sequence {
            unvisitedMappings += children(of: value).map(target(of:)).reversed()
        } else {
            unvisitedMappings.append(value)
        }
    }
}
