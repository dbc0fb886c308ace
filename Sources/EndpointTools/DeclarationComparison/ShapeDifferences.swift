import EndpointKit
import JSONText

/// Finds the differences between the values that a document declares and those that an API declares.
///
/// The document is what is found, and the API is what is expected. Values are compared level by level: first the values
/// as a whole, then their members and elements, then the members of those. So a deep shape costs no stack, and each
/// difference has the shortest path. A model that holds itself comes to an end, because the same two shapes are
/// compared once.
struct ShapeDifferences {
    /// The deepest level that is compared. Real models have up to 20 levels.
    private static let maxDepth = 200
    /// The most keys that a difference names.
    private static let maxShownKeys = 5
    /// The most differences that are kept. Nobody reads more, and each one has a path of its own.
    private static let maxDifferences = 10_000

    /// A place in the two declarations that are compared, such as `query.page` or `$.pets[*].name`.
    private struct Place {
        /// The index of the place around this one; nil for a whole value.
        let parent: Int?
        /// The step from the place around this one, or the path to a whole value.
        let step: Step
        /// The position of its differences in the report among the parts of the place around it. For a whole value, it
        /// is the position among all whole values.
        let reportOrder: Int
        /// The number of places around this one.
        let depth: Int
    }

    private enum Step {
        /// The whole value of a parameter, a body or a response. `shownPath` is its path in the report.
        case wholeValue(DeclarationPath, shownPath: String)
        /// A part of the value around it.
        case part(DeclarationPath.Step)
    }

    /// The values that the document and the API declare at the same place.
    private struct ValuePair {
        /// The alternatives in the document: a value has one of these shapes.
        let documentShapes: [ScopedShape]
        /// The alternatives in the API.
        let apiShapes: [ScopedShape]
        let part: ComparedPart
        /// The index in ``places`` of the place where the values are.
        let placeIndex: Int

        /// The shapes without the place.
        var shapePair: ComparedModels.ShapePair {
            ComparedModels.ShapePair(documentShapes: documentShapes, apiShapes: apiShapes, part: part)
        }

        /// Whether the same two shapes may be compared again inside this pair. Only a model can lead back to them.
        var mayRecur: Bool { documentShapes.contains(where: \.namesModel) || apiShapes.contains(where: \.namesModel) }
    }

    /// A difference with its position in the report: that of each place around it, the outermost first.
    private struct OrderedDifference {
        let difference: DeclarationDifference
        let reportOrder: [Int]
    }

    private let isStrict: Bool
    /// The models and the equal shapes of all comparisons so far. This one adds its own.
    private let comparedModels: ComparedModels
    private var places: [Place] = []
    /// All values that are or were to be compared. Comparing a pair adds those of its parts.
    private var valuePairs: [ValuePair] = []
    /// The shapes that were compared, if they name a model. Only such shapes may come again.
    private var comparedShapes: Set<ComparedModels.ShapePair> = []
    /// The shapes, without null, whose members and elements were compared, if they name a model.
    private var shapesWithComparedParts: Set<ComparedModels.ShapePair> = []
    private var differences: [OrderedDifference] = []
    /// The position in the report of the next whole value, or of the next difference that is added.
    private var nextReportOrder = 0
    /// The number of values and keys that may still be compared.
    private(set) var remainingSteps: Int
    /// Whether parts were left out, because there are too many of them, or because they are too deep.
    private(set) var isIncomplete = false

    /// Prepares to compare values of a document with values of an API.
    ///
    /// - Parameters:
    ///   - isStrict: Whether something that the API accepts beyond the document is a difference too.
    ///   - maxSteps: The number of values and keys that may be compared.
    ///   - comparedModels: The models and equal shapes of earlier comparisons that are as strict.
    init(isStrict: Bool, maxSteps: Int, comparedModels: ComparedModels) {
        self.isStrict = isStrict
        self.comparedModels = comparedModels
        remainingSteps = maxSteps
    }

