import EndpointKit
import JSONText

/// How far a value is from a form that it may have. The lesser of two is closer.
struct FormDistance: Comparable {
    /// Members with another value than the only one that is allowed there: the wrong discriminator.
    var wrongConstants = 0
    /// Members with a value that their enum does not list.
    var wrongChoices = 0
    /// Other members that do not fit, and required members that are missing.
    var problems = 0
    /// Members that the form does not have.
    var unexpectedKeys = 0

    static let none = FormDistance()

    static func < (left: FormDistance, right: FormDistance) -> Bool {
        let leftCounts = (left.wrongConstants, left.wrongChoices, left.problems, left.unexpectedKeys)
        let rightCounts = (right.wrongConstants, right.wrongChoices, right.problems, right.unexpectedKeys)
        return leftCounts < rightCounts
    }

    static func + (left: FormDistance, right: FormDistance) -> FormDistance {
        FormDistance(
            wrongConstants: left.wrongConstants + right.wrongConstants,
            wrongChoices: left.wrongChoices + right.wrongChoices, problems: left.problems + right.problems,
            unexpectedKeys: left.unexpectedKeys + right.unexpectedKeys)
    }
}

/// Finds the alternative that a value is meant to have, by a look at the value that is bounded.
///
/// The closest form has the fewest wrong constants, then the fewest wrong choices of enums, then the fewest missing or
/// unfit members, then the fewest unexpected keys; the first one wins a tie. For example, `{"type": "dog", "age": "x"}`
/// is a dog with a wrong age, although as a cat it would have no more problems: a wrong type.
///
/// The first look is at the members of the object alone: at texts and numbers as a whole, and at objects and lists by
/// their kind. Only if several forms are equally close, a second look at these goes ``maxLevels`` levels deep. All
/// second looks together take at most ``looksPerValue`` steps for each value of the document, so that alternatives
/// inside alternatives do not multiply. Of a list, only the first element is looked at.
final class ClosestForm {
    /// The most levels of nesting of a second look. Documents of JSON:API differ in `data.type` or `data[0].type`.
    private static let maxLevels = 4
    /// The steps of second looks for each value of the document. Few places of a document need a second look.
    private static let looksPerValue = 16

    private let document: JSONDocument
    private let steps: ComparisonSteps
    /// How many more members second looks may look at.
    private var remainingLooks: Int

    init(_ document: JSONDocument, _ steps: ComparisonSteps) {
        self.document = document
        self.steps = steps
        remainingLooks = document.next(after: JSONDocument.root) * Self.looksPerValue
    }

    /// Returns the form that an object is closest to; nil if no form is an object.
    func form(of object: Int, among forms: [ObjectForm]) throws -> ObjectForm? {
        if forms.count <= 1 { return forms.first }
        let members = members(of: object)
        return try closest(forms, in: object) { try distance(of: members, from: $0, levels: $1) }
    }

    /// Returns the forms of the elements of a list, chosen by its first element; nil if no form is a list.
    func elementForms(of list: Int, among forms: [LazyForms]) throws -> ShapeForms? {
        if forms.count <= 1 { return forms.first?.forms }
        return try closest(forms, in: list) { try distance(ofList: list, from: $0.forms, levels: $1) }?.forms
    }

    // MARK: Looks

    /// Returns the first of the closest forms.
    ///
    /// - Parameters:
    ///   - forms: The forms, of which there are several.
    ///   - container: The object or list that is looked at.
    ///   - distance: Returns the distance from a form, by a look of so many levels.
    private func closest<Form>(
        _ forms: [Form], in container: Int, _ distance: (_ form: Form, _ levels: Int) throws -> FormDistance
    ) throws -> Form? {
        let equallyClose = try Self.closestForms(forms) { try distance($0, 1) }
        guard equallyClose.count > 1, takeLooks(into: container, forms: equallyClose.count) else {
            return equallyClose.first
        }
        let closest = try Self.closestForms(equallyClose) { try distance($0, Self.maxLevels) }
        // A look that was not completed has seen less of the later forms.
        return remainingLooks > 0 ? closest.first : equallyClose.first
    }

