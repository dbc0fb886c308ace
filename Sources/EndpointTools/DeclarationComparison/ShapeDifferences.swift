import EndpointKit
import JSONText

/// Finds the differences of the values that a document and an API declare.
///
/// The document is what is found, and the API is what is expected. Shapes are compared level by level, so that each
/// difference has the shortest path, and so that a deep shape costs no stack. A model that holds itself comes to an
/// end, because the same two shapes are compared once.
struct ShapeDifferences {
    /// The deepest level that is compared. Real models have up to 20 levels.
    private static let maxDepth = 200
    /// The most keys that a difference names.
    private static let maxShownKeys = 5
    /// The most differences that are kept. Nobody reads more, and each one has a path of its own.
    private static let maxDifferences = 10_000

    /// A place in the two values.
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
        case whole(DeclarationPath, shownPath: String)
        case part(DeclarationPath.Step)
    }

    /// Two values that are at the same place.
    private struct Pair {
        let document: [ScopedShape]
        let api: [ScopedShape]
        let part: ComparedPart
        /// The index of the place.
        let place: Int
    }

    /// A difference with its position in the report: the order of each place around it.
    private struct OrderedDifference {
        let difference: DeclarationDifference
        let order: [Int]
    }

    private let isStrict: Bool
    private let memory: ComparisonMemory
    private var places: [Place] = []
    private var pairs: [Pair] = []
    /// The shapes that are compared. A model can lead back to them.
    private var comparedPairs: Set<ComparisonMemory.Pair> = []
    /// The pairs whose parts are compared, without null.
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

    /// Adds two values that are to be compared.
    ///
    /// - Parameters:
    ///   - document: The shape in the document.
    ///   - api: The shapes in the API, of which one is enough.
    ///   - part: The part of the exchange that the values belong to.
    ///   - path: The path to the value in the document.
    ///   - shownPath: The path in the report.
    mutating func add(
        document: ModelShape, api: [ModelShape], _ part: ComparedPart, path: DeclarationPath, shownPath: String
    ) {
        // Equal shapes have no differences. Most operations of two versions of a document are equal.
        if api == [document] { return }
        places.append(Place(parent: nil, step: .whole(path, shownPath: shownPath), order: nextOrder, depth: 0))
        nextOrder += 1
        pairs.append(
            Pair(
                document: [memory.scoped(document, .document)], api: api.map { memory.scoped($0, .api) }, part: part,
                place: places.count - 1))
    }

    /// Returns the values that a shape allows.
    func summary(of shape: ModelShape, _ side: ComparisonMemory.Side) -> ShapeSummary {
        summary(of: [memory.scoped(shape, side)])
    }

    /// Returns the values that at least one of several shapes allows.
    private func summary(of shapes: [ScopedShape]) -> ShapeSummary { ShapeSummary(shapes, models: memory.models) }

    /// Adds a difference that is already known.
    mutating func add(_ problem: CheckProblem, path: DeclarationPath) {
        append(DeclarationDifference(problem: problem, path: path), order: [nextOrder])
        nextOrder += 1
    }

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
        if differences.isEmpty, !isIncomplete { memory.addSame(comparedPairs) }
        let sorted = differences.indices.sorted { left, right in
            let orders = (differences[left].order, differences[right].order)
            return orders.0 == orders.1 ? left < right : orders.0.lexicographicallyPrecedes(orders.1)
        }
        return sorted.map { differences[$0].difference }
    }

    // MARK: Places

    /// Adds a place inside of another one, and returns its index.
    private mutating func addPlace(_ step: DeclarationPath.Step, in parent: Int, order: Int) -> Int {
        places.append(Place(parent: parent, step: .part(step), order: order, depth: places[parent].depth + 1))
        return places.count - 1
    }

    /// Returns the indexes of a place and of those around it, from the whole value to the place.
    private func lineage(of place: Int) -> [Int] {
        var lineage = [place]
        while let last = lineage.last, let parent = places[last].parent { lineage.append(parent) }
        return lineage.reversed()
    }

    /// Adds a difference at a place.
    ///
    /// - Parameters:
    ///   - violation: The kind of the difference, and its facts.
    ///   - place: The index of the place.
    ///   - lackedKey: A key of the API that the document lacks at the place; nil for a difference of the place itself.
    ///   - order: The position of that key.
    private mutating func append(
        _ violation: FieldRule.Violation, at place: Int, lackedKey: String? = nil, order: Int? = nil
    ) {
        var path = DeclarationPath(.operation)
        var shownPath = ""
        for index in lineage(of: place) {
            switch places[index].step {
            case .whole(let whole, let text):
                path = whole
                shownPath = text
            case .part(let step):
                path = path.appending(step)
                shownPath += step.text
            }
        }
        if let lackedKey { shownPath += DeclarationPath.Step.key(lackedKey).text }
        let problem = CheckProblem(
            violation.kind, path: shownPath, expected: violation.expected, found: violation.found)
        let orders = lineage(of: place).map { places[$0].order } + (order.map { [$0] } ?? [])
        append(DeclarationDifference(problem: problem, path: path), order: orders)
    }

    private mutating func append(_ difference: DeclarationDifference, order: [Int]) {
        guard differences.count < Self.maxDifferences else {
            isIncomplete = true
            return
        }
        differences.append(OrderedDifference(difference: difference, order: order))
    }

    // MARK: Comparing values

    /// Compares two values, and adds the pairs of their parts.
    private mutating func compare(_ pair: Pair) {
        remainingSteps -= 1
        let shapes = ComparisonMemory.Pair(document: pair.document, api: pair.api, part: pair.part)
        // Only a model can lead back to the same shapes.
        let mayComeAgain = (pair.document + pair.api).contains(where: \.namesModel)
        if mayComeAgain, memory.isSame(shapes) || !comparedPairs.insert(shapes).inserted { return }
        let document = summary(of: pair.document)
        let api = summary(of: pair.api)
        remainingSteps -= document.members.count + api.members.count
        switch match(document, api, pair.part) {
        case .anyJSON:
            if isStrict, document.isAny != api.isAny { append(pair.part.typeProblem, document, api, at: pair.place) }
            return
        case .otherKinds:
            return append(pair.part.typeProblem, document, api, at: pair.place)
        case .otherValues:
            append(pair.part.valueProblem, document, api, at: pair.place)
        case .same:
            break
        }
        guard places[pair.place].depth < Self.maxDepth else {
            isIncomplete = true
            return
        }
        if mayComeAgain, !openedPairs.insert(shapes.withoutNull).inserted { return }
        addParts(of: pair, document, api)
    }

    /// Adds the difference of two values as a whole.
    private mutating func append(
        _ kind: CheckProblem.Kind, _ document: ShapeSummary, _ api: ShapeSummary, at place: Int
    ) {
        append(FieldRule.Violation(kind: kind, expected: api.phrase, found: document.phrase), at: place)
    }

    /// The result of comparing two values without regard to their parts.
    private enum Match {
        /// At least one side allows any JSON.
        case anyJSON
        /// The kinds of JSON differ.
        case otherKinds
        /// The kinds are the same, but the listed values or dates differ.
        case otherValues
        case same
    }

    /// Compares two values without regard to their parts.
    private func match(_ document: ShapeSummary, _ api: ShapeSummary, _ part: ComparedPart) -> Match {
        if document.isAny || api.isAny { return .anyJSON }
        if !fits(document, api, part) { return .otherKinds }
        return hasFittingValues(document, api, part) ? .same : .otherValues
    }

    /// Whether the API takes each kind of value that the document allows, and in a strict comparison no other one.
    private func fits(_ document: ShapeSummary, _ api: ShapeSummary, _ part: ComparedPart) -> Bool {
        if document.isListed, api.isListed, part.isWrittenAsText { return true }
        guard document.kinds.allSatisfy({ takes($0, api, part) }) else { return false }
        // Null means the same as absence.
        return !isStrict || api.kinds.subtracting([.null]).isSubset(of: document.kinds)
    }

    /// Whether the API takes values of a kind.
    private func takes(_ kind: ShapeSummary.Kind, _ api: ShapeSummary, _ part: ComparedPart) -> Bool {
        if api.kinds.contains(kind) { return true }
        if kind == .integer, api.kinds.contains(.number) { return true }
        // A parameter that is null is left out.
        if kind == .null, part.isSent { return true }
        // Where a text is sent, a caller can write any value as a string.
        guard !isStrict, api.kinds.contains(.string) else { return false }
        switch part {
        case .received, .sent(as: .json): return false
        case .sent(as: .texts): return kind.isScalar
        case .sent(as: .oneText): return true
        }
    }

    /// Whether the API takes each listed value and each date of the document, and in a strict comparison no others.
    private func hasFittingValues(_ document: ShapeSummary, _ api: ShapeSummary, _ part: ComparedPart) -> Bool {
        let mayBeNoDate = document.kinds.contains(.string) && !document.hasOnlyDates
        if part == .received, api.hasOnlyDates, mayBeNoDate { return false }
        let documentValues = Set(document.listedTexts)
        let apiValues = Set(api.listedTexts)
        if api.isListed, document.hasUnlistedScalars || !documentValues.isSubset(of: apiValues) { return false }
        guard isStrict, documentValues != apiValues else { return true }
        // Values that are listed beside all others only tell which ones are known.
        return api.hasUnlistedScalars && document.hasUnlistedScalars
    }

    // MARK: Comparing parts

    /// Adds the pairs of elements, of members without names, and of members with names.
    private mutating func addParts(of pair: Pair, _ document: ShapeSummary, _ api: ShapeSummary) {
        addPart(.elements, document.elements, api.elements, of: pair, order: 0)
        addPart(.members, document.unnamedMembers, api.unnamedMembers, of: pair, order: 1)
        if document.namesKeys, api.namesKeys {
            compareMembers(of: pair, document.members, api.members, firstOrder: 2)
        } else if document.namesKeys, !api.unnamedMembers.isEmpty {
            compareKeys(of: pair, document.members, withDictionary: api.unnamedMembers, firstOrder: 2)
        } else if api.namesKeys, !document.unnamedMembers.isEmpty {
            compareDictionary(of: pair, document.unnamedMembers, withKeys: api.members, firstOrder: 2)
        }
    }

    /// Compares the keys that a document names with an API that takes a dictionary there: each value must be one of the
    /// dictionary's. In a strict comparison, it is a difference that the API takes any key.
    private mutating func compareKeys(
        of pair: Pair, _ document: [ShapeSummary.Member], withDictionary values: [ScopedShape], firstOrder: Int
    ) {
        if isStrict {
            let keys = document.prefix(Self.maxShownKeys).map(\.key).joined(separator: ", ")
            let violation = FieldRule.Violation(
                kind: pair.part.typeProblem, expected: "object with any keys", found: "object with the keys \(keys)")
            append(violation, at: pair.place)
        }
        for (index, member) in document.enumerated() {
            let place = addPlace(.key(member.key), in: pair.place, order: firstOrder + index)
            pairs.append(Pair(document: member.shapes, api: values, part: pair.part, place: place))
        }
    }

    /// Compares a dictionary in a document with the keys that an API names: the document promises none of them, and each
    /// may have any value of the dictionary.
    ///
    /// An object of which a document says nothing has any key with any value. That is a difference only in a strict
    /// comparison.
    private mutating func compareDictionary(
        of pair: Pair, _ values: [ScopedShape], withKeys api: [ShapeSummary.Member], firstOrder: Int
    ) {
        if !isStrict, summary(of: values).isAny { return }
        for (index, member) in api.enumerated() {
            let order = firstOrder + index
            if isStrict || member.isRequired {
                let violation = FieldRule.Violation(kind: pair.part.lackProblem)
                append(violation, at: pair.place, lackedKey: member.key, order: order)
            }
            var shapes = member.shapes
            if pair.part == .received, !member.isRequired { shapes.append(shapes[0].with(.null)) }
            let place = addPlace(.members, in: pair.place, order: order)
            pairs.append(Pair(document: values, api: shapes, part: pair.part, place: place))
        }
    }

    /// Adds the pair of a part, if both sides have it.
    private mutating func addPart(
        _ step: DeclarationPath.Step, _ document: [ScopedShape], _ api: [ScopedShape], of pair: Pair, order: Int
    ) {
        guard !document.isEmpty, !api.isEmpty else { return }
        let place = addPlace(step, in: pair.place, order: order)
        pairs.append(Pair(document: document, api: api, part: pair.part, place: place))
    }

    /// Compares which keys objects have, and adds the pairs of their values.
    private mutating func compareMembers(
        of pair: Pair, _ document: [ShapeSummary.Member], _ api: [ShapeSummary.Member], firstOrder: Int
    ) {
        // Many documents don't say of any key of a response that it is required.
        let tellsRequired = pair.part.isSent || document.contains(where: \.isRequired)
        let rule = FieldRule(isStrict: isStrict, part: pair.part, tellsRequired: tellsRequired)
        let apiMembers = Dictionary(uniqueKeysWithValues: api.map { ($0.key, $0) })
        for (index, member) in document.enumerated() {
            let place = addPlace(.key(member.key), in: pair.place, order: firstOrder + index)
            let apiMember = apiMembers[member.key]
            if var violation = rule.violation(
                isRequired: member.isRequired, apiIsRequired: apiMember?.isRequired)
            {
                if apiMember == nil, pair.part == .received {
                    violation.found = summary(of: member.shapes).phrase
                }
                append(violation, at: place)
            }
            guard let apiMember else { continue }
            var apiShapes = apiMember.shapes
            // A key that may be absent may be null too.
            if pair.part == .received, !apiMember.isRequired { apiShapes.append(apiShapes[0].with(.null)) }
            pairs.append(Pair(document: member.shapes, api: apiShapes, part: pair.part, place: place))
        }
        let documentKeys = Set(document.map(\.key))
        for (index, member) in api.enumerated() where !documentKeys.contains(member.key) {
            append(
                FieldRule.Violation(kind: pair.part.lackProblem), at: pair.place, lackedKey: member.key,
                order: firstOrder + document.count + index)
        }
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
