import JSONText

/// Composes the tree of a YAML document from its events, and checks all that JSON demands.
///
/// It is iterative, because a hostile document chooses its depth.
struct YAMLComposer {
    /// A collection that has started and not ended.
    private struct Collection {
        let node: Int
        let anchor: ByteText?
        let isMapping: Bool
        let isFlow: Bool
        /// Whether the next node of a mapping is a key.
        var expectsKey: Bool
        var size = Size(bytes: 2, levels: 1)
    }

    /// The size of a value as JSON text, in which aliases are replaced by what they repeat.
    private struct Size {
        var bytes: Int
        /// The levels of nested collections.
        var levels: Int
    }

    /// A node with an anchor. It has a size once it has been read completely.
    private struct Anchor {
        let node: Int
        var size: Size?
    }

    private var tree = YAMLTree()
    private var collections: [Collection] = []
    /// The number of flow collections among them.
    private var flowLevels = 0
    private var anchors: [ByteText: Anchor] = [:]
    /// The bytes of JSON text that aliases have repeated.
    private var repeatedBytes = 0
    private var document: TextPlace?

    /// The most bytes of JSON text that the aliases of a document may repeat.
    ///
    /// Without a limit, 40 lines that each repeat the line before twice would make a terabyte. People repeat a few
    /// kilobytes. 8 MiB have at most 4 million values, for which the map of places and the index of the JSON document
    /// take 80 MB.
    static let maxRepeatedBytes = 8 << 20
    /// The most levels of nested flow collections, because libyaml visits all that are open for each token: at 512
    /// levels a text takes ten times as long as flat. People nest them less than ten levels deep.
    static let maxFlowLevels = 100

    /// Composes the document of a text.
    ///
    /// - Throws: ``YAMLError`` if the text is not one YAML document, or has something that JSON does not have.
    static func tree(_ events: inout YAMLEventReader) throws(YAMLError) -> YAMLTree {
        var composer = YAMLComposer()
        while true {
            let event = try events.next()
            switch event.content {
            case .streamStart, .documentEnd: continue
            case .streamEnd: return try composer.finished()
            case .documentStart: try composer.startDocument(at: event.place)
            case .alias: try composer.addAlias(event)
            case .scalar(let text, let isPlain): try composer.addScalar(event, text, isPlain: isPlain)
            case .sequenceStart(let isFlow): try composer.open(event, .sequence, isFlow: isFlow)
            case .mappingStart(let isFlow): try composer.open(event, .mapping, isFlow: isFlow)
            case .collectionEnd: try composer.close()
            }
        }
    }

    private func finished() throws(YAMLError) -> YAMLTree {
        guard document != nil else {
            throw YAMLError(place: TextPlace(line: 1, column: 1), problem: .noDocument)
        }
        return tree
    }

    private mutating func startDocument(at place: TextPlace) throws(YAMLError) {
        if let document { throw YAMLError(place: place, problem: .severalDocuments(first: document)) }
        document = place
    }

    // MARK: Nodes

    /// Whether the next node is the key of a mapping.
    private var expectsKey: Bool { collections.last?.expectsKey == true }

    /// Appends a node and returns its index.
    private mutating func append(_ kind: YAMLNode.Kind, start: Int, end: Int, at place: TextPlace) -> Int {
        tree.nodes.append(
            YAMLNode(
                kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                line: UInt32(truncatingIfNeeded: place.line), column: UInt32(truncatingIfNeeded: place.column)))
        return tree.nodes.count - 1
    }

    /// Adds the size of a complete node to the collection around it. A comma or colon follows the node.
    private mutating func complete(_ size: Size) {
        guard let last = collections.indices.last else {
            tree.jsonLength = size.bytes
            return
        }
        collections[last].size.bytes += size.bytes + 1
        collections[last].size.levels = max(collections[last].size.levels, size.levels + 1)
        if collections[last].isMapping { collections[last].expectsKey.toggle() }
    }