    // MARK: Values to compare

    /// Adds the value of a parameter, a body or a response to those that ``compare()`` compares later.
    ///
    /// The models that its shapes name are stored in ``comparedModels``, where they are looked up during the
    /// comparison.
    ///
    /// - Parameters:
    ///   - documentShape: The shape of the value in the document.
    ///   - apiShapes: The alternatives for the value in the API: it has one of these shapes.
    ///   - part: The part of the exchange that the value belongs to, which decides about the kinds of problems.
    ///   - path: The path to the value in the document.
    ///   - shownPath: The path in the report, such as `query.page`.
    mutating func addWholeValue(
        documentShape: ModelShape, apiShapes: [ModelShape], part: ComparedPart, path: DeclarationPath,
        shownPath: String
    ) {
        // Equal shapes have no differences. Most operations of two versions of a document are equal.
        let areEqual = apiShapes == [documentShape]
        if areEqual { return }
        let scopedDocumentShape = comparedModels.storeModels(of: documentShape, on: .document)
        let scopedAPIShapes = apiShapes.map { comparedModels.storeModels(of: $0, on: .api) }
        // A whole value is inside of no other place. Its differences are reported after those of earlier values.
        let placeIndex = places.count
        let step = Step.wholeValue(path, shownPath: shownPath)
        places.append(Place(parent: nil, step: step, reportOrder: nextReportOrder, depth: 0))
        nextReportOrder += 1
        valuePairs.append(
            ValuePair(
                documentShapes: [scopedDocumentShape], apiShapes: scopedAPIShapes, part: part,
                placeIndex: placeIndex))
    }

    /// Adds a difference that is already known, such as a parameter that the document lacks.
    mutating func addDifference(_ problem: CheckProblem, path: DeclarationPath) {
        keep(DeclarationDifference(problem: problem, path: path), reportOrder: [nextReportOrder])
        nextReportOrder += 1
    }

    /// Returns the values that a shape allows, and stores the models that it names in ``comparedModels``.
    ///
    /// - Parameters:
    ///   - shape: The shape with the models that it names.
    ///   - side: The document or the API, to which the shape belongs.
    func summary(of shape: ModelShape, on side: ComparedModels.Side) -> ShapeSummary {
        summary(of: [comparedModels.storeModels(of: shape, on: side)])
    }

    /// Returns the values that at least one of several shapes allows.
    private func summary(of shapes: [ScopedShape]) -> ShapeSummary {
        ShapeSummary(shapes, models: comparedModels.models)
    }

    /// Compares the values that were added with ``addWholeValue(documentShape:apiShapes:part:path:shownPath:)``, and
    /// all values inside them.
    ///
    /// - Returns: The differences of the values, and those that were added with ``addDifference(_:path:)``, in the
    ///   order of the document.
    mutating func compare() -> [DeclarationDifference] {
        // A breadth-first search: comparing a pair of values appends the pairs of the values inside them.
        var nextPair = 0
        while nextPair < valuePairs.count, remainingSteps > 0 {
            comparePair(valuePairs[nextPair])
            nextPair += 1
        }
        if nextPair < valuePairs.count { isIncomplete = true }
        // A difference inside two shapes is not noted at the shapes around it. So the shapes are only known to be equal
        // if the whole comparison has found no difference.
        if differences.isEmpty, !isIncomplete { comparedModels.addEqual(comparedShapes) }
        return sortedDifferences
    }

    /// The differences in the order of the document. Those at the same place stay in the order in which they were
    /// found.
    private var sortedDifferences: [DeclarationDifference] {
        let sortedIndexes = differences.indices.sorted { left, right in
            let leftOrder = differences[left].reportOrder
            let rightOrder = differences[right].reportOrder
            if leftOrder == rightOrder { return left < right }
            return leftOrder.lexicographicallyPrecedes(rightOrder)
        }
        return sortedIndexes.map { differences[$0].difference }
    }

    // MARK: Places and differences

