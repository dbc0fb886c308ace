/// The name of a parameter in the notes and rules of an ``Endpoint``.
///
///     notes: ["page": "from 1", "pet.name": "as on the collar", 0: "a pet's id"]
///
/// - A value with a label has the label's name: `"page"`.
/// - A value without a label has its position among all values of the case, from 0: `0`.
/// - A field of a structure follows the name of the value and a dot: `"pet.name"`. If the structure has no label, the
///   field's name stands alone: `"name"`.
public struct ParameterName: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// The label, `page`, or the name that Swift gives to a value without one, `_0`.
    package let text: String

    /// Creates the name of a value with a label, or of a field.
    public init(stringLiteral text: String) { self.text = text }

    /// Creates the name of a value without a label, from its position among all values of the case.
    public init(integerLiteral position: Int) { text = "_\(position)" }
}
