import EndpointKit

/// A value for a parameter as given on a command line.
package struct Argument: Sendable, Hashable {
    /// The value, in the form it was given.
    package enum Value: Sendable, Hashable {
        /// Text, parsed by the parameter's type.
        case text(String)
        /// JSON from a file, stdin or the command line itself; `source` names it in messages.
        case json([UInt8], source: String)
    }

    /// The parameter's Swift name; for a field of a nested structure, the path to it: `["product", "title"]`.
    package var path: [String]
    /// The value, not yet checked against the parameter's type.
    package var value: Value
    /// A number that errors about the argument have too, so that the caller can find the argument; nil for none.
    package var position: Int?

    /// Makes a value for the parameter at `path`. Neither is checked before ``EndpointDeclaration/call(_:)``.
    package init(_ path: [String], _ value: Value, position: Int? = nil) {
        self.path = path
        self.value = value
        self.position = position
    }

    /// Makes a text for the parameter at `path`. Neither is checked before ``EndpointDeclaration/call(_:)``.
    package init(_ path: [String], _ text: String, position: Int? = nil) {
        self.init(path, .text(text), position: position)
    }

    /// The name of the JSON's source in messages; empty for a text.
    var source: String { if case .json(_, let source) = value { source } else { "" } }
}

extension [Argument] {
    /// The smallest position; nil if none of the arguments has one.
    var firstPosition: Int? { compactMap(\.position).min() }
}
