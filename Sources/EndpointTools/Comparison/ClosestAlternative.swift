import EndpointKit
import JSONText

/// Finds the alternative of a schema that a value is probably meant to be, such as `dog` of the alternatives `dog` and
/// `cat`.
///
/// The closest alternative is the one with the least ``AlternativeDistance``, and the first one if several are equally
/// close. For example, `{"type": "dog", "age": "x"}` is a dog with a wrong age. As a cat it would have one problem as
/// well, but a wrong `type` weighs more.
///
/// A first pass compares only the members of the value itself: an object or list inside it fits any object or list. If
/// several alternatives are equally close, a second pass compares the values inside it too, down to ``maxLevels``. Of a
/// list, only the first element is compared.
///
/// Alternatives inside alternatives would multiply the second passes. So all of them share a budget of comparisons that
/// is in proportion to the document.
final class ClosestAlternative {
    /// The most levels of nesting that are compared. Documents of JSON:API differ in `data.type` or `data[0].type`,
    /// which are three levels deep.
    private static let maxLevels = 4
    /// The comparisons that second passes may make for each value of the document. Few values need a second pass.
    private static let comparisonsPerValue = 16

    private let document: JSONDocument
    private let steps: ComparisonSteps
    /// How many more comparisons second passes may make. It is negative if the last one took more than there were.
    private var remainingComparisons: Int

    /// Prepares to compare the values of a document.
    ///
    /// - Parameters:
    ///   - document: The document that has all values of the later searches.
    ///   - steps: Counts the values that are compared, and stops the search if the caller wants so.
    init(_ document: JSONDocument, steps: ComparisonSteps) {
        self.document = document
        self.steps = steps
        let valueCount = document.next(after: JSONDocument.root)
        remainingComparisons = valueCount * Self.comparisonsPerValue
    }

