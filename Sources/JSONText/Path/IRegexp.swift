/// A regular expression by RFC 9485 (I-Regexp), for whole texts or parts of them.
///
/// It is a nondeterministic automaton, all states of which advance together: time is at most the length of the text times the
/// number of states, whatever the expression. `^` at the start and `$` at the end of an expression or one of its alternatives are anchors,
/// which RFC 9485 does not have but everybody writes.
package struct IRegexp: Sendable {
    /// Counted repetitions are written out, so `a{1000}` has a thousand states.
    static let largestProgram = 5000

    /// What a state does. Distances are from the state itself; the end of the program accepts.
    enum Instruction: Sendable {
        /// Reads one character of a set.
        case read(ScalarSet)
        /// Goes on at the next state and at another.
        case split(Int)
        case jump(Int)
        /// Goes on only at the start, or only at the end, of the text.
        case start, end
    }

    let program: [Instruction]

    /// Nil if `text` is not an I-Regexp; a failure if it is too large.
    package static func compile(_ text: String) -> Result<IRegexp, JSONPathLimit>? {
        var parser = IRegexpParser(text)
        let program = parser.whole()
        if parser.isTooLarge { return .failure(.tooLargeExpression(largestProgram)) }
        return program.map { .success(IRegexp(program: $0)) }
    }

    /// Whether the expression fits the whole text, or a part of it. `step` is called with the number of states that advance.
    package func matches(
        _ text: String.UnicodeScalarView, isWhole: Bool, step: (Int) throws -> Void
    ) rethrows -> Bool {
        var states = States(program)
        var next = states
        var index = text.startIndex
        states.add(0, isStart: true, isEnd: text.isEmpty)
        while index < text.endIndex {
            try step(states.list.count + 1)
            if !isWhole, states.accepts { return true }
            let scalar = text[index]
            text.formIndex(after: &index)
            let isEnd = index == text.endIndex
            next.removeAll()
            for state in states.list {
                if case .read(let set) = program[state], set.contains(scalar) {
                    next.add(state + 1, isStart: false, isEnd: isEnd)
                }
            }
            if !isWhole { next.add(0, isStart: false, isEnd: isEnd) }
            swap(&states, &next)
            if isWhole, states.list.isEmpty, !states.accepts { return false }
        }
        return states.accepts
    }

    /// The states that have been reached, without the last one.
    private struct States {
        private let program: [Instruction]
        private(set) var list: [Int] = []
        private var has: [Bool]
        private(set) var accepts = false

        init(_ program: [Instruction]) {
            self.program = program
            has = Array(repeating: false, count: program.count)
        }

        mutating func removeAll() {
            for state in list { has[state] = false }
            list.removeAll(keepingCapacity: true)
            accepts = false
        }

        /// Adds a state and those that are reached from it without reading.
        mutating func add(_ state: Int, isStart: Bool, isEnd: Bool) {
            var open = [state]
            while let state = open.popLast() {
                guard state < program.count else {
                    accepts = true
                    continue
                }
                guard !has[state] else { continue }
                has[state] = true
                list.append(state)
                switch program[state] {
                case .read: break
                case .split(let distance): open += [state + distance, state + 1]
                case .jump(let distance): open.append(state + distance)
                case .start: if isStart { open.append(state + 1) }
                case .end: if isEnd { open.append(state + 1) }
                }
            }
        }
    }
}

/// Characters that a place of a regular expression may have.
struct ScalarSet: Sendable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    /// General categories, or several with the same first letter.
    var categories: [Category] = []
    var isNegated = false

    typealias Category = (members: Set<Unicode.GeneralCategory>, isNegated: Bool)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        isNegated
            != (ranges.contains { $0.contains(scalar) }
                || categories.contains { $0.isNegated != $0.members.contains(scalar.properties.generalCategory) })
    }

    /// By their names (UAX #44, table 12), without the surrogates, which no string has.
    static let categoryNames: [String: Unicode.GeneralCategory] = [
        "Lu": .uppercaseLetter, "Ll": .lowercaseLetter, "Lt": .titlecaseLetter, "Lm": .modifierLetter,
        "Lo": .otherLetter, "Mn": .nonspacingMark, "Mc": .spacingMark, "Me": .enclosingMark, "Nd": .decimalNumber,
        "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation, "Pd": .dashPunctuation,
        "Ps": .openPunctuation, "Pe": .closePunctuation, "Pi": .initialPunctuation, "Pf": .finalPunctuation,
        "Po": .otherPunctuation, "Sm": .mathSymbol, "Sc": .currencySymbol, "Sk": .modifierSymbol, "So": .otherSymbol,
        "Zs": .spaceSeparator, "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Cc": .control, "Cf": .format,
        "Co": .privateUse, "Cn": .unassigned,
    ]
}

/// Reads I-Regexp (RFC 9485, section 3); every function returns nil for anything else.
private struct IRegexpParser {
    private static let deepestLevel = 64

    private let text: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private(set) var isTooLarge = false

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    mutating func whole() -> [IRegexp.Instruction]? {
        guard let program = alternatives(), index == text.count else { return nil }
        return program
    }

    private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    /// The program, unless it is too large.
    private mutating func checked(_ program: [IRegexp.Instruction]) -> [IRegexp.Instruction]? {
        if program.count > IRegexp.largestProgram { isTooLarge = true }
        return isTooLarge ? nil : program
    }

