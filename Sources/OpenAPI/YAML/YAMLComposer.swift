import JSONText

/// Builds the tree of a YAML document from its events, and checks that the document can be converted to JSON.
///
/// The composer needs no recursion, because a hostile document could be nested very deeply.
struct YAMLComposer {
    /// A collection whose end has not been read.
    private struct Collection {
        /// The index of the collection's node in the tree.
        let node: Int
        let anchor: ByteText?
        let isMapping: Bool
        /// Whether the collection is written in brackets or braces.
        let isFlow: Bool
        /// Whether the next node of a mapping is a key.
        var expectsKey: Bool
        /// The size of the nodes that were read so far. The brackets are two bytes.
        var size = Size(bytes: 2, levels: 1)
    }

    /// The size of a value as JSON text, in which each alias is replaced by a copy of its node.
    private struct Size {
        var bytes: Int
        /// The number of collections that are nested inside each other; 0 for a scalar.
        var levels: Int
    }

    /// A node that aliases can refer to.
    private struct Anchor {
        /// The index of the node in the tree.
        let node: Int
        /// The size of the node; nil while the node is a collection whose end has not been read.
        var size: Size?
    }

    private var tree = YAMLTree()
    /// The collections around the current place in the text. The innermost one is the last.
    private var collections: [Collection] = []
    /// The number of flow collections in `collections`.
    private var flowLevels = 0
    /// The anchors by name. A later anchor with the same name replaces an earlier one.
    private var anchors: [ByteText: Anchor] = [:]
    /// The number of bytes of JSON text that aliases have repeated.
    private var repeatedBytes = 0
    /// The place where the document starts; nil before the start.
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

    /// Reads all events of a text, and returns the tree of its document.
    ///
    /// - Parameter events: The reader of the events, at the start of the text.
    /// - Throws: ``YAMLError`` if the text is not a single YAML document, or contains something that JSON does not
    ///   have.
    static func composeTree(from events: inout YAMLEventReader) throws(YAMLError) -> YAMLTree {
        var composer = YAMLComposer()
        while true {
            let event = try events.next()
            switch event.content {
            case .streamStart, .documentEnd: continue
            case .streamEnd: return try composer.finishTree()
            case .documentStart: try composer.startDocument(at: event.place)
            case .alias: try composer.addAlias(event)
            case .scalar(let text, let isPlain): try composer.addScalar(event, text: text, isPlain: isPlain)
            case .sequenceStart(let isFlow): try composer.openCollection(event, kind: .sequence, isFlow: isFlow)
            case .mappingStart(let isFlow): try composer.openCollection(event, kind: .mapping, isFlow: isFlow)
            case .collectionEnd: try composer.closeCollection()
            }
        }
    }

    /// Returns the complete tree. It is called at the end of the text.
    ///
    /// - Throws: ``YAMLError`` if the text contains no document.
    private func finishTree() throws(YAMLError) -> YAMLTree {
        guard documentStart != nil else {
            throw YAMLError(place: TextPlace(line: 1, column: 1), problem: .noDocument)
        }
        return tree
    }

    /// Records the start of the document.
    ///
    /// - Throws: ``YAMLError`` if this is the second document of the text. A JSON text has a single value.
    private mutating func startDocument(at place: TextPlace) throws(YAMLError) {
        if let documentStart { throw YAMLError(place: place, problem: .severalDocuments(first: documentStart)) }
        documentStart = place
    }

    // MARK: Nodes

    /// Whether the next node is the key of a mapping.
    private var expectsKey: Bool { collections.last?.expectsKey == true }

    /// Appends a node to the tree, and returns the index of the node.
    private mutating func appendNode(_ node: YAMLNode) -> Int {
        tree.nodes.append(node)
        return tree.nodes.count - 1
    }

    /// Updates the collection around a node after the node has been read completely.
    ///
    /// The size of the node is added to the size of the collection. In a mapping, keys and values alternate.
    ///
    /// - Parameter size: The size of the node as JSON text.
    private mutating func completeNode(size: Size) {
        guard var collection = collections.popLast() else {
            // A node outside of all collections is the whole document.
            tree.jsonLength = size.bytes
            return
        }
        // The additional byte is the comma or colon after the node.
        collection.size.bytes += size.bytes + 1
        collection.size.levels = max(collection.size.levels, size.levels + 1)
        if collection.isMapping { collection.expectsKey.toggle() }
        collections.append(collection)
    }

    /// Adds the bytes that an alias repeats to ``repeatedBytes``.
    ///
    /// - Parameters:
    ///   - count: The number of bytes of JSON text.
    ///   - place: The place of the alias.
    /// - Throws: ``YAMLError`` if the aliases repeat more than ``maxRepeatedBytes`` together.
    private mutating func countRepeatedBytes(_ count: Int, at place: TextPlace) throws(YAMLError) {
        repeatedBytes += count
        guard repeatedBytes <= Self.maxRepeatedBytes else {
            throw YAMLError(place: place, problem: .repeatedTooOften(limit: Self.maxRepeatedBytes))
        }
    }

