// Filters: conditions, and values and how they compare (RFC 9535, 2.3.5). Every byte that is read for a comparison is a step.

extension PathEvaluation {
    func test(_ expression: PathExpression, _ current: Int) throws -> Bool {
        switch expression {
        case .or(let conditions):
            for condition in conditions where try test(condition, current) { return true }
            return false
        case .and(let conditions):
            for condition in conditions where try !test(condition, current) { return false }
            return true
        case .not(let condition): return try !test(condition, current)
        case .exists(let query): return try !select(query, from: current) { _ in false }
        case .equal(let left, let right): return try areEqual(value(left, current), value(right, current))
        case .less(let left, let right): return try isLess(value(left, current), value(right, current))
        case .match(let operand, let pattern, let isWhole):
            guard let text = try text(value(operand, current)), let pattern = try self.text(value(pattern, current))
            else { return false }
            return try matches(text, pattern, isWhole: isWhole)
        }
    }

    /// Nil if a query selects nothing or several values, or if a function has no result.
    private func value(_ operand: PathOperand, _ current: Int) throws -> JSONValue? {
        switch operand {
        case .literal(let value): return value
        case .query(let query):
            var found: Int?
            let isSingle = try select(query, from: current) { slot in
                defer { found = slot }
                return found == nil
            }
            return isSingle ? found.map { JSONValue(document, slot: $0) } : nil
        case .count(let query):
            var count = 0
            _ = try select(query, from: current) { _ in
                count += 1
                return true
            }
            return JSONValue(count)
        case .length(let operand):
            guard let value = try value(operand, current) else { return nil }
            switch value.kind {
            case .array, .object: return JSONValue(document.count(of: value.slot))
            case .string:
                return try withText(value) { text in
                    JSONValue(UnescapedText(text).reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 })
                }
            default: return nil
            }
        }
    }

    private func text(_ value: JSONValue?) throws -> String? {
        guard let value, value.kind == .string else { return nil }
        return try withText(value) { _ in value.string }
    }

    /// Calls `body` with the text of a scalar as it is written, which costs its length.
    private func withText<Result>(_ value: JSONValue, _ body: (UnsafeRawBufferPointer) -> Result) throws -> Result {
        try value.document.withScalar(value.slot) { text in
            try step(text.count)
            return body(text)
        }
    }

    /// Calls `body` with the texts of two strings, of which it reads no more than the shorter one is long.
    private func withTexts(
        _ left: JSONValue, _ right: JSONValue, _ body: (UnescapedText, UnescapedText) -> Bool
    ) throws -> Bool {
        try left.document.withScalar(left.slot) { left in
            try right.document.withScalar(right.slot) { right in
                try step(min(left.count, right.count))
                return body(UnescapedText(left), UnescapedText(right))
            }
        }
    }

    private func number(_ value: JSONValue) throws -> DecimalNumber {
        try withText(value) { DecimalNumber(String(decoding: $0, as: UTF8.self)) }
    }

    /// Containers are compared pair by pair, however deep they are.
    fileprivate func areEqual(_ left: JSONValue?, _ right: JSONValue?) throws -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        var open = [(left, right)]
        while let (left, right) = open.popLast() {
            try step()
            guard left.kind == right.kind else { return false }
            switch left.kind {
            case .null: break
            case .boolean: guard left.bool == right.bool else { return false }
            case .number: guard try number(left) == number(right) else { return false }
            case .string:
                let (first, second) = (left.document.slots[left.slot], right.document.slots[right.slot])
                if first.isPlain, second.isPlain, first.value != second.value { return false }
                guard try withTexts(left, right, { $0.elementsEqual($1) }) else { return false }
            case .array, .object: guard try addPairs(left, right, to: &open) else { return false }
            }
        }
        return true
    }

    /// Adds the values that must be equal for two containers of one kind to be; false if they have other lengths or keys.
    private func addPairs(
        _ left: JSONValue, _ right: JSONValue, to open: inout [(JSONValue, JSONValue)]
    ) throws -> Bool {
        let (own, others) = (left.document, right.document)
        guard own.count(of: left.slot) == others.count(of: right.slot) else { return false }
        let members = left.kind == .object ? try self.members(of: right) : nil
        for (value, opposite) in zip(own.values(in: left.slot), others.values(in: right.slot)) {
            var other = opposite
            if let members {
                guard let member = members[try key(JSONValue(own, slot: value - 1))] else { return false }
                other = member
            }
            open.append((JSONValue(own, slot: value), JSONValue(others, slot: other)))
        }
        return true
    }

    private func members(of object: JSONValue) throws -> [[UInt8]: Int] {
        var members: [[UInt8]: Int] = [:]
        for value in object.document.values(in: object.slot) {
            members[try key(JSONValue(object.document, slot: value - 1))] = value
        }
        return members
    }

    private func key(_ name: JSONValue) throws -> [UInt8] { try withText(name) { Array(UnescapedText($0)) } }

    /// Numbers and strings have an order, by value and by Unicode scalars, which is that of UTF-8.
    private func isLess(_ left: JSONValue?, _ right: JSONValue?) throws -> Bool {
        guard let left, let right else { return false }
        try step()
        switch (left.kind, right.kind) {
        case (.number, .number): return try number(left) < number(right)
        case (.string, .string): return try withTexts(left, right) { $0.lexicographicallyPrecedes($1) }
        default: return false
        }
    }
}

extension JSONValue {
    /// Whether it is the same value, however it is written: `1` and `1.0` are, and objects with the same members in another order.
    package func isSame(as other: JSONValue) -> Bool {
        (try? PathEvaluation(document, limit: .max, check: nil).areEqual(self, other)) ?? false
    }
}
