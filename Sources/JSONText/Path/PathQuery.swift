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
        var isDescendant = false
        var selectors: [Selector]
    }

    enum Selector: Sendable {
        case name(String)
        case wildcard
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(PathExpression)
        /// A name that walks through lists; on a list, an index if there is one.
        case walk(String, index: Int?)
    }
}

/// What a filter asks of each value.
indirect enum PathExpression: Sendable {
    case or([PathExpression])
    case and([PathExpression])
    case not(PathExpression)
    case equal(PathOperand, PathOperand)
    case less(PathOperand, PathOperand)
    /// Whether the query selects anything.
    case exists(PathQuery)
    case match(PathOperand, pattern: PathOperand, isWhole: Bool)
}

/// A value in an expression.
indirect enum PathOperand: Sendable {
    case literal(JSONValue)
    /// The value that a query selects, if it is one.
    case query(PathQuery)
    case length(PathOperand)
    case count(PathQuery)
}

/// A number, exact if it is an integer of at most 18 digits, else the nearest double.
struct PathNumber {
    private let integer: Int64?
    private let double: Double

    init(_ text: UnsafeRawBufferPointer) {
        let string = String(decoding: text, as: UTF8.self)
        integer = text.count <= 18 ? Int64(string) : nil
        double = integer.map(Double.init) ?? Double(string) ?? .nan
    }

    static func == (first: Self, second: Self) -> Bool {
        if let first = first.integer, let second = second.integer { return first == second }
        return first.double == second.double
    }

    static func < (first: Self, second: Self) -> Bool {
        if let first = first.integer, let second = second.integer { return first < second }
        return first.double < second.double
    }
}
