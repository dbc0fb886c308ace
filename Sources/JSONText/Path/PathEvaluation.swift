/// The evaluation of one query in one document.
///
/// Values are known by their slots, which follow each other as in the text. Each segment turns a list of values into
/// the next one. Only filters in filters are evaluated by recursion, as deep as the query nests them.
///
/// Each function named `visit…` calls its `body` with the values that a part of the query selects, until `body` returns
/// false to stop. It returns whether to go on, which is false once `body` has returned false.
final class PathEvaluation {
    let document: JSONDocument
    let steps: StepCounter
    let patterns = PatternCache()

    init(_ document: JSONDocument, steps: StepCounter) {
        self.document = document
        self.steps = steps
    }

    /// Visits the values that a query selects.
    ///
    /// - Parameters:
    ///   - query: The query. Without segments, it selects its start.
    ///   - current: The value that `@` stands for.
    ///   - body: Called with the slot of each value, until it returns false.
    /// - Returns: Whether `body` has returned true each time.
    func visit(_ query: PathQuery, from current: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        let start = query.isAbsolute ? JSONDocument.root : current
        guard let lastSegment = query.segments.last else { return try body(start) }
        // Documents are so short that slots fit 32 bits.
        var values = [UInt32(truncatingIfNeeded: start)]
        for segment in query.segments.dropLast() {
            var selected: [UInt32] = []
            for value in values {
                _ = try visit(segment, in: Int(value)) {
                    selected.append(UInt32(truncatingIfNeeded: $0))
                    return true
                }
            }
            values = selected
        }
        // The results of the last segment need no list.
        for value in values where try !visit(lastSegment, in: Int(value), body) { return false }
        return true
    }

    // MARK: Segments

    /// Visits the values that a segment selects in a value. With `..`, it is applied to the value and to everything
    /// inside.
    private func visit(_ segment: PathQuery.Segment, in value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        guard try visit(segment.selectors, in: value, body) else { return false }
        guard segment.isDescendant else { return true }
        return try visitDescendants(of: value, segment.selectors, body)
    }

    /// Applies selectors to each container inside `value`, in the order of the text. The caller has applied them to
    /// `value`.
    ///
    /// Scalars are passed over, because no selector selects anything in a scalar. A container comes before those inside
    /// it (RFC 9535, section 2.5.2.2). This is a loop, because the server chooses how deep its documents are.
    ///
    /// - Returns: Whether to go on: false once `body` has returned false.
    private func visitDescendants(
        of value: Int, _ selectors: [PathQuery.Selector], _ body: (Int) throws -> Bool
    ) throws -> Bool {
        guard document.slots[value].isContainer else { return true }
        /// The containers around `slot`, the outermost first, each with the slot after its end.
        var containers = [(end: document.next(after: value), isObject: document.kind(of: value) == .object)]
        var slot = document.first(in: value)
        while let container = containers.last {
            if slot >= container.end {
                containers.removeLast()
                continue
            }
            try steps.count()
            // In an object, the slot of a key comes before that of its value.
            let child = container.isObject ? slot + 1 : slot
            guard document.slots[child].isContainer else {
                slot = child + 1
                continue
            }
            guard try visit(selectors, in: child, body) else { return false }
            containers.append((end: document.next(after: child), isObject: document.kind(of: child) == .object))
            slot = document.first(in: child)
        }
        return true
    }

    // MARK: Selectors

    /// Visits the values that each of several selectors chooses, such as the two of `["a", "b"]`, one selector after
    /// the other.
    private func visit(_ selectors: [PathQuery.Selector], in value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        for selector in selectors where try !visit(selector, in: value, body) { return false }
        return true
    }

