/// The rule for a parameter, a body, or a key of an object: which of them one side may lack or require alone.
struct FieldRule {
    /// A field that breaks the rule.
    struct Violation: Equatable {
        let kind: CheckProblem.Kind
        var expected: String?
        var found: String?
    }

    /// Whether something that the API accepts beyond the document is a violation too.
    let isStrict: Bool
    let part: ComparedPart
    /// Whether the document tells which fields are required.
    let tellsRequired: Bool

    /// Checks a field that the document has.
    ///
    /// - Parameters:
    ///   - isRequired: Whether the document requires the field.
    ///   - apiIsRequired: Whether the API requires it; nil if the API has no such field.
    /// - Returns: The violation; nil if there is none.
    func violation(isRequired: Bool, apiIsRequired: Bool?) -> Violation? {
        guard let apiIsRequired else { return lack(isRequired: isRequired) }
        guard isRequired != apiIsRequired else { return nil }
        // A field that the API may leave out, or may find absent, suits both kinds of documents.
        guard isStrict || apiIsRequired && tellsRequired else { return nil }
        return Violation(
            kind: part.requiredProblem, expected: part.phrase(isRequired: apiIsRequired),
            found: part.phrase(isRequired: isRequired))
    }

    /// Returns the violation by a field that the API lacks.
    private func lack(isRequired: Bool) -> Violation {
        if part == .received { return Violation(kind: .unexpectedKey) }
        guard isRequired else { return Violation(kind: .missingParameter) }
        return Violation(
            kind: .parameterRequired, expected: "no parameter", found: part.phrase(isRequired: true))
    }
}
