/// Lists the keys of a model that is an enum with associated values: the names of its cases.
///
/// The synthesised `init(from:)` of such an enum asks for the keys of an object, of an enum `CodingKeys` with one case
/// for each of its own. Swift cannot list them: neither enum is `CaseIterable`, and a decoder learns nothing but the
/// type of the keys. So the keys are made of their numbers.
///
/// That is correct by the documented layout of enums (docs/ABI/TypeLayout.rst of the Swift project), which is part of
/// the stable ABI:
/// - Cases without associated values are numbered from 0, in one byte, or in two bytes from 257 cases on.
/// - In an optional of that type, the first number that is not a case stands for nil. That tells how many cases there
///   are.
/// - Such a value has no references. So a number below that of nil is a value of the type in every respect.
///
/// A type with another layout has no keys here. Whether the compiler uses this layout is tested with a known enum.
package enum CaseKeys {
    private enum Known: CodingKey { case first, second, third }

    private static let isLayoutKnown =
        count(of: Known.self) == 3 && withUnsafeBytes(of: Known.third) { $0.elementsEqual([2]) }

    /// Returns the keys of an enum's cases, in the order of their declaration.
    ///
    /// - Parameter type: The type of the keys, such as the `CodingKeys` that Swift synthesises.
    /// - Returns: The keys, or none if `type` is not an enum without associated values.
    package static func all<Key: CodingKey>(of type: Key.Type) -> [Key] {
        // An enum with one case takes no bytes, so this reads none.
        if MemoryLayout<Key>.size == 0 { return [unsafeBitCast((), to: Key.self)] }
        guard isLayoutKnown, let count = count(of: type) else { return [] }
        // An enum that stores a `Bool` in several cases also takes one byte, but not all of its numbers are values. Its
        // count is above 127, and it is not `Hashable`. Every enum without associated values is.
        let isEnumWithoutAssociatedValues = count <= 127 || type is any Hashable.Type
        guard isEnumWithoutAssociatedValues else { return [] }
        if MemoryLayout<Key>.size == 1 {
            return (0..<count).map { unsafeBitCast(UInt8($0), to: Key.self) }
        }
        // As in `count(of:)`, the lower byte comes first.
        return (0..<count).map { unsafeBitCast(UInt16($0).littleEndian, to: Key.self) }
    }

    /// Returns the number of cases of an enum without associated values, or nil if the type has another layout.
    ///
    /// The count is read from an optional of the type: cases are numbered from 0, and nil has the number after the last
    /// case.
    private static func count<Key>(of type: Key.Type) -> Int? {
        switch (MemoryLayout<Key>.size, MemoryLayout<Key?>.size) {
        case (1, 1): withUnsafeBytes(of: Key?.none) { Int($0[0]) }
        // All numbers of one byte are cases, so the optional needs a second byte for nil.
        case (1, 2): 256
        // Two bytes, the lower one first.
        case (2, 2): withUnsafeBytes(of: Key?.none) { Int($0[0]) | Int($0[1]) << 8 }
        default: nil
        }
    }
}
