/// The place of a value that is decoded: its slot in the document's index, and the way to it from the root.
package struct ValuePlace {
    /// The slot of a value that is not in the document. It is null, or a container with one element or member if it is
    /// made up for an observer.
    static let absent = -1
    /// The slot of a container without elements or members that is made up for an observer.
    static let empty = -2

    /// The slot in the document, ``absent`` or ``empty``.
    let slot: Int
    /// The last step of the way there, or nil at the top.
    package let path: PathNode?

    /// Whether the value is in the document, and not made up.
    @inline(__always) var isInDocument: Bool { slot >= 0 }
    /// The value in the document, or nil if it is not there.
    package var knownSlot: Int? { slot >= 0 ? slot : nil }
    /// The way there, with the model's keys.
    package var codingPath: [any CodingKey] { PathNode.keys(path) }
}

/// A step of the way from the top value to one below it. The keys are made only when they are asked for.
package final class PathNode {
    package let parent: PathNode?
    /// Nil for an element of an array.
    package let key: (any CodingKey)?
    /// The position of an element in its array, or 0 for a member.
    package let index: Int
    /// A number that an observer keeps for the place, or -1. Unchecked, because each access is a single read or write
    /// by the thread that decodes.
    @exclusivity(unchecked) package var note: Int32 = -1
    /// The number of steps from the top to this one.
    package let depth: Int32

    /// Makes a step from a container to a value in it.
    ///
    /// - Parameters:
    ///   - parent: The step to the container, or nil if the container is at the top.
    ///   - key: The key of a member, or nil for an element of an array.
    ///   - index: The position of an element. It is ignored for a member.
    package init(_ parent: PathNode?, _ key: (any CodingKey)? = nil, index: Int = 0) {
        self.parent = parent
        self.key = key
        self.index = index
        depth = Self.depth(parent) + 1
    }

    /// Returns the number of steps from the top to `node`, which is 0 for the top, where there is no node.
    package static func depth(_ node: PathNode?) -> Int32 { node?.depth ?? 0 }

    /// Returns the coding path from the top to `node`, with a key such as `Index 3` for an element of an array.
    ///
    /// - Parameter node: The last step, or nil for the top, whose path is empty.
    package static func keys(_ node: PathNode?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var current = node
        while let step = current {
            keys.append(step.key ?? PositionKey(intValue: step.index))
            current = step.parent
        }
        return keys.reversed()
    }
}
