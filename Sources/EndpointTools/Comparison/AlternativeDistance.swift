/// The differences between a value and one alternative of its schema, counted by kind.
///
/// The smaller of two distances is the closer alternative. A kind weighs more than any number of differences of the
/// kinds after it, so a wrong discriminator weighs more than ten unexpected keys.
struct AlternativeDistance: Comparable {
    /// The members that differ from the only value that the alternative allows there, such as a `type` that is `cat` in
    /// place of `dog`.
    var wrongConstants = 0
    /// The required members with a value that their enum does not list.
    var unlistedValues = 0
    /// The other members that do not fit, and the required members that are missing.
    var otherProblems = 0
    /// The members that the alternative does not name.
    var unexpectedKeys = 0

    /// The distance of a value that fits the alternative.
    static let zero = AlternativeDistance()

    /// Whether the left distance is the smaller one. The first kind of difference with unequal counts decides.
    static func < (left: AlternativeDistance, right: AlternativeDistance) -> Bool {
        if left.wrongConstants != right.wrongConstants { return left.wrongConstants < right.wrongConstants }
        if left.unlistedValues != right.unlistedValues { return left.unlistedValues < right.unlistedValues }
        if left.otherProblems != right.otherProblems { return left.otherProblems < right.otherProblems }
        return left.unexpectedKeys < right.unexpectedKeys
    }

    /// Adds the differences of a part of a value to those of the whole value.
    static func += (total: inout AlternativeDistance, distance: AlternativeDistance) {
        total.wrongConstants += distance.wrongConstants
        total.unlistedValues += distance.unlistedValues
        total.otherProblems += distance.otherProblems
        total.unexpectedKeys += distance.unexpectedKeys
    }
}
