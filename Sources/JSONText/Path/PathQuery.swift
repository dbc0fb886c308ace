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
        /// Whether it is written without brackets.
        var hasDot = false
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

/// A JSON number of any length, by its value.
package struct DecimalNumber: Comparable, Sendable {
    private let text: String
    private let double: Double

    /// `text` is a JSON number.
    package init(_ text: String) { (self.text, double) = (text, Double(text) ?? .nan) }

    /// The sign, the digits without zeros at both ends, and the power of ten of what is before them.
    private var parts: (sign: Int, exponent: Int, digits: String) {
        let parts = text.lowercased().split(separator: "e")
        let number = parts[0].drop { $0 == "-" }.split(separator: ".")
        let all = number.joined()
        let significant = all.drop { $0 == "0" }
        let digits = String(significant.reversed().drop { $0 == "0" }.reversed())
        if digits.isEmpty { return (0, 0, "") }
        let power = parts.count > 1 ? Int(parts[1]) ?? (parts[1].hasPrefix("-") ? .min : .max) : 0
        let point = number[0].count - (all.count - significant.count)
        return (text.hasPrefix("-") ? -1 : 1, max(min(power, .max / 2), .min / 2) + point, digits)
    }

    package var isInteger: Bool {
        let (sign, exponent, digits) = parts
        return digits.utf8.count <= exponent || sign == 0
    }

    // Numbers whose nearest doubles differ are in the same order as these.
    package static func == (one: DecimalNumber, other: DecimalNumber) -> Bool {
        one.double == other.double && (one.text == other.text || one.parts == other.parts)
    }

    package static func < (one: DecimalNumber, other: DecimalNumber) -> Bool {
        if one.double != other.double { return one.double < other.double }
        let (one, other) = (one.parts, other.parts)
        if one.sign != other.sign { return one.sign < other.sign }
        let (small, large) = one.sign < 0 ? (other, one) : (one, other)
        return (small.exponent, small.digits) < (large.exponent, large.digits)
    }
}
