/// The part of an exchange that a compared value belongs to, which decides about the kinds of problems.
enum ComparedPart: Hashable {
    /// A value of a request.
    case sent(as: Writing)
    /// A value of a response.
    case received

    /// The way in which a value of a request is written.
    enum Writing: Hashable {
        case json
        /// Each scalar is a text of its own.
        case texts
        /// The whole value is one text.
        case oneText
    }

    var isSent: Bool { self != .received }

    /// Whether scalars are written as texts, in which the number 1 is the same as the string "1".
    var isWrittenAsText: Bool { self == .sent(as: .texts) || self == .sent(as: .oneText) }

    /// The kind of problem if the kinds of JSON differ.
    var kindOfWrongType: CheckProblem.Kind { isSent ? .parameterType : .wrongType }
    /// The kind of problem if values of the same kind differ.
    var kindOfWrongValue: CheckProblem.Kind { isSent ? .parameterType : .wrongValue }
    /// The kind of problem if one side requires something that the other side does not.
    var kindOfWrongRequirement: CheckProblem.Kind { isSent ? .parameterRequired : .missingKey }
    /// The kind of problem if the document lacks something that the API has.
    var kindOfMissingField: CheckProblem.Kind { isSent ? .extraParameter : .missingKey }

    /// Returns the words for a parameter or key that is required, or that may be left out.
    func phrase(isRequired: Bool) -> String {
        switch (isSent, isRequired) {
        case (true, true): "a required parameter"
        case (true, false): "an optional parameter"
        case (false, true): "a required key"
        case (false, false): "a key that may be absent"
        }
    }
}
