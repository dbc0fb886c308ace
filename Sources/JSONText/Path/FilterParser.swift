/// Reads filters and their functions, and checks that their types fit together (RFC 9535, sections 2.3.5 and 2.4).
struct FilterParser {
    private let cursor: PathCursor

    init(_ cursor: PathCursor) { self.cursor = cursor }

    /// Reads the condition of a filter, such as `@.year > 2000 || @.title && !@.adult`.
    ///
    /// `&&` binds tighter than `||`: `a || b && c` is `a || (b && c)`. A single condition is read as an `or` with one
    /// alternative. A condition in parentheses is read by another call of this function. The levels are limited by
    /// ``PathCursor/enterNesting()``.
    ///
    /// - Throws: ``JSONPathError`` at the first character that no condition may have there.
    func parseExpression() throws(JSONPathError) -> PathExpression {
        try cursor.enterNesting()
        defer { cursor.leaveNesting() }
        var alternatives = [try parseConjunction()]
        while consumeOperator("||") { alternatives.append(try parseConjunction()) }
        return .or(alternatives)
    }

    /// Reads one or more conditions with `&&` between them, such as `@.title && !@.adult`.
    ///
    /// It ends before `||`, which binds less tightly and is left to ``parseExpression()``.
    private func parseConjunction() throws(JSONPathError) -> PathExpression {
        var conditions = [try parseCondition()]
        while consumeOperator("&&") { conditions.append(try parseCondition()) }
        return .and(conditions)
    }

    /// Moves after an operator, such as `&&`, and the space around it, if they come next.
    ///
    /// - Returns: Whether the operator came next. If it did not, nothing has been read.
    private func consumeOperator(_ operatorSymbol: String) -> Bool {
        guard cursor.consumeAfterSpace(if: operatorSymbol) else { return false }
        cursor.skipSpace()
        return true
    }

    /// Reads one condition without `||` and `&&`.
    ///
    ///     @.year > 2000          a comparison
    ///     @.title, !@.title      a test: whether a query selects anything
    ///     match(@.id, "[a-z]+")  a function that is true or false
    ///     (…), !(…)              a condition in parentheses
    ///
    /// - Throws: ``JSONPathError`` if anything else comes, or if the two sides of a comparison are not single values.
    private func parseCondition() throws(JSONPathError) -> PathExpression {
        if cursor.consume(if: "!") {
            cursor.skipSpace()
            if cursor.nextCharacter == "(" { return .not(try parseParenthesizedExpression()) }
            return .not(try condition(from: try parseTerm()))
        }
        if cursor.nextCharacter == "(" { return try parseParenthesizedExpression() }
        let term = try parseTerm()
        guard let comparison = Comparison.allCases.first(where: { consumeOperator($0.rawValue) }) else {
            return try condition(from: term)
        }
        let left = try comparableOperand(from: term)
        let right = try comparableOperand(from: try parseTerm())
        return comparison.expression(left: left, right: right)
    }

    /// Reads an expression in parentheses. The `(` comes next.
    private func parseParenthesizedExpression() throws(JSONPathError) -> PathExpression {
        cursor.position += 1
        cursor.skipSpace()
        let expression = try parseExpression()
        cursor.skipSpace()
        try cursor.expect(")", or: "'&&', '||'")
        return expression
    }

    /// The comparison operators. Those of two characters come first, because they may start like one of a single
    /// character.
    private enum Comparison: String, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"

