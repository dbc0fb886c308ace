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

    /// The characters of the expression.
    private let text: [Unicode.Scalar]
    /// The index of the next character.
    private var index = 0
    /// How many parentheses are open.
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

    /// Skips a character, if it comes next, and returns whether it did.
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

    /// Checks that a program does not have more instructions than an expression may have.
    private static func checkSize(_ count: Int) throws(Failure) {
        guard count <= IRegexp.largestProgram else { throw .tooLarge }
    }

    // MARK: Branches

    /// Reads one or more branches with `|` between them, such as `cat|dog`, up to a `)` or the end.
    ///
    /// A split in front of each branch but the last goes on at the branch and at the next one. A jump after the branch
    /// goes on at the end. The program for `a|b`:
    ///
    ///     0  split 3    go on at 1 and at 3
    ///     1  read a
    ///     2  jump 2     go on at 4
    ///     3  read b
    ///
    /// - Throws: ``Failure``, if a branch is invalid or the program becomes too large.
    private mutating func alternatives() throws(Failure) -> Program {
        var branches = [try branch()]
        while take("|") { branches.append(try branch()) }

        let lastBranch = branches.removeLast()
        // Each other branch has a split and a jump.
        let programLength = branches.reduce(lastBranch.count) { $0 + $1.count + 2 }
        try Self.checkSize(programLength)
        var program: Program = []
        for branch in branches {
            program.append(.split(branch.count + 2))
            program += branch
            let distanceToEnd = programLength - program.count
            program.append(.jump(distanceToEnd))
        }
        return program + lastBranch
    }

    /// Reads a branch, such as `ca[rt]+s?`, up to a `|`, a `)` or the end.
    ///
    /// Outside parentheses, the branch may start with `^` and end with `$`.
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

    /// Skips a `$` if it is the last character of a branch, and returns whether it is. Elsewhere, `$` is an ordinary
    /// character.
    private mutating func takeEndAnchor() -> Bool {
        guard next == "$", index + 1 == text.count || text[index + 1] == "|" else { return false }
        index += 1
        return true
    }

    // MARK: Repetitions

    /// Reads an atom (a character, a set or a group) and its quantifier, if there is one: `a`, `a*`, `a+`, `a?`,
    /// `a{2}`, `a{2,}` or `a{2,3}`.
    ///
    /// - Throws: ``Failure/invalid`` for a broken quantifier, or for one whose maximum is less than its minimum;
    ///   ``Failure/tooLarge`` if the repetition has too many states.
    private mutating func piece() throws(Failure) -> Program {
        let atom = try atom()
        if take("*") { return try repetition(of: atom, atLeast: 0, atMost: nil) }
        if take("+") { return try repetition(of: atom, atLeast: 1, atMost: nil) }
        if take("?") { return try repetition(of: atom, atLeast: 0, atMost: 1) }
        guard take("{") else { return atom }

        let minimum = try number()
        var maximum: Int? = minimum
        if take(",") {
            let isUnbounded = next == "}"
            maximum = isUnbounded ? nil : try number()
        }
        guard take("}") else { throw .invalid }
        if let maximum, maximum < minimum { throw .invalid }
        return try repetition(of: atom, atLeast: minimum, atMost: maximum)
    }

    /// Returns the program for an atom that is repeated.
    ///
    /// The atom is written out as often as it must occur. Then follows what may occur:
    ///
    ///     a{2,4}    a a (a (a)?)?    a split to the end before each optional part
    ///     a{2,}     a a a*           a loop
    ///
    /// - Parameters:
    ///   - atom: The program of the atom.
    ///   - minimum: How often the atom must occur.
    ///   - maximum: How often it may occur, or nil if there is no bound.
    /// - Throws: ``Failure/tooLarge`` if the program has too many instructions.
    private func repetition(of atom: Program, atLeast minimum: Int, atMost maximum: Int?) throws(Failure) -> Program {
        // An expression that matches only the empty text still does when it is repeated.
        if atom.isEmpty { return [] }
        // Neither factor exceeds a million, so this does not overflow 64 bits.
        guard Int64(max(minimum, maximum ?? 1)) * Int64(atom.count) <= IRegexp.largestProgram else { throw .tooLarge }

        var program = Program(repeatElement(atom, count: minimum).joined())
        if let maximum {
            let optionalCount = maximum - minimum
            for remaining in stride(from: optionalCount, to: 0, by: -1) {
                let distanceToEnd = remaining * (atom.count + 1)
                program.append(.split(distanceToEnd))
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

    /// Reads a number in a quantifier, such as the `12` of `a{12}`.
    ///
    /// A number above a million, which is too large for any program, is read as a million.
    ///
    /// - Throws: ``Failure/invalid`` if there is no digit.
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

    /// Reads an atom: a character (`a`, `\n`, `.`), a set of characters (`[a-z]`, `\p{Lu}`) or a group (`(…)`).
    ///
    /// - Returns: The instructions that match the atom: one for a character or set.
    /// - Throws: ``Failure`` if no atom starts here, or if a group is invalid or too large.
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

    /// Reads the rest of an expression in parentheses, whose `(` has been read.
    ///
    /// - Throws: ``Failure/tooLarge`` if parentheses are nested too deeply, and ``Failure/invalid`` if no `)` follows.
    private mutating func group() throws(Failure) -> Program {
        guard depth < Self.deepestLevel else { throw .tooLarge }
        depth += 1
        let program = try alternatives()
        depth -= 1
        guard take(")") else { throw .invalid }
        return program
    }

    /// Reads the rest of a set in brackets, such as `[a-z0-9]` or `[^\p{Lu}]`, whose `[` has been read.
    ///
    /// A hyphen as the first or last character stands for itself. A set has at least one character, so `[]` is invalid.
    ///
    /// - Throws: ``Failure/invalid`` for a character that a set may only have as an escape, or if no `]` follows.
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
                if scalar == "\\", let escapedCategories = try categoryEscape() {
                    categories.formUnion(escapedCategories)
                } else {
                    ranges.append(try range(from: scalar))
                }
            }
            isFirst = false
        }
        // The closing bracket.
        index += 1
        return ScalarSet(ranges: ranges, categories: categories, isNegated: isNegated)
    }

    /// Reads the rest of a range in a set, such as `a-z`, or of a single character.
    ///
    /// A hyphen makes a range only if another character of the set follows. In `[a-]` it stands for itself.
    ///
    /// - Parameter first: The first character, which has been read. It may be the backslash of an escape.
    /// - Returns: The range. For a single character, it starts and ends with this character.
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

    /// Reads the rest of an escape for a single character, such as `\n` or `\+`, whose backslash has been read.
    ///
    /// - Throws: ``Failure/invalid`` for any character that has no escape in I-Regexp.
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

    /// Reads the rest of an escape for general categories of Unicode, whose backslash has been read.
    ///
    ///     \p{Lu}    uppercase letters
    ///     \p{L}     all letters
    ///     \P{Lu}    everything except uppercase letters
    ///
    /// - Returns: The categories, or nil if another escape comes next. Then nothing has been read.
    /// - Throws: ``Failure/invalid`` if there is no category of this name.
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
