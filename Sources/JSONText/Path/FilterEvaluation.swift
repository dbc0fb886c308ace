/// The evaluation of filters for one value of a document (RFC 9535, section 2.3.5).
struct FilterEvaluation {
    private let evaluation: PathEvaluation
    /// The value that `@` stands for.
    private let current: Int

    init(_ evaluation: PathEvaluation, current: Int) {
        self.evaluation = evaluation
        self.current = current
    }

    private var comparison: ValueComparison { ValueComparison(steps: evaluation.steps) }

    /// Returns whether a condition holds for the value that `@` stands for.
    ///
    /// `||` and `&&` end at the first condition that decides. A query that is tested by itself ends at the first value.
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
            var isFound = false
            _ = try evaluation.visit(query, from: current) { _ in
                isFound = true
                return false
            }
            return isFound
        case .equal(let left, let right):
            return try comparison.areEqual(value(of: left), value(of: right))
        case .less(let left, let right):
            return try comparison.isLess(value(of: left), value(of: right))
        case .match(let operand, let pattern, let isWhole):
            return try matches(operand, pattern, isWhole: isWhole)
        }
    }

    /// Returns the value of an operand, or nil if a query selects nothing or several values, or if a function has no
    /// result.
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
            var count = 0
            _ = try evaluation.visit(query, from: current) { _ in
                count += 1
                return true
            }
            return JSONValue(count)
        }
    }

    /// Returns the value that a query selects, or nil if it selects nothing or several values. The search ends at the
    /// second value.
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

    /// Returns the number of members, elements or characters of a value, or nil if it has none of them (RFC 9535,
    /// section 2.4.4).
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

    /// Returns whether a regular expression matches a text. Other values than strings and texts that are no expressions
    /// match nothing.
    private func matches(_ operand: PathOperand, _ pattern: PathOperand, isWhole: Bool) throws -> Bool {
        guard let text = try string(of: operand), let pattern = try string(of: pattern),
            let expression = try evaluation.patterns.expression(pattern, evaluation.steps)
        else { return false }
        return try expression.matches(text.unicodeScalars, isWhole: isWhole) { try evaluation.steps.count($0) }
    }

    /// Returns the text of an operand, with its escapes resolved; nil for anything but a string.
    private func string(of operand: PathOperand) throws -> String? {
        guard let value = try value(of: operand), value.kind == .string else { return nil }
        return try comparison.withText(of: value) { _ in value.string }
    }
}

/// Compiled regular expressions by their text. Expressions may come out of the document, a different one for each
/// value.
final class PatternCache {
    private static let maxPatterns = 64

    /// Nil stands for a text that is not a regular expression.
    private var expressions: [String: Result<IRegexp?, JSONPathLimit>] = [:]

    /// Returns the compiled expression, or nil if `text` is not a regular expression.
    ///
    /// Compiling counts as many steps as the largest expression has states, so that a document with ever new
    /// expressions soon reaches the limit. When the cache is full, it is emptied.
    ///
    /// - Throws: ``JSONPathLimit`` if the expression has too many states, or if compiling it takes too many steps.
    func expression(_ text: String, _ steps: StepCounter) throws -> IRegexp? {
        if let known = expressions[text] { return try known.get() }
        try steps.count(IRegexp.largestProgram)
        let compiled: Result<IRegexp?, JSONPathLimit> =
            switch IRegexp.compile(text) {
            case .success(let expression): .success(expression)
            case .failure(let limit): .failure(limit)
            case nil: .success(nil)
            }
        if expressions.count == Self.maxPatterns { expressions = [:] }
        expressions[text] = compiled
        return try compiled.get()
    }
}
