// Filters and functions, and whether they fit together (RFC 9535, 2.3.5 and 2.4).

extension PathParser {
    mutating func expression() throws(JSONPathError) -> PathExpression {
        try enter()
        defer { depth -= 1 }
        var alternatives = [try conjunction()]
        while takeOperator("||") { alternatives.append(try conjunction()) }
        return .or(alternatives)
    }

    private mutating func conjunction() throws(JSONPathError) -> PathExpression {
        var conditions = [try condition()]
        while takeOperator("&&") { conditions.append(try condition()) }
        return .and(conditions)
    }

    /// Passes over an operator and the space around it, if one comes next.
    private mutating func takeOperator(_ token: String) -> Bool {
        let start = index
        skipSpace()
        guard take(text: token) else {
            index = start
            return false
        }
        skipSpace()
        return true
    }

    private mutating func condition() throws(JSONPathError) -> PathExpression {
        if take("!") {
            skipSpace()
            if next == "(" { return .not(try parentheses()) }
            let term = try term()
            return .not(try test(term))
        }
        if next == "(" { return try parentheses() }
        let first = try term()
        // The longer ones first.
        for comparison in ["==", "!=", "<=", ">=", "<", ">"] where takeOperator(comparison) {
            let (left, right) = (try value(first), try value(try term()))
            switch comparison {
            case "==": return .equal(left, right)
            case "!=": return .not(.equal(left, right))
            case "<=": return .or([.less(left, right), .equal(left, right)])
            case ">=": return .or([.less(right, left), .equal(left, right)])
            case "<": return .less(left, right)
            default: return .less(right, left)
            }
        }
        return try test(first)
    }

    private mutating func parentheses() throws(JSONPathError) -> PathExpression {
        index += 1
        skipSpace()
        let expression = try expression()
        skipSpace()
        try expect(")", or: "'&&', '||'")
        return expression
    }

    // MARK: Terms

    /// An operand: one side of a comparison, a condition on its own, or an argument.
    private struct Term {
        enum Kind {
            case query(PathQuery)
            /// A literal, or a function that gives a value.
            case value(PathOperand)
            /// A function that gives true or false.
            case condition(PathExpression)
        }

        let kind: Kind
        /// Its start and its text.
        let start: Int
        let name: String
    }

    private mutating func term() throws(JSONPathError) -> Term {
        let start = index
        let kind: Term.Kind
        switch next ?? "\0" {
        case "$", "@": kind = .query(try query())
        case "'", "\"": kind = .value(.literal(JSONValue(try quoted())))
        case "-", "0"..."9": kind = .value(.literal(try number()))
        case "a"..."z": kind = try word()
        default: throw unexpected("a query, a literal or a function")
        }
        return Term(kind: kind, start: start, name: string(from: start))
    }

    /// The term as a condition by itself.
    private func test(_ term: Term) throws(JSONPathError) -> PathExpression {
        switch term.kind {
        case .query(let query): return .exists(query)
        case .condition(let condition): return condition
        case .value: throw unexpected("a comparison: '==', '!=', '<', '<=', '>' or '>='")
        }
    }

    /// The term as one value.
    private func value(_ term: Term) throws(JSONPathError) -> PathOperand {
        switch term.kind {
        case .value(let operand): return operand
        case .query(let query) where query.isSingular: return .query(query)
        case .query: throw unfit(term, "a query for one value, of names and indexes only")
        case .condition: throw unfit(term, "a value")
        }
    }

    /// The term as what a query selects.
    private func nodes(_ term: Term) throws(JSONPathError) -> PathQuery {
        guard case .query(let query) = term.kind else { throw unfit(term, "a query") }
        return query
    }

    private func unfit(_ term: Term, _ expected: String) -> JSONPathError {
        error(at: term.start, expected, found: TerminalText.escaped("'\(term.name)'"))
    }

    private mutating func number() throws(JSONPathError) -> JSONValue {
        let start = index
        while let scalar = next, "+-.0123456789Ee".unicodeScalars.contains(scalar) { index += 1 }
        return try literal(string(from: start), "a number", from: start)
    }

    /// `true`, `false`, `null` or a function.
    private mutating func word() throws(JSONPathError) -> Term.Kind {
        let start = index
        while let scalar = next, ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_" {
            index += 1
        }
        let word = string(from: start)
        if next == "(" { return try function(word, start) }
        return .value(.literal(try literal(word, "a query, a literal or a function", from: start)))
    }

    private mutating func function(_ name: String, _ start: Int) throws(JSONPathError) -> Term.Kind {
        let counts = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2]
        guard let count = counts[name] else {
            throw error(at: start, "length, count, value, match or search", found: "'\(name)'")
        }
        index += 1
        try enter()
        defer { depth -= 1 }
        var arguments: [Term] = []
        repeat {
            skipSpace()
            arguments.append(try term())
            skipSpace()
        } while arguments.count < count && take(",")
        guard arguments.count == count else { throw unexpected("','") }
        try expect(")")
        switch name {
        case "length": return .value(.length(try value(arguments[0])))
        case "count": return .value(.count(try nodes(arguments[0])))
        case "value": return .value(.query(try nodes(arguments[0])))
        default:
            let (text, pattern) = (try value(arguments[0]), try value(arguments[1]))
            return .condition(.match(text, pattern: pattern, isWhole: name == "match"))
        }
    }
}
