/// A regular expression by RFC 9485 (I-Regexp), which matches whole texts or parts of them.
///
/// The expression is compiled to a nondeterministic automaton (Thompson's construction). Matching reads each character
/// once and keeps the set of all states that the automaton may be in. So it takes at most as many steps as the product
/// of the text's length and the number of states, whatever the expression. Nothing is tried and taken back.
///
/// `^` at the start and `$` at the end of an expression, or of one of its alternatives, are anchors. RFC 9485 does not
/// have them, but they are common.
package struct IRegexp: Sendable {
    /// The states that a program may have. Counted repetitions are written out, so `a{1000}` has a thousand states.
    ///
    /// Each character of a text may take a step for each state. Real expressions have some dozens of them.
    static let largestProgram = 5000

    /// An instruction of the automaton; its index in the program is the state. Distances are from the instruction
    /// itself.
    ///
    /// A state after the last instruction accepts. `(a|b)+`, for example:
    ///
    ///     0  split 3       go on at 1 and at 3
    ///     1  read a
    ///     2  jump 2        go on at 4
    ///     3  read b
    ///     4  split 6       go on at 5 and at 10
    ///     5  split 3       the second copy of (a|b)
    ///     …
    ///     9  jump -5       go on at 4
    enum Instruction: Sendable {
        /// Reads one character of a set and goes on at the next instruction.
        case read(ScalarSet)
        /// Goes on at the next instruction and at the one at a distance.
        case split(Int)
        /// Goes on at the instruction at a distance.
        case jump(Int)
        /// Goes on at the next instruction, but only at the start of the text.
        case start
        /// Goes on at the next instruction, but only at the end of the text.
        case end
    }

    private static let initialState = 0

    let program: [Instruction]

    /// Compiles an expression.
    ///
    /// - Parameter text: The expression, such as `[a-z]+`.
    /// - Returns: The compiled expression, or nil if `text` is not an I-Regexp.
    /// - Throws: ``JSONPathLimit`` if the expression has too many states.
    package static func compile(_ text: String) throws(JSONPathLimit) -> IRegexp? {
        var parser = IRegexpParser(text)
        do throws(IRegexpParser.Failure) {
            return IRegexp(program: try parser.parseExpression())
        } catch {
            switch error {
            case .invalid: return nil
            case .tooLarge: throw .tooLargeExpression(largestProgram)
            }
        }
    }

    /// Returns whether the expression matches a text.
    ///
    /// The text is read once. Each character leads from the set of states that the automaton may be in to the next set.
    ///
    /// - Parameters:
    ///   - text: The characters to match.
    ///   - isWhole: Whether the expression must match the whole text and not only a part of it.
    ///   - step: Called before each character with the number of steps that it takes: one for each state, and one more.
    ///     An error that it throws ends the search.
    /// - Throws: The error that `step` throws.
    package func matches(
        _ text: String.UnicodeScalarView, isWhole: Bool, step: (Int) throws -> Void
    ) rethrows -> Bool {
        var states = StateSet(program)
        var nextStates = StateSet(program)
        var index = text.startIndex
        states.insert(Self.initialState, isAtStart: true, isAtEnd: text.isEmpty)
        while index < text.endIndex {
            try step(states.reachedStates.count + 1)
            // For a match of a part, it is enough that the accepting state is reached somewhere.
            if !isWhole, states.accepts { return true }
            let scalar = text[index]
            text.formIndex(after: &index)
            let isAtEnd = index == text.endIndex
            nextStates.removeAll()
            for state in states.reachedStates {
                if case .read(let characters) = program[state], characters.contains(scalar) {
                    nextStates.insert(state + 1, isAtStart: false, isAtEnd: isAtEnd)
                }
            }
            // A match of a part may start after any character.
            if !isWhole { nextStates.insert(Self.initialState, isAtStart: false, isAtEnd: isAtEnd) }
            swap(&states, &nextStates)
            // Without any state left, no further character can lead to a match.
            if states.isEmpty { return false }
        }
        return states.accepts
    }

    /// The states of a program that have been reached after some characters.
    private struct StateSet {
        private let program: [Instruction]
        /// The states in the order in which they were reached, except the accepting one.
        private(set) var reachedStates: [Int] = []
        /// Whether each state is in ``reachedStates``.
        private var hasReached: [Bool]
        /// Whether the accepting state has been reached.
        private(set) var accepts = false

        var isEmpty: Bool { reachedStates.isEmpty && !accepts }

        /// Makes an empty set of states of a program.
        init(_ program: [Instruction]) {
            self.program = program
            hasReached = Array(repeating: false, count: program.count)
        }

        /// Removes all states, and keeps the memory.
        mutating func removeAll() {
            for state in reachedStates { hasReached[state] = false }
            reachedStates.removeAll(keepingCapacity: true)
            accepts = false
        }

        /// Inserts a state, and all states that the automaton reaches from it without reading a character.
        ///
        /// Splits, jumps and anchors read nothing, so their targets are inserted too. A state that is in the set
        /// already is not followed again, which ends the endless loop of `(a*)*`.
        ///
        /// - Parameters:
        ///   - firstState: The state. The number after the last instruction is the accepting state.
        ///   - isAtStart: Whether no character has been read, so that `^` matches here.
        ///   - isAtEnd: Whether all characters have been read, so that `$` matches here.
        mutating func insert(_ firstState: Int, isAtStart: Bool, isAtEnd: Bool) {
            var pendingStates = [firstState]
            while let state = pendingStates.popLast() {
                let isAcceptingState = state >= program.count
                if isAcceptingState {
                    accepts = true
                    continue
                }
                if hasReached[state] { continue }
                hasReached[state] = true
                reachedStates.append(state)
                switch program[state] {
                case .read: break
                case .split(let distance): pendingStates += [state + distance, state + 1]
                case .jump(let distance): pendingStates.append(state + distance)
                case .start: if isAtStart { pendingStates.append(state + 1) }
                case .end: if isAtEnd { pendingStates.append(state + 1) }
                }
            }
        }
    }
}
