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
        case whole(DeclarationPath, shownPath: String)
        /// A part of the value around it.
        case part(DeclarationPath.Step)
    }

    /// The values that the document and the API declare at the same place.
    private struct Pair {
        /// The shapes in the document, of which a value has one.
        let document: [ScopedShape]
        /// The shapes in the API, of which a value has one.
        let api: [ScopedShape]
        let part: ComparedPart
        /// The index of the place.
        let place: Int

        /// The shapes without the place.
        var shapes: ComparisonMemory.Pair { ComparisonMemory.Pair(document: document, api: api, part: part) }

        /// Whether the same two shapes may be compared again inside this pair. Only a model can lead back to them.
        var mayRecur: Bool { document.contains(where: \.namesModel) || api.contains(where: \.namesModel) }
    }

    /// A difference with its position in the report: the order of each place around it, the outermost first.
    private struct OrderedDifference {
        let difference: DeclarationDifference
        let order: [Int]
    }

    private let isStrict: Bool
    private let memory: ComparisonMemory
    private var places: [Place] = []
    /// All pairs that are or were to be compared. Comparing one adds those of its parts.
    private var pairs: [Pair] = []
    /// The shapes that were compared, as far as they may come again.
    private var comparedPairs: Set<ComparisonMemory.Pair> = []
    /// The shapes whose parts were compared, without null, as far as they may come again.
    private var openedPairs: Set<ComparisonMemory.Pair> = []
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

    /// Adds two values for ``compare()``: the one that the document declares, and the one that the API declares.
    ///
    /// - Parameters:
    ///   - document: The shape in the document.
    ///   - api: The shapes in the API, of which one is enough.
    ///   - part: The part of the exchange that the values belong to.
    ///   - path: The path to the value in the document.
    ///   - shownPath: The path in the report, such as `query.page`.
    mutating func add(
        document: ModelShape, api: [ModelShape], _ part: ComparedPart, path: DeclarationPath, shownPath: String
    ) {
        // Equal shapes have no differences. Most operations of two versions of a document are equal.
        if api == [document] { return }
        let place = places.count
        places.append(Place(parent: nil, step: .whole(path, shownPath: shownPath), order: nextOrder, depth: 0))
        nextOrder += 1
        let documentShapes = [memory.scoped(document, .document)]
        let apiShapes = api.map { memory.scoped($0, .api) }
        pairs.append(Pair(document: documentShapes, api: apiShapes, part: part, place: place))
    }

    /// Adds a difference that is already known, such as a parameter that the document lacks.
    mutating func add(_ problem: CheckProblem, path: DeclarationPath) {
        keep(DeclarationDifference(problem: problem, path: path), order: [nextOrder])
        nextOrder += 1
    }

    /// Returns the values that a shape of one side allows.
    func summary(of shape: ModelShape, _ side: ComparisonMemory.Side) -> ShapeSummary {
        summary(of: [memory.scoped(shape, side)])
    }

    /// Returns the values that at least one of several shapes allows.
    private func summary(of shapes: [ScopedShape]) -> ShapeSummary { ShapeSummary(shapes, models: memory.models) }

    /// Compares the values that were added.
    ///
    /// - Returns: The differences of the values, and those that were added, in the order of the document.
    mutating func compare() -> [DeclarationDifference] {
        var next = 0
        while next < pairs.count, remainingSteps > 0 {
            compare(pairs[next])
            next += 1
        }
        if next < pairs.count { isIncomplete = true }
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
    private mutating func addPlace(_ step: DeclarationPath.Step, in parent: Int, order: Int) -> Int {
        places.append(Place(parent: parent, step: .part(step), order: order, depth: places[parent].depth + 1))
        return places.count - 1
    }

    /// Returns a place and all places around it, the outermost first.
    private func placesFromRoot(to index: Int) -> [Place] {
        var placesToRoot: [Place] = []
        var currentIndex: Int? = index
        while let index = currentIndex {
            placesToRoot.append(places[index])
            currentIndex = places[index].parent
        }
        return placesToRoot.reversed()
    }

    /// Returns the path to a place in the document, and the path that a report shows: `$.pets[*].name`.
    private func paths(to placesFromRoot: [Place]) -> (inDocument: DeclarationPath, shown: String) {
        var pathInDocument = DeclarationPath(.operation)
        var shownPath = ""
        for place in placesFromRoot {
            switch place.step {
            case .whole(let path, let text):
                pathInDocument = path
                shownPath = text
            case .part(let step):
                pathInDocument = pathInDocument.appending(step)
                shownPath += step.text
            }
        }
        return (pathInDocument, shownPath)
    }

    /// Adds a difference of the values at a place.
    private mutating func add(_ violation: FieldRule.Violation, at place: Int) {
        let placesFromRoot = placesFromRoot(to: place)
        let paths = paths(to: placesFromRoot)
        let problem = CheckProblem(
            violation.kind, path: paths.shown, expected: violation.expected, found: violation.found)
        let orderFromRoot = placesFromRoot.map(\.order)
        keep(DeclarationDifference(problem: problem, path: paths.inDocument), order: orderFromRoot)
    }

    /// Adds the difference that the document lacks a key of the API, such as `$.pets[*].name`.
    ///
    /// The difference is at the object in the document, because the document has no place for the key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - pair: The objects of the document and of the API.
    ///   - order: The position of the key among the parts of the objects, by which differences are sorted.
    private mutating func addMissingKey(_ key: String, in pair: Pair, order: Int) {
        let placesFromRoot = placesFromRoot(to: pair.place)
        let paths = paths(to: placesFromRoot)
        let shownPath = paths.shown + DeclarationPath.Step.key(key).text
        let problem = CheckProblem(pair.part.kindOfMissingField, path: shownPath)
        let orderFromRoot = placesFromRoot.map(\.order) + [order]
        keep(DeclarationDifference(problem: problem, path: paths.inDocument), order: orderFromRoot)
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

    /// Compares two values as a whole, and adds the pairs of their parts.
    ///
    /// If a model leads back to two shapes that were compared before, they are not compared again.
    private mutating func compare(_ pair: Pair) {
        remainingSteps -= 1
        let shapes = pair.shapes
        let mayRecur = pair.mayRecur
        if mayRecur {
            let isNew = !memory.areEqual(shapes) && comparedPairs.insert(shapes).inserted
            if !isNew { return }
        }
        let document = summary(of: pair.document)
        let api = summary(of: pair.api)
        remainingSteps -= document.members.count + api.members.count
        let comparison = WholeValueComparison(document: document, api: api, part: pair.part, isStrict: isStrict)
        let match = comparison.match
        if let violation = comparison.violation(for: match) { add(violation, at: pair.place) }
        guard match.haveCommonParts else { return }
        guard places[pair.place].depth < Self.maxDepth else {
            isIncomplete = true
            return
        }
        if mayRecur {
            // Null has no parts, so `Pet` and `Pet or null` are opened once.
            let isNew = openedPairs.insert(shapes.withoutNull).inserted
            if !isNew { return }
        }
        addParts(of: pair, document, api)
    }

    // MARK: Comparing parts

    /// Adds the pairs of the elements of lists, of the values of dictionaries, and of the members of objects.
    private mutating func addParts(of pair: Pair, _ document: ShapeSummary, _ api: ShapeSummary) {
        addPart(.elements, document.elements, api.elements, of: pair, order: 0)
        addPart(.members, document.unnamedMembers, api.unnamedMembers, of: pair, order: 1)
        if document.namesKeys, api.namesKeys {
            compareMembers(of: pair, document.members, api.members)
        } else if document.namesKeys, !api.unnamedMembers.isEmpty {
            compareKeys(of: pair, document.members, withDictionary: api.unnamedMembers)
        } else if api.namesKeys, !document.unnamedMembers.isEmpty {
            compareDictionary(of: pair, document.unnamedMembers, withKeys: api.members)
        }
    }

    /// The order of an object's first member. The elements of a list and the values of a dictionary come before it.
    private static let orderOfFirstMember = 2

    /// Adds the pair of a part, if both sides have it.
    private mutating func addPart(
        _ step: DeclarationPath.Step, _ document: [ScopedShape], _ api: [ScopedShape], of pair: Pair, order: Int
    ) {
        guard !document.isEmpty, !api.isEmpty else { return }
        let place = addPlace(step, in: pair.place, order: order)
        pairs.append(Pair(document: document, api: api, part: pair.part, place: place))
    }

    /// Compares the keys that a document names for an object with an API that reads a dictionary there.
    ///
    /// For example, the document has `small` and `large`, both of them integers, and the API a `[String: Int]`. Each
    /// value must be one that the dictionary may have. In a strict comparison, it is also a difference that the API
    /// accepts any key.
    ///
    /// - Parameters:
    ///   - pair: The values of the document and of the API.
    ///   - members: The keys that the document names, with the shapes of their values.
    ///   - values: The shapes of the dictionary's values, of which one is enough.
    private mutating func compareKeys(
        of pair: Pair, _ members: [ShapeSummary.Member], withDictionary values: [ScopedShape]
    ) {
        if isStrict {
            let keys = members.prefix(Self.maxShownKeys).map(\.key).joined(separator: ", ")
            let violation = FieldRule.Violation(
                kind: pair.part.kindOfWrongType, expected: "object with any keys",
                found: "object with the keys \(keys)")
            add(violation, at: pair.place)
        }
        for (index, member) in members.enumerated() {
            let place = addPlace(.key(member.key), in: pair.place, order: Self.orderOfFirstMember + index)
            pairs.append(Pair(document: member.shapes, api: values, part: pair.part, place: place))
        }
    }

    /// Compares a dictionary in a document with the keys that an API names for an object there.
    ///
    /// For example, the document has a dictionary of integers, and the API a model with `small` and `large`. The
    /// document promises none of the keys, so each key that the API requires is a difference. In a strict comparison,
    /// each other key is one too. The API must accept the values of the dictionary for each key.
    ///
    /// A document that says nothing about an object has a dictionary with any values there. That is a difference only
    /// in a strict comparison.
    ///
    /// - Parameters:
    ///   - pair: The values of the document and of the API.
    ///   - values: The shapes of the dictionary's values, of which a value has one.
    ///   - members: The keys that the API names, with the shapes of their values.
    private mutating func compareDictionary(
        of pair: Pair, _ values: [ScopedShape], withKeys members: [ShapeSummary.Member]
    ) {
        if !isStrict, summary(of: values).isAny { return }
        for (index, member) in members.enumerated() {
            let order = Self.orderOfFirstMember + index
            if isStrict || member.isRequired { addMissingKey(member.key, in: pair, order: order) }
            let place = addPlace(.members, in: pair.place, order: order)
            let shapes = acceptedShapes(of: member, pair.part)
            pairs.append(Pair(document: values, api: shapes, part: pair.part, place: place))
        }
    }

    /// Compares the keys that the document and the API name for an object, and adds the pairs of their values.
    private mutating func compareMembers(
        of pair: Pair, _ documentMembers: [ShapeSummary.Member], _ apiMembers: [ShapeSummary.Member]
    ) {
        // Many documents don't say of any key of a response that it is required.
        let tellsRequired = pair.part.isSent || documentMembers.contains(where: \.isRequired)
        let rule = FieldRule(isStrict: isStrict, part: pair.part, tellsRequired: tellsRequired)
        let apiMembersByKey = Dictionary(uniqueKeysWithValues: apiMembers.map { ($0.key, $0) })
        var order = Self.orderOfFirstMember
        for member in documentMembers {
            let place = addPlace(.key(member.key), in: pair.place, order: order)
            compare(member, apiMembersByKey[member.key], by: rule, at: place)
            order += 1
        }
        let documentKeys = Set(documentMembers.map(\.key))
        for member in apiMembers {
            if !documentKeys.contains(member.key) { addMissingKey(member.key, in: pair, order: order) }
            order += 1
        }
    }

    /// Compares a key of the document with the same key of the API, and adds the pair of their values.
    ///
    /// - Parameters:
    ///   - member: The key in the document.
    ///   - apiMember: The key in the API; nil if the API does not have it.
    ///   - rule: The rule that says which of the keys must be there.
    ///   - place: The index of the place of their values.
    private mutating func compare(
        _ member: ShapeSummary.Member, _ apiMember: ShapeSummary.Member?, by rule: FieldRule, at place: Int
    ) {
        let violation = rule.violation(isRequired: member.isRequired, apiIsRequired: apiMember?.isRequired)
        if var violation {
            let isUnexpectedKey = apiMember == nil && rule.part == .received
            if isUnexpectedKey { violation.found = summary(of: member.shapes).phrase }
            add(violation, at: place)
        }
        guard let apiMember else { return }
        let apiShapes = acceptedShapes(of: apiMember, rule.part)
        pairs.append(Pair(document: member.shapes, api: apiShapes, part: rule.part, place: place))
    }

    /// Returns the shapes that the API accepts for the value of a key. A key of a response that may be absent may be
    /// null too.
    private func acceptedShapes(of member: ShapeSummary.Member, _ part: ComparedPart) -> [ScopedShape] {
        if part != .received || member.isRequired { return member.shapes }
        return member.shapes + [member.shapes[0].with(.null)]
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
