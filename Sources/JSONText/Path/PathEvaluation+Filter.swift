// Filters: conditions, and values and how they compare (RFC 9535, 2.3.5).

extension PathEvaluation {
    private enum Value {
        /// The result of a query that selects nothing, or of a function that has none.
        case nothing
        case null
        case boolean(Bool)
        case number(PathNumber)
        case string(String)
        /// A string with a lone surrogate, which equals nothing.
        case brokenString
        /// An array or object.
        case container(Int)

        var string: String? {
            if case .string(let string) = self { string } else { nil }
        }
    }

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
        case .comparison(let left, let comparison, let right):
            return try compare(value(left, current), comparison, value(right, current))
        case .match(let operand, let pattern, let isWhole):
            guard let text = try value(operand, current).string else { return false }
            switch pattern {
            case .literal(let expression): return try matches(text, expression, isWhole: isWhole)
            case .operand(let operand):
                guard let pattern = try value(operand, current).string else { return false }
                return try matches(text, pattern, isWhole: isWhole)
            }
        }
    }

    private func value(_ operand: PathOperand, _ current: Int) throws -> Value {
        switch operand {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number(let number): return .number(number)
        case .string(let string): return .string(string)
        case .query(let query), .value(let query):
            var found: Int?
            // A second value makes it none.
            let isSingle = try select(query, from: current) { slot in
                defer { found = slot }
                return found == nil
            }
            return isSingle ? found.map(value) ?? .nothing : .nothing
        case .count(let query):
            var count = 0
            _ = try select(query, from: current) { _ in
                count += 1
                return true
            }
            return .number(.integer(Int64(count)))
        case .length(let operand):
            switch try value(operand, current) {
            case .string(let string):
                try step(string.utf8.count)
                return .number(.integer(Int64(string.unicodeScalars.count)))
            case .container(let slot): return .number(.integer(Int64(document.count(of: slot))))
            default: return .nothing
            }
        }
    }

    private func value(at slot: Int) -> Value {
        switch document.kind(of: slot) {
        case .null: .null
        case .boolean: .boolean(document.withScalar(slot) { $0[0] == UInt8(ascii: "t") })
        case .number: .number(document.withScalar(slot) { PathNumber($0) })
        case .string: document.string(at: slot).map(Value.string) ?? .brokenString
        case .array, .object: .container(slot)
        }
    }

    private func compare(_ left: Value, _ comparison: PathComparison, _ right: Value) throws -> Bool {
        switch comparison {
        case .equal: try areEqual(left, right)
        case .notEqual: try !areEqual(left, right)
        case .less: try isLess(left, right)
        case .greater: try isLess(right, left)
        case .lessOrEqual: try isLess(left, right) || areEqual(left, right)
        case .greaterOrEqual: try isLess(right, left) || areEqual(left, right)
        }
    }

    /// Containers are compared pair by pair, however deep they are.
    private func areEqual(_ left: Value, _ right: Value) throws -> Bool {
        var open = [(left, right)]
        while let pair = open.popLast() {
            try step()
            switch pair {
            case (.nothing, .nothing), (.null, .null): break
            case (.boolean(let left), .boolean(let right)): guard left == right else { return false }
            case (.number(let left), .number(let right)): guard left == right else { return false }
            case (.string(let left), .string(let right)):
                try step(left.utf8.count)
                guard left.utf8.elementsEqual(right.utf8) else { return false }
            case (.container(let left), .container(let right)):
                guard let pairs = try pairs(left, right) else { return false }
                open += pairs
            default: return false
            }
        }
        return true
    }

    /// The values that must be equal for two containers to be; nil if they are of different kinds, lengths or keys.
    private func pairs(_ left: Int, _ right: Int) throws -> [(Value, Value)]? {
        let kind = document.kind(of: left)
        guard kind == document.kind(of: right), document.count(of: left) == document.count(of: right) else {
            return nil
        }
        var pairs: [(Value, Value)] = []
        let end = document.next(after: left)
        var slot = document.first(in: left)
        var other = document.first(in: right)
        let members = kind == .object ? try self.members(of: right) : [:]
        while slot < end {
            if kind == .object {
                guard let key = document.string(at: slot), let member = members[Array(key.utf8)] else { return nil }
                (slot, other) = (slot + 1, member)
            }
            pairs.append((value(at: slot), value(at: other)))
            slot = document.next(after: slot)
            if kind == .array { other = document.next(after: other) }
        }
        return pairs
    }

    /// Numbers and strings have an order, by value and by Unicode scalars, which is that of UTF-8.
    private func isLess(_ left: Value, _ right: Value) throws -> Bool {
        try step()
        switch (left, right) {
        case (.number(let left), .number(let right)): return left < right
        case (.string(let left), .string(let right)):
            try step(left.utf8.count)
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        default: return false
        }
    }

    private func members(of object: Int) throws -> [[UInt8]: Int] {
        var members: [[UInt8]: Int] = [:]
        let end = document.next(after: object)
        var slot = document.first(in: object)
        while slot < end {
            try step()
            if let key = document.string(at: slot) { members[Array(key.utf8)] = slot + 1 }
            slot = document.next(after: slot + 1)
        }
        return members
    }
}