    /// Adds a place inside of another one.
    ///
    /// - Parameters:
    ///   - step: The step from the other place, such as the one to a member.
    ///   - parent: The index of the other place.
    ///   - reportOrder: The position in the report among the parts of the other place.
    /// - Returns: The index of the new place.
    private mutating func addPlace(_ step: DeclarationPath.Step, inside parent: Int, reportOrder: Int) -> Int {
        let depth = places[parent].depth + 1
        places.append(Place(parent: parent, step: .part(step), reportOrder: reportOrder, depth: depth))
        return places.count - 1
    }

    /// The location of a place in the document and in the report.
    private struct Location {
        /// The path to the place in the document.
        var documentPath = DeclarationPath(.operation)
        /// The path that a report shows: `$.pets[*].name`.
        var shownPath = ""
        /// The positions in the report of each place around it and of the place itself, the outermost first.
        var reportOrder: [Int] = []
    }

    /// Returns the location of a place: its path in the document, and its path and position in the report.
    ///
    /// The paths are put together from the whole value down to the place.
    private func location(ofPlace placeIndex: Int) -> Location {
        var reachedLocation = Location()
        for place in placesFromRoot(to: placeIndex) {
            reachedLocation.reportOrder.append(place.reportOrder)
            switch place.step {
            case .wholeValue(let path, let shownPath):
                reachedLocation.documentPath = path
                reachedLocation.shownPath = shownPath
            case .part(let step):
                reachedLocation.documentPath = reachedLocation.documentPath.appending(step)
                reachedLocation.shownPath += step.text
            }
        }
        return reachedLocation
    }

    /// Returns a place and all places around it, the outermost first.
    private func placesFromRoot(to placeIndex: Int) -> [Place] {
        var placesToRoot: [Place] = []
        var nextIndex: Int? = placeIndex
        while let index = nextIndex {
            placesToRoot.append(places[index])
            nextIndex = places[index].parent
        }
        return placesToRoot.reversed()
    }

    /// Adds a difference of the values at a place.
    private mutating func addDifference(_ violation: FieldRule.Violation, atPlace placeIndex: Int) {
        let valueLocation = location(ofPlace: placeIndex)
        let problem = CheckProblem(
            violation.kind, path: valueLocation.shownPath, expected: violation.expected, found: violation.found)
        let difference = DeclarationDifference(problem: problem, path: valueLocation.documentPath)
        keep(difference, reportOrder: valueLocation.reportOrder)
    }

    /// Adds a difference: the document lacks a member that the API has, such as `$.pets[*].name`.
    ///
    /// The difference is at the object in the document, because the document has no place for the member.
    ///
    /// - Parameters:
    ///   - key: The key of the member.
    ///   - objects: The objects of the document and of the API.
    ///   - reportOrder: The position in the report among the parts of the objects.
    private mutating func addMissingMember(_ key: String, in objects: ValuePair, reportOrder: Int) {
        let objectLocation = location(ofPlace: objects.placeIndex)
        let shownPath = objectLocation.shownPath + DeclarationPath.Step.key(key).text
        let problem = CheckProblem(objects.part.kindOfMissingField, path: shownPath)
        let difference = DeclarationDifference(problem: problem, path: objectLocation.documentPath)
        keep(difference, reportOrder: objectLocation.reportOrder + [reportOrder])
    }

    /// Keeps a difference, unless there are ``maxDifferences`` already.
    private mutating func keep(_ difference: DeclarationDifference, reportOrder: [Int]) {
        guard differences.count < Self.maxDifferences else {
            isIncomplete = true
            return
        }
        differences.append(OrderedDifference(difference: difference, reportOrder: reportOrder))
    }

    // MARK: Comparing values

