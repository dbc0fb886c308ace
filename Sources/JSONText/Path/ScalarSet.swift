/// The characters that one place of a regular expression may have: ranges, general categories, or all characters but
/// these.
struct ScalarSet: Sendable {
    /// Sorted and without overlaps, so that an expression with many ranges needs no more than a binary search for each
    /// character.
    private let ranges: [ClosedRange<Unicode.Scalar>]
    private let categories: Set<Unicode.GeneralCategory>
    /// Whether the set has the characters that neither ranges nor categories have.
    private let isNegated: Bool

    init(
        ranges: [ClosedRange<Unicode.Scalar>] = [], categories: Set<Unicode.GeneralCategory> = [],
        isNegated: Bool = false
    ) {
        self.ranges = Self.merged(ranges)
        self.categories = categories
        self.isNegated = isNegated
    }

    /// Makes the set of a single character.
    init(_ scalar: Unicode.Scalar) {
        self.init(ranges: [scalar...scalar])
    }

    /// Returns whether the set has a character.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        // The ranges come first, because looking up a category takes longer.
        let isListed = rangesContain(scalar) || categoriesContain(scalar)
        return isNegated ? !isListed : isListed
    }

    /// Returns whether the character's general category is one of the set's.
    ///
    /// Looking up the category of a character takes long, so this is left out if the set has no categories.
    private func categoriesContain(_ scalar: Unicode.Scalar) -> Bool {
        if categories.isEmpty { return false }
        return categories.contains(scalar.properties.generalCategory)
    }

    /// Returns whether one of the ranges has a character. This is a binary search, because the ranges are sorted and do
    /// not overlap.
    private func rangesContain(_ scalar: Unicode.Scalar) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].contains(scalar) { return true }
            if scalar < ranges[middle].lowerBound {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return false
    }

    /// Sorts ranges and joins those that overlap: `e-k`, `a-c` and `b-d` become `a-d` and `e-k`.
    private static func merged(_ ranges: [ClosedRange<Unicode.Scalar>]) -> [ClosedRange<Unicode.Scalar>] {
        var mergedRanges: [ClosedRange<Unicode.Scalar>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = mergedRanges.last, range.lowerBound <= last.upperBound {
                // The range overlaps the one before it, which is extended.
                mergedRanges[mergedRanges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                mergedRanges.append(range)
            }
        }
        return mergedRanges
    }

    /// Returns the general categories that a name stands for: one for `Lu`, and all kinds of letters for `L`. The
    /// result is empty if there is no such name.
    static func categories(named name: String) -> Set<Unicode.GeneralCategory> {
        if let category = categoryNames[name] { return [category] }
        // A name of one letter stands for all categories whose names start with it.
        guard name.utf8.count == 1 else { return [] }
        return Set(categoryNames.filter { $0.key.hasPrefix(name) }.values)
    }

    /// Returns all general categories except the given ones.
    static func categories(except categories: Set<Unicode.GeneralCategory>) -> Set<Unicode.GeneralCategory> {
        Set(categoryNames.values).subtracting(categories)
    }

    /// The categories by their names (UAX #44, table 12), without the surrogates, which no string has.
    private static let categoryNames: [String: Unicode.GeneralCategory] = [
        "Lu": .uppercaseLetter, "Ll": .lowercaseLetter, "Lt": .titlecaseLetter, "Lm": .modifierLetter,
        "Lo": .otherLetter, "Mn": .nonspacingMark, "Mc": .spacingMark, "Me": .enclosingMark, "Nd": .decimalNumber,
        "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation, "Pd": .dashPunctuation,
        "Ps": .openPunctuation, "Pe": .closePunctuation, "Pi": .initialPunctuation, "Pf": .finalPunctuation,
        "Po": .otherPunctuation, "Sm": .mathSymbol, "Sc": .currencySymbol, "Sk": .modifierSymbol, "So": .otherSymbol,
        "Zs": .spaceSeparator, "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Cc": .control, "Cf": .format,
        "Co": .privateUse, "Cn": .unassigned,
    ]
}