    /// Finds the alternative that an object differs least from, such as `dog` of the alternatives `dog` and `cat`.
    ///
    /// - Returns: The alternative; nil if there are none.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    func findAlternative(
        for object: DocumentIndex, among alternatives: [ObjectAlternative]
    ) throws -> ObjectAlternative? {
        let hasNoChoice = alternatives.count <= 1
        if hasNoChoice { return alternatives.first }
        let objectMembers = members(of: object)
        return try findClosest(alternatives, to: object) { alternative, levels in
            try measureObject(with: objectMembers, from: alternative, levels: levels)
        }
    }

    /// Returns what the elements of a list may be.
    ///
    /// If several kinds of lists are allowed, such as lists of strings and lists of objects, the list is of the kind
    /// that its first element is closest to.
    ///
    /// - Parameters:
    ///   - list: The list in the document.
    ///   - elementAlternatives: The alternatives of the elements, for each kind of list that is allowed.
    /// - Returns: The alternatives of the elements for one kind of list; nil if no kind is allowed.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    func findElements(
        of list: DocumentIndex, among elementAlternatives: [LazyAlternatives]
    ) throws -> ShapeAlternatives? {
        let hasNoChoice = elementAlternatives.count <= 1
        if hasNoChoice { return elementAlternatives.first?.alternatives }
        let closest = try findClosest(elementAlternatives, to: list) { elements, levels in
            try measureFirstElement(of: list, from: elements.alternatives, levels: levels)
        }
        return closest?.alternatives
    }

    // MARK: Searching

    /// Finds the alternative with the least distance from an object or list, in two passes.
    ///
    /// The first pass compares one level of nesting. If several alternatives are equally close, the second pass
    /// compares these down to ``maxLevels`` levels. Second passes share a budget of comparisons. If it is spent before
    /// the end of this pass, the pass does not count. Of alternatives that are equally close, the first one is
    /// returned.
    ///
    /// - Parameters:
    ///   - alternatives: The alternatives, of which there are at least two.
    ///   - container: The object or list in the document.
    ///   - measure: Returns the distance from one alternative, comparing values down to a number of levels.
    /// - Throws: The error of `measure`.
    private func findClosest<Alternative>(
        _ alternatives: [Alternative], to container: DocumentIndex,
        measure: (_ alternative: Alternative, _ levels: Int) throws -> AlternativeDistance
    ) throws -> Alternative? {
        let closestAtFirstLevel = try Self.allClosest(alternatives) { alternative in try measure(alternative, 1) }
        if closestAtFirstLevel.count == 1 { return closestAtFirstLevel[0] }
        spendComparisons(of: container, with: closestAtFirstLevel.count)
        if remainingComparisons <= 0 { return closestAtFirstLevel.first }
        let closestAtAllLevels = try Self.allClosest(closestAtFirstLevel) { alternative in
            try measure(alternative, Self.maxLevels)
        }
        // If the budget ended during the pass, the later alternatives were compared less deeply than the first ones.
        let isSecondPassComplete = remainingComparisons > 0
        return isSecondPassComplete ? closestAtAllLevels.first : closestAtFirstLevel.first
    }

    /// Returns the alternatives with the least distance: several if they are equally close.
    ///
    /// - Throws: The error of `measure`.
    private static func allClosest<Alternative>(
        _ alternatives: [Alternative], measure: (_ alternative: Alternative) throws -> AlternativeDistance
    ) rethrows -> [Alternative] {
        let distances = try alternatives.map(measure)
        let leastDistance = distances.min()
        let closestIndexes = alternatives.indices.filter { distances[$0] == leastDistance }
        return closestIndexes.map { alternatives[$0] }
    }

    /// Subtracts the comparisons that one level of a second pass takes from those that remain.
    ///
    /// - Parameters:
    ///   - container: The object, whose members are compared, or the list, whose first element is compared.
    ///   - alternativeCount: The number of alternatives that it is compared with.
    private func spendComparisons(of container: DocumentIndex, with alternativeCount: Int) {
        let isObject = document.kind(of: container) == .object
        let valueCount = isObject ? document.count(of: container) : 1
        remainingComparisons -= (valueCount + 1) * alternativeCount
    }

    // MARK: Distances

    /// Returns the distance of an object from an alternative: the number of differences of each kind, such as
    /// unexpected keys.
    ///
    /// - Parameters:
    ///   - members: The keys of the object, with the indexes of their values in the document.
    ///   - alternative: The members that the object may have.
    ///   - levels: How many levels of nesting are compared. One level is that of the members.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private func measureObject(
        with members: [(key: String, value: DocumentIndex)], from alternative: ObjectAlternative, levels: Int
    ) throws -> AlternativeDistance {
        var distance = AlternativeDistance.zero
        var presentRequiredKeys = 0
        var expectedKeys = 0
        for (key, value) in members {
            try steps.countStep()
            guard let member = alternative.member(of: key) else {
                distance.unexpectedKeys += 1
                continue
            }
            expectedKeys += 1
            if member.isRequired { presentRequiredKeys += 1 }
            distance += try measureMember(value, from: member, levels: levels)
        }
        // A key may come twice in the object, so that more required keys are counted than there are.
        let missingKeys = max(0, alternative.requiredIndexes.count - presentRequiredKeys)
        distance.otherProblems += missingKeys
        // The keys may be the cases of an enum, of which an object has exactly one.
        if alternative.keyMeaning == .caseNames, expectedKeys != 1 { distance.otherProblems += 1 }
        return distance
    }

    /// Returns the distance of a member's value from what the member may be.
    ///
    /// If the value does not fit, the member decides how much that weighs. From the most to the least, the member may
    /// be
    ///
    /// 1. a constant, which is probably the discriminator of the alternatives, such as `type`,
    /// 2. a required enum,
    /// 3. anything else, for which the differences in the value itself are counted.
    ///
    /// - Parameters:
    ///   - value: The member's value in the document.
    ///   - member: The member that the alternative names.
    ///   - levels: How many levels of nesting are compared. One level is that of the value.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private func measureMember(
        _ value: DocumentIndex, from member: ObjectAlternative.Member, levels: Int
    ) throws -> AlternativeDistance {
        let distance = try measureValue(value, from: member.alternatives, levels: levels)
        if distance == .zero { return .zero }
        // Nil unless the member is an enum and nothing else.
        guard let listedValues = member.alternatives.valuesOfOnlyEnum else { return distance }
        let isConstant = listedValues.count == 1
        if isConstant { return AlternativeDistance(wrongConstants: 1) }
        return member.isRequired ? AlternativeDistance(unlistedValues: 1) : distance
    }

    /// Returns the distance of a value of any kind from the closest of its alternatives: zero if it fits one of them.
    ///
    /// - Parameter levels: How many levels of nesting are compared. With one level, an object or list fits if any
    ///   object or list is allowed.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private func measureValue(
        _ value: DocumentIndex, from alternatives: ShapeAlternatives, levels: Int
    ) throws -> AlternativeDistance {
        let kind = document.kind(of: value)
        if alternatives.allowsAnything { return .zero }
        if kind == .null, alternatives.allowsNull { return .zero }
        let json = JSONValue(document, slot: value)
        let fitsScalarOrEnum = alternatives.scalars.contains { $0.fit(json) == .fits }
        if fitsScalarOrEnum { return .zero }
        switch kind {
        case .array where !alternatives.lists.isEmpty:
            if levels == 1 { return .zero }
            return try measureList(value, from: alternatives.lists, levels: levels - 1)
        case .object where !alternatives.objects.isEmpty:
            if levels == 1 { return .zero }
            return try measureInnerObject(value, from: alternatives.objects, levels: levels - 1)
        default:
            // A value of a kind that is not allowed, or a scalar that fits no alternative, is a single problem.
            return AlternativeDistance(otherProblems: 1)
        }
    }

    /// Returns the distance of an object from the closest of several alternatives: how much it differs from that one.
    ///
    /// The comparisons that this takes are subtracted from a budget, which keeps the time in proportion to the
    /// document. When the budget is spent, each object counts as fitting.
    ///
    /// - Parameters:
    ///   - object: The object in the document, which is inside the value whose closest alternative is looked for.
    ///   - alternatives: The objects that it may be.
    ///   - levels: How many levels of nesting are compared. One level is that of the object's members.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private func measureInnerObject(
        _ object: DocumentIndex, from alternatives: [ObjectAlternative], levels: Int
    ) throws -> AlternativeDistance {
        spendComparisons(of: object, with: alternatives.count)
        if remainingComparisons <= 0 { return .zero }
        let objectMembers = members(of: object)
        let distances = try alternatives.map { alternative in
            try measureObject(with: objectMembers, from: alternative, levels: levels)
        }
        // There is a least distance, because callers pass at least one alternative.
        return distances.min() ?? .zero
    }

    /// Returns the distance of a list from the closest of several kinds of lists: how much it differs from that kind.
    ///
    /// The comparisons that this takes are subtracted from a budget, which keeps the time in proportion to the
    /// document. When the budget is spent, each list counts as fitting.
    ///
    /// - Parameters:
    ///   - list: The list in the document.
    ///   - listKinds: What the elements may be, for each kind of list that is allowed.
    ///   - levels: How many levels of nesting are compared. One level is that of the elements.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private func measureList(
        _ list: DocumentIndex, from listKinds: [LazyAlternatives], levels: Int
    ) throws -> AlternativeDistance {
        spendComparisons(of: list, with: listKinds.count)
        if remainingComparisons <= 0 { return .zero }
        let distances = try listKinds.map { elements in
            try measureFirstElement(of: list, from: elements.alternatives, levels: levels)
        }
        // There is a least distance, because callers pass at least one kind.
        return distances.min() ?? .zero
    }

    /// Returns the distance of the first element of a list from what elements may be; zero if the list is empty.
    ///
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private func measureFirstElement(
        of list: DocumentIndex, from elementAlternatives: ShapeAlternatives, levels: Int
    ) throws -> AlternativeDistance {
        try steps.countStep()
        guard document.count(of: list) > 0 else { return .zero }
        return try measureValue(document.first(in: list), from: elementAlternatives, levels: levels)
    }

    /// Returns the keys of an object, with the indexes of their values in the document.
    private func members(of object: DocumentIndex) -> [(key: String, value: DocumentIndex)] {
        document.values(in: object).map { value in
            (document.keyText(at: document.keyIndex(ofMember: value)), value)
        }
    }
}
