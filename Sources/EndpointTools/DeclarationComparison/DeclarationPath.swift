/// The path to a part of an endpoint's declaration, such as the query item `page`, or a key of the response.
///
/// A document finds the line of the part by its path.
package struct DeclarationPath: Hashable, Sendable {
    /// The part of the declaration in which the path begins.
    package enum Root: Hashable, Sendable {
        /// The whole operation.
        case operation
        case parameter(DeclaredParameter.Place)
        case body
        /// The body in a media type.
        case content(DeclaredContent.MediaType)
        /// The body of a successful response.
        case response
    }

    /// A step from a part to a smaller one.
    package enum Step: Hashable, Sendable {
        /// From a parameter to its value.
        case value
        /// From a list to its elements.
        case elements
        /// From an object to the values of keys that have no name in the declaration.
        case members
        /// From an object to the value of a key.
        case key(String)
    }

    package let root: Root
    package private(set) var steps: [Step] = []

    package init(_ root: Root) { self.root = root }

    /// Returns the path with one more step.
    package func appending(_ step: Step) -> DeclarationPath {
        var path = self
        path.steps.append(step)
        return path
    }

    /// The path without its last step; nil if it has none.
    package var parent: DeclarationPath? {
        guard !steps.isEmpty else { return nil }
        var path = self
        path.steps.removeLast()
        return path
    }
}
