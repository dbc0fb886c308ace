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

    /// A node with an anchor, which aliases repeat.
    private struct Anchor {
        /// The index of the node.
        let node: Int
        /// The size of the node; nil while the node is a collection that has not ended.
        var size: Size?
    }

    private var tree = YAMLTree()
    /// The collections that have started and not ended, the innermost one last.
    private var collections: [Collection] = []
    /// The number of flow collections among them.
    private var flowLevels = 0
    /// The anchors by name. A later anchor of the same name replaces an earlier one.
    private var anchors: [ByteText: Anchor] = [:]
    /// The bytes of JSON text that aliases have repeated.
    private var repeatedBytes = 0
    /// The place of the document's start; nil until it starts.
    private var documentStart: TextPlace?

    /// The most bytes of JSON text that the aliases of a document may repeat.
    ///
    /// Without a limit, 40 lines that each repeat the line before twice would make a terabyte. People repeat a few
    /// kilobytes. 8 MiB have at most 4 million values, for which the map of places and the index of the JSON document
    /// take 80 MB.
    static let maxRepeatedBytes = 8 << 20
    /// The most levels of nested flow collections, because libyaml visits all that are open for each token: at 512
    /// levels a text takes ten times as long as flat. People nest them less than ten levels deep.
    static let maxFlowLevels = 100

    /// Returns the tree of the document whose events a reader gives.
    ///
    /// The start and the end of each collection are events of their own, so no recursion is needed.
    ///
    /// - Parameter events: The reader, at the start of the text. All events up to the end of the stream are read.
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

    /// Returns the tree at the end of the text.
    ///
    /// - Throws: ``YAMLError`` if no document has started.
    private func finished() throws(YAMLError) -> YAMLTree {
        guard documentStart != nil else {
            throw YAMLError(place: TextPlace(line: 1, column: 1), problem: .noDocument)
        }
        return tree
    }

    /// Remembers the place where a document starts, for the message about a second one.
    ///
    /// - Throws: ``YAMLError`` if another document has started before, because a JSON text has one value.
    private mutating func startDocument(at place: TextPlace) throws(YAMLError) {
        if let documentStart { throw YAMLError(place: place, problem: .severalDocuments(first: documentStart)) }
        documentStart = place
    }

    // MARK: Nodes

    /// Whether the next node is the key of a mapping.
    private var expectsKey: Bool { collections.last?.expectsKey == true }

    /// Appends a node to the tree.
    ///
    /// - Parameters:
    ///   - kind: The kind of the node.
    ///   - start: The value of ``YAMLNode/start``: an offset in the tree's text, or the node that an alias repeats.
    ///   - end: The value of ``YAMLNode/end``: an offset in the tree's text, or the index of a node.
    ///   - place: The place of the node in the YAML text.
    /// - Returns: The index of the node.
    private mutating func append(_ kind: YAMLNode.Kind, start: Int, end: Int, at place: TextPlace) -> Int {
        // The text is so short (`JSONDocument.maxTextLength`) that all numbers fit into 32 bits.
        let node = YAMLNode(
            kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
            line: UInt32(truncatingIfNeeded: place.line), column: UInt32(truncatingIfNeeded: place.column))
        tree.nodes.append(node)
        return tree.nodes.count - 1
    }

    /// Reports to the enclosing collection that one of its nodes has been read completely.
    ///
    /// The collection grows by the size of the node and of the comma or colon after it. In a mapping, a value follows a
    /// key, and a key follows a value. A node outside of all collections is the whole document.
    ///
    /// - Parameter size: The size of the node as JSON text.
    private mutating func complete(_ size: Size) {
        guard var collection = collections.popLast() else {
            tree.jsonLength = size.bytes
            return
        }
        collection.size.bytes += size.bytes + 1
        collection.size.levels = max(collection.size.levels, size.levels + 1)
        if collection.isMapping { collection.expectsKey.toggle() }
        collections.append(collection)
    }

    /// Counts the bytes of JSON text that an alias repeats.
    ///
    /// - Throws: ``YAMLError`` if all aliases so far repeat more than ``maxRepeatedBytes``.
    private mutating func countRepeatedBytes(_ count: Int, at place: TextPlace) throws(YAMLError) {
        repeatedBytes += count
        guard repeatedBytes <= Self.maxRepeatedBytes else {
            throw YAMLError(place: place, problem: .repeatedTooOften(limit: Self.maxRepeatedBytes))
        }
    }

    // MARK: Scalars

    /// Appends a scalar as a key or as a value, and remembers its anchor.
    ///
    /// - Parameters:
    ///   - event: The event of the scalar, with its anchor, tag and place.
    ///   - text: The text of the scalar, without its quotes.
    ///   - isPlain: Whether the scalar is written without quotes.
    /// - Throws: ``YAMLError`` if the value contradicts its tag, or if JSON can't express it.
    private mutating func addScalar(_ event: YAMLEvent, _ text: CoreSchema.Text, isPlain: Bool) throws(YAMLError) {
        let start = tree.text.count
        var kind = YAMLNode.Kind.scalar
        if expectsKey {
            if isPlain, event.tag == nil, text.elementsEqual("<<".utf8) { kind = .mergeKey }
            // OpenAPI 3.1.1, section 4.2: a key is a string whatever it looks like, such as the status 200.
            appendString(text)
        } else {
            do {
                try appendValue(text, event.tag, isPlain: isPlain)
            } catch let problem {
                throw YAMLError(place: event.place, problem: problem)
            }
        }
        addScalarNode(kind, textStart: start, anchor: event.anchor, at: event.place)
    }

    /// Appends the node of a scalar whose JSON text has just been appended to the text of the tree.
    ///
    /// - Parameters:
    ///   - kind: The kind of the node, which is a scalar or a merge key.
    ///   - textStart: The length of the tree's text before the scalar was appended.
    ///   - anchor: The name of the scalar's anchor; nil if it has none.
    ///   - place: The place of the scalar in the YAML text.
    private mutating func addScalarNode(
        _ kind: YAMLNode.Kind, textStart: Int, anchor: ByteText?, at place: TextPlace
    ) {
        let textEnd = tree.text.count
        let node = append(kind, start: textStart, end: textEnd, at: place)
        // A scalar has no levels of nested collections.
        let size = Size(bytes: textEnd - textStart, levels: 0)
        if let anchor { anchors[anchor] = Anchor(node: node, size: size) }
        complete(size)
    }

    /// Appends a string in quotes to the text of the tree.
    private mutating func appendString(_ text: CoreSchema.Text) {
        tree.text.append(UInt8(ascii: "\""))
        JSONQuoting.appendEscaped(text, to: &tree.text)
        tree.text.append(UInt8(ascii: "\""))
    }

    /// Appends the JSON text of a scalar that is not a key to the text of the tree.
    ///
    /// Without a tag, a scalar in quotes is a string, and a plain one is what the core schema makes of it. A tag turns
    /// a scalar into a string (`!!str 200`), or demands that the core schema gives a value of the tag's type
    /// (`!!int "200"`).
    ///
    /// - Parameters:
    ///   - text: The text of the scalar, without its quotes.
    ///   - tag: The tag of the scalar; nil if it has none.
    ///   - isPlain: Whether the scalar is written without quotes.
    /// - Throws: ``YAMLError/Problem`` if the value is not of the tag's type, or if JSON has no such number.
    private mutating func appendValue(
        _ text: CoreSchema.Text, _ tag: YAMLTag?, isPlain: Bool
    ) throws(YAMLError.Problem) {
        let isString = tag == .string || (tag == nil && !isPlain)
        if isString {
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

    /// Returns the first 40 bytes of a number for a message, because a hostile one may have millions.
    private static func shown(_ text: CoreSchema.Text) -> String {
        String(decoding: text.prefix(40), as: UTF8.self) + (text.count > 40 ? "…" : "")
    }

    // MARK: Aliases

    /// Appends an alias, which refers to the node with its anchor: `*pet` repeats the node `&pet {name: Rex}`.
    ///
    /// - Parameter event: The event of the alias, with the name of the anchor.
    /// - Throws: ``YAMLError`` if no anchor has the name, or if the alias is inside the node that it repeats. Also if
    ///   the document with its aliases replaced would be nested too deeply or become too long.
    private mutating func addAlias(_ event: YAMLEvent) throws(YAMLError) {
        // libyaml names the anchor of each alias, so the empty name is never used.
        let name = event.anchor ?? ByteText(bytes: [])
        guard let anchor = anchors[name] else {
            throw YAMLError(place: event.place, problem: .unknownAnchor(name.string))
        }
        // The size is known once the node has ended. An alias before that is inside of its own node, and would repeat
        // itself for ever.
        guard let size = anchor.size else {
            throw YAMLError(place: event.place, problem: .aliasOfItself(name.string))
        }
        // A key is a scalar, which can't be nested too deeply. `addKey` copies its text and counts the bytes itself.
        if expectsKey {
            try addKey(repeating: anchor.node, at: event.place)
            return
        }
        guard collections.count + size.levels <= JSONDocument.deepestLevel else {
            throw YAMLError(place: event.place, problem: .tooDeep(limit: JSONDocument.deepestLevel))
        }
        try countRepeatedBytes(size.bytes, at: event.place)
        // The fields of a node have another meaning in an alias: `start` is the node that the alias repeats, and `end`
        // is the node after the alias, which holds no nodes itself.
        let nextNode = tree.nodes.count + 1
        _ = append(.alias, start: anchor.node, end: nextNode, at: event.place)
        complete(size)
    }

    /// Appends a key that is written as an alias: a copy of the scalar that the alias repeats, as a string.
    ///
    /// In `{&status 200: …, other: {*status : …}}` the second key is `"200"` too.
    ///
    /// - Parameters:
    ///   - repeatedNode: The node with the anchor.
    ///   - place: The place of the alias.
    /// - Throws: ``YAMLError`` if the node is not a scalar, or if all aliases repeat too much.
    private mutating func addKey(repeating repeatedNode: Int, at place: TextPlace) throws(YAMLError) {
        guard tree.nodes[repeatedNode].kind == .scalar else { throw YAMLError(place: place, problem: .keyNotScalar) }
        let start = tree.text.count
        let json = tree.json(of: repeatedNode)
        try countRepeatedBytes(json.count, at: place)
        // A number, a boolean or null has no quotes yet.
        let quote = json.first == UInt8(ascii: "\"") ? [] : [UInt8(ascii: "\"")]
        tree.text += quote + json + quote
        addScalarNode(.scalar, textStart: start, anchor: nil, at: place)
    }

    // MARK: Collections

    /// Starts a sequence or mapping, whose nodes follow.
    ///
    /// - Parameters:
    ///   - event: The event of the start, with the anchor, tag and place of the collection.
    ///   - kind: The kind of the collection: a sequence or a mapping.
    ///   - isFlow: Whether the collection is written in brackets or braces.
    /// - Throws: ``YAMLError`` if the collection can't stand here: as a key, with the tag of another type, or too deep.
    private mutating func open(_ event: YAMLEvent, _ kind: YAMLNode.Kind, isFlow: Bool) throws(YAMLError) {
        if let problem = problem(ofOpening: kind, event.tag, isFlow: isFlow) {
            throw YAMLError(place: event.place, problem: problem)
        }
        if isFlow { flowLevels += 1 }
        // The nodes inside are not known yet, so `close` sets the end. A collection has no start: its first node
        // follows it.
        let node = append(kind, start: 0, end: 0, at: event.place)
        if let anchor = event.anchor { anchors[anchor] = Anchor(node: node, size: nil) }
        collections.append(
            Collection(
                node: node, anchor: event.anchor, isMapping: kind == .mapping, isFlow: isFlow,
                expectsKey: kind == .mapping))
    }

    /// Returns the reason why a collection can't start here; nil if it can.
    private func problem(ofOpening kind: YAMLNode.Kind, _ tag: YAMLTag?, isFlow: Bool) -> YAMLError.Problem? {
        if expectsKey { return .keyNotScalar }
        let fittingTag: YAMLTag = kind == .mapping ? .map : .sequence
        if let tag, tag != fittingTag { return .tagMismatch(tag) }
        if collections.count == JSONDocument.deepestLevel { return .tooDeep(limit: JSONDocument.deepestLevel) }
        if isFlow, flowLevels == Self.maxFlowLevels { return .flowTooDeep(limit: Self.maxFlowLevels) }
        return nil
    }

    /// Ends the innermost collection, whose nodes have all been read.
    ///
    /// - Throws: ``YAMLError`` if a mapping has a key twice, or merges something that is no mapping.
    private mutating func close() throws(YAMLError) {
        let collection = collections.removeLast()
        if collection.isFlow { flowLevels -= 1 }
        tree.nodes[collection.node].end = UInt32(truncatingIfNeeded: tree.nodes.count)
        if collection.isMapping { try checkKeys(of: collection.node) }
        // An anchor of the same name inside of the collection counts from there on instead of that of the collection.
        if let name = collection.anchor, anchors[name]?.node == collection.node {
            anchors[name]?.size = collection.size
        }
        complete(collection.size)
    }

    /// Checks the keys of a mapping that has been read completely.
    ///
    /// A mapping with a merge key (`<<`) is marked, so that the writer of JSON merges the members. No other mapping is
    /// searched for a merge key again.
    ///
    /// - Throws: ``YAMLError`` if two keys are equal, or if a merge key has a value that is no mapping and no sequence
    ///   of mappings.
    private mutating func checkKeys(of mapping: Int) throws(YAMLError) {
        let keys = Array(tree.children(of: mapping))
        if let duplicate = tree.firstDuplicate(among: keys) {
            let name = String(decoding: tree.json(of: duplicate.second), as: UTF8.self)
            let problem = YAMLError.Problem.duplicateKey(name, first: tree.nodes[duplicate.first].place)
            throw YAMLError(place: tree.nodes[duplicate.second].place, problem: problem)
        }
        guard let mergeKey = keys.first(where: { tree.nodes[$0].kind == .mergeKey }) else { return }
        // The value of a key is the next node. There is only one merge key, because equal keys are an error.
        let mergedValue = mergeKey + 1
        if let unmergeable = tree.firstUnmergeable(in: mergedValue) {
            throw YAMLError(place: tree.nodes[unmergeable].place, problem: .mergedNotMapping)
        }
        tree.nodes[mapping].kind = .mergingMapping
    }
}

extension YAMLError.Problem: Error {}

extension YAMLTag {
    /// Whether a scalar with this tag may have a value of the core schema: `!!int` accepts 200, and `!!bool` does not.
    ///
    /// A number that JSON can't express is accepted here, so that the message says what is wrong with it.
    fileprivate func accepts(_ value: CoreSchema.Value) -> Bool {
        switch (self, value) {
        case (.string, _): true
        case (.null, .null): true
        case (.boolean, .boolean): true
        case (.integer, .integer), (.integer, .integerTooLarge): true
        case (.float, .integer), (.float, .float), (.float, .notFinite): true
        default: false
        }
    }
}

extension YAMLTree {
    /// Returns the first key of the text that equals an earlier one, with that earlier one.
    ///
    /// For the keys `a`, `b`, `b`, `a` the result is the second and the third key.
    ///
    /// The keys are sorted, so that equal ones are neighbours. A set would need hashes, and a hostile document might
    /// choose keys whose hashes collide.
    ///
    /// - Parameter keys: The nodes of the keys, in the order of the text.
    /// - Returns: The two nodes; nil if all keys are different.
    fileprivate func firstDuplicate(among keys: [Int]) -> (first: Int, second: Int)? {
        guard keys.count > 1 else { return nil }
        let sorted = sortedByText(keys)
        var duplicate: (first: Int, second: Int)?
        for (first, second) in zip(sorted, sorted.dropFirst()) where json(of: first) == json(of: second) {
            // The duplicate that comes first in the text is reported, whatever the sorted order.
            if let earliest = duplicate, earliest.second < second { continue }
            duplicate = (first, second)
        }
        return duplicate
    }

    /// Returns keys in the order of their lengths and bytes. Equal keys keep the order of the text.
    ///
    /// The length is compared first because that is fast, and any order does that makes equal keys neighbours.
    private func sortedByText(_ keys: [Int]) -> [Int] {
        text.withUnsafeBufferPointer { text in
            func bytes(_ key: Int) -> CoreSchema.Text {
                CoreSchema.Text(rebasing: text[Int(nodes[key].start)..<Int(nodes[key].end)])
            }
            return keys.sorted { left, right in
                let leftBytes = bytes(left)
                let rightBytes = bytes(right)
                if leftBytes.count != rightBytes.count { return leftBytes.count < rightBytes.count }
                if let (leftByte, rightByte) = zip(leftBytes, rightBytes).first(where: { $0 != $1 }) {
                    return leftByte < rightByte
                }
                return left < right
            }
        }
    }

    /// Returns the node that a merge key can't merge, because it is not a mapping.
    ///
    /// For `<<: [*cat, 5]` that is the node of `5`.
    ///
    /// - Parameter value: The value of the merge key.
    /// - Returns: The node; nil if the value is a mapping or a sequence of mappings.
    fileprivate func firstUnmergeable(in value: Int) -> Int? {
        let target = target(of: value)
        if nodes[target].kind == .sequence {
            return children(of: target).first { !isMapping(self.target(of: $0)) }
        }
        return isMapping(target) ? nil : value
    }

    /// Whether a node is a mapping, with or without a merge key.
    private func isMapping(_ node: Int) -> Bool { nodes[node].kind == .mapping || nodes[node].kind == .mergingMapping }
}
