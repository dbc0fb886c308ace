/// A query as it was read.
struct PathQuery: Sendable {
    /// Whether it starts at the root (`$`), not at the value that a filter looks at (`@`).
    var isAbsolute: Bool
    var segments: [Segment] = []

    /// Whether it selects one value at most, by its form.
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            default: return false
            }
        }
    }

    struct Segment: Sendable {
        /// `..`: applied to the value and everything in it.
        var isDescendant: Bool
        var selectors: [Selector]
    }

    enum Selector: Sendable {
        case name(Name)
        case wildcard
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(PathExpression)
        /// A name that walks through lists; on a list, an index if there is one.
        case walk(Name, index: Int?)
    }

    /// A name, which is compared by its bytes: strings of other scalars are different to JSON, though they may be equal to Swift.
    struct Name: Sendable {
        let bytes: [UInt8]
        init(_ text: String) { bytes = Array(text.utf8) }
    }
}

/// What a filter asks of each value.
indirect enum PathExpression: Sendable {
    case or([PathExpression])
    case and([PathExpression])
    case not(PathExpression)
    case comparison(PathOperand, PathComparison, PathOperand)
    /// Whether the query selects anything.
    case exists(PathQuery)
    case match(PathOperand, PathPattern, isWhole: Bool)
}

enum PathComparison: String, CaseIterable, Sendable {
    // In the order in which they are looked for.
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
}

/// A value in an expression.
indirect enum PathOperand: Sendable {
    case null
    case boolean(Bool)
    case number(PathNumber)
    case string(String)
    case query(PathQuery)
    case length(PathOperand)
    case count(PathQuery)
    case value(PathQuery)
}

/// The second argument of `match` and `search`.
enum PathPattern: Sendable {
    /// Compiled; nil if it is not an I-Regexp, which matches nothing.
    case literal(Result<IRegexp, JSONPathLimit>?)
    case operand(PathOperand)
}

/// A number, exact if it is an integer of at most 18 digits, else the nearest double.
enum PathNumber: Sendable {
    case integer(Int64)
    case double(Double)

    init(_ text: UnsafeRawBufferPointer) {
        if text.count <= 18, let integer = Int64(String(decoding: text, as: UTF8.self)) {
            self = .integer(integer)
        } else {
            self = .double(Double(String(decoding: text, as: UTF8.self)) ?? .nan)
        }
    }

    private var double: Double {
        switch self {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        }
    }

    static func == (first: Self, second: Self) -> Bool {
        if case .integer(let first) = first, case .integer(let second) = second { return first == second }
        return first.double == second.double
    }

    static func < (first: Self, second: Self) -> Bool {
        if case .integer(let first) = first, case .integer(let second) = second { return first < second }
        return first.double < second.double
    }
}
