/// The raw values that an enum has, in words.
enum RawValues {
    /// The most values that an error message lists.
    private static let maxListed = 20

    /// Describes the raw values of a type, for an error message.
    ///
    /// - Returns: `one of a, b` with at most 20 values, or `a` if there is only one. It is `a value of E` if the type
    ///   does not list its cases, and nil for a type without raw values.
    static func text(of type: Any.Type) -> String? {
        switch type {
        case let type as any (RawRepresentable & CaseIterable).Type:
            let values = values(of: type)
            let listedValues = values.prefix(maxListed).joined(separator: ", ")
            let oneOf = values.count == 1 ? "" : "one of "
            let ellipsis = values.count > maxListed ? ", …" : ""
            return oneOf + listedValues + ellipsis
        case is any RawRepresentable.Type: return "a value of \(type)"
        default: return nil
        }
    }

    private static func values<T: RawRepresentable & CaseIterable>(of type: T.Type) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }
}
