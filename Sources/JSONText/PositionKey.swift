/// A key of any name, or the position of an element, which is written as the standard library writes it: `Index 3`.
package struct PositionKey: CodingKey {
    /// The key of the part of a class that its superclass encodes.
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
