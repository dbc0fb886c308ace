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
