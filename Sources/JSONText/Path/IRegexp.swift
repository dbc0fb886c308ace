/// A regular expression by RFC 9485 (I-Regexp), for whole texts or parts of them.
///
/// It is compiled to a nondeterministic automaton, all states of which advance together: time is at most the length of the text times the
/// number of states, whatever the expression.
struct IRegexp: Sendable {
    /// Counted repetitions are written out, so `a{1000}` has a thousand states.
    static let largestProgram = 5000

    enum Instruction: Sendable {
        /// Reads one character of a set.
        case read(ScalarSet)
        /// Goes on at both.
        case split(Int, Int)
        case jump(Int)
        case accept
    }

    let program: [Instruction]

    /// Nil if `text` is not an I-Regexp; a failure if it is too large.
    static func compile(_ text: String) -> Result<IRegexp, JSONPathLimit>? {
        var parser = IRegexpParser(text)
        guard let tree = parser.whole() else { return parser.isTooDeep ? .failure(tooLarge) : nil }
        var compiler = Compiler()
        guard compiler.append(tree), compiler.append(.accept) else { return .failure(tooLarge) }
        return .success(IRegexp(program: compiler.program))
    }

    private static let tooLarge = JSONPathLimit.tooLargeExpression(largestProgram)

    /// What an expression is made of.
    indirect enum Tree {
        case set(ScalarSet)
        case sequence([Tree])
        case alternatives([Tree])
        case repetition(Tree, atLeast: Int, atMost: Int?)
    }

    private struct Compiler {
        var program: [Instruction] = []

        /// False if that is too much.
        mutating func append(_ instruction: Instruction) -> Bool {
            program.append(instruction)
            return program.count <= IRegexp.largestProgram
        }

        mutating func append(_ tree: Tree) -> Bool {
            switch tree {
            case .set(let set): return append(.read(set))
            case .sequence(let parts): return parts.allSatisfy { append($0) }
            case .alternatives(let branches):
                var jumps: [Int] = []
                for branch in branches.dropLast() {
                    let split = program.count
                    guard append(.split(0, 0)), append(branch) else { return false }
                    jumps.append(program.count)
                    guard append(.jump(0)) else { return false }
                    program[split] = .split(split + 1, program.count)
                }
                guard let last = branches.last, append(last) else { return branches.isEmpty }
                for jump in jumps { program[jump] = .jump(program.count) }
                return true
            case .repetition(let tree, let atLeast, let atMost):
                return append(tree, atLeast: atLeast, atMost: atMost)
            }
        }

        private mutating func append(_ tree: Tree, atLeast: Int, atMost: Int?) -> Bool {
            let empty = program.count
            for _ in 0..<atLeast {
                guard append(tree) else { return false }
                // Repeating an expression that matches the empty text changes nothing.
                if program.count == empty { return true }
            }
            guard let atMost else {
                let split = program.count
                guard append(.split(0, 0)), append(tree), append(.jump(split)) else { return false }
                program[split] = .split(split + 1, program.count)
                return true
            }
            var splits: [Int] = []
            for _ in atLeast..<max(atLeast, atMost) {
                splits.append(program.count)
                guard append(.split(0, 0)), append(tree) else { return false }
            }
            for split in splits { program[split] = .split(split + 1, program.count) }
            return true
        }
    }

    // MARK: Matching

    /// Whether the expression fits the whole text, or a part of it. `step` is called with the number of states that advance.
    func matches(
        _ text: String.UnicodeScalarView, isWhole: Bool, step: (Int) throws -> Void
    ) rethrows -> Bool {
        var states = States(count: program.count)
        var next = states
        add(0, to: &states)
        for scalar in text {
            try step(states.list.count + 1)
            if !isWhole, states.accepts { return true }
            next.removeAll()
            for state in states.list {
                if case .read(let set) = program[state], set.contains(scalar) { add(state + 1, to: &next) }
            }
            if !isWhole { add(0, to: &next) }
            swap(&states, &next)
            if isWhole, states.list.isEmpty { return false }
        }
        return states.accepts
    }

    private struct States {
        private(set) var list: [Int] = []
        private var has: [Bool]
        var accepts = false

        init(count: Int) { has = Array(repeating: false, count: count) }

        /// False if it is there already.
        mutating func insert(_ state: Int) -> Bool {
            guard !has[state] else { return false }
            has[state] = true
            list.append(state)
            return true
        }

        mutating func removeAll() {
            for state in list { has[state] = false }
            list.removeAll(keepingCapacity: true)
            accepts = false
        }
    }

    /// Adds a state and those that are reached from it without reading.
    private func add(_ state: Int, to states: inout States) {
        var open = [state]
        while let state = open.popLast() {
            guard states.insert(state) else { continue }
            switch program[state] {
            case .read: break
            case .split(let first, let second): open += [second, first]
            case .jump(let target): open.append(target)
            case .accept: states.accepts = true
            }
        }
    }
}

/// Characters that a place of a regular expression may have.
struct ScalarSet: Sendable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var categories: [Category] = []
    var isNegated = false

    /// A general category, or several with the same first letter.
    struct Category: Sendable {
        let name: String
        let isNegated: Bool
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        isNegated
            != (ranges.contains { $0.contains(scalar) }
                || categories.contains { $0.isNegated != scalar.generalCategory.hasPrefix($0.name) })
    }
}

extension Unicode.Scalar {
    /// The category in two letters (UAX #44, table 12).
    fileprivate var generalCategory: String {
        switch properties.generalCategory {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
