/// The comparison of two values as a whole: of their kinds of JSON, and of the values that enums list.
///
/// For example, a string in the document does not match an integer in the API, and an enum of `small` and `huge` does
/// not match one of `small` and `large`. The members of objects and the elements of lists are not compared.
struct WholeValueComparison {
    /// The values that the document allows.
    let document: ShapeSummary
    /// The values that the API allows.
    let api: ShapeSummary
    /// The part of the exchange that the values belong to.
    let part: ComparedPart
    /// Whether something that the API accepts beyond the document is a difference too.
    let isStrict: Bool

    /// The result of the comparison.
    enum Match {
        /// At least one side allows any JSON.
        case anyJSON
        /// The kinds of JSON differ.
        case otherKinds
        /// The kinds are the same, but the listed values or dates differ.
        case otherValues
        case equal

        /// Whether the members and elements of the values can be compared. Values of different kinds have no common
        /// ones.
        var hasComparableParts: Bool { self == .otherValues || self == .equal }
    }

    /// The result of the comparison. Making it takes some time.
    var match: Match {
        if document.isAny || api.isAny { return .anyJSON }
        if !acceptsKinds { return .otherKinds }
        return acceptsListedValues ? .equal : .otherValues
    }

    /// Returns the difference to report for a result of the comparison: `expected integer, found string`.
    ///
    /// The API's values are expected, and the document's are found.
    ///
    /// - Parameter match: The result of this comparison, from the property ``match``.
    /// - Returns: The difference; nil if the values match. Any JSON matches everything, unless the comparison is
    ///   strict.
    func violation(for match: Match) -> FieldRule.Violation? {
        let kind: CheckProblem.Kind
        switch match {
        case .equal:
            return nil
        case .otherValues:
            kind = part.kindOfWrongValue
        case .otherKinds:
            kind = part.kindOfWrongType
        case .anyJSON:
            // In a strict comparison, any JSON matches only any JSON.
            let isOneSided = document.isAny != api.isAny
            guard isStrict, isOneSided else { return nil }
            kind = part.kindOfWrongType
        }
        return FieldRule.Violation(kind: kind, expected: api.phrase, found: document.phrase)
    }

    // MARK: Kinds

    /// Whether the API accepts each kind of value that the document allows, such as strings. In a strict comparison, it
    /// must accept no others.
    private var acceptsKinds: Bool {
        // The values of both enums are texts in the request, so that their kinds do not matter.
        if document.isListed, api.isListed, part.isWrittenAsText { return true }
        guard document.kinds.allSatisfy(acceptsKind) else { return false }
        if !isStrict { return true }
        // Null means the same as absence.
        return api.kinds.subtracting([.null]).isSubset(of: document.kinds)
    }

    /// Whether the API accepts values of a kind of JSON that the document allows, such as integers.
    ///
    /// It does if it declares the same kind, or numbers for integers. Two more kinds are accepted:
    /// - Null in a request, because a parameter that is null is left out.
    /// - Any value that is written as a text, if the API declares a string and the comparison is not strict: `--id 7`
    ///   sends the same for the string "7" as for the integer 7.
    private func acceptsKind(_ kind: ShapeSummary.Kind) -> Bool {
        if api.kinds.contains(kind) { return true }
        if kind == .integer, api.kinds.contains(.number) { return true }
        // A parameter that is null is left out.
        if kind == .null, part.isSent { return true }
        let mayWriteAnyText = api.kinds.contains(.string) && !isStrict
        guard mayWriteAnyText else { return false }
        switch part {
        case .received, .sent(as: .json): return false
        // A list or an object is not one text here, but several.
        case .sent(as: .texts): return kind.isScalar
        case .sent(as: .oneText): return true
        }
    }

    // MARK: Listed values

    /// Whether the API accepts each value that an enum in the document lists, and reads a date only where the document
    /// has one. In a strict comparison, both must list the same values.
    ///
    /// For example, an API that lists `small` and `large` does not accept a document with `small` and `huge`.
    private var acceptsListedValues: Bool {
        let mayHaveOtherStrings = document.kinds.contains(.string) && !document.hasOnlyDates
        if part == .received, api.hasOnlyDates, mayHaveOtherStrings { return false }
        let documentValues = Set(document.listedTexts)
        let apiValues = Set(api.listedTexts)
        if api.isListed {
            if document.hasUnlistedScalars { return false }
            if !documentValues.isSubset(of: apiValues) { return false }
        }
        if !isStrict || documentValues == apiValues { return true }
        // If both sides also allow all other values, the lists only tell which ones are known.
        return api.hasUnlistedScalars && document.hasUnlistedScalars
    }
}
