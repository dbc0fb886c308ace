import JSONText

extension JSONValue {
    /// The elements of a list. A value that is not a list counts as a list of one: `7` → `[7]`.
    var list: [JSONValue] { elements ?? [self] }
}
