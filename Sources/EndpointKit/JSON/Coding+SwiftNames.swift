import JSONText

extension Coding {
    /// Starts a key that is the name of a case, a parameter or a field as Swift has it: a scalar for private use.
    private static let nameMark: Unicode.Scalar = "\u{10FFFD}"

    /// A name to which the strategy for keys does not apply when reading with ``keepingNames``.
    package func marked(_ name: String) -> String {
        if case .useDefaultKeys = keys { name } else { String(Self.nameMark) + name }
    }

    package static func unmarked(_ key: String) -> String {
        key.unicodeScalars.first == nameMark ? String(key.unicodeScalars.dropFirst()) : key
    }

    /// The key that a model has for the last one of a path.
    private func modelKey(_ key: any CodingKey, _ path: [any CodingKey]) -> any CodingKey {
        if case .custom(let decode, _) = keys { return decode(path) }
        return PositionKey(stringValue: modelKey(key.stringValue))
    }

    /// This coding with a strategy for keys that leaves the names of a case and its parameters as they are in Swift.
    ///
    /// A call is coded as `{"case": {"parameter": value}}`. Its first two levels of keys are Swift names. Only the
    /// keys below them belong to the API's JSON and are converted, unless they are marked as Swift names, too.
    package var keepingNames: Coding {
        if case .useDefaultKeys = keys { return self }
        var copy = self
        copy.keys = .custom(
            decode: { path in
                guard let key = path.last else { return PositionKey.super }
                let name = Self.unmarked(key.stringValue)
                return path.count > 2 && name == key.stringValue ? modelKey(key, path) : PositionKey(stringValue: name)
            },
            encode: { path in
                guard let key = path.last, path.count > 2 else { return path.last ?? PositionKey.super }
                return PositionKey(stringValue: name(of: key, path: path.dropLast()))
            })
        return copy
    }
}
