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
package struct FoldedPlaces: Sendable {
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

    // MARK: Finding places

    /// Returns the place that a step leads to, which is made if it is new.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - parent: The index of the place that it starts from.
    ///   - name: The key in the text, for a place that is new.
    /// - Returns: The index of the place; nil if it is new and there are too many.
    mutating func child(_ step: Step, of parent: Int, name: @autoclosure () -> String = "*") -> Int? {
        if let known = knownChild(of: parent, where: { $1 == step }) { return known }
        guard nodes.count < Self.maxCount else { return nil }
        nodes[parent].children.append(nodes.count)
        nodes[parent].nextChild = 0
        nodes.append(Node(parent: parent, step: step, name: Self.shortened(name())))
        return nodes.count - 1
    }

    /// Returns the first child of a place that matches, beginning with the one that probably does.
    ///
    /// - Parameters:
    ///   - parent: The index of the place.
    ///   - matches: Whether a child is the one that is looked for.
    /// - Returns: The index of the child; nil if none matches.
    @inline(__always)
    mutating func knownChild(of parent: Int, where matches: (_ index: Int, _ step: Step) -> Bool) -> Int? {
        let children = nodes[parent].children
        var position = nodes[parent].nextChild
        for _ in children.indices {
            let index = children[position]
            position = position + 1 < children.count ? position + 1 : 0
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

    /// Adds the counts of `other`, whose places may have other indexes.
    mutating func merge(_ other: FoldedPlaces) {
        // By the index in `other`; nil for a place that is one too many.
        var targets: [Int?] = [Self.root]
        for (index, node) in other.nodes.enumerated() {
            if index != Self.root {
                let parent = targets[node.parent]
                targets.append(parent.flatMap { child(node.step, of: $0, name: node.name) })
            }
            guard let target = targets[index] else { continue }
            nodes[target].values += node.values
            nodes[target].objects += node.objects
            nodes[target].lists += node.lists
            nodes[target].elements += node.elements
            if node.isOptional { nodes[target].isOptional = true }
        }
    }

    /// The keys that were never sent, and the lists that never had an element, in the order in which the model asks
    /// for them.
    package var notes: [CheckProblem] { nodes.indices.compactMap(note) }

    /// Returns the note on a place; nil if it was in the text, or need not be.
    private func note(_ index: Int) -> CheckProblem? {
        let node = nodes[index]
        if node.lists > 0, node.elements == 0 {
            return CheckProblem(.emptyList, path: path(index), count: node.lists, total: node.lists)
        }
        guard index != Self.root, node.isOptional, node.values == 0 else { return nil }
        let objects = nodes[node.parent].objects
        // Without an object, there was no place for the key.
        guard objects > 0 else { return nil }
        return CheckProblem(.absentKey, path: path(index), count: objects, total: objects)
    }

    // MARK: Paths

    /// Returns the path to a place as text: `$.results[*].adult`.
    func path(_ index: Int) -> String {
        let steps = nodesFromRoot(to: index).map { node in
            switch node.step {
            case .key: Self.step(node.name)
            case .element: "[*]"
            case .member: ".*"
            }
        }
        return "$" + steps.joined()
    }

    /// The paths of all places where there were objects, as text.
    package var objectPaths: Set<String> { Set(nodes.indices.filter { nodes[$0].objects > 0 }.map(path)) }

    /// Returns the path to a place with the model's keys. Elements of lists and members of dictionaries have the
    /// position 0.
    func codingPath(_ index: Int) -> [any CodingKey] {
        nodesFromRoot(to: index).map { node in
            if case .key(let key) = node.step { PositionKey(stringValue: key) } else { PositionKey(intValue: 0) }
        }
    }

    /// Returns the nodes on the way to a place, without the root.
    private func nodesFromRoot(to index: Int) -> [Node] {
        var way: [Node] = []
        var index = index
        while index != Self.root {
            way.append(nodes[index])
            index = nodes[index].parent
        }
        return way.reversed()
    }

    /// Returns the step of a path to a key: `.name`, or `['+1']` for a name that is not an identifier.
    package static func step(_ name: String) -> String { JSONPathComponent.key(name).text }

    /// Returns a name that is short enough to be kept.
    ///
    /// - Parameters:
    ///   - name: The name of a key in the text.
    ///   - redact: Takes secrets out of a text. With it, a cut name ends with a hash, which tells it from others that
    ///     begin alike. The hash is made of the redacted name, so that it gives no secret away.
    /// - Returns: The name, or its first characters with an ellipsis.
    static func shortened(_ name: String, redact: ((String) -> String)? = nil) -> String {
        if name.utf8.count <= maxNameLength { return name }
        guard let redact else { return name.prefix(maxNameLength) + "…" }
        let shown = redact(name)
        return shown.prefix(maxNameLength) + "…" + String(shown.utf8.hash64, radix: 16)
    }
}
