/// All keys of an enum with values: the names of its cases.
///
/// The synthesised decoder of such an enum asks for all keys of an object, of a type of keys with one case for each of its own. Swift has no
/// way to list those, but their layout is documented (docs/ABI/TypeLayout.rst of the Swift project): cases without values are numbered from
/// 0 in one byte, or in two if there are more than 256; the first number that is not a case stands for nil.
package enum CaseKeys {
    private enum Known: CodingKey { case first, second, third }

    /// False if this compiler has another layout; then no keys are known, and no memory is misread.
    private static let isLayoutKnown =
        count(of: Known.self) == 3 && withUnsafeBytes(of: Known.third) { $0.elementsEqual([2]) }

    /// The keys in the order of declaration; none if the type's layout is not the one of an enum without values.
    package static func all<Key: CodingKey>(of type: Key.Type) -> [Key] {
        // A type with a single value has no bytes.
        if MemoryLayout<Key>.size == 0 { return [unsafeBitCast((), to: Key.self)] }
        guard isLayoutKnown, let count = count(of: type) else { return [] }
        // Above 127 cases it might be an enum with values in several cases, which only has a hash if someone wrote that; one without values
        // always has one.
        guard count <= 127 || type is any Hashable.Type else { return [] }
        // The numbers below that of nil are the values of the type, which has no references to count.
        if MemoryLayout<Key>.size == 1 { return (0..<count).map { unsafeBitCast(UInt8($0), to: Key.self) } }
        return (0..<count).map { unsafeBitCast(UInt16($0).littleEndian, to: Key.self) }
    }

    private static func count<Key>(of type: Key.Type) -> Int? {
        switch (MemoryLayout<Key>.size, MemoryLayout<Key?>.size) {
        case (1, 1): withUnsafeBytes(of: Key?.none) { Int($0[0]) }
        // No number is left for nil.
        case (1, 2): 256
        case (2, 2): withUnsafeBytes(of: Key?.none) { Int($0[0]) | Int($0[1]) << 8 }
        default: nil
        }
    }
}