        /// Returns the comparison of two values, expressed by `equal` and `less`, the only two that a query evaluates.
        ///
        /// `a <= b` becomes `a < b || a == b`, and not `!(a > b)`: for a number and a string, both `<=` and `>` are
        /// false.
        func expression(left: PathOperand, right: PathOperand) -> PathExpression {
            switch self {
            case .equal: .equal(left, right)
            case .notEqual: .not(.equal(left, right))
            case .lessOrEqual: .or([.less(left, right), .equal(left, right)])
            case .greaterOrEqual: .or([.less(right, left), .equal(left, right)])
            case .less: .less(left, right)
            case .greater: .less(right, left)
            }
        }
    }

    // MARK: Terms

    /// One side of a comparison, a test, or an argument of a function. Only what follows it tells which one it is.
    private struct Term {
        enum Kind {
            case query(PathQuery)
            /// A literal, or a function whose result is a value.
            case value(PathOperand)
            /// A function whose result is true or false.
            case condition(PathExpression)
        }

        let kind: Kind
        /// The position in the query at which the term starts.
        let start: Int
        /// The term as the query has it, for error messages.
        let writtenText: String
    }

    /// Reads a term: a query (`@.id`), a literal (`'x'`, `2.5`, `null`) or a function (`length(@.id)`). The first
    /// character tells which of them comes next.
    ///
    /// - Throws: ``JSONPathError`` if anything else comes, or if the term has a mistake.
    private func parseTerm() throws(JSONPathError) -> Term {
        let start = cursor.position
        let kind: Term.Kind
        switch cursor.nextCharacter {
        case "$", "@": kind = .query(try PathParser(cursor).parseQuery())
        case "'", "\"": kind = .value(.literal(JSONValue(try cursor.parseQuotedString())))
        case _ where cursor.isIntegerNext: kind = .value(.literal(try cursor.parseNumber()))
        case .some("a"..."z"): kind = try parseLiteralOrFunction()
        default: throw cursor.unexpectedCharacter(expected: "a query, a literal or a function")
        }
        return Term(kind: kind, start: start, writtenText: cursor.consumedText(since: start))
    }

    /// Returns a term as a condition: a query is true if it selects anything, and a function such as `match` is true or
    /// false itself.
    ///
    /// - Throws: ``JSONPathError`` if the term is a value, which only a comparison makes a condition.
    private func condition(from term: Term) throws(JSONPathError) -> PathExpression {
        switch term.kind {
        case .query(let query): return .exists(query)
        case .condition(let condition): return condition
        case .value: throw cursor.unexpectedCharacter(expected: "a comparison: '==', '!=', '<', '<=', '>' or '>='")
        }
    }

    /// Returns a term as an operand of a comparison, which has one value at most (RFC 9535, section 2.3.5.1).
    ///
    /// - Throws: ``JSONPathError`` if the term is a condition, or a query that may select several values.
    private func comparableOperand(from term: Term) throws(JSONPathError) -> PathOperand {
        switch term.kind {
        case .value(let operand): return operand
        case .query(let query) where query.isSingular: return .query(query)
        case .query: throw wrongTypeError(for: term, expected: "a query for one value, of names and indexes only")
        case .condition: throw wrongTypeError(for: term, expected: "a value")
        }
    }

    /// Returns a term as a query.
    ///
    /// - Throws: ``JSONPathError`` if the term is not a query.
    private func query(from term: Term) throws(JSONPathError) -> PathQuery {
        guard case .query(let query) = term.kind else {
            throw wrongTypeError(for: term, expected: "a query")
        }
        return query
    }

    /// Returns the error for a term of the wrong type, such as a literal where a query is expected. It points to the
    /// start of the term.
    private func wrongTypeError(for term: Term, expected: String) -> JSONPathError {
        cursor.error(at: term.start, expected: expected, found: TerminalText.escaped("'\(term.writtenText)'"))
    }

    // MARK: Functions

    /// Reads a term that starts with a letter: `true`, `false`, `null` or a function such as `length(@.id)`.
    private func parseLiteralOrFunction() throws(JSONPathError) -> Term.Kind {
        let start = cursor.position
        cursor.skip { ("a"..."z").contains($0) || PathCursor.isDigit($0) || $0 == "_" }
        let word = cursor.consumedText(since: start)
        if cursor.nextCharacter == "(" { return try parseFunctionCall(named: word, at: start) }
        return .value(
            .literal(try cursor.decodeLiteral(word, expected: "a query, a literal or a function", from: start)))
    }

    /// The functions of RFC 9535, section 2.4.
    private enum Function: String {
        case length, count, value, match, search

        var argumentCount: Int {
            switch self {
            case .length, .count, .value: 1
            case .match, .search: 2
            }
        }
    }

    /// Reads the arguments of a function, whose name has been read, and checks their types. The `(` comes next.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - nameStart: The position of the name, for the error if there is no such function.
    /// - Returns: A condition for `match` and `search`, a value for all others.
    /// - Throws: ``JSONPathError`` for an unknown function, or for arguments of the wrong number or type.
    private func parseFunctionCall(named name: String, at nameStart: Int) throws(JSONPathError) -> Term.Kind {
        guard let function = Function(rawValue: name) else {
            throw cursor.error(at: nameStart, expected: "length, count, value, match or search", found: "'\(name)'")
        }
        let arguments = try parseArguments(count: function.argumentCount)
        switch function {
        case .length: return .value(.length(try comparableOperand(from: arguments[0])))
        case .count: return .value(.count(try query(from: arguments[0])))
        // `value(q)` is the single value that `q` selects, which a query in a comparison stands for anyway.
        case .value: return .value(.query(try query(from: arguments[0])))
        case .match, .search:
            let matchedText = try comparableOperand(from: arguments[0])
            let pattern = try comparableOperand(from: arguments[1])
            return .condition(.match(matchedText, pattern: pattern, isWhole: function == .match))
        }
    }

    /// Reads the arguments of a function, in parentheses and with commas between them. The `(` comes next.
    ///
    /// - Parameter count: The number of arguments that the function has.
    /// - Throws: ``JSONPathError`` if there are more or fewer arguments, or if functions are nested too deeply.
    private func parseArguments(count: Int) throws(JSONPathError) -> [Term] {
        cursor.position += 1
        try cursor.enterNesting()
        defer { cursor.leaveNesting() }
        var arguments: [Term] = []
        repeat {
            cursor.skipSpace()
            arguments.append(try parseTerm())
            cursor.skipSpace()
        } while arguments.count < count && cursor.consume(if: ",")
        guard arguments.count == count else { throw cursor.unexpectedCharacter(expected: "','") }
        // If there are more arguments, a comma comes here.
        try cursor.expect(")")
        return arguments
    }
}
