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
    let name: String
    /// The path from the case to the text with the placeholder.
    let path: [JSONPathComponent]

    /// Returns the text of a placeholder: `{{id}}`.
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
    /// Returns this value with other values in place of placeholders, also of those in keys.
    ///
    /// - Parameters:
    ///   - path: The path to this value.
    ///   - value: Returns the value for a placeholder; nil leaves the placeholder as it is.
    func replacingPlaceholders(
        at path: [JSONPathComponent] = [], with value: (Placeholder) throws -> JSONValue?
    ) rethrows -> JSONValue {
        switch content {
        case .string(let text):
            return try text.replacingPlaceholders { try value(Placeholder(name: $0, path: path)) }
        case .array(let elements):
            let replaced = try elements.enumerated().map { index, element in
                try element.replacingPlaceholders(at: path + [.index(index)], with: value)
            }
            return JSONValue(replaced)
        case .object(let members):
            let replaced = try members.map { key, member in
                let path = path + [.key(key)]
                let newKey = try key.replacingPlaceholders { try value(Placeholder(name: $0, path: path)) }
                return (newKey.text, try member.replacingPlaceholders(at: path, with: value))
            }
            return JSONValue(replaced)
        case .null, .bool, .number:
            return self
        }
    }

    /// Returns all placeholders in this value, in the order of the text, also those in keys.
    func placeholders() -> [Placeholder] {
        var placeholders: [Placeholder] = []
        _ = replacingPlaceholders { placeholder in
            placeholders.append(placeholder)
            return .null
        }
        return placeholders
    }
}

extension String {
    /// The names of the placeholders in this text.
    var placeholders: [String] {
        var names: [String] = []
        _ = replacingPlaceholders { name in
            names.append(name)
            return ""
        }
        return names
    }

    /// Returns this text with other values in place of placeholders.
    ///
    /// - Parameter value: Returns the value for the name of a placeholder; nil leaves the placeholder as it is.
    /// - Returns: A string, or the value itself if the text is nothing but a placeholder.
    fileprivate func replacingPlaceholders(
        with value: (_ name: String) throws -> JSONValue?
    ) rethrows -> JSONValue {
        var result = ""
        var remainder = self[...]
        while let opening = remainder.firstRange(of: "{{"),
            let closing = remainder[opening.upperBound...].firstRange(of: "}}")
        {
            let name = String(remainder[opening.upperBound..<closing.lowerBound])
            let value = try value(name) ?? JSONValue(Placeholder.text(name))
            if opening.lowerBound == startIndex, closing.upperBound == endIndex { return value }
            result += remainder[..<opening.lowerBound] + value.text
            remainder = remainder[closing.upperBound...]
        }
        return JSONValue(result + remainder)
    }
}
