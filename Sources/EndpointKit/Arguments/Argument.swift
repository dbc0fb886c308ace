/// A value for a parameter as it was written on a command line.
public struct Argument: Sendable, Hashable {
    /// The value, in the form it was given.
    public enum Value: Sendable, Hashable {
        /// A text that the parameter's type reads.
        case text(String)
        /// JSON from a file, stdin or the command line itself; `source` names it in messages.
        case json([UInt8], source: String)
    }

    /// The parameter's Swift name, and for a field of a nested structure the names down to it: `["product", "title"]`.
    public var path: [String]
    /// The value, not yet compared with the parameter's type.
    public var value: Value
    /// The argument's place on the command line, from 1; nil where it was not typed.
    public var position: Int?

    /// A value for the parameter at `path`; neither is checked before ``EndpointDeclaration/call(_:)``.
    public init(_ path: [String], _ value: Value, position: Int? = nil) {
        self.path = path
        self.value = value
        self.position = position
    }

    /// A text for the parameter at `path`.
    public init(_ path: [String], _ text: String, position: Int? = nil) {
        self.init(path, .text(text), position: position)
    }
}

/// Arguments that do not make a case.
public enum ArgumentError: Error, Sendable, Equatable {
    /// These parameters have to be given.
    case missing([[String]])
    /// The parameter takes one value and was given several.
    case repeated([String], position: Int?)
    /// The value is not what the parameter takes.
    case invalid([String], text: String, expected: String, position: Int?)
    /// The JSON given for the parameter is not JSON, or not of its shape.
    case invalidJSON([String], source: String, problem: String, position: Int?)
    /// The parameter is a structure: give its fields, or the whole as JSON, not both.
    case bothWholeAndFields([String], position: Int?)
}