    private mutating func alternatives() -> [IRegexp.Instruction]? {
        var branches: [[IRegexp.Instruction]] = []
        repeat {
            guard let branch = branch() else { return nil }
            branches.append(branch)
        } while take("|")
        var program = branches.removeLast()
        for branch in branches.reversed() {
            let longer = [.split(branch.count + 2)] + branch + [.jump(program.count + 1)] + program
            guard let longer = checked(longer) else { return nil }
            program = longer
        }
        return program
    }

    private mutating func branch() -> [IRegexp.Instruction]? {
        var program: [IRegexp.Instruction] = []
        if depth == 0, take("^") { program.append(.start) }
        while let scalar = next, scalar != "|", scalar != ")" {
            if depth == 0, scalar == "$", index + 1 == text.count || text[index + 1] == "|" {
                index += 1
                program.append(.end)
                break
            }
            guard let atom = atom(), let part = quantified(atom), let longer = checked(program + part) else {
                return nil
            }
            program = longer
        }
        return program
    }

    private mutating func quantified(_ atom: [IRegexp.Instruction]) -> [IRegexp.Instruction]? {
        if take("*") { return repetition(atom, atLeast: 0, atMost: nil) }
        if take("+") { return repetition(atom, atLeast: 1, atMost: nil) }
        if take("?") { return repetition(atom, atLeast: 0, atMost: 1) }
        guard take("{") else { return atom }
        guard let atLeast = number() else { return nil }
        var atMost: Int? = atLeast
        if take(",") {
            atMost = nil
            if next != "}" {
                guard let number = number(), number >= atLeast else { return nil }
                atMost = number
            }
        }
        return take("}") ? repetition(atom, atLeast: atLeast, atMost: atMost) : nil
    }

    private mutating func repetition(
        _ atom: [IRegexp.Instruction], atLeast: Int, atMost: Int?
    ) -> [IRegexp.Instruction]? {
        // Repeating an expression that matches the empty text changes nothing.
        if atom.isEmpty { return [] }
        guard max(atLeast, atMost ?? 1) * atom.count <= IRegexp.largestProgram else {
            isTooLarge = true
            return nil
        }
        var program = Array(repeatElement(atom, count: atLeast).joined())
        if let atMost {
            for rest in (0..<atMost - atLeast).reversed() {
                program.append(.split((rest + 1) * (atom.count + 1)))
                program += atom
            }
        } else {
            program.append(.split(atom.count + 2))
            program += atom
            program.append(.jump(-atom.count - 1))
        }
        return checked(program)
    }

    /// Beyond a million, which is too large anyway, all are the same.
    private mutating func number() -> Int? {
        var number: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            number = min((number ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
            index += 1
        }
        return number
    }

    private mutating func atom() -> [IRegexp.Instruction]? {
        guard let scalar = next else { return nil }
        index += 1
        switch scalar {
        case "(":
            guard depth < Self.deepestLevel else {
                isTooLarge = true
                return nil
            }
            depth += 1
            defer { depth -= 1 }
            guard let program = alternatives(), take(")") else { return nil }
            return program
        case ".": return [.read(ScalarSet(ranges: ["\n"..."\n", "\r"..."\r"], isNegated: true))]
        case "[": return set().map { [.read($0)] }
        case "\\":
            if let category = category() { return [.read(ScalarSet(categories: [category]))] }
            return escape().map { [.read(ScalarSet(ranges: [$0...$0]))] }
        case ")", "*", "+", "?", "]", "{", "|", "}": return nil
        default: return [.read(ScalarSet(ranges: [scalar...scalar]))]
        }
    }

    /// A set after its `[`. A hyphen is literal as the first or last character.
    private mutating func set() -> ScalarSet? {
        var set = ScalarSet(isNegated: take("^"))
        var isFirst = true
        while true {
            guard let scalar = next else { return nil }
            index += 1
            switch scalar {
            case "]" where !isFirst: return set
            case "-" where isFirst || next == "]": set.ranges.append("-"..."-")
            case "[", "]", "-": return nil
            default:
                if scalar == "\\", let category = category() {
                    set.categories.append(category)
                } else {
                    guard let range = range(from: scalar) else { return nil }
                    set.ranges.append(range)
                }
            }
            isFirst = false
        }
    }

    /// A character that has been read, or the range that it starts.
    private mutating func range(from first: Unicode.Scalar) -> ClosedRange<Unicode.Scalar>? {
        guard let lower = first == "\\" ? escape() : first else { return nil }
        guard next == "-", index + 1 < text.count, text[index + 1] != "]" else { return lower...lower }
        index += 1
        guard let last = next, last != "[", last != "-" else { return nil }
        index += 1
        guard let upper = last == "\\" ? escape() : last, lower <= upper else { return nil }
        return lower...upper
    }

    /// A single character after its `\`.
    private mutating func escape() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        index += 1
        switch scalar {
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return scalar
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        default: return nil
        }
    }

    /// `p{Lu}` or `P{L}` after its `\`; nothing is read if it is something else.
    private mutating func category() -> ScalarSet.Category? {
        guard next == "p" || next == "P", index + 1 < text.count, text[index + 1] == "{",
            let end = text[index...].prefix(5).firstIndex(of: "}")
        else { return nil }
        let name = String(String.UnicodeScalarView(text[(index + 2)..<end]))
        let members = ScalarSet.categoryNames.filter {
            $0.key == name || name.utf8.count == 1 && $0.key.hasPrefix(name)
        }
        guard !members.isEmpty else { return nil }
        let isNegated = next == "P"
        index = end + 1
        return (Set(members.values), isNegated)
    }
}
