/// Reads filters and their functions, and checks that their types fit together (RFC 9535, sections 2.3.5 and 2.4).
struct FilterParser {
    private let text: PathText

    init(_ text: PathText) { self.text = text }

    /// Reads conditions that `||` and `&&` combine. The latter binds tighter: `a || b && c` is `a || (b && c)`.
    ///
    /// Each level of nesting counts towards the limit of ``PathText/enter()``.
    func expression() throws(JSONPathError) -> PathExpression {
        try text.enter()
        defer { text.leave() }
        var alternatives = [try conjunction()]
        while takeOperator("||") { alternatives.append(try conjunction()) }
        return .or(alternatives)
    }

    /// Reads conditions that `&&` combines.
    private func conjunction() throws(JSONPathError) -> PathExpression {
        var conditions = [try condition()]
        while takeOperator("&&") { conditions.append(try condition()) }
        return .and(conditions)
    }

    /// Passes over an operator and the space around it, if it comes next. Otherwise nothing is read.
    private func takeOperator(_ token: String) -> Bool {
        guard text.takeAfterSpace(token) else { return false }
        text.skipSpace()
        return true
    }

    /// Reads a comparison, a test such as `@.title`, or an expression in parentheses. A test and parentheses may follow
    /// a `!`.
    private func condition() throws(JSONPathError) -> PathExpression {
        if text.take("!") {
            text.skipSpace()
            if text.next == "(" { return .not(try parentheses()) }
            return .not(try test(try term()))
        }
        if text.next == "(" { return try parentheses() }
        let term = try term()
        for comparison in Comparison.allCases where takeOperator(comparison.rawValue) {
            let left = try value(term)
            let right = try value(try self.term())
            return comparison.expression(left, right)
        }
        return try test(term)
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

        /// Expresses the comparison by the two that are evaluated. (`<=` is not `!(>)`: neither holds for a number and
        /// a string.)
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

    /// One side of a comparison, a test, or an argument of a function. Which of them it is, is known only after reading
    /// it.
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

    /// Reads a query, a literal or a function. Its first character says which of them it is.
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

    /// Returns the condition that a term is by itself. A query is true if it selects anything.
    private func test(_ term: Term) throws(JSONPathError) -> PathExpression {
        switch term.kind {
        case .query(let query): return .exists(query)
        case .condition(let condition): return condition
        case .value: throw text.unexpected("a comparison: '==', '!=', '<', '<=', '>' or '>='")
        }
    }

    /// Returns the single value that a term is.
    private func value(_ term: Term) throws(JSONPathError) -> PathOperand {
        switch term.kind {
        case .value(let operand): return operand
        case .query(let query) where query.isSingular: return .query(query)
        case .query: throw unfit(term, "a query for one value, of names and indexes only")
        case .condition: throw unfit(term, "a value")
        }
    }

    /// Returns the query that a term is.
    private func query(_ term: Term) throws(JSONPathError) -> PathQuery {
        guard case .query(let query) = term.kind else { throw unfit(term, "a query") }
        return query
    }

    /// The error for a term whose type does not fit its place.
    private func unfit(_ term: Term, _ expected: String) -> JSONPathError {
        text.error(at: term.start, expected, found: TerminalText.escaped("'\(term.written)'"))
    }

    // MARK: Functions

    /// Reads `true`, `false`, `null` or a function.
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

    /// Reads exactly `count` arguments in parentheses with commas between them.
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
