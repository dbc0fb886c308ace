import EndpointKit
import JSONText

extension CallValue {
    /// The texts of a value of that type on a command line.
    func texts(_ type: Shape) -> [String] {
        switch type {
        // A case without values is a switch.
        case .object([]) where plain.members?.count == 0: []
        case _ where type.isJSON: [shown.description]
        case .array(let element): parts.flatMap { $0.texts(element) }
        case .dictionary(let value): memberTexts(value) ?? [shown.description]
        default: [text]
        }
    }

    /// `KEY=VALUE` for each member; nil if a value or a key can't be written so.
    private func memberTexts(_ type: Shape) -> [String]? {
        guard !type.hasParts, let members = plain.members else { return nil }
        var texts: [String] = []
        for (member, value) in zip(members, parts) {
            let own = value.texts(type)
            guard !own.isEmpty, MemberText(member.key + "=")?.key == member.key else { return nil }
            texts += own.map { "\(member.key)=\($0)" }
        }
        return texts.isEmpty ? nil : texts
    }
}

/// A member of a dictionary as a command line has it: `KEY=VALUE`.
package struct MemberText: Sendable, Equatable {
    package let key: String
    package let value: String

    /// Nil if `text` has no `=`, or if it is JSON (`{`), a file (`@`) or stdin (`-`).
    package init?(_ text: String) {
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the equals sign.
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first != "{", first != "@", let equals = scalars.firstIndex(of: "=") else {
            return nil
        }
        key = String(scalars[..<equals])
        value = String(scalars[equals...].dropFirst())
    }
}
