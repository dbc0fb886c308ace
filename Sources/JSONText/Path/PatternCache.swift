/// Compiled regular expressions by their text. A filter may take the expression out of the document, a different one
/// for each value.
final class PatternCache {
    /// The most expressions that are kept: more than a query has, and few enough to bound the memory.
    private static let maxPatterns = 64

    /// The result of compiling each pattern. Nil stands for a text that is not a regular expression.
    private var compiledExpressions: [String: Result<IRegexp?, JSONPathLimit>] = [:]

    /// Returns a compiled regular expression from the cache, or compiles it and keeps the result.
    ///
    /// Compiling counts as many steps as the largest expression has states. So a document that has another expression
    /// in each value soon reaches the limit. When the cache is full, it is emptied.
    ///
    /// - Parameters:
    ///   - pattern: The text of the regular expression.
    ///   - steps: Counts the steps of the query.
    /// - Returns: The compiled expression, or nil if `pattern` is not a regular expression.
    /// - Throws: ``JSONPathLimit`` if the expression has too many states, or if compiling it takes too many steps.
    func compiledExpression(_ pattern: String, counting steps: StepCounter) throws -> IRegexp? {
        if let cached = compiledExpressions[pattern] { return try cached.get() }
        try steps.count(IRegexp.largestProgram)
        let compiled = Result { () throws(JSONPathLimit) in try IRegexp.compile(pattern) }
        if compiledExpressions.count == Self.maxPatterns { compiledExpressions = [:] }
        // An expression that is invalid or too large is kept too, so that it is not compiled again.
        compiledExpressions[pattern] = compiled
        return try compiled.get()
    }
}