    private mutating func addScalar(_ event: YAMLEvent, _ text: CoreSchema.Text, isPlain: Bool) throws(YAMLError) {
        let start = tree.text.count
        var kind = YAMLNode.Kind.scalar
        if expectsKey {
            // Keys are strings as they are written, as OpenAPI demands (OpenAPI 3.1.1, section 4.2): 200 is "200".
            if isPlain, event.tag == nil, text.elementsEqual("<<".utf8) { kind = .mergeKey }
            appendString(text)
        } else {
            do {
                try appendValue(text, event.tag, isPlain: isPlain)
            } catch let problem {
                throw YAMLError(place: event.place, problem: problem)
            }
        }
        let node = append(kind, start: start, end: tree.text.count, at: event.place)
        let size = Size(bytes: tree.text.count - start, levels: 0)
        if let anchor = event.anchor { anchors[anchor] = Anchor(node: node, size: size) }
        complete(size)
    }

    private mutating func addAlias(_ event: YAMLEvent) throws(YAMLError) {
        let name = event.anchor ?? ByteText(bytes: [])
        let place = event.place
        func error(_ problem: YAMLError.Problem) -> YAMLError { YAMLError(place: place, problem: problem) }

        guard let anchor = anchors[name] else {
            throw error(.unknownAnchor(name.string))
        }
        guard let size = anchor.size else {
            throw error(.aliasOfItself(name.string))
        }
        if expectsKey {
            try addKey(repeating: anchor.node, at: place)
            return
        }
        if collections.count + size.levels > JSONDocument.deepestLevel {
            throw error(.tooDeep(limit: JSONDocument.deepestLevel))
        }
        repeatedBytes += size.bytes
        if repeatedBytes > Self.maxRepeatedBytes { throw error(.repeatedTooOften(limit: Self.maxRepeatedBytes)) }
        let next = tree.nodes.count + 1
        _ = append(.alias, start: anchor.node, end: next, at: place)
        complete(size)
    }

    /// Adds a key that is an alias, with the JSON text of the scalar as string.
    private mutating func addKey(repeating scalar: Int, at place: TextPlace) throws(YAMLError) {
        guard tree.nodes[scalar].kind == .scalar else { throw YAMLError(place: place, problem: .keyNotScalar) }
        let start = tree.text.count
        let json = tree.json(of: scalar)
        repeatedBytes += json.count
        if repeatedBytes > Self.maxRepeatedBytes {
            throw YAMLError(place: place, problem: .repeatedTooOften(limit: Self.maxRepeatedBytes))
        }
        let quote = json.first == UInt8(ascii: "\"") ? [] : [UInt8(ascii: "\"")]
        tree.text += quote + json + quote
        _ = append(.scalar, start: start, end: tree.text.count, at: place)
        complete(Size(bytes: tree.text.count - start, levels: 0))
    }

    // MARK: Collections

    private mutating func open(_ event: YAMLEvent, _ kind: YAMLNode.Kind, isFlow: Bool) throws(YAMLError) {
        func error(_ problem: YAMLError.Problem) -> YAMLError { YAMLError(place: event.place, problem: problem) }

        if expectsKey { throw error(.keyNotScalar) }
        if let tag = event.tag, tag != (kind == .mapping ? .map : .sequence) { throw error(.tagMismatch(tag)) }
        if collections.count == JSONDocument.deepestLevel { throw error(.tooDeep(limit: JSONDocument.deepestLevel)) }
        if isFlow {
            if flowLevels == Self.maxFlowLevels { throw error(.flowTooDeep(limit: Self.maxFlowLevels)) }
            flowLevels += 1
        }
        let node = append(kind, start: 0, end: 0, at: event.place)
        if let anchor = event.anchor { anchors[anchor] = Anchor(node: node) }
        collections.append(
            Collection(
                node: node, anchor: event.anchor, isMapping: kind == .mapping, isFlow: isFlow,
                expectsKey: kind == .mapping))
    }

    private mutating func close() throws(YAMLError) {
        let collection = collections.removeLast()
        if collection.isFlow { flowLevels -= 1 }
        tree.nodes[collection.node].end = UInt32(truncatingIfNeeded: tree.nodes.count)
        if collection.isMapping { try checkKeys(of: collection.node) }
        // An anchor inside the collection may have taken the name.
        if let name = collection.anchor, anchors[name]?.node == collection.node {
            anchors[name]?.size = collection.size
        }
        complete(collection.size)
    }

