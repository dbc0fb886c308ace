import EndpointKit
import JSONText

extension Shape {
    /// The JSON of a value of this type whose parts are texts under keys, as ``QueryItem/items(_:_:isIndexed:)`` writes them.
    ///
    /// A text that its type does not take is a string, which a decoder refuses.
    package func json(of parts: [(keys: ArraySlice<String>, text: String)], _ coding: Coding) -> JSONValue {
        if let other = nonNull { return other.json(of: parts, coding) }
        var isList = isArray
        if self == .any {
            isList =
                parts.count > 1
                && parts.allSatisfy { $0.keys.first.map { $0.isEmpty || Signature.isPosition($0) } ?? true }
        }
        if !isList, let part = parts.first, part.keys.isEmpty {
            if let value = value(part.text, coding) { return value }
            if self == .any, let value = try? JSONValue(text: part.text.exactBytes),
                value.number != nil || value.bool != nil
            {
                return value
            }
            return JSONValue(part.text)
        }
        // What has no position is an element of its own.
        let groups = parts.enumerated().grouped { place, part in
            part.keys.first.flatMap { $0.isEmpty ? nil : $0 } ?? "+\(place)"
        }.map { key, elements in (key: key, parts: elements.map { ($1.keys.dropFirst(), $1.text) }) }
        if isList {
            let sorted = groups.enumerated().sorted {
                (Int($0.1.key) ?? .max, $0.0) < (Int($1.1.key) ?? .max, $1.0)
            }
            return JSONValue(sorted.map { element.json(of: $1.parts, coding) })
        }
        return JSONValue(
            groups.map { key, parts in
                let member = if case .dictionary(let value) = self { value } else { part(coding.modelKey(key)) ?? .any }
                return (key, member.json(of: parts, coding))
            })
    }
}
