import EndpointKit
import JSONText

/// The index of a place in ``ComparisonPlaces/nodes``.
typealias PlaceIndex = Int

/// The places of a JSON document that a model asks about, with the number of values at each.
///
/// All elements of a list share a place, and so do all members of a dictionary. So a problem with each of 1,000
/// elements is a single problem. For example, this document
///
///     {"page": 1, "results": [{"adult": false}, {"adult": true}]}
///
/// has the places `$`, `$.page`, `$.results`, `$.results[*]` and `$.results[*].adult`. The last one has two values.
///
/// The places are the nodes of a tree, and each is known by its index in ``nodes``. A parent comes before its children.
package struct ComparisonPlaces: Sendable {
    /// The most places that are kept. A recursive model has more of them the deeper the document is nested.
    static let maxCount = 10_000
    /// The most characters of a name that are kept. Names come from a server, and may be as long as the body.
    private static let maxNameLength = 200
    /// The index of the whole document.
    static let root = 0

    /// The step from a place to one inside it.
    enum Step: Equatable, Sendable {
        /// To a member, by the model's key.
        case key(String)
        /// To the elements of an array.
        case element
        /// To the values of a dictionary, whatever their keys are.
        case dictionaryValue
    }

    /// A place, and what was counted there.
    struct Node: Sendable {
        /// The index of the place around this one.
        let parent: PlaceIndex
        /// The step from the place around this one.
        let step: Step
        /// The key as the document spells it, or `*`.
        var name: String
        /// The number of values at the place.
        var valueCount = 0
        /// The number of the values that are objects, which the model has asked for keys.
        var objectCount = 0
        /// The number of the values that are lists, which the model has asked for elements.
        var listCount = 0
        /// The number of elements in all these lists.
        var elementCount = 0
        /// Whether the model asked for the value as one that may be absent.
        var isOptional = false
        /// Whether the values are dictionaries, whose keys are data.
        var isDictionary = false
        /// The indexes of the places inside this one.
        fileprivate var children: [PlaceIndex] = []
        /// The position in `children` of the place that is probably asked for next. A type asks for the same keys in
        /// the same order each time.
        fileprivate var expectedChild = 0

        init(parent: PlaceIndex, step: Step, name: String) {
            self.parent = parent
            self.step = step
            self.name = name
        }
    }

    /// All places, first the whole document. That has no parent and no step, so nobody asks for these of it.
    var nodes = [Node(parent: -1, step: .element, name: "$")]
    /// Whether no place was left out, so that ``notes`` has all notes.
    private(set) var isComplete = true

    // MARK: Finding places

    /// Returns the place that a step from another place leads to, and adds it if it is new.
    ///
    /// For example, from `$.results` the step to the elements leads to `$.results[*]`.
    ///
    /// - Parameters:
    ///   - step: The step to a member or to the elements.
    ///   - parent: The place where the step starts; nil if it was left out itself.
    ///   - name: The key as the document spells it. It is evaluated only for a new place.
    /// - Returns: The place; nil if it is left out, because there are ``maxCount`` places already.
    mutating func findOrAddChild(
        _ step: Step, of parent: PlaceIndex?, name: @autoclosure () -> String = "*"
    ) -> PlaceIndex? {
        guard let parent else { return nil }
        let existingChild = findChild(of: parent) { _, stepToChild in stepToChild == step }
        return existingChild ?? addChild(step, of: parent, name: name())
    }

    /// Returns the places of several members of an object, and adds those that are new.
    ///
    /// The existing places are looked up in a dictionary, so that the time is in proportion to the number of keys.
    ///
    /// - Parameters:
    ///   - keys: The keys as the document spells them.
    ///   - parent: The place of the object.
    /// - Returns: The place of each key. It is nil for a new place if there are ``maxCount`` places already.
    mutating func findOrAddChildren(withKeys keys: [String], of parent: PlaceIndex) -> [PlaceIndex?] {
        var placesByKey: [String: PlaceIndex] = [:]
        for place in nodes[parent].children {
            if case .key(let key) = nodes[place].step { placesByKey[key] = place }
        }
        return keys.map { key in
            if let existingPlace = placesByKey[key] { return existingPlace }
            let newPlace = addChild(.key(key), of: parent, name: key)
            placesByKey[key] = newPlace
            return newPlace
        }
    }

    /// Adds a place directly inside another one.
    ///
    /// - Parameters:
    ///   - step: The step from the other place, such as the one to a member.
    ///   - parent: The other place.
    ///   - name: The key as the document spells it. It is evaluated only if the place is added.
    /// - Returns: The place; nil if it was not added, because there are ``maxCount`` places already.
    private mutating func addChild(
        _ step: Step, of parent: PlaceIndex, name: @autoclosure () -> String
    ) -> PlaceIndex? {
        if nodes.count == Self.maxCount {
            isComplete = false
            return nil
        }
        let newPlace = nodes.count
        nodes.append(Node(parent: parent, step: step, name: Self.shortened(name())))
        nodes[parent].children.append(newPlace)
        // The new child is the last one, and after the last one the first one is probably asked for again.
        nodes[parent].expectedChild = 0
        return newPlace
    }

    /// Finds a place directly inside another place. The next search begins after the place that was found.
    ///
    /// For example, `$.results[*].id` and `$.results[*].title` are directly inside `$.results[*]`. The elements of a
    /// list mostly have the same keys in the same order, so most searches need a single comparison. A search that
    /// reaches the last place goes on with the first one, until it has compared all.
    ///
    /// - Parameters:
    ///   - parent: The place around those that are searched.
    ///   - matches: Whether a place is the one to find. `step` is the step from the parent to it.
    /// - Returns: The place; nil if none matches.
    @inline(__always)
    mutating func findChild(
        of parent: PlaceIndex, where matches: (_ place: PlaceIndex, _ step: Step) -> Bool
    ) -> PlaceIndex? {
        let children = nodes[parent].children
        var position = nodes[parent].expectedChild
        for _ in children.indices {
            let child = children[position]
            let isLast = position + 1 == children.count
            let nextPosition = isLast ? 0 : position + 1
            if matches(child, nodes[child].step) {
                nodes[parent].expectedChild = nextPosition
                return child
            }
            position = nextPosition
        }
        return nil
    }

    // MARK: Counting

    /// Counts an object that the model has asked for keys.
    mutating func countObject(at place: PlaceIndex) { nodes[place].objectCount += 1 }

    /// Counts a list that the model has asked for its elements.
    mutating func countList(at place: PlaceIndex, elementCount: Int) {
        nodes[place].listCount += 1
        nodes[place].elementCount += elementCount
    }

    /// Adds the places of another response to the same endpoint, such as `$.results[*].title`, with their numbers of
    /// values.
    ///
    /// The places of each response are a tree, in which a parent comes before its children. The same place may have
    /// another index in each tree. So each place of the other tree is looked up below its parent in this tree, and
    /// added if it is not there. Places beyond ``maxCount`` are left out.
    mutating func merge(_ other: ComparisonPlaces) {
        if !other.isComplete { isComplete = false }
        // The place in this tree of each place in `other`; nil for a place that is left out.
        var mergedPlaces: [PlaceIndex?] = []
        for (otherPlace, otherNode) in other.nodes.enumerated() {
            var mergedPlace: PlaceIndex?
            if otherPlace == Self.root {
                mergedPlace = Self.root
            } else if let parent = mergedPlaces[otherNode.parent] {
                mergedPlace = findOrAddChild(otherNode.step, of: parent, name: otherNode.name)
            }
            mergedPlaces.append(mergedPlace)
            if let mergedPlace { addCounts(of: otherNode, at: mergedPlace) }
        }
    }

    /// Adds the numbers of values, objects and elements that the same place has in another response.
    private mutating func addCounts(of node: Node, at place: PlaceIndex) {
        nodes[place].valueCount += node.valueCount
        nodes[place].objectCount += node.objectCount
        nodes[place].listCount += node.listCount
        nodes[place].elementCount += node.elementCount
        if node.isOptional { nodes[place].isOptional = true }
    }

    /// The notes on optional keys that were never sent and on lists that were always empty, in the order in which the
    /// model asks for them.
    package var notes: [CheckProblem] { nodes.indices.compactMap(note(on:)) }

    /// Returns the note on a place: that its lists were always empty, or that its optional key was never sent.
    ///
    /// For example, if none of 20 objects in `$.results` had the key `tagline`, that is an `absent-key` at
    /// `$.results[*].tagline` with the count 20.
    ///
    /// - Returns: The note; nil if there is nothing to note.
    private func note(on place: PlaceIndex) -> CheckProblem? {
        let node = nodes[place]
        let wereListsEmpty = node.listCount > 0 && node.elementCount == 0
        if wereListsEmpty {
            return CheckProblem(.emptyList, path: path(place), count: node.listCount, total: node.listCount)
        }
        // The whole document has no object around it.
        let isOptionalMember = place != Self.root && node.isOptional
        let wasNeverSent = node.valueCount == 0
        guard isOptionalMember, wasNeverSent else { return nil }
        let objectCount = nodes[node.parent].objectCount
        // Without an object around it, the key could not be sent at all.
        if objectCount == 0 { return nil }
        return CheckProblem(.absentKey, path: path(place), count: objectCount, total: objectCount)
    }

    // MARK: Paths

    /// Returns the path to a place as text: `$.results[*].adult`.
    func path(_ place: PlaceIndex) -> String {
        var pathText = "$"
        for node in nodesFromRoot(to: place) {
            switch node.step {
            case .key: pathText += Self.step(node.name)
            case .element: pathText += "[*]"
            case .dictionaryValue: pathText += ".*"
            }
        }
        return pathText
    }

    /// The paths of all places where there were objects, as text.
    package var objectPaths: Set<String> { Set(nodes.indices.filter { nodes[$0].objectCount > 0 }.map(path)) }

    /// Returns the path to a place as coding keys: `results`, `0`, `adult` for `$.results[*].adult`.
    ///
    /// The keys are those of the model. The elements of a list and the values of a dictionary have the position 0.
    func codingPath(_ place: PlaceIndex) -> [any CodingKey] {
        nodesFromRoot(to: place).map { node in
            switch node.step {
            case .key(let key): PositionKey(stringValue: key)
            case .element, .dictionaryValue: PositionKey(intValue: 0)
            }
        }
    }

    /// Returns a place and all places around it, the outermost first. The root is left out.
    private func nodesFromRoot(to place: PlaceIndex) -> [Node] {
        var nodesToRoot: [Node] = []
        var currentPlace = place
        while currentPlace != Self.root {
            nodesToRoot.append(nodes[currentPlace])
            currentPlace = nodes[currentPlace].parent
        }
        return nodesToRoot.reversed()
    }

    /// Returns the step of a path to a key: `.name`, or `['+1']` for a name that is not an identifier.
    package static func step(_ name: String) -> String { JSONPathComponent.key(name).text }

    /// Returns a name unchanged if it has at most ``maxNameLength`` bytes, or else its first ``maxNameLength``
    /// characters and an ellipsis.
    ///
    /// - Parameters:
    ///   - name: The name of a key in the document.
    ///   - redact: Removes secrets from a text. With it, a shortened name ends with a hash of the whole name without
    ///     secrets, so that long names with the same beginning differ. Without it (nil), they become the same.
    static func shortened(_ name: String, redact: ((String) -> String)? = nil) -> String {
        if name.utf8.count <= maxNameLength { return name }
        guard let redact else { return name.prefix(maxNameLength) + "…" }
        let redactedName = redact(name)
        let hash = String(redactedName.utf8.hash64, radix: 16)
        return redactedName.prefix(maxNameLength) + "…" + hash
    }
}
