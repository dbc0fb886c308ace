import EndpointKit

/// Names for the types of a shape.
enum ShapeTypeNames {
    /// Returns a different name for each type.
    ///
    /// The name is as short as it can be: `Viewport`, or `Geometry.Viewport` if two types are called `Viewport`. If
    /// even the long names of two types are equal, a number is appended to the second one.
    static func uniqueNames(of types: [ObjectIdentifier: Any.Type]) -> [ObjectIdentifier: String] {
        let shortNames = types.mapValues { TypeName.text(of: $0) }
        var typesPerShortName: [String: Int] = [:]
        for name in shortNames.values { typesPerShortName[name, default: 0] += 1 }

        let fullNames = types.mapValues { _typeName($0, qualified: true) }
        // The types are sorted, because the order of a dictionary changes, and numbers must be the same each time.
        let sortedTypes = fullNames.sorted { $0.value < $1.value }
        let names = sortedTypes.map { type, fullName in
            if let shortName = shortNames[type], typesPerShortName[shortName] == 1 { return shortName }
            return withoutModule(fullName)
        }
        let uniqueNames = names.numbered(separator: " ")
        return Dictionary(uniqueKeysWithValues: zip(sortedTypes.map(\.key), uniqueNames))
    }

    /// Returns the name of a type without that of its module: `Geometry.Viewport` for `Maps.Geometry.Viewport`.
    private static func withoutModule(_ fullName: String) -> String {
        guard let dot = fullName.firstIndex(of: ".") else { return fullName }
        return String(fullName[fullName.index(after: dot)...])
    }
}