    /// Compares two values as a whole, adds the difference if there is one, and adds the pairs of the values inside
    /// them.
    ///
    /// A model may lead back to two shapes that were compared before. These are not compared again, so that the
    /// comparison of models that hold themselves comes to an end.
    private mutating func comparePair(_ pair: ValuePair) {
        // The caller stops when no steps remain.
        remainingSteps -= 1
        let shapePair = pair.shapePair
        // Values without a model can't lead back to the same shapes, so they need not be remembered.
        let mayRecur = pair.mayRecur
        if mayRecur {
            let isEqualInEarlierOperation = comparedModels.areEqual(shapePair)
            if isEqualInEarlierOperation { return }
            let isNew = comparedShapes.insert(shapePair).inserted
            if !isNew { return }
        }
        let documentSummary = summary(of: pair.documentShapes)
        let apiSummary = summary(of: pair.apiShapes)
        // Each key of an object is a step of its own.
        remainingSteps -= documentSummary.members.count + apiSummary.members.count
        let comparison = WholeValueComparison(
            document: documentSummary, api: apiSummary, part: pair.part, isStrict: isStrict)
        let match = comparison.match
        if let violation = comparison.violation(for: match) { addDifference(violation, atPlace: pair.placeIndex) }
        // Values of different kinds have no parts in common, and any JSON declares none.
        guard match.hasComparableParts else { return }
        let isTooDeep = places[pair.placeIndex].depth >= Self.maxDepth
        if isTooDeep {
            isIncomplete = true
            return
        }
        if mayRecur {
            // Null has no values inside it, so the members of `Pet` and of `Pet or null` are compared once.
            let isNew = shapesWithComparedParts.insert(shapePair.withoutNull).inserted
            if !isNew { return }
        }
        addInnerPairs(of: pair, document: documentSummary, api: apiSummary)
    }

    // MARK: Comparing parts

    /// Adds the pairs of values inside two values: the elements of lists, and the members of objects.
    ///
    /// An object may have named members, be a dictionary whose keys are data, or both. Two dictionaries are compared by
    /// their values. Two objects with named members are compared member by member, and such an object and a dictionary
    /// by the members of the object.
    ///
    /// - Parameters:
    ///   - pair: The two values.
    ///   - document: The values that the document allows.
    ///   - api: The values that the API allows.
    private mutating func addInnerPairs(of pair: ValuePair, document: ShapeSummary, api: ShapeSummary) {
        addPairIfBothHaveShapes(
            at: .elements, inside: pair, documentShapes: document.elements, apiShapes: api.elements)
        addPairIfBothHaveShapes(
            at: .members, inside: pair, documentShapes: document.unnamedMembers, apiShapes: api.unnamedMembers)
        let documentHasDictionary = !document.unnamedMembers.isEmpty
        let apiHasDictionary = !api.unnamedMembers.isEmpty
        if document.namesKeys, api.namesKeys {
            compareMembers(of: pair, document: document.members, api: api.members)
        } else if document.namesKeys, apiHasDictionary {
            compareMembers(document.members, of: pair, withDictionaryOf: api.unnamedMembers)
        } else if api.namesKeys, documentHasDictionary {
            compareDictionary(of: document.unnamedMembers, in: pair, withMembers: api.members)
        }
    }

    /// The position in the report of an object's first member. The elements of a list (0) and the values of a
    /// dictionary (1) come before it.
    private static let reportOrderOfFirstMember = 2

    /// Adds the pair of the elements of lists, or of the values of dictionaries, if both sides have them.
    ///
    /// - Parameters:
    ///   - step: `.elements` or `.members`.
    ///   - outerPair: The lists or dictionaries.
    ///   - documentShapes: The alternatives in the document: each element or value has one of these shapes. Empty if
    ///     the document has no list or dictionary there.
    ///   - apiShapes: The alternatives in the API; empty if the API has no list or dictionary there.
    private mutating func addPairIfBothHaveShapes(
        at step: DeclarationPath.Step, inside outerPair: ValuePair, documentShapes: [ScopedShape],
        apiShapes: [ScopedShape]
    ) {
        if documentShapes.isEmpty || apiShapes.isEmpty { return }
        // Differences in elements are reported before those in a dictionary's values.
        let reportOrder = step == .elements ? 0 : 1
        addPair(
            at: step, inside: outerPair, reportOrder: reportOrder, documentShapes: documentShapes,
            apiShapes: apiShapes)
    }

