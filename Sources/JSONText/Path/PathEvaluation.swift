/// The evaluation of one query in one document.
///
/// A value is known by its slot: its number in the document's index, in the order of the text. Each segment turns a
/// list of values into the next list. Only filters in filters are evaluated by recursion, as deep as the query nests
/// them.
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

    /// Visits the values that a query selects, such as all titles for `$.results[*].title`.
    ///
    /// The segments are applied one after the other, each to all values that the one before has selected.
    ///
    /// - Parameters:
    ///   - query: The query. Without segments, it selects the value at which it starts.
    ///   - current: The value that `@` stands for, at which a query that starts with `@` begins.
    ///   - body: Called with the slot of each value, until it returns false.
    /// - Returns: Whether `body` has returned true each time.
    /// - Throws: ``JSONPathLimit`` if it takes too many steps, and the errors of `body` and of the step counter's
    ///   check.
    func visit(_ query: PathQuery, from current: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        let start = query.isAbsolute ? JSONDocument.root : current
        guard let lastSegment = query.segments.last else { return try body(start) }
        // Documents are so short that slots fit 32 bits, which halve the memory of the lists.
        var values = [UInt32(truncatingIfNeeded: start)]
        for segment in query.segments.dropLast() {
            var selected: [UInt32] = []
            for value in values {
                _ = try visit(segment, in: Int(value)) { selectedValue in
                    selected.append(UInt32(truncatingIfNeeded: selectedValue))
                    return true
                }
            }
            values = selected
        }
        // The last segment's values need no list: they go straight to `body`.
        for value in values where try !visit(lastSegment, in: Int(value), body) { return false }
        return true
    }

    // MARK: Segments

    /// Visits the values that a segment of a query selects in a value. A segment with `..` is applied to the value and
    /// to everything inside it.
    private func visit(_ segment: PathQuery.Segment, in value: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        guard try visit(segment.selectors, in: value, body) else { return false }
        guard segment.isDescendant else { return true }
        return try visitDescendants(of: value, segment.selectors, body)
    }

    /// Applies selectors to each array and object inside a value, in the order of the text.
    ///
    /// Scalars are skipped, because no selector selects anything in a scalar. A container comes before those inside it
    /// (RFC 9535, section 2.5.2.2). This is a loop and no recursion, because a hostile server may choose any depth.
    ///
    /// - Parameters:
    ///   - value: The value around them, to which the caller has applied the selectors itself.
    ///   - selectors: The selectors of a segment with `..`.
    ///   - body: Called with the slot of each value that is selected, until it returns false.
    /// - Returns: Whether to go on, which is false once `body` has returned false.
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

    /// Visits the members or elements of a value that one selector chooses.
    ///
    /// A selector that does not apply to this kind of value, such as an index to an object, chooses nothing.
    ///
    /// - Parameters:
    ///   - selector: The selector.
    ///   - value: The slot of the value.
    ///   - body: Called with the slot of each chosen member or element, until it returns false.
    /// - Returns: Whether to go on, which is false once `body` has returned false.
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

    /// Returns the first member with a name, or nil if there is none.
    ///
    /// Names are compared by their Unicode scalars, without any normalization (RFC 9535, section 2.3.1.2).
    private func member(_ name: String, of object: Int) throws -> Int? {
        try document.member(name, of: object, isExact: true) { try steps.count() }
    }

    /// Returns the element of an array at an index, or nil if there is none. A negative index counts from the end: -1
    /// is the last element.
    private func element(at index: Int, of array: Int) throws -> Int? {
        let count = document.count(of: array)
        let position = index < 0 ? count + index : index
        guard 0..<count ~= position else { return nil }
        // The elements before it are passed over one by one.
        try steps.count(position)
        return document.values(in: array).dropFirst(position).first { _ in true }
    }

    /// Visits the elements of an array that a slice selects: `[1:5:2]` selects the elements 1 and 3, `[::-1]` all
    /// elements backwards.
    ///
    /// The array's elements are listed first, because the slot of an element can't be computed from its position.
    ///
    /// - Parameters:
    ///   - array: The slot of the array.
    ///   - start: The position at which the slice starts, or nil if it is left out.
    ///   - end: The position before which the slice ends, or nil if it is left out.
    ///   - step: The distance between two positions. A negative one runs backwards.
    ///   - body: Called with the slot of each element, until it returns false.
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func visitSlice(
        of array: Int, start: Int?, end: Int?, step: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        // RFC 9535, section 2.3.4.2.2: with a step of 0, nothing is selected.
        if step == 0 { return true }
        var elements: [UInt32] = []
        _ = try visitChildren(of: array) { element in
            elements.append(UInt32(truncatingIfNeeded: element))
            return true
        }
        let positions = Self.slicePositions(start: start, end: end, step: step, count: elements.count)
        for position in positions where try !body(Int(elements[position])) { return false }
        return true
    }

    /// Returns the positions that a slice selects in an array (RFC 9535, section 2.3.4.2.2): 1 and 3 for `[1:5:2]`, and
    /// 2, 1, 0 for `[::-1]` and three elements.
    ///
    /// - Parameters:
    ///   - start: The position at which the slice starts. A negative one counts from the end.
    ///   - end: The position before which the slice ends. A negative one counts from the end.
    ///   - step: The distance between two positions, which is not 0.
    ///   - count: The number of elements of the array.
    private static func slicePositions(start: Int?, end: Int?, step: Int, count: Int) -> StrideTo<Int> {
        /// Returns the position of an index from either end, moved to the nearest bound if it is outside of the array.
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

    /// Visits the members with a name of all objects in a list, for a dotted path such as `results.title`.
    ///
    /// Objects in lists in the list count too, but not objects inside other objects:
    ///
    ///     [{"a": 1}, [{"a": 2}], {"b": {"a": 3}}]     the members `a` are 1 and 2
    ///
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func visitMembers(
        _ name: String, ofObjectsIn list: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        // All slots of a list follow each other, those of inner lists included. So an inner list is entered by going on
        // with its first slot, and the slot after its last one is in the outer list again.
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
