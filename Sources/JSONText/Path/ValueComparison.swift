/// Compares JSON values as filters do (RFC 9535, section 2.3.5.2.2). Every byte that is read is a step.
struct ValueComparison {
    private let steps: StepCounter

    init(steps: StepCounter) { self.steps = steps }

    // MARK: Equality

    /// Returns whether two values are equal by the rules of filters: `1` equals `1.0`, and the order of an object's
    /// members does not count.
    ///
    /// The function loops over pairs of values instead of calling itself, because a hostile server may choose any
    /// depth.
    ///
    /// - Parameters:
    ///   - left: One value, or nil for a query without result, which equals only another query without result.
    ///   - right: The other value, or nil for a query without result.
    /// - Throws: The errors of the step counter.
    func areEqual(_ left: JSONValue?, _ right: JSONValue?) throws -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        var uncomparedPairs = [(left, right)]
        while let (left, right) = uncomparedPairs.popLast() {
            try steps.count()
            guard left.kind == right.kind else { return false }
            switch left.kind {
            case .null:
                continue
            case .boolean:
                guard left.bool == right.bool else { return false }
            case .number:
                guard try decimalNumber(of: left) == decimalNumber(of: right) else { return false }
            case .string:
                guard try areEqualStrings(left, right) else { return false }
            case .array:
                guard let elementPairs = try pairsOfElements(of: left, and: right) else { return false }
                uncomparedPairs += elementPairs
            case .object:
                guard let memberPairs = try pairsOfMembers(of: left, and: right) else { return false }
                uncomparedPairs += memberPairs
            }
        }
        return true
    }

    /// Returns whether two strings have the same text, however they are escaped.
    private func areEqualStrings(_ left: JSONValue, _ right: JSONValue) throws -> Bool {
        let leftSlot = left.document.slots[left.slot]
        let rightSlot = right.document.slots[right.slot]
        // Strings without escapes have the same text only if they are as long as each other. The index has the lengths.
        let haveNoEscapes = leftSlot.isPlain && rightSlot.isPlain
        if haveNoEscapes, leftSlot.length != rightSlot.length { return false }
        return try withTexts(of: left, and: right) { $0.elementsEqual($1) }
    }

    /// Returns the elements of two arrays in pairs: the first ones, the second ones, and so on. It is nil if the arrays
    /// have different lengths.
    private func pairsOfElements(of left: JSONValue, and right: JSONValue) throws -> [(JSONValue, JSONValue)]? {
        let count = left.document.count(of: left.slot)
        guard count == right.document.count(of: right.slot) else { return nil }
        try steps.count(count)
        let leftElements = left.document.values(in: left.slot)
        let rightElements = right.document.values(in: right.slot)
        return zip(leftElements, rightElements).map { leftElement, rightElement in
            (JSONValue(left.document, slot: leftElement), JSONValue(right.document, slot: rightElement))
        }
    }

    /// Returns the values of two objects in pairs: those of the members with the same name. It is nil if the objects
    /// have different numbers of members, or different names.
    ///
    /// If the right object has several members with the same name, the last one counts.
    private func pairsOfMembers(of left: JSONValue, and right: JSONValue) throws -> [(JSONValue, JSONValue)]? {
        guard left.document.count(of: left.slot) == right.document.count(of: right.slot) else { return nil }
        var rightSlotsByName: [[UInt8]: Int] = [:]
        for slot in right.document.values(in: right.slot) {
            rightSlotsByName[try name(ofMemberAt: slot, in: right.document)] = slot
        }
        var pairs: [(JSONValue, JSONValue)] = []
        for leftSlot in left.document.values(in: left.slot) {
            // There are as many members on both sides. So, unless a name occurs twice, the names are the same if each
            // name on the left is on the right.
            let leftName = try name(ofMemberAt: leftSlot, in: left.document)
            guard let rightSlot = rightSlotsByName[leftName] else { return nil }
            pairs.append((JSONValue(left.document, slot: leftSlot), JSONValue(right.document, slot: rightSlot)))
        }
        return pairs
    }

    /// Returns the name of a member in UTF-8, with its escapes resolved.
    ///
    /// - Parameters:
    ///   - valueSlot: The slot of the member's value. The slot before it is that of the name.
    ///   - document: The document that has the member.
    private func name(ofMemberAt valueSlot: Int, in document: JSONDocument) throws -> [UInt8] {
        try withText(of: JSONValue(document, slot: valueSlot - 1)) { Array(UnescapedText($0)) }
    }

    // MARK: Order

    /// Returns whether a value is less than another one. It is false unless both are numbers or both are strings.
    ///
    /// Strings are in the order of their Unicode scalars, which is the order of their bytes in UTF-8.
    func isLess(_ left: JSONValue?, _ right: JSONValue?) throws -> Bool {
        guard let left, let right else { return false }
        try steps.count()
        switch (left.kind, right.kind) {
        case (.number, .number): return try decimalNumber(of: left) < decimalNumber(of: right)
        case (.string, .string): return try withTexts(of: left, and: right) { $0.lexicographicallyPrecedes($1) }
        default: return false
        }
    }

    // MARK: Texts of scalars

    /// Returns the exact value of a JSON number.
    private func decimalNumber(of value: JSONValue) throws -> DecimalNumber {
        try withText(of: value) { DecimalNumber(String(decoding: $0, as: UTF8.self)) }
    }

    /// Calls `body` with the bytes of a scalar as it is written, and counts each byte as a step of the query.
    func withText<Result>(of value: JSONValue, _ body: (UnsafeRawBufferPointer) -> Result) throws -> Result {
        try value.document.withScalar(value.slot) { text in
            try steps.count(text.count)
            return body(text)
        }
    }

    /// Calls `body` with the texts of two strings, and counts the bytes of the shorter one as steps of the query.
    ///
    /// `body` must stop reading where the shorter text ends, as comparisons do.
    private func withTexts(
        of left: JSONValue, and right: JSONValue, _ body: (UnescapedText, UnescapedText) -> Bool
    ) throws -> Bool {
        try left.document.withScalar(left.slot) { leftBytes in
            try right.document.withScalar(right.slot) { rightBytes in
                try steps.count(min(leftBytes.count, rightBytes.count))
                return body(UnescapedText(leftBytes), UnescapedText(rightBytes))
            }
        }
    }
}

extension JSONValue {
    /// Whether the two values are equal, however they are written: `1` and `1.0` are, and objects with their members in
    /// another order.
    package func isSame(as other: JSONValue) -> Bool {
        // Without a limit and a check, nothing can be thrown.
        (try? ValueComparison(steps: StepCounter(limit: .max)).areEqual(self, other)) ?? false
    }
}