    /// Checks that the keys of a mapping are unique, and that what it merges are mappings.
    private mutating func checkKeys(of mapping: Int) throws(YAMLError) {
        let keys = Array(tree.children(of: mapping))
        if let (first, second) = tree.firstDuplicate(among: keys) {
            let key = String(decoding: tree.json(of: second), as: UTF8.self)
            let problem = YAMLError.Problem.duplicateKey(key, first: tree.nodes[first].place)
            throw YAMLError(place: tree.nodes[second].place, problem: problem)
        }
        guard let mergeKey = keys.first(where: { tree.nodes[$0].kind == .mergeKey }) else { return }
        if let wrong = tree.firstUnmergeable(in: mergeKey + 1) {
            throw YAMLError(place: tree.nodes[wrong].place, problem: .mergedNotMapping)
        }
        tree.nodes[mapping].kind = .mergingMapping
    }

    // MARK: Scalars

    /// Appends a string in quotes to the text of the tree.
    private mutating func appendString(_ text: CoreSchema.Text) {
        tree.text.append(UInt8(ascii: "\""))
        JSONQuoting.appendEscaped(text, to: &tree.text)
        tree.text.append(UInt8(ascii: "\""))
    }

    /// Appends the JSON text of a scalar that is a value.
    ///
    /// Without a tag, a plain scalar is what the core schema says, and a quoted one is a string.
    private mutating func appendValue(
        _ text: CoreSchema.Text, _ tag: YAMLTag?, isPlain: Bool
    ) throws(YAMLError.Problem) {
        if tag == .string || tag == nil && !isPlain {
            appendString(text)
            return
        }
        let value = CoreSchema.value(of: text)
        if let tag, !tag.accepts(value) { throw .tagMismatch(tag) }
        switch value {
        case .null: tree.text += "null".utf8
        case .boolean(let isTrue): tree.text += (isTrue ? "true" : "false").utf8
        case .integer(let json), .float(let json): tree.text += json
        case .integerTooLarge: throw .integerTooLarge(Self.shown(text))
        case .notFinite: throw .notFinite(Self.shown(text))
        case .string: appendString(text)
        }
    }

    /// Returns the text of a number for an error, cut where it would fill a line.
    private static func shown(_ text: CoreSchema.Text) -> String {
        String(decoding: text.prefix(40), as: UTF8.self) + (text.count > 40 ? "…" : "")
    }
}

extension YAMLError.Problem: Error {}

extension YAMLTag {
    /// Whether a scalar with this tag may have a value of the core schema.
    fileprivate func accepts(_ value: CoreSchema.Value) -> Bool {
        switch (self, value) {
        case (.string, _), (.null, .null), (.boolean, .boolean), (.integer, .integer), (.integer, .integerTooLarge),
            (.float, .integer), (.float, .float), (.float, .notFinite):
            true
        default: false
        }
    }
}

extension YAMLTree {
    /// Returns the first key that equals an earlier one, after that one.
    ///
    /// Sorting makes equal keys neighbours. It takes no hash, whose collisions a hostile document might choose.
    ///
    /// - Parameter keys: The nodes of the keys, in the order of the text.
    fileprivate func firstDuplicate(among keys: [Int]) -> (first: Int, second: Int)? {
        guard keys.count > 1 else { return nil }
        let sorted = text.withUnsafeBufferPointer { text in
            func bytes(_ key: Int) -> CoreSchema.Text {
                CoreSchema.Text(rebasing: text[Int(nodes[key].start)..<Int(nodes[key].end)])
            }
            return keys.sorted { first, second in
                let (one, other) = (bytes(first), bytes(second))
                if one.count != other.count { return one.count < other.count }
                if let (a, b) = zip(one, other).first(where: { $0 != $1 }) { return a < b }
                return first < second
            }
        }
        var duplicate: (first: Int, second: Int)?
        for (first, second) in zip(sorted, sorted.dropFirst()) where json(of: first) == json(of: second) {
            if duplicate.map({ second < $0.second }) != false { duplicate = (first, second) }
        }
        return duplicate
    }

    /// Returns the node that a merge key can't merge, or nil if its value is a mapping or a sequence of mappings.
    ///
    /// - Parameter value: The value of the merge key.
    fileprivate func firstUnmergeable(in value: Int) -> Int? {
        let merged = target(of: value)
        guard nodes[merged].kind == .sequence else { return isMapping(merged) ? nil : value }
        return children(of: merged).first { !isMapping(target(of: $0)) }
    }

    private func isMapping(_ node: Int) -> Bool { nodes[node].kind == .mapping || nodes[node].kind == .mergingMapping }
}
