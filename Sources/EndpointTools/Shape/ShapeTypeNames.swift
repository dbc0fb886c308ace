import EndpointKit

/// Names for the types of a shape.
enum ShapeTypeNames {
    /// Returns a name for each type that no other type has.
    ///
    /// The name is as short as it can be: `Viewport`, or `Geometry.Viewport` if two types are called so. A number is
    /// appended if that is not enough either.
    static func of(_ types: [ObjectIdentifier: Any.Type]) -> [ObjectIdentifier: String] {
        let shortNames = types.mapValues { TypeName.text(of: $0) }
        let counts = Dictionary(shortNames.values.map { ($0, 1) }, uniquingKeysWith: +)
        // In the order of their full names, so that the numbers are the same each time.
        let sorted = types.map { (id: $0.key, fullName: _typeName($0.value, qualified: true)) }
            .sorted { $0.fullName < $1.fullName }
        let names = sorted.map { id, fullName in
            if let name = shortNames[id], counts[name] == 1 { return name }
            return withoutModule(fullName)
        }
        return Dictionary(uniqueKeysWithValues: zip(sorted.map(\.id), names.numbered(" ")))
    }

    private static func withoutModule(_ fullName: String) -> String {
        guard let dot = fullName.firstIndex(of: ".") else { return fullName }
        return String(fullName[fullName.index(after: dot)...])
    }
}

extension [String] {
    /// Returns the names with a number appended to each that has come before: `["a", "a"]` becomes `["a", "a-2"]`.
    ///
    /// - Parameters:
    ///   - separator: The text between a name and its number.
    ///   - ignoringCase: Whether names that differ only in case count as the same.
    package func numbered(_ separator: String, ignoringCase: Bool = false) -> [String] {
        var taken: Set<String> = []
        // The last number of each name, so that many equal names do not all count from 2.
        var lastNumbers: [String: Int] = [:]
        func key(_ name: String) -> String { ignoringCase ? name.lowercased() : name }
        func take(_ name: String) -> Bool { taken.insert(key(name)).inserted }
        return map { name in
            if take(name) { return name }
            var number = lastNumbers[key(name), default: 1] + 1
            while !take("\(name)\(separator)\(number)") { number += 1 }
            lastNumbers[key(name)] = number
            return "\(name)\(separator)\(number)"
        }
    }
}
