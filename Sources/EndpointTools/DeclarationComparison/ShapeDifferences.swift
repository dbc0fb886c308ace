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
        /// The position among the parts of the place around this one, or among the whole values.
        let order: Int
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
    private struct Pair {
        /// The shapes in the document, of which a value has one.
        let documentShapes: [ScopedShape]
        /// The shapes in the API, of which a value has one.
        let apiShapes: [ScopedShape]
        let part: ComparedPart
        /// The index in ``places`` of the place where the values are.
        let placeIndex: Int

        /// The shapes without the place.
        var shapes: ComparisonMemory.Pair {
            ComparisonMemory.Pair(documentShapes: documentShapes, apiShapes: apiShapes, part: part)
        }

        /// Whether the same two shapes may be compared again inside this pair. Only a model can lead back to them.
        var mayRecur: Bool { documentShapes.contains(where: \.namesModel) || apiShapes.contains(where: \.namesModel) }
    }

    /// A difference with its position in the report: the order of each place around it, the outermost first.
    private struct OrderedDifference {
        let difference: DeclarationDifference
        let order: [Int]
    }

    private let isStrict: Bool
    /// The models and the equal shapes of all comparisons so far. This one adds its own.
    private let memory: ComparisonMemory
    private var places: [Place] = []
    /// All pairs that are or were to be compared. Comparing one adds those of its parts.
    private var pairs: [Pair] = []
    /// The shapes that were compared, as far as they may come again.
    private var comparedPairs: Set<ComparisonMemory.Pair> = []
    /// The shapes whose parts were compared, without null, as far as they may come again.
    private var pairsWithComparedParts: Set<ComparisonMemory.Pair> = []
    private var differences: [OrderedDifference] = []
    /// The order of the next whole value, or of the next difference that is added.
    private var nextOrder = 0
    /// The number of values and keys that may still be compared.
    private(set) var remainingSteps: Int
    /// Whether parts were left out, because there are too many of them, or because they are too deep.
    private(set) var isIncomplete = false

    /// Prepares a comparison.
    ///
    /// - Parameters:
    ///   - isStrict: Whether something that the API accepts beyond the document is a difference too.
    ///   - maxSteps: The number of values and keys that may be compared.
    ///   - memory: The models and equal shapes of earlier comparisons that are as strict.
    init(isStrict: Bool, maxSteps: Int, memory: ComparisonMemory) {
        self.isStrict = isStrict
        self.memory = memory
        remainingSteps = maxSteps
    }

    // MARK: Values to compare

    /// Adds the whole value of a parameter, a body or a response to the pairs that ``compare()`` compares.
    ///
    /// The value gets a place of its own. The models that its shapes name are stored in ``memory``, where they are
    /// looked up during the comparison.
    ///
    /// - Parameters:
    ///   - documentShape: The shape of the value in the document.
    ///   - apiShapes: The shapes of the value in the API, of which one is enough.
    ///   - part: The part of the exchange that the value belongs to.
    ///   - path: The path to the value in the document.
    ///   - shownPath: The path in the report, such as `query.page`.
    mutating func addPair(
        documentShape: ModelShape, apiShapes: [ModelShape], part: ComparedPart, path: DeclarationPath,
        shownPath: String
    ) {
        // Equal shapes have no differences. Most operations of two versions of a document are equal.
        let areEqual = apiShapes == [documentShape]
        if areEqual { return }
        let placeIndex = places.count
        let step = Step.wholeValue(path, shownPath: shownPath)
        // A whole value is inside of no other place.
        places.append(Place(parent: nil, step: step, order: nextOrder, depth: 0))
        nextOrder += 1
        let documentShapeWithModels = memory.storeModels(of: documentShape, on: .document)
        let apiShapesWithModels = apiShapes.map { memory.storeModels(of: $0, on: .api) }
        pairs.append(
            Pair(
                documentShapes: [documentShapeWithModels], apiShapes: apiShapesWithModels, part: part,
                placeIndex: placeIndex))
    }

    /// Adds a difference that is already known, such as a parameter that the document lacks.
    mutating func addDifference(_ problem: CheckProblem, path: DeclarationPath) {
        keep(DeclarationDifference(problem: problem, path: path), order: [nextOrder])
        nextOrder += 1
    }

    /// Returns the values that a shape allows, and stores the models that it names in ``memory``.
    ///
    /// - Parameters:
    ///   - shape: The shape with the models that it names.
    ///   - side: The document or the API, to which the shape belongs.
    func summary(of shape: ModelShape, on side: ComparisonMemory.Side) -> ShapeSummary {
        summary(of: [memory.storeModels(of: shape, on: side)])
    }

    /// Returns the values that at least one of several shapes allows.
    private func summary(of shapes: [ScopedShape]) -> ShapeSummary { ShapeSummary(shapes, models: memory.models) }

    /// Compares the values that were added.
    ///
    /// - Returns: The differences of the values, and those that were added, in the order of the document.
    mutating func compare() -> [DeclarationDifference] {
        // A breadth-first search: comparing a pair appends the pairs of its parts.
        var nextPair = 0
        while nextPair < pairs.count, remainingSteps > 0 {
            comparePair(pairs[nextPair])
            nextPair += 1
        }
        if nextPair < pairs.count { isIncomplete = true }
        if differences.isEmpty, !isIncomplete { memory.addEqual(comparedPairs) }
        return sortedDifferences
    }

    /// The differences in the order of the document. Those at the same place stay in the order in which they were
    /// found.
    private var sortedDifferences: [DeclarationDifference] {
        let sortedIndexes = differences.indices.sorted { left, right in
            let leftOrder = differences[left].order
            let rightOrder = differences[right].order
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
    ///   - order: The position among the parts of the other place.
    /// - Returns: The index of the new place.
    private mutating func addPlace(_ step: DeclarationPath.Step, inside parent: Int, order: Int) -> Int {
        places.append(Place(parent: parent, step: .part(step), order: order, depth: places[parent].depth + 1))
        return places.count - 1
    }

    /// The location of a place in the document and in the report.
    private struct Location {
        /// The path to the place in the document.
        var documentPath = DeclarationPath(.operation)
        /// The path that a report shows: `$.pets[*].name`.
        var shownPath = ""
        /// The order of the place and of each place around it, the outermost first, by which differences are sorted.
        var order: [Int] = []
    }

    /// Returns the location of a place: its paths, which are put together from the whole value down to the place.
    private func location(ofPlace placeIndex: Int) -> Location {
        var reachedLocation = Location()
        for place in placesFromRoot(to: placeIndex) {
            reachedLocation.order.append(place.order)
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
        keep(DeclarationDifference(problem: problem, path: valueLocation.documentPath), order: valueLocation.order)
    }

    /// Adds the difference that the document lacks a member of the API, such as `$.pets[*].name`.
    ///
    /// The difference is at the object in the document, because the document has no place for the member.
    ///
    /// - Parameters:
    ///   - key: The key of the member.
    ///   - pair: The objects of the document and of the API.
    ///   - order: The position of the member among the parts of the objects, by which differences are sorted.
    private mutating func addMissingMember(_ key: String, in pair: Pair, order: Int) {
        let objectLocation = location(ofPlace: pair.placeIndex)
        let shownPath = objectLocation.shownPath + DeclarationPath.Step.key(key).text
        let problem = CheckProblem(pair.part.kindOfMissingField, path: shownPath)
        let difference = DeclarationDifference(problem: problem, path: objectLocation.documentPath)
        keep(difference, order: objectLocation.order + [order])
    }

    /// Keeps a difference, unless there are ``maxDifferences`` already.
    private mutating func keep(_ difference: DeclarationDifference, order: [Int]) {
        guard differences.count < Self.maxDifferences else {
            isIncomplete = true
            return
        }
        differences.append(OrderedDifference(difference: difference, order: order))
    }

    // MARK: Comparing values

    /// Compares two values as a whole, adds the difference if there is one, and adds the pairs of the values inside
    /// them.
    ///
    /// A model may lead back to two shapes that were compared before. These are not compared again, so that the
    /// comparison of models that hold themselves comes to an end.
    private mutating func comparePair(_ pair: Pair) {
        remainingSteps -= 1
        let isFirstComparison = noteComparison(of: pair)
        if !isFirstComparison { return }
        let documentSummary = summary(of: pair.documentShapes)
        let apiSummary = summary(of: pair.apiShapes)
        // Each key of an object is a step of its own.
        remainingSteps -= documentSummary.members.count + apiSummary.members.count
        let comparison = WholeValueComparison(
            document: documentSummary, api: apiSummary, part: pair.part, isStrict: isStrict)
        let match = comparison.match
        if let violation = comparison.violation(for: match) { addDifference(violation, atPlace: pair.placeIndex) }
        guard match.haveCommonParts else { return }
        let isTooDeep = places[pair.placeIndex].depth >= Self.maxDepth
        if isTooDeep {
            isIncomplete = true
            return
        }
        let isFirstComparisonOfParts = noteComparisonOfParts(of: pair)
        if isFirstComparisonOfParts { addInnerPairs(of: pair, document: documentSummary, api: apiSummary) }
    }

    /// Notes in ``comparedPairs`` that the shapes of a pair are being compared, if they may come again.
    ///
    /// - Returns: Whether this is the first time; false if they were compared before, or are known to be equal from
    ///   another operation.
    private mutating func noteComparison(of pair: Pair) -> Bool {
        guard pair.mayRecur else { return true }
        if memory.areEqual(pair.shapes) { return false }
        return comparedPairs.insert(pair.shapes).inserted
    }

    /// Notes in ``pairsWithComparedParts`` that the values inside a pair are about to be compared, if the pair may come
    /// again.
    ///
    /// - Returns: Whether this is the first time.
    private mutating func noteComparisonOfParts(of pair: Pair) -> Bool {
        guard pair.mayRecur else { return true }
        // Null has no values inside it, so those of `Pet` and of `Pet or null` are compared once.
        return pairsWithComparedParts.insert(pair.shapes.withoutNull).inserted
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
    private mutating func addInnerPairs(of pair: Pair, document: ShapeSummary, api: ShapeSummary) {
        addInnerPair(.elements, of: pair, documentShapes: document.elements, apiShapes: api.elements)
        addInnerPair(.members, of: pair, documentShapes: document.unnamedMembers, apiShapes: api.unnamedMembers)
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

    /// The order of an object's first member. The elements of a list and the values of a dictionary come before it.
    private static let orderOfFirstMember = 2

    /// Adds the pair of the elements of lists, or of the values of dictionaries, if both sides have them.
    ///
    /// - Parameters:
    ///   - step: `.elements` or `.members`.
    ///   - pair: The lists or dictionaries.
    ///   - documentShapes: The shapes in the document, of which an element or value has one; empty if the document has
    ///     no list or dictionary there.
    ///   - apiShapes: The shapes in the API, of which an element or value has one; empty if the API has none there.
    private mutating func addInnerPair(
        _ step: DeclarationPath.Step, of pair: Pair, documentShapes: [ScopedShape], apiShapes: [ScopedShape]
    ) {
        let haveBothSidesValues = !documentShapes.isEmpty && !apiShapes.isEmpty
        guard haveBothSidesValues else { return }
        // Differences in elements are reported before those in a dictionary's values.
        let order = step == .elements ? 0 : 1
        addPair(at: step, inside: pair, order: order, documentShapes: documentShapes, apiShapes: apiShapes)
    }

    /// Adds the pair of the values inside two values, such as those of the member `name` of two objects, to the pairs
    /// that ``compare()`` compares. They get a place of their own.
    ///
    /// - Parameters:
    ///   - step: The step from the outer values to those inside, such as the one to a member.
    ///   - outerPair: The outer values: one of the document, and one of the API.
    ///   - order: The position among the parts of the outer values, by which differences are sorted.
    ///   - documentShapes: The shapes in the document, of which a value at the place has one.
    ///   - apiShapes: The shapes in the API, of which a value at the place has one.
    private mutating func addPair(
        at step: DeclarationPath.Step, inside outerPair: Pair, order: Int, documentShapes: [ScopedShape],
        apiShapes: [ScopedShape]
    ) {
        let placeIndex = addPlace(step, inside: outerPair.placeIndex, order: order)
        pairs.append(
            Pair(documentShapes: documentShapes, apiShapes: apiShapes, part: outerPair.part, placeIndex: placeIndex))
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
    ///   - valueShapes: The shapes of the dictionary's values, of which one is enough.
    private mutating func compareMembers(
        _ members: [ShapeSummary.Member], of pair: Pair, withDictionaryOf valueShapes: [ScopedShape]
    ) {
        if isStrict {
            let shownKeys = members.prefix(Self.maxShownKeys).map(\.key).joined(separator: ", ")
            let violation = FieldRule.Violation(
                kind: pair.part.kindOfWrongType, expected: "object with any keys",
                found: "object with the keys \(shownKeys)")
            addDifference(violation, atPlace: pair.placeIndex)
        }
        for (index, member) in members.enumerated() {
            let order = Self.orderOfFirstMember + index
            addPair(
                at: .key(member.key), inside: pair, order: order, documentShapes: member.shapes,
                apiShapes: valueShapes)
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
    ///   - valueShapes: The shapes of the dictionary's values, of which a value has one.
    ///   - pair: The dictionary of the document and the object of the API.
    ///   - members: The members that the API names: keys with the shapes of their values.
    private mutating func compareDictionary(
        of valueShapes: [ScopedShape], in pair: Pair, withMembers members: [ShapeSummary.Member]
    ) {
        let saysNothing = summary(of: valueShapes).isAny
        if saysNothing, !isStrict { return }
        for (index, member) in members.enumerated() {
            let order = Self.orderOfFirstMember + index
            if isStrict || member.isRequired { addMissingMember(member.key, in: pair, order: order) }
            let apiShapes = acceptedShapes(of: member, part: pair.part)
            addPair(at: .members, inside: pair, order: order, documentShapes: valueShapes, apiShapes: apiShapes)
        }
    }

    /// Compares the members that the document and the API name for an object, and adds the pairs of their values.
    ///
    /// A *member* is a key with the shapes of its value. Differences are reported in the order of the document's
    /// members. Those at members that only the API has come after them.
    ///
    /// - Parameters:
    ///   - pair: The two objects.
    ///   - documentMembers: The members in the document.
    ///   - apiMembers: The members in the API.
    private mutating func compareMembers(
        of pair: Pair, document documentMembers: [ShapeSummary.Member], api apiMembers: [ShapeSummary.Member]
    ) {
        // Many documents don't say of any member of a response that it is required.
        let marksRequiredMembers = pair.part.isSent || documentMembers.contains(where: \.isRequired)
        let rule = FieldRule(
            isStrict: isStrict, part: pair.part, documentMarksRequiredFields: marksRequiredMembers)
        let apiMembersByKey = Dictionary(uniqueKeysWithValues: apiMembers.map { ($0.key, $0) })
        var order = Self.orderOfFirstMember
        for member in documentMembers {
            let placeIndex = addPlace(.key(member.key), inside: pair.placeIndex, order: order)
            compareMember(member, with: apiMembersByKey[member.key], by: rule, placeIndex: placeIndex)
            order += 1
        }
        let documentKeys = Set(documentMembers.map(\.key))
        for member in apiMembers {
            if !documentKeys.contains(member.key) { addMissingMember(member.key, in: pair, order: order) }
            order += 1
        }
    }

    /// Compares a member of the document's object with the API's member of the same key, and adds the pair of their
    /// values.
    ///
    /// - Parameters:
    ///   - documentMember: The member in the document: a key with the shapes of its value.
    ///   - apiMember: The member in the API; nil if the API does not have it.
    ///   - rule: The rule that says whether the API must have the member, and whether both must require it.
    ///   - placeIndex: The index in ``places`` of the place of their values.
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
        pairs.append(
            Pair(
                documentShapes: documentMember.shapes, apiShapes: apiShapes, part: rule.part, placeIndex: placeIndex))
    }

    /// Returns the shapes that the API accepts for the value of a member. A member of a response that may be absent may
    /// be null too.
    private func acceptedShapes(of member: ShapeSummary.Member, part: ComparedPart) -> [ScopedShape] {
        let mayBeNull = part == .received && !member.isRequired
        if !mayBeNull { return member.shapes }
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
