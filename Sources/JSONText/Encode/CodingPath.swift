/// The way from the top value to one below it; the array of keys is made only when it is asked for.
package indirect enum CodingPath: Sendable {
    case root
    case child(of: CodingPath, key: any CodingKey)

    package var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = self
        while case .child(let parent, let key) = path {
            keys.append(key)
            path = parent
        }
        return keys.reversed()
    }
}

/// The key of an element, written as the standard library writes it, or of a class's superclass part.
package struct PositionKey: CodingKey {
    package static let `super` = PositionKey(stringValue: "super")

    package let stringValue: String
    package let intValue: Int?

    package init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    package init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
