/// Writes the tree of a YAML document as JSON text, in which aliases are replaced by what they repeat, and merge keys
/// by what they merge.
///
/// It is iterative, because a hostile document chooses its depth. The composer has checked the size of the result.
struct JSONTreeWriter {
    /// A collection that is being written.
    private struct Collection {
        /// The elements of a sequence or the keys of a mapping: a run of nodes, or a list if others were merged.
        enum Children {
            case run(next: Int, end: Int)
            case list([Int], next: Int)
        }

        var children: Children
        let isMapping: Bool
        var isEmpty = true
    }

    private let tree: YAMLTree
    private var collections: [Collection] = []
    private(set) var json: [UInt8] = []
    private(set) var places = YAMLPlaces()

    /// Writes a tree.
    init(_ tree: YAMLTree) {
        self.tree = tree
        json.reserveCapacity(tree.jsonLength)
        places.reserveCapacity(tree.nodes.count)
        writeValue(0)
        while let last = collections.indices.last {
            guard let child = nextChild(of: last) else {
                json.append(collections.removeLast().isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                continue
            }
            if !collections[last].isEmpty { json.append(UInt8(ascii: ",")) }
            collections[last].isEmpty = false
            if collections[last].isMapping {
                json += tree.json(of: child)
                json.append(UInt8(ascii: ":"))
                writeValue(child + 1)
            } else {
                writeValue(child)
            }
        }
    }

    /// Writes a scalar, or starts a collection.
    private mutating func writeValue(_ node: Int) {
        places.append(tree.nodes[node], at: json.count)
        let value = tree.target(of: node)
        let isMapping = tree.nodes[value].kind != .sequence
        switch tree.nodes[value].kind {
        case .scalar, .mergeKey, .alias: json += tree.json(of: value)
        case .sequence, .mapping:
            json.append(isMapping ? UInt8(ascii: "{") : UInt8(ascii: "["))
            let run = Collection.Children.run(next: value + 1, end: Int(tree.nodes[value].end))
            collections.append(Collection(children: run, isMapping: isMapping))
        case .mergingMapping:
            json.append(UInt8(ascii: "{"))
            let list = Collection.Children.list(tree.mergedKeys(of: value), next: 0)
            collections.append(Collection(children: list, isMapping: true))
        }
    }

    /// Moves a collection on to its next element or key, and returns it; nil at the end.
    private mutating func nextChild(of collection: Int) -> Int? {
        switch collections[collection].children {
        case .run(let child, let end):
            guard child < end else { return nil }
            let next = tree.next(after: collections[collection].isMapping ? child + 1 : child)
            collections[collection].children = .run(next: next, end: end)
            return child
        case .list(let children, let index):
            guard index < children.count else { return nil }
            collections[collection].children = .list(children, next: index + 1)
            return children[index]
        }
    }
}

extension YAMLTree {
    /// Returns the keys of a mapping, with those of the mappings that its merge key names in place of that key.
    ///
    /// A key of the mapping itself wins over a merged one, and an earlier merged mapping over a later one
    /// (<https://yaml.org/type/merge.html>).
    ///
    /// - Parameter mapping: A mapping with a merge key.
    fileprivate func mergedKeys(of mapping: Int) -> [Int] {
        var known: Set<ByteText> = []
        for key in children(of: mapping) where nodes[key].kind != .mergeKey {
            known.insert(ByteText(bytes: Array(json(of: key))))
        }
        var keys: [Int] = []
        for key in children(of: mapping) {
            if nodes[key].kind == .mergeKey {
                appendKeys(mergedBy: key, to: &keys, known: &known)
            } else {
                keys.append(key)
            }
        }
        return keys
    }

    /// Appends the keys that a merge key adds to a mapping.
    ///
    /// The mappings to merge may have merge keys themselves. They are visited depth first, without recursion.
    ///
    /// - Parameters:
    ///   - mergeKey: The merge key.
    ///   - keys: The keys of the mapping so far.
    ///   - known: The JSON text of the keys that the mapping has. Those of the appended keys are added.
    private func appendKeys(mergedBy mergeKey: Int, to keys: inout [Int], known: inout Set<ByteText>) {
        /// The mappings that are still to be visited, the next one last.
        var pending: [Int] = []
        appendMappings(mergedBy: mergeKey, to: &pending)
        while let mapping = pending.popLast() {
            for key in children(of: mapping) {
                if nodes[key].kind == .mergeKey {
                    appendMappings(mergedBy: key, to: &pending)
                } else if known.insert(ByteText(bytes: Array(json(of: key)))).inserted {
                    keys.append(key)
                }
            }
        }
    }

    /// Appends the mappings that a merge key names to those that are still to be visited, the first one last.
    private func appendMappings(mergedBy mergeKey: Int, to pending: inout [Int]) {
        let value = target(of: mergeKey + 1)
        if nodes[value].kind == .sequence {
            pending += children(of: value).map(target(of:)).reversed()
        } else {
            pending.append(value)
        }
    }
}
