/// Reads I-Regexp (RFC 9485, section 3); every function returns nil for anything else.
struct IRegexpParser {
    private static let deepestLevel = 64
    private static let categories: [Unicode.Scalar: String] = [
        "L": "lmotu", "M": "cen", "N": "dlo", "P": "cdefios", "Z": "lps", "S": "ckmo", "C": "cfno",
    ]

    private let text: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private(set) var isTooDeep = false

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    mutating func whole() -> IRegexp.Tree? {
        guard let tree = alternatives(), index == text.count else { return nil }
        return tree
    }

    private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    private mutating func alternatives() -> IRegexp.Tree? {
        var branches: [IRegexp.Tree] = []
        repeat {
            guard let branch = branch() else { return nil }
            branches.append(branch)
        } while take("|")
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func branch() -> IRegexp.Tree? {
        var parts: [IRegexp.Tree] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            guard let atom = atom(), let part = quantified(atom) else { return nil }
            parts.append(part)
        }
        return .sequence(parts)
    }

    private mutating func quantified(_ atom: IRegexp.Tree) -> IRegexp.Tree? {
        if take("*") { return .repetition(atom, atLeast: 0, atMost: nil) }
        if take("+") { return .repetition(atom, atLeast: 1, atMost: nil) }
        if take("?") { return .repetition(atom, atLeast: 0, atMost: 1) }
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
        return take("}") ? .repetition(atom, atLeast: atLeast, atMost: atMost) : nil
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

    private mutating func atom() -> IRegexp.Tree? {
        guard let scalar = next else { return nil }
        index += 1
        switch scalar {
        case "(":
            guard depth < Self.deepestLevel else {
                isTooDeep = true
                return nil
            }
            depth += 1
            defer { depth -= 1 }
            guard let tree = alternatives(), take(")") else { return nil }
            return tree
        case ".": return .set(ScalarSet(ranges: ["\n"..."\n", "\r"..."\r"], isNegated: true))
        case "[": return set().map(IRegexp.Tree.set)
        case "\\":
            if let category = category() { return .set(ScalarSet(categories: [category])) }
            return escape().map { .set(ScalarSet(ranges: [$0...$0])) }
        case ")", "*", "+", "?", "]", "{", "|", "}": return nil
        default: return .set(ScalarSet(ranges: [scalar...scalar]))
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
        guard index + 3 < text.count, text[index] == "p" || text[index] == "P", text[index + 1] == "{",
            let letters = Self.categories[text[index + 2]]
        else { return nil }
        var name = String(text[index + 2])
        var end = index + 3
        if text[end] != "}" {
            guard letters.unicodeScalars.contains(text[end]) else { return nil }
            name.unicodeScalars.append(text[end])
            end += 1
        }
        guard end < text.count, text[end] == "}" else { return nil }
        let isNegated = text[index] == "P"
        index = end + 1
        return ScalarSet.Category(name: name, isNegated: isNegated)
    }
}