    // MARK: Scalars

    /// Appends a scalar to the tree: its JSON text and its node.
    ///
    /// In a mapping, keys and values alternate, so the scalar is a key or a value by its position. The plain key `<<`
    /// becomes a merge key, which merges another mapping into this one.
    ///
    /// - Parameters:
    ///   - event: The event of the scalar, with its anchor, tag and place.
    ///   - text: The text of the scalar without quotes.
    ///   - isPlain: Whether the scalar is written without quotes.
    /// - Throws: ``YAMLError`` if the value contradicts its tag, or if JSON has no such value.
    private mutating func addScalar(_ event: YAMLEvent, text: CoreSchema.Text, isPlain: Bool) throws(YAMLError) {
        let textStart = tree.text.count
        var kind = YAMLNode.Kind.scalar
        if expectsKey {
            if isPlain, event.tag == nil, text.elementsEqual("<<".utf8) { kind = .mergeKey }
            // Keys are always strings, even if they look like numbers, such as 200 (OpenAPI 3.1.1, section 4.2).
            appendString(text)
        } else {
            do {
                try appendValue(text, tag: event.tag, isPlain: isPlain)
            } catch let problem {
                throw YAMLError(place: event.place, problem: problem)
            }
        }
        addScalarNode(kind, textStart: textStart, anchor: event.anchor, at: event.place)
    }

    /// Appends the node of a scalar, whose JSON text is the end of the tree's text already.
    ///
    /// The anchor of the scalar is stored for later aliases, and the collection around the scalar grows by its size.
    ///
    /// - Parameters:
    ///   - kind: The kind of the node: a scalar or a merge key.
    ///   - textStart: The offset in the tree's text at which the JSON text of the scalar starts.
    ///   - anchor: The name of the scalar's anchor; nil if it has none.
    ///   - place: The place of the scalar in the YAML text.
    private mutating func addScalarNode(
        _ kind: YAMLNode.Kind, textStart: Int, anchor: ByteText?, at place: TextPlace
    ) {
        let textEnd = tree.text.count
        let node = appendNode(YAMLNode(scalar: kind, jsonRange: textStart..<textEnd, place: place))
        let size = Size(bytes: textEnd - textStart, levels: 0)
        if let anchor { anchors[anchor] = Anchor(node: node, size: size) }
        completeNode(size: size)
    }

    /// Appends a JSON string to the text of the tree.
    private mutating func appendString(_ text: CoreSchema.Text) {
        tree.text.append(UInt8(ascii: "\""))
        JSONQuoting.appendEscaped(text, to: &tree.text)
        tree.text.append(UInt8(ascii: "\""))
    }