    private static func closestForms<Form>(
        _ forms: [Form], _ distance: (_ form: Form) throws -> FormDistance
    ) rethrows -> [Form] {
        var closest: [Form] = []
        var leastDistance: FormDistance?
        for form in forms {
            let distance = try distance(form)
            if let leastDistance, leastDistance < distance { continue }
            if distance != leastDistance { closest = [] }
            leastDistance = distance
            closest.append(form)
        }
        return closest
    }

    /// Subtracts the steps of a second look into a container from those that remain.
    ///
    /// - Parameters:
    ///   - container: The object or list.
    ///   - forms: The number of forms that its members are compared with.
    /// - Returns: Whether there are enough steps for the look.
    private func takeLooks(into container: Int, forms: Int) -> Bool {
        guard remainingLooks > 0 else { return false }
        let members = document.kind(of: container) == .object ? document.count(of: container) : 1
        remainingLooks -= (members + 1) * forms
        return remainingLooks > 0
    }

    // MARK: Distances

    /// Returns the distance of an object from a form.
    ///
    /// - Parameters:
    ///   - members: The keys and values of the object.
    ///   - form: The form.
    ///   - levels: How many levels of nesting are looked at. One level is that of the members.
    private func distance(
        of members: [(key: String, value: Int)], from form: ObjectForm, levels: Int
    ) throws -> FormDistance {
        var distance = FormDistance()
        var requiredCount = 0
        var expectedCount = 0
        for (key, value) in members {
            try steps.count()
            guard let member = form.member(of: key) else {
                distance.unexpectedKeys += 1
                continue
            }
            expectedCount += 1
            if member.isRequired { requiredCount += 1 }
            distance = distance + (try self.distance(of: value, from: member, levels: levels))
        }
        distance.problems += max(0, form.requiredCount - requiredCount)
        if form.keys == .variants, expectedCount != 1 { distance.problems += 1 }
        return distance
    }

    /// Returns the distance of the value of a member.
    private func distance(of value: Int, from member: ObjectForm.Member, levels: Int) throws -> FormDistance {
        let distance = try distance(of: value, from: member.forms, levels: levels)
        guard distance != .none, let choice = member.forms.choice else { return distance }
        if choice.count == 1 { return FormDistance(wrongConstants: 1) }
        return member.isRequired ? FormDistance(wrongChoices: 1) : distance
    }

    /// Returns the distance of a value of any kind from the closest of its forms.
    private func distance(of value: Int, from forms: ShapeForms, levels: Int) throws -> FormDistance {
        let kind = document.kind(of: value)
        if forms.allowsAnything || (kind == .null && forms.allowsNull) { return .none }
        if forms.tokens.contains(where: { $0.fit(JSONValue(document, slot: value)) == .fits }) { return .none }
        switch kind {
        case .array where !forms.lists.isEmpty:
            guard levels > 1, takeLooks(into: value, forms: forms.lists.count) else { return .none }
            let distances = try forms.lists.map { list in
                try distance(ofList: value, from: list.forms, levels: levels - 1)
            }
            return distances.min() ?? .none
        case .object where !forms.objects.isEmpty:
            guard levels > 1, takeLooks(into: value, forms: forms.objects.count) else { return .none }
            let members = members(of: value)
            let distances = try forms.objects.map { try distance(of: members, from: $0, levels: levels - 1) }
            return distances.min() ?? .none
        default:
            return FormDistance(problems: 1)
        }
    }

    /// Returns the distance of the first element of a list from the form of elements; none if the list is empty.
    private func distance(ofList list: Int, from forms: ShapeForms, levels: Int) throws -> FormDistance {
        try steps.count()
        guard document.count(of: list) > 0 else { return .none }
        return try distance(of: document.first(in: list), from: forms, levels: levels)
    }

    /// Returns the keys of an object with the slots of their values.
    private func members(of object: Int) -> [(key: String, value: Int)] {
        document.values(in: object).map { value in
            (ComparisonRecorder.keyText(value - 1, in: document), value)
        }
    }
}
