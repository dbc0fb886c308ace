/// The evaluation of filters for one value of a document (RFC 9535, section 2.3.5).
struct FilterEvaluation {
    private let evaluation: PathEvaluation
    /// The slot of the value that `@` stands for.
    private let currentSlot: Int

    /// Makes the evaluation of filters for one value.
    ///
    /// - Parameters:
    ///   - evaluation: The evaluation of the query that has the filter.
    ///   - currentSlot: The slot of the value that `@` stands for.
    init(_ evaluation: PathEvaluation, currentSlot: Int) {
        self.evaluation = evaluation
        self.currentSlot = currentSlot
    }

    private var comparison: ValueComparison { ValueComparison(steps: evaluation.steps) }

    /// Returns whether a condition, such as `@.year > 2000 && @.title`, holds for the value that `@` stands for.
    ///
    /// `||` and `&&` end at the first condition that decides. A query by itself, such as `@.title`, holds if it selects
    /// anything.
    ///
    /// - Throws: ``JSONPathLimit`` if the query takes too many steps, and the error of the step counter's check.
    func holds(_ condition: PathExpression) throws -> Bool {
        switch condition {
        case .or(let alternatives):
            return try alternatives.contains { try holds($0) }
        case .and(let requirements):
            return try requirements.allSatisfy { try holds($0) }
        case .not(let negatedCondition):
            return try !holds(negatedCondition)
        case .exists(let query):
            return try selectsAnything(query)
        case .equal(let left, let right):
            return try comparison.areEqual(value(of: left), value(of: right))
        case .less(let left, let right):
            return try comparison.isLess(value(of: left), value(of: right))
        case .match(let text, let pattern, let isWhole):
            return try matches(text, pattern: pattern, isWhole: isWhole)
        }
    }

    /// Returns whether a query selects anything. The search ends at the first value.
    private func selectsAnything(_ query: PathQuery) throws -> Bool {
        var selectsAny = false
        _ = try evaluation.visitValues(selectedBy: query, from: currentSlot) { _ in
            selectsAny = true
            return false
        }
        return selectsAny
    }

    /// Returns the number of values that a query selects, for the function `count` (RFC 9535, section 2.4.5).
    private func numberOfValues(selectedBy query: PathQuery) throws -> Int {
        var count = 0
        _ = try evaluation.visitValues(selectedBy: query, from: currentSlot) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns the value of one side of a comparison, or of an argument of a function.
    ///
    /// - Returns: The value. It is nil ("Nothing" in RFC 9535) if a query selects no value or several, or if a function
    ///   such as `length` has no result for its argument.
    private func value(of operand: PathOperand) throws -> JSONValue? {
        switch operand {
        case .literal(let value):
            return value
        case .query(let query):
            return try singleValue(selectedBy: query)
        case .length(let operand):
            guard let value = try value(of: operand) else { return nil }
            return try length(of: value)
        case .count(let query):
            return JSONValue(try numberOfValues(selectedBy: query))
        }
    }

    /// Returns the value that a query selects, or nil if it selects nothing or several values.
    private func singleValue(selectedBy query: PathQuery) throws -> JSONValue? {
        var selectedSlot: Int?
        let selectsOneAtMost = try evaluation.visitValues(selectedBy: query, from: currentSlot) { slot in
            // A second value ends the search.
            guard selectedSlot == nil else { return false }
            selectedSlot = slot
            return true
        }
        guard selectsOneAtMost, let selectedSlot else { return nil }
        return JSONValue(evaluation.document, slot: selectedSlot)
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
    ///   - textOperand: The text. Any value but a string matches nothing.
    ///   - patternOperand: The regular expression. A string that is not a regular expression matches nothing.
    ///   - isWhole: Whether the expression must match the whole text (`match`) and not only a part of it (`search`).
    private func matches(
        _ textOperand: PathOperand, pattern patternOperand: PathOperand, isWhole: Bool
    ) throws -> Bool {
        guard let text = try string(of: textOperand), let pattern = try string(of: patternOperand),
            let expression = try evaluation.patterns.compiledExpression(pattern, counting: evaluation.steps)
        else { return false }
        return try expression.matches(text.unicodeScalars, isWhole: isWhole) { try evaluation.steps.count($0) }
    }

    /// Returns the text of an operand, with its escapes resolved, or nil for anything but a string.
    private func string(of operand: PathOperand) throws -> String? {
        guard let value = try value(of: operand), value.kind == .string else { return nil }
        return try comparison.withText(of: value) { _ in value.string }
    }
}
