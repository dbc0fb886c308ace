import JSONText

extension Coding {
    /// The mark before a key that is a Swift name of a case, a parameter or a field. It is a scalar for private use,
    /// which no JSON of a server has.
    private static let nameMark: Unicode.Scalar = "\u{10FFFD}"

    /// Returns a Swift name with a mark, so that the strategy for keys does not change it when it is read with
    /// ``keepingNames``. If there is no strategy, the name has no mark.
    package func marked(_ name: String) -> String {
        if case .useDefaultKeys = keys { name } else { String(Self.nameMark) + name }
    }

    /// Returns a key without the mark that ``marked(_:)`` puts before it; any other key stays as it is.
    package static func unmarked(_ key: String) -> String {
        key.unicodeScalars.first == nameMark ? String(key.unicodeScalars.dropFirst()) : key
    }

    /// Returns the key in a model for a key in JSON, by the strategy for keys.
    ///
    /// - Parameters:
    ///   - key: The key in JSON.
    ///   - path: The path that ends with this key, for a strategy that depends on it.
    private func modelKey(_ key: any CodingKey, path: [any CodingKey]) -> any CodingKey {
        if case .custom(let decode, _) = keys { return decode(path) }
        return PositionKey(stringValue: modelKey(key.stringValue))
    }

    /// A copy of this coding with which the names of a call's case and of its parameters stay as they are in Swift.
    ///
    /// With a strategy that writes keys in snake case, `.search(petName: PetName(firstName: "Rex"))` becomes:
    ///
    ///     {"search": {"petName": {"first_name": "Rex"}}}
    ///
    /// The first two levels of keys are the case and its parameters. Only the keys below them belong to the API's JSON
    /// and are converted. When reading, a key there that is ``marked(_:)`` as a Swift name is not converted either.
    package var keepingNames: Coding {
        if case .useDefaultKeys = keys { return self }
        let namesDepth = 2
        var coding = self
        coding.keys = .custom(
            decode: { path in
                guard let key = path.last else { return PositionKey.super }
                let name = Self.unmarked(key.stringValue)
                let isMarked = name != key.stringValue
                if path.count <= namesDepth || isMarked { return PositionKey(stringValue: name) }
                return modelKey(key, path: path)
            },
            encode: { path in
                guard let key = path.last else { return PositionKey.super }
                if path.count <= namesDepth { return key }
                return PositionKey(stringValue: name(of: key, path: path.dropLast()))
            })
        return coding
    }
}
