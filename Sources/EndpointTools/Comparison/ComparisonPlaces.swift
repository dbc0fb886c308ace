import EndpointKit
import JSONText

/// The places of a text that a model asks about, with the positions of lists and the keys of dictionaries folded into
/// one.
///
/// All elements of a list share a place, so that a problem with each of 1,000 elements is one problem. For example,
/// the text
///
///     {"page": 1, "results": [{"adult": false}, {"adult": true}]}
///
/// has the places `$`, `$.page`, `$.results`, `$.results[*]` and `$.results[*].adult`; the last one has two values.
///
/// The places are the nodes of a tree, and each is known by its index in ``nodes``. A parent comes before its children.
package struct ComparisonPlaces: Sendable {
    /// The most distinct places. A recursive model has more of them the deeper the text is nested.
    static let maxCount = 10_000
    /// The most characters of a name that are kept. Names come from a server, and may be as long as the body.
    private static let maxNameLength = 200
    /// The index of the whole document.
    static let root = 0

    /// The way from a value to one inside it.
    enum Step: Equatable, Sendable {
        /// To a member, by the model's key.
        case key(String)
        /// To the elements of an array.
        case element
        /// To the members of a dictionary.
        case member
    }

    /// A place, and what was counted there.
    struct Node: Sendable {
        /// The index of the place around this one.
        let parent: Int
        /// The step from there.
        let step: Step
        /// The key in the text.
        var name: String
        /// How many values there are.
        var values = 0
        /// How many of the values are objects that the model has asked for keys.
        var objects = 0
        /// How many of the values are lists that the model has asked for elements.
        var lists = 0
        /// How many elements those lists have together.
        var elements = 0
        /// Whether the model asked for the value as one that may be absent.
        var isOptional = false
        /// Whether the values are dictionaries, whose keys are data.
        var isDictionary = false
        /// The indexes of the places inside this one.
        fileprivate var children: [Int] = []
        /// The position in `children` of the place that is probably asked for next. A type asks for the same keys in
        /// the same order each time.
        fileprivate var nextChild = 0

        init(parent: Int, step: Step, name: String) {
            self.parent = parent
            self.step = step
            self.name = name
        }
    }

    var nodes = [Node(parent: -1, step: .element, name: "$")]
    /// Whether no place was left out, so that ``notes`` has all notes.
    private(set) var isComplete = true

    // MARK: Finding places

    /// Returns the place that a step from another place leads to, and adds it if it is new.
    ///
    /// From `$.results`, the step to the elements leads to `$.results[*]`.
    ///
    /// - Parameters:
    ///   - step: The step to a member or to the elements.
    ///   - parent: The index of the place where the step starts.
    ///   - name: The key as the text spells it. It is evaluated only for a new place.
    /// - Returns: The index of the place. Nil if the place is new and there are ``maxCount`` places already.
    mutating func child(_ step: Step, of parent: Int, name: @autoclosure () -> String = "*") -> Int? {
        if let known = knownChild(of: parent, where: { $1 == step }) { return known }
        return addChild(step, of: parent, name: name())
    }

    /// Returns the places of the members of an object, and adds those that are new.
    ///
    /// The places that are known are looked up in a dictionary, so that the time is in proportion to the number of
    /// keys.
    ///
    /// - Parameters:
    ///   - keys: The keys as the text spells them.
    ///   - parent: The index of the object's place.
    /// - Returns: The index of the place of each key; nil for those beyond ``maxCount`` places.
    mutating func members(_ keys: [String], of parent: Int) -> [Int?] {
        var known: [String: Int] = [:]
        for index in nodes[parent].children {
            if case .key(let key) = nodes[index].step { known[key] = index }
        }
        return keys.map { key in
            if let index = known[key] { return index }
            known[key] = addChild(.key(key), of: parent, name: key)
            return known[key]
        }
    }

    /// Adds a place that is not known, and returns its index; nil if there are ``maxCount`` places already.
    private mutating func addChild(_ step: Step, of parent: Int, name: @autoclosure () -> String) -> Int? {
        guard nodes.count < Self.maxCount else {
            isComplete = false
            return nil
        }
        let newIndex = nodes.count
        nodes[parent].children.append(newIndex)
        nodes[parent].nextChild = 0
        nodes.append(Node(parent: parent, step: step, name: Self.shortened(name())))
        return newIndex
    }

    /// Returns the first place inside another one that satisfies a condition.
    ///
    /// All elements of a list mostly have the same keys in the same order. So the search begins after the place that it
    /// found last, and goes on from the start after the last place. Most searches need a single comparison then.
    ///
    /// - Parameters:
    ///   - parent: The index of the place around those that are searched.
    ///   - matches: Whether the place with this index, to which this step leads, is the one that is looked for.
    /// - Returns: The index of the place; nil if none matches.
    @inline(__always)
    mutating func knownChild(of parent: Int, where matches: (_ index: Int, _ step: Step) -> Bool) -> Int? {
        let children = nodes[parent].children
        var position = nodes[parent].nextChild
        for _ in children.indices {
            let index = children[position]
            let isLast = position + 1 == children.count
            position = isLast ? 0 : position + 1
            if matches(index, nodes[index].step) {
                nodes[parent].nextChild = position
                return index
            }
        }
        return nil
    }

    // MARK: Counting

    /// Counts an object that the model has asked for keys.
    mutating func countObject(at index: Int) { nodes[index].objects += 1 }

    /// Counts a list that the model has asked for its elements.
    mutating func countList(at index: Int, elements: Int) {
        nodes[index].lists += 1
        nodes[index].elements += elements
    }

    /// Adds the places and counts of another response to the same endpoint.
    ///
    /// Both are trees, and the same place may have another index in each. As a parent always comes before its children,
    /// one pass over the other tree finds each of its places here, or adds it. Places beyond ``maxCount`` are left out.
    mutating func merge(_ other: ComparisonPlaces) {
        isComplete = isComplete && other.isComplete
        // The indexes here of the places in `other`; nil for a place that is left out.
        var ownIndexes: [Int?] = []
        for (otherIndex, node) in other.nodes.enumerated() {
            var ownIndex: Int?
            if otherIndex == Self.root {
                ownIndex = Self.root
            } else if let parent = ownIndexes[node.parent] {
                ownIndex = child(node.step, of: parent, name: node.name)
            }
            ownIndexes.append(ownIndex)
            if let ownIndex { addCounts(of: node, at: ownIndex) }
        }
    }

    /// Adds the counts of the same place in another tree.
    private mutating func addCounts(of node: Node, at index: Int) {
        nodes[index].values += node.values
        nodes[index].objects += node.objects
        nodes[index].lists += node.lists
        nodes[index].elements += node.elements
        if node.isOptional { nodes[index].isOptional = true }
    }

    /// The keys that were never sent, and the lists that never had an element, in the order in which the model asks
    /// for them.
    package var notes: [CheckProblem] { nodes.indices.compactMap(note) }

    /// Returns a note on a list that was always empty, or on an optional key that was never sent.
    ///
    /// - Returns: The note; nil if the place had values, or must have none.
    private func note(_ index: Int) -> CheckProblem? {
        let node = nodes[index]
        if node.lists > 0, node.elements == 0 {
            return CheckProblem(.emptyList, path: path(index), count: node.lists, total: node.lists)
        }
        guard index != Self.root, node.isOptional, node.values == 0 else { return nil }
        let objects = nodes[node.parent].objects
        // Without an object around it, the key could not be sent at all.
        guard objects > 0 else { return nil }
        return CheckProblem(.absentKey, path: path(index), count: objects, total: objects)
    }

    // MARK: Paths

    /// Returns the path to a place as text: `$.results[*].adult`.
    func path(_ index: Int) -> String {
        var path = "$"
        for node in nodesFromRoot(to: index) {
            switch node.step {
            case .key: path += Self.step(node.name)
            case .element: path += "[*]"
            case .member: path += ".*"
            }
        }
        return path
    }

    /// The paths of all places where there were objects, as text.
    package var objectPaths: Set<String> { Set(nodes.indices.filter { nodes[$0].objects > 0 }.map(path)) }

    /// Returns the path to a place as coding keys: `results`, `0`, `adult`.
    ///
    /// The keys are those of the model. All elements of a list share a place, so that their position is 0, and so do
    /// the members of a dictionary.
    func codingPath(_ index: Int) -> [any CodingKey] {
        nodesFromRoot(to: index).map { node in
            switch node.step {
            case .key(let key): PositionKey(stringValue: key)
            case .element, .member: PositionKey(intValue: 0)
            }
        }
    }

    /// Returns the nodes from the one below the root to a place, which is the last.
    private func nodesFromRoot(to index: Int) -> [Node] {
        var nodesToRoot: [Node] = []
        var index = index
        while index != Self.root {
            nodesToRoot.append(nodes[index])
            index = nodes[index].parent
        }
        return nodesToRoot.reversed()
    }

    /// Returns the step of a path to a key: `.name`, or `['+1']` for a name that is not an identifier.
    package static func step(_ name: String) -> String { JSONPathComponent.key(name).text }

    /// Returns a name that is short enough to be kept: the name itself, or its first 200 characters with an ellipsis.
    ///
    /// - Parameters:
    ///   - name: The name of a key in the text.
    ///   - redact: Removes secrets from a text. With it, a shortened name ends with a hash, which tells it from other
    ///     names that begin alike. The hash is made of the redacted name, so that it gives no secret away.
    static func shortened(_ name: String, redact: ((String) -> String)? = nil) -> String {
        if name.utf8.count <= maxNameLength { return name }
        guard let redact else { return name.prefix(maxNameLength) + "…" }
        let redactedName = redact(name)
        return redactedName.prefix(maxNameLength) + "…" + String(redactedName.utf8.hash64, radix: 16)
    }
}