    /// Visits the members or elements of `value` that a selector chooses. A selector that does not apply to this kind
    /// of value chooses none.
    private func visit(_ selector: PathQuery.Selector, in value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        switch (selector, document.kind(of: value)) {
        case (.name(let name), .object), (.walk(let name, _), .object):
            guard let member = try member(name, of: value) else { return true }
            return try body(member)
        case (.index(let index), .array), (.walk(_, let index?), .array):
            guard let element = try element(at: index, of: value) else { return true }
            return try body(element)
        case (.walk(let name, nil), .array):
            return try visitMembers(name, ofObjectsIn: value, body)
        case (.wildcard, .object), (.wildcard, .array):
            return try visitChildren(of: value, body)
        case (.filter(let expression), .object), (.filter(let expression), .array):
            return try visitChildren(of: value) { child in
                guard try FilterEvaluation(self, current: child).test(expression) else { return true }
                return try body(child)
            }
        case (.slice(let start, let end, let step), .array):
            return try visitSlice(of: value, start: start, end: end, step: step, body)
        default:
            return true
        }
    }

    /// Visits all members of an object or elements of an array.
    private func visitChildren(of value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        for child in document.values(in: value) {
            try steps.count()
            guard try body(child) else { return false }
        }
        return true
    }

    /// Returns the first member of that name. Names are the same if their Unicode scalars are, without any
    /// normalization (RFC 9535, section 2.3.1.2).
    private func member(_ name: String, of object: Int) throws -> Int? {
        try document.member(name, of: object, isExact: true) { try steps.count() }
    }

    /// Returns the element at an index, which counts from the end if it is negative.
    private func element(at index: Int, of array: Int) throws -> Int? {
        let count = document.count(of: array)
        let position = index < 0 ? count + index : index
        guard 0..<count ~= position else { return nil }
        // The elements before it are passed over one by one.
        try steps.count(position)
        return document.values(in: array).dropFirst(position).first { _ in true }
    }

    /// Visits the elements of a slice, which runs backwards if `step` is negative.
    ///
    /// The array's elements are listed first: their slots do not lie at equal distances, so none can be computed from
    /// its position.
    private func visitSlice(
        of array: Int, start: Int?, end: Int?, step: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        // RFC 9535, section 2.3.4.2.2: with a step of 0, nothing is selected.
        if step == 0 { return true }
        var elements: [UInt32] = []
        _ = try visitChildren(of: array) {
            elements.append(UInt32(truncatingIfNeeded: $0))
            return true
        }
        let positions = Self.slicePositions(start: start, end: end, step: step, count: elements.count)
        for position in positions where try !body(Int(elements[position])) { return false }
        return true
    }

    /// Returns the positions that a slice selects in an array of `count` elements (RFC 9535, section 2.3.4.2.2).
    private static func slicePositions(start: Int?, end: Int?, step: Int, count: Int) -> StrideTo<Int> {
        /// A negative index counts from the end. An index outside of the array is moved to the nearest bound.
        func position(_ index: Int?, within bounds: ClosedRange<Int>) -> Int? {
            guard let index else { return nil }
            let position = index < 0 ? count + index : index
            return max(bounds.lowerBound, min(position, bounds.upperBound))
        }
        if step > 0 {
            let bounds = 0...count
            let first = position(start, within: bounds) ?? bounds.lowerBound
            let last = position(end, within: bounds) ?? bounds.upperBound
            return stride(from: first, to: last, by: step)
        }
        // Backwards, a slice starts at the last element, and ends at the position -1 before the first one.
        let bounds = -1...count - 1
        let first = position(start, within: bounds) ?? bounds.upperBound
        let last = position(end, within: bounds) ?? bounds.lowerBound
        return stride(from: first, to: last, by: step)
    }

    /// Visits the members of one name of all objects in a list and in lists in it, but not those inside other objects.
    ///
    ///     [{"a": 1}, [{"a": 2}], {"b": {"a": 3}}]     the members `a` are 1 and 2
    private func visitMembers(
        _ name: String, ofObjectsIn list: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        // All slots in a list follow each other, those of inner lists included. So stepping into an inner list is going
        // on with its first slot, and leaving it needs nothing.
        let end = document.next(after: list)
        var slot = document.first(in: list)
        while slot < end {
            try steps.count()
            switch document.kind(of: slot) {
            case .array:
                slot = document.first(in: slot)
            case .object:
                if let member = try member(name, of: slot), try !body(member) { return false }
                slot = document.next(after: slot)
            default:
                slot = document.next(after: slot)
            }
        }
        return true
    }
}