    /// Appends the JSON text of a scalar value to the text of the tree.
    ///
    ///     200             →  200
    ///     "200"           →  "200"
    ///     !!str 200       →  "200"
    ///     !!int "200"     →  200
    ///     !!int yes       →  an error, because `yes` is a string in the core schema
    ///
    /// - Parameters:
    ///   - text: The text of the scalar without quotes.
    ///   - tag: The tag of the scalar; nil if it has none.
    ///   - isPlain: Whether the scalar is written without quotes.
    /// - Throws: ``YAMLError/Problem`` if the value does not have the type of the tag, or if JSON has no such number.
    private mutating func appendValue(
        _ text: CoreSchema.Text, tag: YAMLTag?, isPlain: Bool
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
        case .integerTooLarge: throw .integerTooLarge(Self.abbreviated(text))
        case .notFinite: throw .notFinite(Self.abbreviated(text))
        case .string: appendString(text)
        }
    }

    /// Returns the first 40 bytes of a number for a message. A hostile document may contain a number with millions.
    private static func abbreviated(_ text: CoreSchema.Text) -> String {
        String(decoding: text.prefix(40), as: UTF8.self) + (text.count > 40 ? "…" : "")
    }

    // MARK: Aliases

    /// Appends an alias to the tree. The alias `*pet` repeats the node with the anchor `&pet`.
    ///
    /// - Parameter event: The event of the alias, with the name of the anchor.
    /// - Throws: ``YAMLError`` if there is no such anchor, if the alias is inside the node that it repeats, or if the
    ///   repetition would make the JSON text too deep or too long.
    private mutating func addAlias(_ event: YAMLEvent) throws(YAMLError) {
        // The anchor in the event of an alias is the name that the alias refers to. libyaml always sets it. The empty
        // name is a fallback for the compiler.
        let name = event.anchor ?? ByteText(bytes: [])
        guard let anchor = anchors[name] else {
            throw YAMLError(place: event.place, problem: .unknownAnchor(name.string))
        }
        // Without a size, the end of the node has not been read: the alias is inside of the node that it repeats.
        guard let size = anchor.size else {
            throw YAMLError(place: event.place, problem: .aliasOfItself(name.string))
        }
        if expectsKey {
            try addKey(repeating: anchor.node, at: event.place)
            return
        }
        guard collections.count + size.levels <= JSONDocument.deepestLevel else {
            throw YAMLError(place: event.place, problem: .tooDeep(limit: JSONDocument.deepestLevel))
        }
        try countRepeatedBytes(size.bytes, at: event.place)
        let nodeAfterAlias = tree.nodes.count + 1
        _ = appendNode(YAMLNode(aliasOf: anchor.node, nextNode: nodeAfterAlias, place: event.place))
        completeNode(size: size)
    }

    /// Appends a key that is written as an alias. The key is a copy of the repeated scalar, as a string.
    ///
    /// In `{&status 200: …, other: {*status : …}}` the key `*status` becomes `"200"`.
    ///
    /// - Parameters:
    ///   - repeatedNode: The index of the node with the anchor.
    ///   - place: The place of the alias.
    /// - Throws: ``YAMLError`` if the node is not a scalar, or if the aliases of the document repeat too much.
    private mutating func addKey(repeating repeatedNode: Int, at place: TextPlace) throws(YAMLError) {
        guard tree.nodes[repeatedNode].kind == .scalar else { throw YAMLError(place: place, problem: .keyNotScalar) }
        let textStart = tree.text.count
        let json = tree.json(of: repeatedNode)
        try countRepeatedBytes(json.count, at: place)
        // A number, a boolean or null needs quotes. A string has them already.
        let quote = json.first == UInt8(ascii: "\"") ? [] : [UInt8(ascii: "\"")]
        tree.text += quote + json + quote
        addScalarNode(.scalar, textStart: textStart, anchor: nil, at: place)
    }

    // MARK: Collections

    /// Starts a sequence or a mapping. The nodes of the following events are inside of it until ``closeCollection()``.
    ///
    /// - Parameters:
    ///   - event: The event of the start, with the anchor, tag and place of the collection.
    ///   - kind: The kind of the collection: a sequence or a mapping.
    ///   - isFlow: Whether the collection is written in brackets or braces.
    /// - Throws: ``YAMLError`` if the collection is a key, has the tag of another type, or is nested too deeply.
    private mutating func openCollection(_ event: YAMLEvent, kind: YAMLNode.Kind, isFlow: Bool) throws(YAMLError) {
        if let problem = problem(ofOpening: kind, tag: event.tag, isFlow: isFlow) {
            throw YAMLError(place: event.place, problem: problem)
        }
        if isFlow { flowLevels += 1 }
        let node = appendNode(YAMLNode(collection: kind, place: event.place))
        if let anchor = event.anchor { anchors[anchor] = Anchor(node: node, size: nil) }
        collections.append(
            Collection(
                node: node, anchor: event.anchor, isMapping: kind == .mapping, isFlow: isFlow,
                expectsKey: kind == .mapping))
    }

    /// Returns the reason why a collection can't be converted at the current place; nil if it can.
    ///
    /// Keys of JSON are strings, so a collection can't be a key. A tag must name the kind of the collection, and the
    /// nesting is limited.
    private func problem(ofOpening kind: YAMLNode.Kind, tag: YAMLTag?, isFlow: Bool) -> YAMLError.Problem? {
        if expectsKey { return .keyNotScalar }
        let tagOfKind: YAMLTag = kind == .mapping ? .map : .sequence
        if let tag, tag != tagOfKind { return .tagMismatch(tag) }
        if collections.count == JSONDocument.deepestLevel { return .tooDeep(limit: JSONDocument.deepestLevel) }
        if isFlow, flowLevels == Self.maxFlowLevels { return .flowTooDeep(limit: Self.maxFlowLevels) }
        return nil
    }

    /// Ends the innermost collection: stores the node that follows it, checks its keys, and adds its size to its parent.
    ///
    /// Aliases can refer to the collection from now on, because its size is known.
    ///
    /// - Throws: ``YAMLError`` if the collection is a mapping with a repeated key, or with a merge key (`<<`) whose
    ///   value can't be merged.
    private mutating func closeCollection() throws(YAMLError) {
        let collection = collections.removeLast()
        if collection.isFlow { flowLevels -= 1 }
        tree.nodes[collection.node].nextNode = tree.nodes.count
        if collection.isMapping { try checkKeys(of: collection.node) }
        // A node inside of the collection may have replaced the anchor by another one with the same name.
        if let name = collection.anchor, anchors[name]?.node == collection.node {
            anchors[name]?.size = collection.size
        }
        completeNode(size: collection.size)
    }

    /// Checks the keys of a mapping, and marks the mapping if it has a merge key (`<<`).
    ///
    /// The mark tells ``JSONTreeWriter`` which mappings it has to merge.
    ///
    /// - Parameter mapping: The index of a mapping that has been read completely.
    /// - Throws: ``YAMLError`` if two keys are equal, or if the value of a merge key is neither a mapping nor a
    ///   sequence of mappings.
    private mutating func checkKeys(of mapping: Int) throws(YAMLError) {
        let keys = Array(tree.children(of: mapping))
        if let duplicate = tree.firstDuplicate(among: keys) {
            let name = String(decoding: tree.json(of: duplicate.second), as: UTF8.self)
            let problem = YAMLError.Problem.duplicateKey(name, first: tree.nodes[duplicate.first].place)
            throw YAMLError(place: tree.nodes[duplicate.second].place, problem: problem)
        }
        guard let mergeKey = keys.first(where: { tree.nodes[$0].kind == .mergeKey }) else { return }
        // The value of a key is the next node.
        let mergedValue = mergeKey + 1
        if let unmergeable = tree.firstUnmergeable(in: mergedValue) {
            throw YAMLError(place: tree.nodes[unmergeable].place, problem: .mergedNotMapping)
        }
        tree.nodes[mapping].kind = .mergingMapping
    }
}

