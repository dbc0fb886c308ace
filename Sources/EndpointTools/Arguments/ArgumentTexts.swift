import EndpointKit
import JSONText

extension CallValue {
    /// Returns the texts by which a command line gives this value to a parameter of a type.
    ///
    ///     550                     550
    ///     ["a", "b"]              a, b
    ///     {"colour": "red"}       colour=red for a dictionary, or else the JSON itself
    ///     {}                      no text for an enum's case without values, which is a switch
    func texts(_ type: Shape) -> [String] {
        let isSwitch = type == .object([]) && plain.members?.isEmpty == true
        if isSwitch { return [] }
        if type.isJSON { return [shown.description] }
        switch type {
        case .array(let elementType): return parts.flatMap { $0.texts(elementType) }
        case .dictionary(let valueType): return memberTexts(valueType: valueType) ?? [shown.description]
        default: return [text]
        }
    }

    /// Returns `KEY=VALUE` for each member of a dictionary, or several for a member that is a list.
    ///
    ///     {"colour": "red", "size": [1, 2]}    →    colour=red, size=1, size=2
    ///
    /// - Parameter valueType: The type of the dictionary's values.
    /// - Returns: The texts. Nil if there is no member, or if one can't be written as such a text: the dictionary is
    ///   then given as JSON.
    private func memberTexts(valueType: Shape) -> [String]? {
        // A value with values inside it, such as an object, is not written as `KEY=VALUE`.
        guard !valueType.hasParts, let members = plain.members else { return nil }
        var keyValueTexts: [String] = []
        for (member, value) in zip(members, parts) {
            let valueTexts = value.texts(valueType)
            // An empty list has no text.
            if valueTexts.isEmpty { return nil }
            // Some keys would not be read back from a command line: `a=b` ends at its equals sign, `{a` starts JSON,
            // and `@a` names a file.
            let isKeyReadBack = MemberText(member.key + "=")?.key == member.key
            guard isKeyReadBack else { return nil }
            keyValueTexts += valueTexts.map { "\(member.key)=\($0)" }
        }
        return keyValueTexts.isEmpty ? nil : keyValueTexts
    }
}
