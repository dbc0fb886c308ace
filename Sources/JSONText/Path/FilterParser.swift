/// Reads filters and their functions, and checks that their types fit together (RFC 9535, sections 2.3.5 and 2.4).
struct FilterParser {
    private let text: PathText

    init(_ text: PathText) { self.text = text }

    /// Reads the condition of a filter, such as `@.year > 2000 || @.title && !@.adult`.
    ///
    /// `&&` binds tighter than `||`: `a || b && c` is `a || (b && c)`. Conditions in parentheses come back here. Each
    /// level counts towards the limit of ``PathText/enter()``.
    ///
    /// - Throws: ``JSONPathError`` at the first character that no condition may have there.
    func expression() throws(JSONPathError) -> PathExpression {
        try text.enter()
        defer { text.leave() }
        var alternatives = [try conjunction()]
        while takeOperator("||") { alternatives.append(try conjunction()) }
        return .or(alternatives)
    }

    /// Reads one or more conditions with `&&` between them, which binds tighter than `||`.
    private func conjunction() throws(JSONPathError) -> PathExpression {
        var conditions = [try condition()]
        while takeOperator("&&") { conditions.append(try condition()) }
        return .and(conditions)
    }

    /// Skips an operator, such as `&&`, and the space around it, if it comes next.
    ///
    /// - Returns: Whether the operator came next. If it did not, nothing has been read.
    private func takeOperator(_ symbol: String) -> Bool {
        guard text.takeAfterSpace(symbol) else { return false }
        text.skipSpace()
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
    private func condition() throws(JSONPathError) -> PathExpression {
        if text.take("!") {
            text.skipSpace()
            if text.next == "(" { return .not(try parentheses()) }
            return .not(try test(try term()))
        }
        if text.next == "(" { return try parentheses() }
        let term = try term()
        guard let comparison = Comparison.allCases.first(where: { takeOperator($0.rawValue) }) else {
            return try test(term)
        }
        let left = try value(term)
        let right = try value(try self.term())
        return comparison.expression(left, right)
    }

    /// Reads an expression in parentheses. The `(` comes next.
    private func parentheses() throws(JSONPathError) -> PathExpression {
        text.index += 1
        text.skipSpace()
        let expression = try expression()
        text.skipSpace()
        try text.expect(")", or: "'&&', '||'")
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

        /// Returns the comparison of two values, expressed by "equal" and "less", the only two that are evaluated.
        ///
        /// `a <= b` becomes `a < b || a == b`, and not `!(a > b)`: for a number and a string, both `<=` and `>` are
        /// false.
        func expression(_ left: PathOperand, _ right: PathOperand) -> PathExpression {
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
        /// The position at which the term starts.
        let start: Int
        /// The term as it is written.
        let written: String
    }

    /// Reads a query (`@.id`), a literal (`'x'`, `2.5`, `null`) or a function (`length(@.id)`). The first character
    /// tells which one comes next.
    private func term() throws(JSONPathError) -> Term {
        let start = text.index
        let kind: Term.Kind
        switch text.next {
        case "$", "@": kind = .query(try PathParser(text).query())
        case "'", "\"": kind = .value(.literal(JSONValue(try text.quoted())))
        case _ where text.startsInteger: kind = .value(.literal(try text.number()))
        case .some("a"..."z"): kind = try word()
        default: throw text.unexpected("a query, a literal or a function")
        }
        return Term(kind: kind, start: start, written: text.string(from: start))
    }

    /// Returns a term as a condition: a query is true if it selects anything, a function as its result says.
    ///
    /// - Throws: ``JSONPathError`` if the term is a value, which only a comparison makes a condition.
    private func test(_ term: Term) throws(JSONPathError) -> PathExpression {
        switch term.kind {
        case .query(let query): return .exists(query)
        case .condition(let condition): return condition
        case .value: throw text.unexpected("a comparison: '==', '!=', '<', '<=', '>' or '>='")
        }
    }

    /// Returns a term as a value that can be compared.
    ///
    /// - Throws: ``JSONPathError`` if the term is a condition, or a query that may select several values.
    private func value(_ term: Term) throws(JSONPathError) -> PathOperand {
        switch term.kind {
        case .value(let operand): return operand
        case .query(let query) where query.isSingular: return .query(query)
        case .query: throw unfit(term, "a query for one value, of names and indexes only")
        case .condition: throw unfit(term, "a value")
        }
    }

    /// Returns a term as a query.
    ///
    /// - Throws: ``JSONPathError`` if the term is not a query.
    private func query(_ term: Term) throws(JSONPathError) -> PathQuery {
        guard case .query(let query) = term.kind else { throw unfit(term, "a query") }
        return query
    }

    /// Returns the error for a term of the wrong type, such as a literal where a query is expected.
    private func unfit(_ term: Term, _ expected: String) -> JSONPathError {
        text.error(at: term.start, expected, found: TerminalText.escaped("'\(term.written)'"))
    }

    // MARK: Functions

    /// Reads a term that starts with a letter: `true`, `false`, `null` or a function such as `length(@.id)`.
    private func word() throws(JSONPathError) -> Term.Kind {
        let start = text.index
        text.skip { ("a"..."z").contains($0) || PathText.isDigit($0) || $0 == "_" }
        let word = text.string(from: start)
        if text.next == "(" { return try function(word, start) }
        return .value(.literal(try text.literal(word, "a query, a literal or a function", from: start)))
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

    /// Reads the arguments of a function and checks their types. The `(` comes next.
    ///
    /// - Parameters:
    ///   - name: The name of the function, which has been read.
    ///   - start: The position of the name, for the error if there is no such function.
    /// - Returns: A condition for `match` and `search`, a value for all others.
    private func function(_ name: String, _ start: Int) throws(JSONPathError) -> Term.Kind {
        guard let function = Function(rawValue: name) else {
            throw text.error(at: start, "length, count, value, match or search", found: "'\(name)'")
        }
        let arguments = try arguments(count: function.argumentCount)
        switch function {
        case .length: return .value(.length(try value(arguments[0])))
        case .count: return .value(.count(try query(arguments[0])))
        case .value: return .value(.query(try query(arguments[0])))
        case .match, .search:
            let matched = try value(arguments[0])
            let pattern = try value(arguments[1])
            return .condition(.match(matched, pattern: pattern, isWhole: function == .match))
        }
    }

    /// Reads the arguments of a function, in parentheses and with commas between them. The `(` comes next.
    ///
    /// - Parameter count: The number of arguments that the function has.
    /// - Throws: ``JSONPathError`` if there are more or fewer arguments, or if functions are nested too deeply.
    private func arguments(count: Int) throws(JSONPathError) -> [Term] {
        text.index += 1
        try text.enter()
        defer { text.leave() }
        var arguments: [Term] = []
        repeat {
            text.skipSpace()
            arguments.append(try term())
            text.skipSpace()
        } while arguments.count < count && text.take(",")
        guard arguments.count == count else { throw text.unexpected("','") }
        try text.expect(")")
        return arguments
    }
}
