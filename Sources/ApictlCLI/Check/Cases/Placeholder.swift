import JSONText

/// A name in braces in a text of a case, which stands for a value that an earlier case has captured, or for a
/// ``GeneratedValue``.
///
/// A text that is nothing but a placeholder becomes the captured value, with its type. In a longer text, the
/// placeholder is replaced by the value's text. If the captured `id` is 7:
///
///     "{{id}}"             7
///     "/items/{{id}}"      "/items/7"
struct Placeholder {
    /// The name between the braces: `id` for `{{id}}`.
    let name: String
    /// The path from the case to the text with the placeholder.
    let path: [JSONPathComponent]

    /// Returns the placeholder of a name as it stands in a text: `id` → `{{id}}`.
    static func text(_ name: String) -> String { "{{\(name)}}" }

    /// The placeholder as it stands in the case: `{{id}}`.
    var text: String { Self.text(name) }

    /// The keys on the path, without the positions in lists.
    var keys: [String] {
        path.compactMap { component in
            if case .key(let key) = component { key } else { nil }
        }
    }
}

extension JSONValue {
    /// Returns this value with other values in place of placeholders. Placeholders in keys are replaced too.
    ///
    /// - Parameters:
    ///   - path: The path to this value.
    ///   - replacement: Returns the value for a placeholder; nil leaves the placeholder as it is.
    /// - Throws: The errors of `replacement`.
    func replacingPlaceholders(
        at path: [JSONPathComponent] = [], with replacement: (Placeholder) throws -> JSONValue?
    ) rethrows -> JSONValue {
        switch content {
        case .string(let text):
            return try text.replacingPlaceholders { try replacement(Placeholder(name: $0, path: path)) }
        case .array(let elements):
            let newElements = try elements.enumerated().map { index, element in
                try element.replacingPlaceholders(at: path + [.index(index)], with: replacement)
            }
            return JSONValue(newElements)
        case .object(let members):
            let newMembers = try members.map { key, member in
                let memberPath = path + [.key(key)]
                let newKey = try key.replacingPlaceholders { name in
                    try replacement(Placeholder(name: name, path: memberPath))
                }
                return (newKey.text, try member.replacingPlaceholders(at: memberPath, with: replacement))
            }
            return JSONValue(newMembers)
        case .null, .bool, .number:
            return self
        }
    }

    /// Returns all placeholders in this value, in the order of the text, also those in keys.
    func placeholders() -> [Placeholder] {
        var placeholders: [Placeholder] = []
        // Replacing visits all placeholders. The replaced value is not needed.
        _ = replacingPlaceholders { placeholder in
            placeholders.append(placeholder)
            return nil
        }
        return placeholders
    }
}

extension String {
    /// The names of the placeholders in this text.
    var placeholders: [String] {
        var names: [String] = []
        // Replacing visits all placeholders. The replaced text is not needed.
        _ = replacingPlaceholders { name in
            names.append(name)
            return nil
        }
        return names
    }

    /// Returns this text with other values in place of placeholders.
    ///
    /// A placeholder reaches from `{{` to the next `}}`. A replacement is not searched for further placeholders.
    ///
    /// - Parameter replacement: Returns the value for the name of a placeholder; nil leaves the placeholder as it is.
    /// - Returns: A string, or the value itself if the text is nothing but a placeholder.
    fileprivate func replacingPlaceholders(
        with replacement: (_ name: String) throws -> JSONValue?
    ) rethrows -> JSONValue {
        var result = ""
        var remainingText = self[...]
        while let opening = remainingText.firstRange(of: "{{"),
            let closing = remainingText[opening.upperBound...].firstRange(of: "}}")
        {
            let name = String(remainingText[opening.upperBound..<closing.lowerBound])
            let value = try replacement(name) ?? JSONValue(Placeholder.text(name))
            let isWholeText = opening.lowerBound == startIndex && closing.upperBound == endIndex
            if isWholeText { return value }
            result += remainingText[..<opening.lowerBound] + value.text
            remainingText = remainingText[closing.upperBound...]
        }
        return JSONValue(result + remainingText)
    }
}
