/// Compiles I-Regexp (RFC 9485) to the instructions of an automaton by recursive descent.
///
/// The functions are named after the rules of the grammar (RFC 9485, section 3). Each reads what its rule describes and
/// returns the instructions for it. Since distances are relative, instructions can be put together by appending them.
struct IRegexpParser {
    /// The reason why a text can't be compiled.
    enum Failure: Error {
        /// The text is not an I-Regexp.
        case invalid
        /// The expression has more than ``IRegexp/largestProgram`` states, or parentheses are nested too deeply.
        case tooLarge
    }

    private typealias Program = [IRegexp.Instruction]

    /// Parentheses may be nested this deep. The parser calls itself for each level, so this bounds its stack.
    private static let deepestLevel = 64

    private let text: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// Compiles the whole text.
    mutating func program() throws(Failure) -> [IRegexp.Instruction] {
        let program = try alternatives()
        guard index == text.count else { throw .invalid }
        return program
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

    /// Passes over a character, if it comes next.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    /// Reads the next character, whatever it is.
    private mutating func character() throws(Failure) -> Unicode.Scalar {
        guard let scalar = next else { throw .invalid }
        index += 1
        return scalar
    }

    private static func checkSize(_ count: Int) throws(Failure) {
        guard count <= IRegexp.largestProgram else { throw .tooLarge }
    }

    // MARK: Branches

    /// Reads branches with `|` between them, up to a `)` or the end.
    ///
    /// Each branch but the last is preceded by a split that leads to the next branch, and followed by a jump to the
    /// end:
    ///
    ///     split → next, first branch, jump → end, split → last, next branch, jump → end, last branch
    private mutating func alternatives() throws(Failure) -> Program {
        var branches = [try branch()]
        while take("|") { branches.append(try branch()) }

        let last = branches.removeLast()
        let count = branches.reduce(last.count) { $0 + $1.count + 2 }
        try Self.checkSize(count)
        var program: Program = []
        for branch in branches {
            program.append(.split(branch.count + 2))
            program += branch
            program.append(.jump(count - program.count))
        }
        return program + last
    }

    /// Reads pieces up to a `|`, a `)` or the end, with an anchor before and after them outside parentheses.
    private mutating func branch() throws(Failure) -> Program {
        var program: Program = []
        if depth == 0, take("^") { program.append(.start) }
        while let scalar = next, scalar != "|", scalar != ")" {
            if depth == 0, takeEndAnchor() {
                program.append(.end)
                break
            }
            program += try piece()
            try Self.checkSize(program.count)
        }
        return program
    }

    /// Passes over a `$` if it is the last character of a branch. Elsewhere it is an ordinary character.
    private mutating func takeEndAnchor() -> Bool {
        guard next == "$", index + 1 == text.count || text[index + 1] == "|" else { return false }
        index += 1
        return true
    }

    // MARK: Repetitions

    /// Reads an atom and the quantifier after it, if there is one: `*`, `+`, `?`, `{2}`, `{2,}` or `{2,3}`.
    private mutating func piece() throws(Failure) -> Program {
        let atom = try atom()
        if take("*") { return try repetition(of: atom, atLeast: 0, atMost: nil) }
        if take("+") { return try repetition(of: atom, atLeast: 1, atMost: nil) }
        if take("?") { return try repetition(of: atom, atLeast: 0, atMost: 1) }
        guard take("{") else { return atom }

        let minimum = try number()
        var maximum: Int? = minimum
        if take(",") {
            maximum = next == "}" ? nil : try number()
        }
        guard take("}"), maximum.map({ $0 >= minimum }) ?? true else { throw .invalid }
        return try repetition(of: atom, atLeast: minimum, atMost: maximum)
    }

    /// Writes an atom as often as it must occur, and then the part that may occur.
    ///
    /// `a{2,4}` becomes `a a (a (a)?)?`, whose optional parts are each preceded by a split to the end. `a{2,}` becomes
    /// `a a a*`.
    private func repetition(of atom: Program, atLeast minimum: Int, atMost maximum: Int?) throws(Failure) -> Program {
        // An expression that matches only the empty text still does when it is repeated.
        if atom.isEmpty { return [] }
        // Neither factor exceeds a million, so this does not overflow 64 bits.
        guard Int64(max(minimum, maximum ?? 1)) * Int64(atom.count) <= IRegexp.largestProgram else { throw .tooLarge }

        var program = Program(repeatElement(atom, count: minimum).joined())
        if let maximum {
            let optionalCount = maximum - minimum
            for done in 0..<optionalCount {
                let remaining = optionalCount - done
                program.append(.split(remaining * (atom.count + 1)))
                program += atom
            }
        } else {
            program.append(.split(atom.count + 2))
            program += atom
            program.append(.jump(-atom.count - 1))
        }
        try Self.checkSize(program.count)
        return program
    }

    /// Reads the digits of a quantifier. Numbers above a million, which are too large anyway, are read as a million.
    private mutating func number() throws(Failure) -> Int {
        let start = index
        var number = 0
        while let scalar = next, ("0"..."9").contains(scalar) {
            number = min(number * 10 + Int(scalar.value - Unicode.Scalar("0").value), 1_000_000)
            index += 1
        }
        guard index > start else { throw .invalid }
        return number
    }

    // MARK: Atoms

    /// Reads a character, a set of characters, or an expression in parentheses.
    private mutating func atom() throws(Failure) -> Program {
        let scalar = try character()
        switch scalar {
        case "(":
            return try group()
        case ".":
            return [.read(ScalarSet(ranges: ["\n"..."\n", "\r"..."\r"], isNegated: true))]
        case "[":
            return [.read(try characterClass())]
        case "\\":
            if let categories = try categoryEscape() { return [.read(ScalarSet(categories: categories))] }
            return [.read(ScalarSet(try escapedCharacter()))]
        case ")", "*", "+", "?", "]", "{", "|", "}":
            throw .invalid
        default:
            return [.read(ScalarSet(scalar))]
        }
    }

    /// Reads an expression and the `)` after it. The `(` has been read.
    private mutating func group() throws(Failure) -> Program {
        guard depth < Self.deepestLevel else { throw .tooLarge }
        depth += 1
        let program = try alternatives()
        depth -= 1
        guard take(")") else { throw .invalid }
        return program
    }

    /// Reads a set in brackets, such as `[a-z0-9]` or `[^\p{Lu}]`. The `[` has been read.
    ///
    /// A hyphen stands for itself as the first or last character. A set has one character at least, so a `]` does not
    /// end it at its start: there it is invalid.
    private mutating func characterClass() throws(Failure) -> ScalarSet {
        let isNegated = take("^")
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var categories: Set<Unicode.GeneralCategory> = []
        var isFirst = true
        while isFirst || next != "]" {
            let scalar = try character()
            switch scalar {
            case "-" where isFirst || next == "]":
                ranges.append("-"..."-")
            case "[", "]", "-":
                throw .invalid
            default:
                if scalar == "\\", let named = try categoryEscape() {
                    categories.formUnion(named)
                } else {
                    ranges.append(try range(from: scalar))
                }
            }
            isFirst = false
        }
        index += 1
        return ScalarSet(ranges: ranges, categories: categories, isNegated: isNegated)
    }

    /// Reads the range that starts with a character of a set, such as `a-z`, or returns the range of this character
    /// alone.
    ///
    /// A hyphen makes a range only if another character of the set follows. In `[a-]` it stands for itself.
    ///
    /// - Parameter first: The character, which has been read. It may be the backslash of an escape.
    /// - Throws: ``Failure/invalid`` if the range ends before it starts, as `z-a` does.
    private mutating func range(from first: Unicode.Scalar) throws(Failure) -> ClosedRange<Unicode.Scalar> {
        let lower = first == "\\" ? try escapedCharacter() : first
        let isRange = next == "-" && index + 1 < text.count && text[index + 1] != "]"
        guard isRange else { return lower...lower }
        index += 1
        let last = try character()
        guard last != "[", last != "-" else { throw .invalid }
        let upper = last == "\\" ? try escapedCharacter() : last
        guard lower <= upper else { throw .invalid }
        return lower...upper
    }

    /// Reads the rest of an escape for a single character. The backslash has been read.
    private mutating func escapedCharacter() throws(Failure) -> Unicode.Scalar {
        let scalar = try character()
        switch scalar {
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return scalar
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        default: throw .invalid
        }
    }

    /// Reads the rest of an escape for general categories: `p{Lu}`, `p{L}`, or `P{Lu}` for all others. The backslash
    /// has been read.
    ///
    /// - Returns: The categories, or nil if another escape comes next. Then nothing has been read.
    private mutating func categoryEscape() throws(Failure) -> Set<Unicode.GeneralCategory>? {
        guard next == "p" || next == "P" else { return nil }
        let isNegated = try character() == "P"
        guard take("{") else { throw .invalid }
        var name = ""
        // Names have one or two letters.
        while name.unicodeScalars.count < 2, let scalar = next, scalar != "}" {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        let categories = ScalarSet.categories(named: name)
        guard take("}"), !categories.isEmpty else { throw .invalid }
        return isNegated ? ScalarSet.categories(except: categories) : categories
    }
}
