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

    private func areEqual(_ left: Value, _ right: Value) throws -> Bool {
        try step()
        switch (left, right) {
        case (.nothing, .nothing), (.null, .null): return true
        case (.boolean(let left), .boolean(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)):
            try step(left.utf8.count)
            return left.utf8.elementsEqual(right.utf8)
        case (.container(let left), .container(let right)): return try areEqualContainers(left, right)
        default: return false
        }
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

    /// As deep as a document is, which has its limit.
    private func areEqualContainers(_ left: Int, _ right: Int) throws -> Bool {
        let kind = document.kind(of: left)
        guard kind == document.kind(of: right), document.count(of: left) == document.count(of: right) else {
            return false
        }
        let end = document.next(after: left)
        var slot = document.first(in: left)
        if kind == .array {
            var other = document.first(in: right)
            while slot < end {
                guard try areEqual(value(at: slot), value(at: other)) else { return false }
                slot = document.next(after: slot)
                other = document.next(after: other)
            }
            return true
        }
        let members = try self.members(of: right)
        while slot < end {
            guard let key = document.string(at: slot), let other = members[Array(key.utf8)],
                try areEqual(value(at: slot + 1), value(at: other))
            else { return false }
            slot = document.next(after: slot + 1)
        }
        return true
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
