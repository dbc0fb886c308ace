/// A query as it was read: segments that are applied one after the other, each to all values that the one before
/// selects.
struct PathQuery: Sendable {
    /// Whether the query starts at the root (`$`) and not at the value that a filter tests (`@`).
    var isAbsolute: Bool
    var segments: [Segment] = []

    /// Whether the query can select one value at most, whatever the document (RFC 9535, section 2.3.5.1).
    ///
    /// Only such a query can be compared. It may have only names and indexes, one in each segment: `@.a[0]`, but
    /// neither `@["a", "b"]` nor `@..a`.
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            default: return false
            }
        }
    }

    /// Selectors that are applied to the same value. Their results follow each other.
    struct Segment: Sendable {
        /// Whether the segment starts with `..`: it is applied to the value and to everything inside.
        var isDescendant = false
        /// Whether the segment is written with a dot and without brackets.
        var hasDot = false
        var selectors: [Selector]
    }

    /// One choice among the members or elements of a value.
    enum Selector: Sendable {
        /// The member of an object with this name.
        case name(String)
        /// All members of an object, or all elements of an array.
        case wildcard
        /// The element of an array at this index, which counts from the end if it is negative.
        case index(Int)
        /// The elements of an array from `start` up to but not including `end`, every `step`-th of them (RFC 9535,
        /// section 2.3.4). Nil means the bound that includes everything.
        case slice(start: Int?, end: Int?, step: Int)
        /// The members or elements for which the condition holds.
        case filter(PathExpression)
        /// A name in a dotted path, such as `title` or `0`, with its number if it is one. In an object, it selects the
        /// member with this name. In a list, a number selects the element at this index. Any other name selects the
        /// member of each object in the list and in lists in it.
        case dottedName(String, number: Int?)
    }
}

/// The condition of a filter, which is true or false for each value.
indirect enum PathExpression: Sendable {
    case or([PathExpression])
    case and([PathExpression])
    case not(PathExpression)
    case equal(PathOperand, PathOperand)
    case less(PathOperand, PathOperand)
    /// Whether the query selects anything.
    case exists(PathQuery)
    /// Whether a regular expression matches a text, or with `isWhole` false a part of it.
    case match(PathOperand, pattern: PathOperand, isWhole: Bool)
}

/// One side of a comparison, or an argument of a function.
indirect enum PathOperand: Sendable {
    case literal(JSONValue)
    /// The value that a query selects, if it selects exactly one.
    case query(PathQuery)
    case length(PathOperand)
    /// The number of values that a query selects.
    case count(PathQuery)
}
