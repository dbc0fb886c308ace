/// The evaluation of filters for one value of a document (RFC 9535, section 2.3.5).
struct FilterEvaluation {
    private let evaluation: PathEvaluation
    /// The value that `@` stands for.
    private let current: Int

    /// Makes the evaluation of filters for one value.
    ///
    /// - Parameters:
    ///   - evaluation: The evaluation of the query that has the filter.
    ///   - current: The slot of the value that `@` stands for.
    init(_ evaluation: PathEvaluation, current: Int) {
        self.evaluation = evaluation
        self.current = current
    }

    private var comparison: ValueComparison { ValueComparison(steps: evaluation.steps) }

    /// Returns whether a condition, such as `@.year > 2000 && @.title`, holds for the value that `@` stands for.
    ///
    /// `||` and `&&` end at the first condition that decides. A query by itself, such as `@.title`, holds if it selects
    /// anything.
    ///
    /// - Throws: ``JSONPathLimit`` if the query takes too many steps, and the error of the step counter's check.
    func test(_ expression: PathExpression) throws -> Bool {
        switch expression {
        case .or(let conditions):
            for condition in conditions where try test(condition) { return true }
            return false
        case .and(let conditions):
            for condition in conditions where try !test(condition) { return false }
            return true
        case .not(let condition):
            return try !test(condition)
        case .exists(let query):
            return try selectsAnything(query)
        case .equal(let left, let right):
            return try comparison.areEqual(value(of: left), value(of: right))
        case .less(let left, let right):
            return try comparison.isLess(value(of: left), value(of: right))
        case .match(let operand, let pattern, let isWhole):
            return try matches(operand, pattern, isWhole: isWhole)
        }
    }

    /// Returns whether a query selects anything. The search ends at the first value.
    private func selectsAnything(_ query: PathQuery) throws -> Bool {
        var selectsAny = false
        _ = try evaluation.visit(query, from: current) { _ in
            selectsAny = true
            return false
        }
        return selectsAny
    }

    /// Returns the number of values that a query selects.
    private func numberOfValues(_ query: PathQuery) throws -> Int {
        var count = 0
        _ = try evaluation.visit(query, from: current) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns the value of one side of a comparison, or of an argument of a function.
    ///
    /// - Returns: The value, or nil ("Nothing" in RFC 9535): a query selects no value or several, or a function such as
    ///   `length` has no result for its argument.
    private func value(of operand: PathOperand) throws -> JSONValue? {
        switch operand {
        case .literal(let value):
            return value
        case .query(let query):
            return try singleValue(of: query)
        case .length(let operand):
            guard let value = try value(of: operand) else { return nil }
            return try length(of: value)
        case .count(let query):
            return JSONValue(try numberOfValues(query))
        }
    }

    /// Returns the value that a query selects, or nil if it selects nothing or several values.
    private func singleValue(of query: PathQuery) throws -> JSONValue? {
        var selected: Int?
        let isComplete = try evaluation.visit(query, from: current) { slot in
            // A second value ends the search.
            guard selected == nil else { return false }
            selected = slot
            return true
        }
        guard isComplete, let selected else { return nil }
        return JSONValue(evaluation.document, slot: selected)
    }

    /// Returns the result of the function `length` (RFC 9535, section 2.4.4): the number of members of an object,
    /// elements of an array or characters of a string. It is nil for any other value.
    private func length(of value: JSONValue) throws -> JSONValue? {
        switch value.kind {
        case .array, .object:
            return JSONValue(value.document.count(of: value.slot))
        case .string:
            return try comparison.withText(of: value) { text in
                // In UTF-8, all bytes of a character but the first one are 10xxxxxx.
                var count = 0
                for byte in UnescapedText(text) where byte & 0xC0 != 0x80 { count += 1 }
                return JSONValue(count)
            }
        default:
            return nil
        }
    }

    /// Returns the result of the functions `match` and `search` (RFC 9535, sections 2.4.6 and 2.4.7): whether a regular
    /// expression matches a text.
    ///
    /// - Parameters:
    ///   - operand: The text. Any value but a string matches nothing.
    ///   - pattern: The regular expression. A string that is no regular expression matches nothing.
    ///   - isWhole: Whether the expression must match the whole text (`match`) and not only a part of it (`search`).
    private func matches(_ operand: PathOperand, _ pattern: PathOperand, isWhole: Bool) throws -> Bool {
        guard let text = try string(of: operand), let pattern = try string(of: pattern),
            let expression = try evaluation.patterns.expression(pattern, evaluation.steps)
        else { return false }
        return try expression.matches(text.unicodeScalars, isWhole: isWhole) { try evaluation.steps.count($0) }
    }

    /// Returns the text of an operand, with its escapes resolved, or nil for anything but a string.
    private func string(of operand: PathOperand) throws -> String? {
        guard let value = try value(of: operand), value.kind == .string else { return nil }
        return try comparison.withText(of: value) { _ in value.string }
    }
}
