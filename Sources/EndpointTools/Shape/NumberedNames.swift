extension [String] {
    /// Returns the names with a number appended to each that was there before.
    ///
    ///     ["a", "a", "a"].numbered(separator: "-")    →    ["a", "a-2", "a-3"]
    ///
    /// - Parameters:
    ///   - separator: The text between a name and its number.
    ///   - ignoringCase: Whether names that differ only in case count as the same.
    package func numbered(separator: String, ignoringCase: Bool = false) -> [String] {
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

    /// Adds a name to those in use. If it is in use already, it gets the first free number: `a-2` for `a`.
    ///
    /// - Returns: The name that was added.
    mutating func addNumbered(_ name: String, separator: String) -> String {
        let isNew = names.insert(comparedText(of: name)).inserted
        if isNew { return name }
        // The name without a number counts as the first one, so the second one gets a 2.
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
