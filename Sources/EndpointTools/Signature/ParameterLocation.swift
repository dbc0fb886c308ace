/// A part of a request that can hold parameters. The raw value is its name in a description.
package enum ParameterLocation: String, Sendable, CaseIterable {
    case path
    case query
    case header
    case body
}
