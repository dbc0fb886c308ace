/// The way from the top value to the one being encoded; the array of keys is made only when it is asked for.
indirect enum EncodingPath {
    case root
    case child(of: EncodingPath, key: any CodingKey)

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = self
        while case .child(let parent, let key) = path {
            keys.append(key)
            path = parent
        }
        return keys.reversed()
    }
}

/// The key of an element, or of a class's superclass part.
struct PositionKey: CodingKey {
    static let `super` = PositionKey(stringValue: "super")

    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
