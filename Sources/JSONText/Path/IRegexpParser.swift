/// Compiles I-Regexp (RFC 9485) to the instructions of an automaton by recursive descent.
///
/// The functions named `parse…` are named after the rules of the grammar (RFC 9485, section 3). Each reads the text
/// that its rule describes, and returns the instructions for it. Since distances are relative, programs can be joined
/// by appending one to the other.
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
    /// The position of the next character in ``text``.
    private var position = 0
    /// How many parentheses are open.
    private var depth = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// Compiles the whole text.
    ///
    /// - Throws: ``Failure/invalid`` if the text is not an I-Regexp, and ``Failure/tooLarge`` if its program has too
    ///   many instructions.
    mutating func parseExpression() throws(Failure) -> [IRegexp.Instruction] {
        let program = try parseAlternatives()
        guard position == text.count else { throw .invalid }
        return program
    }

    // MARK: Characters

    private var nextCharacter: Unicode.Scalar? { position < text.count ? text[position] : nil }

    /// Moves after a character if it comes next.
    ///
    /// - Returns: Whether the character came next. If it did not, the position stays.
    private mutating func consume(if scalar: Unicode.Scalar) -> Bool {
        guard nextCharacter == scalar else { return false }
        position += 1
        return true
    }

    /// Reads the next character, whatever it is.
    ///
    /// - Throws: ``Failure/invalid`` at the end of the text.
    private mutating func readCharacter() throws(Failure) -> Unicode.Scalar {
        guard let scalar = nextCharacter else { throw .invalid }
        position += 1
        return scalar
    }

    /// Checks that a program does not have more instructions than an expression may have.
    ///
    /// Matching takes a step for each instruction and character of a text, so the limit bounds the time.
    ///
    /// - Throws: ``Failure/tooLarge`` if it has more.
    private static func checkProgramSize(instructionCount count: Int) throws(Failure) {
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
    private mutating func parseAlternatives() throws(Failure) -> Program {
        var branches = [try parseBranch()]
        while consume(if: "|") { branches.append(try parseBranch()) }

        let lastBranch = branches.removeLast()
        // Each other branch has a split and a jump.
        let programLength = branches.reduce(lastBranch.count) { length, branch in length + branch.count + 2 }
        try Self.checkProgramSize(instructionCount: programLength)
        var program: Program = []
        for branch in branches {
            program.append(.split(branch.count + 2))
            program += branch
            let distanceToEnd = programLength - program.count
            program.append(.jump(distanceToEnd))
        }
        return program + lastBranch
    }

    /// Reads a branch, such as `ca[rt]+s?`: pieces without a `|` between them, up to a `|`, a `)` or the end.
    ///
    /// Outside parentheses, the branch may start with `^` and end with `$`.
    ///
    /// - Throws: ``Failure``, if a piece is invalid or the program becomes too large.
    private mutating func parseBranch() throws(Failure) -> Program {
        var program: Program = []
        if depth == 0, consume(if: "^") { program.append(.start) }
        while let scalar = nextCharacter, scalar != "|", scalar != ")" {
            if depth == 0, consumeEndAnchor() {
                program.append(.end)
                break
            }
            program += try parsePiece()
            try Self.checkProgramSize(instructionCount: program.count)
        }
        return program
    }

    /// Moves after a `$` if it is the last character of a branch. Elsewhere, `$` is an ordinary character.
    ///
    /// - Returns: Whether the `$` has been read.
    private mutating func consumeEndAnchor() -> Bool {
        let isLastInBranch = position + 1 == text.count || text[position + 1] == "|"
        guard nextCharacter == "$", isLastInBranch else { return false }
        position += 1
        return true
    }

    // MARK: Repetitions

    /// Reads a piece: an atom (a character, a set or a group) and its quantifier, if there is one: `a`, `a*`, `a+`,
    /// `a?`, `a{2}`, `a{2,}` or `a{2,3}`.
    ///
    /// - Throws: ``Failure/invalid`` for an invalid atom, for a broken quantifier, or for one whose maximum is less
    ///   than its minimum. ``Failure/tooLarge`` if a group or the repetition has too many states.
    private mutating func parsePiece() throws(Failure) -> Program {
        let atom = try parseAtom()
        if consume(if: "*") { return try repetition(of: atom, atLeast: 0, atMost: nil) }
        if consume(if: "+") { return try repetition(of: atom, atLeast: 1, atMost: nil) }
        if consume(if: "?") { return try repetition(of: atom, atLeast: 0, atMost: 1) }
        guard consume(if: "{") else { return atom }

        let minimum = try parseRepetitionCount()
        var maximum: Int? = minimum
        if consume(if: ",") {
            let isUnbounded = nextCharacter == "}"
            maximum = isUnbounded ? nil : try parseRepetitionCount()
        }
        guard consume(if: "}") else { throw .invalid }
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
        // The size is checked before the copies are made, because they might need much memory. Neither factor exceeds a
        // million, so the product does not overflow 64 bits.
        let copyCount = max(minimum, maximum ?? 1)
        guard Int64(copyCount) * Int64(atom.count) <= IRegexp.largestProgram else { throw .tooLarge }

        var program = Program(repeatElement(atom, count: minimum).joined())
        if let maximum {
            let optionalCount = maximum - minimum
            for remainingCopies in stride(from: optionalCount, to: 0, by: -1) {
                // Each remaining copy is a split and the atom.
                let distanceToEnd = remainingCopies * (1 + atom.count)
                program.append(.split(distanceToEnd))
                program += atom
            }
        } else {
            // A split, the atom, and a jump back to the split. The split may also go on after the jump.
            let distanceAfterJump = 1 + atom.count + 1
            let distanceBackToSplit = -(1 + atom.count)
            program.append(.split(distanceAfterJump))
            program += atom
            program.append(.jump(distanceBackToSplit))
        }
        try Self.checkProgramSize(instructionCount: program.count)
        return program
    }

    /// Reads the number of repetitions in a quantifier, such as the `12` of `a{12}`.
    ///
    /// A number above a million, which is too large for any program, is read as a million.
    ///
    /// - Throws: ``Failure/invalid`` if there is no digit.
    private mutating func parseRepetitionCount() throws(Failure) -> Int {
        let start = position
        var count = 0
        while let scalar = nextCharacter, ("0"..."9").contains(scalar) {
            let digit = Int(scalar.value - Unicode.Scalar("0").value)
            count = min(count * 10 + digit, 1_000_000)
            position += 1
        }
        guard position > start else { throw .invalid }
        return count
    }

    // MARK: Atoms

    /// Reads an atom: a character (`a`, `\n`, `.`), a set of characters (`[a-z]`, `\p{Lu}`) or a group (`(…)`).
    ///
    /// - Returns: The instructions that match the atom: one for a character or set.
    /// - Throws: ``Failure`` if no atom starts here, or if a group is invalid or too large.
    private mutating func parseAtom() throws(Failure) -> Program {
        let scalar = try readCharacter()
        switch scalar {
        case "(":
            return try parseGroup()
        case ".":
            // Any character but a line break.
            return [.read(ScalarSet(ranges: ["\n"..."\n", "\r"..."\r"], isNegated: true))]
        case "[":
            return [.read(try parseCharacterClass())]
        case "\\":
            // An escape is either a set of categories, such as `\p{Lu}`, or one character, such as `\n`.
            if let categories = try parseCategoryEscape() { return [.read(ScalarSet(categories: categories))] }
            return [.read(ScalarSet(try parseEscapedCharacter()))]
        case ")", "*", "+", "?", "]", "{", "|", "}":
            throw .invalid
        default:
            return [.read(ScalarSet(scalar))]
        }
    }

    /// Reads the rest of an expression in parentheses, whose `(` has been read.
    ///
    /// - Throws: ``Failure/tooLarge`` if parentheses are nested too deeply, and ``Failure/invalid`` if no `)` follows.
    private mutating func parseGroup() throws(Failure) -> Program {
        guard depth < Self.deepestLevel else { throw .tooLarge }
        depth += 1
        let program = try parseAlternatives()
        depth -= 1
        guard consume(if: ")") else { throw .invalid }
        return program
    }

    /// Reads the rest of a set in brackets, such as `[a-z0-9]` or `[^\p{Lu}]`, whose `[` has been read.
    ///
    /// A hyphen as the first or last character stands for itself. A set has at least one character, so `[]` is invalid.
    ///
    /// - Throws: ``Failure/invalid`` for an invalid range or escape, for a character that must be escaped in a set, or
    ///   if no `]` follows.
    private mutating func parseCharacterClass() throws(Failure) -> ScalarSet {
        let isNegated = consume(if: "^")
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var categories: Set<Unicode.GeneralCategory> = []
        var isFirst = true
        while isFirst || nextCharacter != "]" {
            let scalar = try readCharacter()
            switch scalar {
            case "-" where isFirst || nextCharacter == "]":
                ranges.append("-"..."-")
            case "[", "]", "-":
                throw .invalid
            default:
                if scalar == "\\", let escapedCategories = try parseCategoryEscape() {
                    categories.formUnion(escapedCategories)
                } else {
                    ranges.append(try parseRange(startingWith: scalar))
                }
            }
            isFirst = false
        }
        // The closing bracket.
        position += 1
        return ScalarSet(ranges: ranges, categories: categories, isNegated: isNegated)
    }

    /// Reads the rest of a range in a set, such as `a-z`, or of a single character.
    ///
    /// A hyphen makes a range only if another character of the set follows. In `[a-]` it stands for itself.
    ///
    /// - Parameter first: The first character, which has been read. It may be the backslash of an escape.
    /// - Returns: The range. For a single character, it starts and ends with this character.
    /// - Throws: ``Failure/invalid`` if the range ends before it starts, as `z-a` does, for an invalid escape, or for a
    ///   last character that must be escaped.
    private mutating func parseRange(
        startingWith first: Unicode.Scalar
    ) throws(Failure) -> ClosedRange<Unicode.Scalar> {
        let lower = first == "\\" ? try parseEscapedCharacter() : first
        let hasUpperBound = nextCharacter == "-" && position + 1 < text.count && text[position + 1] != "]"
        guard hasUpperBound else { return lower...lower }
        // The hyphen.
        position += 1
        let last = try readCharacter()
        let mustBeEscaped = last == "[" || last == "-"
        if mustBeEscaped { throw .invalid }
        let upper = last == "\\" ? try parseEscapedCharacter() : last
        guard lower <= upper else { throw .invalid }
        return lower...upper
    }

    /// Reads the rest of an escape for a single character, such as `\n` or `\+`, whose backslash has been read.
    ///
    /// - Throws: ``Failure/invalid`` for any character that has no escape in I-Regexp.
    private mutating func parseEscapedCharacter() throws(Failure) -> Unicode.Scalar {
        let scalar = try readCharacter()
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
    /// - Throws: ``Failure/invalid`` if no name in braces follows, or if there is no category of this name.
    private mutating func parseCategoryEscape() throws(Failure) -> Set<Unicode.GeneralCategory>? {
        guard nextCharacter == "p" || nextCharacter == "P" else { return nil }
        let isNegated = try readCharacter() == "P"
        guard consume(if: "{") else { throw .invalid }
        var name = ""
        // Names of categories have one or two letters.
        while name.unicodeScalars.count < 2, let scalar = nextCharacter, scalar != "}" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        let categories = ScalarSet.categories(named: name)
        guard consume(if: "}"), !categories.isEmpty else { throw .invalid }
        return isNegated ? ScalarSet.categories(except: categories) : categories
    }
}
