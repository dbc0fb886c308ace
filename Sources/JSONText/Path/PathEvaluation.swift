/// The evaluation of one query in one document.
///
/// A value is identified by its slot: its number in the document's index, in the order of the text. Each segment turns
/// a list of values into the next list. Only filters in filters are evaluated by recursion, as deep as the query nests
/// them.
///
/// Each function named `visit…` or `apply…` calls its `body` with the slots of the values that a part of the query
/// selects, until `body` returns false to stop. It returns whether to go on, which is false once `body` has returned
/// false.
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
    ///   - currentSlot: The slot of the value that `@` stands for. A query that starts with `$` does not use it.
    ///   - body: Called with the slot of each value, until it returns false.
    /// - Returns: Whether `body` has returned true each time.
    /// - Throws: ``JSONPathLimit`` if it takes too many steps, and the errors of `body` and of the step counter's
    ///   check.
    func visitValues(
        selectedBy query: PathQuery, from currentSlot: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        let startSlot = query.isAbsolute ? JSONDocument.root : currentSlot
        guard let lastSegment = query.segments.last else { return try body(startSlot) }
        // Documents are so short that slots fit 32 bits, which halve the memory of the lists.
        var slots = [UInt32(truncatingIfNeeded: startSlot)]
        for segment in query.segments.dropLast() {
            var selectedSlots: [UInt32] = []
            for slot in slots {
                _ = try applySegment(segment, to: Int(slot)) { selectedSlot in
                    selectedSlots.append(UInt32(truncatingIfNeeded: selectedSlot))
                    return true
                }
            }
            slots = selectedSlots
        }
        // The last segment's values need no list: they go straight to `body`.
        for slot in slots {
            guard try applySegment(lastSegment, to: Int(slot), body) else { return false }
        }
        return true
    }

    // MARK: Segments

    /// Applies a segment of a query to a value, and visits the values that it selects. A descendant segment (`..`) is
    /// applied to the value and to everything inside it.
    ///
    /// - Parameters:
    ///   - segment: The segment, which has one selector or several.
    ///   - slot: The slot of the value to which the segment is applied.
    ///   - body: Called with the slot of each value that is selected, until it returns false.
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func applySegment(
        _ segment: PathQuery.Segment, to slot: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        guard try applySelectors(segment.selectors, to: slot, body) else { return false }
        guard segment.isDescendant else { return true }
        return try applySelectors(segment.selectors, toDescendantsOf: slot, body)
    }

    /// Applies selectors to each array and object inside a value, in the order of the text, and visits the values that
    /// they select.
    ///
    /// Scalars are skipped, because no selector selects anything in a scalar. A container comes before those inside it
    /// (RFC 9535, section 2.5.2.2). The function is a loop and no recursion, because a hostile server may choose any
    /// depth.
    ///
    /// - Parameters:
    ///   - selectors: The selectors of a segment with `..`.
    ///   - rootSlot: The slot of the outermost value, to which the caller has applied the selectors itself.
    ///   - body: Called with the slot of each value that is selected, until it returns false.
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func applySelectors(
        _ selectors: [PathQuery.Selector], toDescendantsOf rootSlot: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        guard document.slots[rootSlot].isContainer else { return true }
        /// The containers around `slot`, the outermost first.
        var containers = [OpenContainer(rootSlot, in: document)]
        var slot = document.first(in: rootSlot)
        while let container = containers.last {
            if slot >= container.endSlot {
                containers.removeLast()
                continue
            }
            try steps.count()
            // In an object, the slot of a key comes before that of its value.
            let childSlot = container.isObject ? slot + 1 : slot
            let isScalar = !document.slots[childSlot].isContainer
            if isScalar {
                slot = childSlot + 1
                continue
            }
            guard try applySelectors(selectors, to: childSlot, body) else { return false }
            // Go down into the child. The loop comes back to what follows it at the end of the child.
            containers.append(OpenContainer(childSlot, in: document))
            slot = document.first(in: childSlot)
        }
        return true
    }

    /// An array or object whose elements or members are being visited.
    private struct OpenContainer {
        /// The slot after all that the container holds.
        let endSlot: Int
        let isObject: Bool

        init(_ slot: Int, in document: JSONDocument) {
            endSlot = document.next(after: slot)
            isObject = document.kind(of: slot) == .object
        }
    }

    // MARK: Selectors

    /// Applies one selector after the other to a value, such as the two of `["a", "b"]`, and visits the values that
    /// they select.
    ///
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func applySelectors(
        _ selectors: [PathQuery.Selector], to slot: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        for selector in selectors {
            guard try applySelector(selector, to: slot, body) else { return false }
        }
        return true
    }

    /// Applies one selector to a value, and visits the members or elements that it selects.
    ///
    /// A selector that does not fit the kind of value, such as an index and an object, selects nothing.
    ///
    /// - Parameters:
    ///   - selector: The selector, such as a name or an index.
    ///   - slot: The slot of the value to which it is applied.
    ///   - body: Called with the slot of each selected member or element, until it returns false.
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func applySelector(
        _ selector: PathQuery.Selector, to slot: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        switch (selector, document.kind(of: slot)) {
        case (.name(let name), .object), (.dottedName(let name, _), .object):
            guard let memberSlot = try slotOfMember(name, inObject: slot) else { return true }
            return try body(memberSlot)
        case (.index(let index), .array), (.dottedName(_, let index?), .array):
            guard let elementSlot = try slotOfElement(at: index, inArray: slot) else { return true }
            return try body(elementSlot)
        case (.dottedName(let name, nil), .array):
            // In a dotted path such as `results.title`, a name is looked for in each object of a list.
            return try visitMembers(named: name, ofObjectsInArray: slot, body)
        case (.wildcard, .object), (.wildcard, .array):
            return try visitChildren(of: slot, body)
        case (.filter(let condition), .object), (.filter(let condition), .array):
            return try visitChildren(of: slot) { childSlot in
                guard try FilterEvaluation(self, currentSlot: childSlot).holds(condition) else { return true }
                return try body(childSlot)
            }
        case (.slice(let start, let end, let step), .array):
            return try visitSlice(ofArray: slot, start: start, end: end, step: step, body)
        default:
            return true
        }
    }

    /// Visits all members of an object or elements of an array.
    ///
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func visitChildren(of container: Int, _ body: (Int) throws -> Bool) throws -> Bool {
        for childSlot in document.values(in: container) {
            try steps.count()
            guard try body(childSlot) else { return false }
        }
        return true
    }

    /// Returns the slot of the value of an object's first member with a name, or nil if there is none.
    ///
    /// Names are compared by their Unicode scalars, without any normalization (RFC 9535, section 2.3.1.2).
    private func slotOfMember(_ name: String, inObject object: Int) throws -> Int? {
        try document.member(name, of: object, isExact: true) { try steps.count() }
    }

    /// Returns the slot of an array's element, or nil if there is none at this index. A negative index counts from the
    /// end: -1 is the last element.
    private func slotOfElement(at index: Int, inArray array: Int) throws -> Int? {
        let count = document.count(of: array)
        let position = index < 0 ? count + index : index
        guard 0..<count ~= position else { return nil }
        // The elements before it are passed over one by one.
        try steps.count(position)
        return document.element(at: position, of: array)
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
        ofArray array: Int, start: Int?, end: Int?, step: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        // RFC 9535, section 2.3.4.2.2: with a step of 0, nothing is selected.
        if step == 0 { return true }
        // Every slot fits 32 bits, which halve the memory for a long array.
        var elementSlots: [UInt32] = []
        _ = try visitChildren(of: array) { elementSlot in
            elementSlots.append(UInt32(truncatingIfNeeded: elementSlot))
            return true
        }
        let positions = Self.slicePositions(start: start, end: end, step: step, count: elementSlots.count)
        for position in positions {
            guard try body(Int(elementSlots[position])) else { return false }
        }
        return true
    }

    /// Returns the positions that a slice selects in an array (RFC 9535, section 2.3.4.2.2): 1 and 3 for `[1:5:2]`, and
    /// 2, 1, 0 for `[::-1]` and three elements.
    ///
    /// - Parameters:
    ///   - start: The index at which the slice starts, or nil if it is left out. A negative one counts from the end.
    ///   - end: The index before which the slice ends, or nil if it is left out. A negative one counts from the end.
    ///   - step: The distance between two positions, which is not 0.
    ///   - count: The number of elements of the array.
    private static func slicePositions(start: Int?, end: Int?, step: Int, count: Int) -> StrideTo<Int> {
        /// Returns the position of an index, which counts from the end if it is negative. A position outside of the
        /// array moves to the nearest bound. Nil stays nil.
        func position(of index: Int?, clampedTo bounds: ClosedRange<Int>) -> Int? {
            guard let index else { return nil }
            let position = index < 0 ? count + index : index
            return max(bounds.lowerBound, min(position, bounds.upperBound))
        }
        if step > 0 {
            let bounds = 0...count
            let first = position(of: start, clampedTo: bounds) ?? bounds.lowerBound
            let last = position(of: end, clampedTo: bounds) ?? bounds.upperBound
            return stride(from: first, to: last, by: step)
        }
        // Backwards, a slice starts at the last element, and ends at the position -1 before the first one.
        let bounds = -1...count - 1
        let first = position(of: start, clampedTo: bounds) ?? bounds.upperBound
        let last = position(of: end, clampedTo: bounds) ?? bounds.lowerBound
        return stride(from: first, to: last, by: step)
    }

    /// Visits the members with a name of all objects in an array, for a dotted path such as `results.title`.
    ///
    /// Objects in inner arrays count too, but not objects inside other objects:
    ///
    ///     [{"a": 1}, [{"a": 2}], {"b": {"a": 3}}]     the members `a` are 1 and 2
    ///
    /// - Returns: Whether to go on, which is false once `body` has returned false.
    private func visitMembers(
        named name: String, ofObjectsInArray array: Int, _ body: (Int) throws -> Bool
    ) throws -> Bool {
        // All slots of an array follow each other, those of inner arrays included. So an inner array is entered by
        // going on with its first slot, and the slot after its last one is in the outer array again.
        let endSlot = document.next(after: array)
        var slot = document.first(in: array)
        while slot < endSlot {
            try steps.count()
            switch document.kind(of: slot) {
            case .array:
                slot = document.first(in: slot)
            case .object:
                if let memberSlot = try slotOfMember(name, inObject: slot) {
                    guard try body(memberSlot) else { return false }
                }
                slot = document.next(after: slot)
            default:
                slot = document.next(after: slot)
            }
        }
        return true
    }
}
