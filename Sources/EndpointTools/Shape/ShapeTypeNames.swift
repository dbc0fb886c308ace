import EndpointKit

/// Names for the types of a shape.
enum ShapeTypeNames {
    /// Returns a name for each type that no other one of the types has.
    ///
    /// The name is as short as it can be: `Viewport`, or `Geometry.Viewport` if two types are called `Viewport`. If
    /// even the long names of two types are equal, a number is appended to the second one.
    static func of(_ types: [ObjectIdentifier: Any.Type]) -> [ObjectIdentifier: String] {
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
        return Dictionary(uniqueKeysWithValues: zip(sortedTypes.map(\.key), names.numbered(" ")))
    }

    /// Returns the name of a type without that of its module: `Geometry.Viewport` for `Maps.Geometry.Viewport`.
    private static func withoutModule(_ fullName: String) -> String {
        guard let dot = fullName.firstIndex(of: ".") else { return fullName }
        return String(fullName[fullName.index(after: dot)...])
    }
}

extension [String] {
    /// Returns the names with a number appended to each that was there before.
    ///
    ///     ["a", "a", "a"].numbered("-")    →    ["a", "a-2", "a-3"]
    ///
    /// - Parameters:
    ///   - separator: The text between a name and its number.
    ///   - ignoringCase: Whether names that differ only in case count as the same.
    package func numbered(_ separator: String, ignoringCase: Bool = false) -> [String] {
        var usedNames = UsedNames(ignoringCase: ignoringCase)
        return map { name in usedNames.addNumbered(name, separator: separator) }
    }
}

/// The names that are in use, while names that were there before get numbers.
private struct UsedNames {
    let ignoringCase: Bool
    /// The names in use, in small letters if case is ignored.
    private var names: Set<String> = []
    /// The last number that each name got, so that many equal names do not all count from 2.
    private var lastNumbers: [String: Int] = [:]

    init(ignoringCase: Bool) { self.ignoringCase = ignoringCase }

    /// Adds a name, with the first free number if it is in use: `a-2` for `a`.
    ///
    /// - Returns: The name that was added.
    mutating func addNumbered(_ name: String, separator: String) -> String {
        let isNew = names.insert(comparedText(of: name)).inserted
        if isNew { return name }
        var number = lastNumbers[comparedText(of: name), default: 1]
        var numberedName: String
        repeat {
            number += 1
            numberedName = "\(name)\(separator)\(number)"
        } while names.contains(comparedText(of: numberedName))
        names.insert(comparedText(of: numberedName))
        lastNumbers[comparedText(of: name)] = number
        return numberedName
    }

    /// Returns the text by which two names are compared: in small letters if case is ignored.
    private func comparedText(of name: String) -> String { ignoringCase ? name.lowercased() : name }
}