    /// Adds a pair of values inside two other values, such as the values of the member `name` of two objects, to the
    /// pairs that ``compare()`` compares. The new pair gets a place of its own.
    ///
    /// - Parameters:
    ///   - step: The step from the outer values to those inside, such as the one to a member.
    ///   - outerPair: The outer values: one of the document, and one of the API.
    ///   - reportOrder: The position in the report among the parts of the outer values.
    ///   - documentShapes: The alternatives in the document: a value at the place has one of these shapes.
    ///   - apiShapes: The alternatives in the API.
    private mutating func addPair(
        at step: DeclarationPath.Step, inside outerPair: ValuePair, reportOrder: Int, documentShapes: [ScopedShape],
        apiShapes: [ScopedShape]
    ) {
        let placeIndex = addPlace(step, inside: outerPair.placeIndex, reportOrder: reportOrder)
        valuePairs.append(
            ValuePair(
                documentShapes: documentShapes, apiShapes: apiShapes, part: outerPair.part, placeIndex: placeIndex))
    }

    /// Compares the members that a document names for an object with an API that reads a dictionary there.
    ///
    /// For example, the document has `small` and `large`, both of them integers, and the API a `[String: Int]`. Each
    /// value must be one that the dictionary may have. In a strict comparison, it is also a difference that the API
    /// accepts any key.
    ///
    /// - Parameters:
    ///   - members: The members that the document names: keys with the shapes of their values.
    ///   - pair: The object of the document and the dictionary of the API.
    ///   - valueShapes: The alternatives for the dictionary's values: each value has one of these shapes.
    private mutating func compareMembers(
        _ members: [ShapeSummary.Member], of pair: ValuePair, withDictionaryOf valueShapes: [ScopedShape]
    ) {
        if isStrict {
            let shownKeys = members.prefix(Self.maxShownKeys).map(\.key).joined(separator: ", ")
            let violation = FieldRule.Violation(
                kind: pair.part.kindOfWrongType, expected: "object with any keys",
                found: "object with the keys \(shownKeys)")
            addDifference(violation, atPlace: pair.placeIndex)
        }
        for (index, member) in members.enumerated() {
            addPair(
                at: .key(member.key), inside: pair, reportOrder: Self.reportOrderOfFirstMember + index,
                documentShapes: member.shapes, apiShapes: valueShapes)
        }
    }

    /// Compares a dictionary in a document with the members that an API names for an object there.
    ///
    /// For example, the document has a dictionary of integers, and the API a model with `small` and `large`. The
    /// document promises none of these members, so each member that the API requires is a difference. In a strict
    /// comparison, each other member is one too. The API must accept the values of the dictionary for each member.
    ///
    /// A document that says nothing about an object has a dictionary with any values there. That is a difference only
    /// in a strict comparison.
    ///
    /// - Parameters:
    ///   - valueShapes: The alternatives for the dictionary's values: each value has one of these shapes.
    ///   - pair: The dictionary of the document and the object of the API.
    ///   - members: The members that the API names: keys with the shapes of their values.
    private mutating func compareDictionary(
        of valueShapes: [ScopedShape], in pair: ValuePair, withMembers members: [ShapeSummary.Member]
    ) {
        let saysNothing = summary(of: valueShapes).isAny
        if saysNothing, !isStrict { return }
        for (index, member) in members.enumerated() {
            let reportOrder = Self.reportOrderOfFirstMember + index
            if isStrict || member.isRequired { addMissingMember(member.key, in: pair, reportOrder: reportOrder) }
            let apiShapes = acceptedShapes(of: member, part: pair.part)
            // The document has no place for the member, so the difference is at the values of the dictionary.
            addPair(
                at: .members, inside: pair, reportOrder: reportOrder, documentShapes: valueShapes,
                apiShapes: apiShapes)
        }
    }