extension YAMLError.Problem: Error {}

extension YAMLTag {
    /// Whether a scalar with this tag may have a value: `!!int` accepts 200, and `!!bool` does not.
    ///
    /// A number that JSON does not have is accepted, because it leads to a more precise error later.
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
    /// Returns the first key that repeats an earlier key, together with that earlier key.
    ///
    /// For the keys `a`, `b`, `b`, `a` the result is the second and the third key.
    ///
    /// The keys are sorted, which makes equal keys neighbours. Sorting takes predictable time, unlike a set: a hostile
    /// document might choose keys whose hashes collide.
    ///
    /// - Parameter keys: The nodes of the keys, in the order of the text.
    /// - Returns: The nodes of the two keys; nil if no key is repeated.
    fileprivate func firstDuplicate(among keys: [Int]) -> (first: Int, second: Int)? {
        guard keys.count > 1 else { return nil }
        let sortedKeys = sortedByLengthAndText(keys)
        var earliest: (first: Int, second: Int)?
        for (first, second) in zip(sortedKeys, sortedKeys.dropFirst()) where json(of: first) == json(of: second) {
            // The sorted order is not the order of the text. The duplicate that is first in the text is reported.
            let isEarliest = earliest.map { second <= $0.second } ?? true
            if isEarliest { earliest = (first, second) }
        }
        return earliest
    }

    /// Returns keys in the order of their lengths, and keys of the same length in the order of their bytes. Equal keys
    /// keep the order of the text.
    ///
    /// The order serves only to make equal keys neighbours. Any fixed order does that, and this one is fast because
    /// most keys differ in length.
    ///
    /// - Parameter keys: The nodes of the keys.
    private func sortedByLengthAndText(_ keys: [Int]) -> [Int] {
        text.withUnsafeBufferPointer { text in
            func keyBytes(_ key: Int) -> CoreSchema.Text {
                CoreSchema.Text(rebasing: text[nodes[key].jsonRange])
            }
            return keys.sorted { left, right in
                let leftBytes = keyBytes(left)
                let rightBytes = keyBytes(right)
                if leftBytes.count != rightBytes.count { return leftBytes.count < rightBytes.count }
                if let (leftByte, rightByte) = zip(leftBytes, rightBytes).first(where: { $0 != $1 }) {
                    return leftByte < rightByte
                }
                // Nodes are numbered in the order of the text.
                return left < right
            }
        }
    }

    /// Returns the first part of a merge key's value that is not a mapping.
    ///
    /// For `<<: [*cat, 5]` the result is the node of `5`, if `*cat` is a mapping.
    ///
    /// - Parameter value: The node of the value.
    /// - Returns: The node of the part; nil if the value is a mapping or a sequence of mappings.
    fileprivate func firstUnmergeable(in value: Int) -> Int? {
        let mergedNode = target(of: value)
        if nodes[mergedNode].kind == .sequence {
            return children(of: mergedNode).first { !isMapping(target(of: $0)) }
        }
        return isMapping(mergedNode) ? nil : value
    }

    /// Whether a node is a mapping, with or without a merge key.
    private func isMapping(_ node: Int) -> Bool { nodes[node].kind == .mapping || nodes[node].kind == .mergingMapping }
}
