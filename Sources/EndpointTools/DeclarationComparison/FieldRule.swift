/// The rule that says whether a document and an API agree about a field: a parameter, a body, or a key of an object.
///
/// They may disagree in two ways: only one of them has the field, or only one of them requires it.
struct FieldRule {
    /// The way in which a field breaks the rule.
    struct Violation: Equatable {
        let kind: CheckProblem.Kind
        var expected: String?
        var found: String?
    }

    /// Whether something that the API accepts beyond the document is a violation too.
    let isStrict: Bool
    /// The part of the exchange that the field belongs to.
    let part: ComparedPart
    /// Whether the document says which fields are required. Many documents call no field of a response required, and
    /// then a field without that mark may be required all the same.
    let documentMarksRequiredFields: Bool

    /// Returns the way in which a field of the document breaks the rule; nil if it does not.
    ///
    /// The rule is that the API has the field too, and that both agree whether it is required. The API is what is
    /// expected, and the document is what is found: a query item that is required in the API and optional in the
    /// document is expected to be "a required parameter", and found to be "an optional parameter".
    ///
    /// - Parameters:
    ///   - isRequiredInDocument: Whether the document requires the field.
    ///   - isRequiredInAPI: Whether the API requires it; nil if the API has no such field.
    func violation(isRequiredInDocument: Bool, isRequiredInAPI: Bool?) -> Violation? {
        guard let isRequiredInAPI else {
            return violationByFieldMissingInAPI(isRequiredInDocument: isRequiredInDocument)
        }
        if isRequiredInDocument == isRequiredInAPI { return nil }
        if !isStrict {
            // A field that is optional in the API fits a document that requires it.
            if !isRequiredInAPI { return nil }
            // The document calls no field required, so it says nothing about this one either.
            if !documentMarksRequiredFields { return nil }
        }
        return Violation(
            kind: part.kindOfWrongRequirement, expected: part.phrase(isRequired: isRequiredInAPI),
            found: part.phrase(isRequired: isRequiredInDocument))
    }

    /// Returns the violation by a field that the document has and the API lacks.
    private func violationByFieldMissingInAPI(isRequiredInDocument: Bool) -> Violation {
        switch part {
        case .received:
            return Violation(kind: .unexpectedKey)
        case .sent:
            guard isRequiredInDocument else { return Violation(kind: .missingParameter) }
            return Violation(
                kind: .parameterRequired, expected: "no parameter", found: part.phrase(isRequired: true))
        }
    }
}