    /// Compares the members that the document and the API name for an object, and adds the pairs of their values.
    ///
    /// A *member* is a key with the alternatives for its value. Differences are reported in the order of the document's
    /// members. Those at members that only the API has come after them.
    ///
    /// - Parameters:
    ///   - objects: The two objects: one of the document, and one of the API.
    ///   - documentMembers: The members in the document.
    ///   - apiMembers: The members in the API.
    private mutating func compareMembers(
        of objects: ValuePair, document documentMembers: [ShapeSummary.Member], api apiMembers: [ShapeSummary.Member]
    ) {
        // Documents mark the required members of requests, but many mark no member of a response. Then the missing mark
        // says nothing.
        let marksRequiredMembers = objects.part.isSent || documentMembers.contains(where: \.isRequired)
        let rule = FieldRule(
            isStrict: isStrict, part: objects.part, documentMarksRequiredFields: marksRequiredMembers)
        // A summary of shapes has each key once.
        let apiMembersByKey = Dictionary(uniqueKeysWithValues: apiMembers.map { ($0.key, $0) })
        var reportOrder = Self.reportOrderOfFirstMember
        for member in documentMembers {
            let placeIndex = addPlace(.key(member.key), inside: objects.placeIndex, reportOrder: reportOrder)
            compareMember(member, with: apiMembersByKey[member.key], by: rule, placeIndex: placeIndex)
            reportOrder += 1
        }
        let documentKeys = Set(documentMembers.map(\.key))
        let missingMembers = apiMembers.filter { !documentKeys.contains($0.key) }
        for member in missingMembers {
            addMissingMember(member.key, in: objects, reportOrder: reportOrder)
            reportOrder += 1
        }
    }

    /// Compares a member of the document's object with the API's member of the same key, and adds the pair of their
    /// values.
    ///
    /// - Parameters:
    ///   - documentMember: The member in the document: a key with the shapes of its value.
    ///   - apiMember: The member in the API; nil if the API does not have it.
    ///   - rule: The rule that says whether the API must have the member, and whether both must require it.
    ///   - placeIndex: The index in ``places`` of the place that the member has.
    private mutating func compareMember(
        _ documentMember: ShapeSummary.Member, with apiMember: ShapeSummary.Member?, by rule: FieldRule,
        placeIndex: Int
    ) {
        var violation = rule.violation(
            isRequiredInDocument: documentMember.isRequired, isRequiredInAPI: apiMember?.isRequired)
        // The rule does not know the values. People who add the member to their model need to know what it holds.
        let isUnexpectedInResponse = apiMember == nil && rule.part == .received
        if isUnexpectedInResponse { violation?.found = summary(of: documentMember.shapes).phrase }
        if let violation { addDifference(violation, atPlace: placeIndex) }

        guard let apiMember else { return }
        let apiShapes = acceptedShapes(of: apiMember, part: rule.part)
        valuePairs.append(
            ValuePair(
                documentShapes: documentMember.shapes, apiShapes: apiShapes, part: rule.part, placeIndex: placeIndex))
    }

    /// Returns the shapes that the API accepts for the value of a member. A member of a response that may be absent may
    /// be null too.
    private func acceptedShapes(of member: ShapeSummary.Member, part: ComparedPart) -> [ScopedShape] {
        let mayBeNull = part == .received && !member.isRequired
        if !mayBeNull { return member.shapes }
        // Null names no models, so it does not matter which of the shapes it shares a scope with.
        return member.shapes + [member.shapes[0].replacingShape(with: .null)]
    }
}

extension DeclarationPath.Step {
    /// The step in the path of a report.
    fileprivate var text: String {
        switch self {
        case .value: ""
        case .elements: "[*]"
        case .members: ".*"
        case .key(let key): ComparisonPlaces.step(key)
        }
    }
}
