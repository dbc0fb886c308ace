/// The names of an enum's cases, also of those without an example.
///
/// Swift has no way to ask for them, so they are read from where `Mirror` finds them too: the metadata of the type, laid out as in
/// `docs/ABI/TypeMetadata.rst` of the Swift project. Encoding a value, which tells the name of its case too, makes the runtime instantiate
/// several types for each case.
struct EnumCases {
    private static let enumKind: UInt = 0x201
    private static let hasEnumWitnesses: UInt32 = 0x20_0000

    private let metadata: UnsafeRawPointer
    private let fields: UnsafeRawPointer
    let count: Int

    /// Nil if the type is not an enum, or the program was compiled without reflection metadata.
    init?(of type: Any.Type) {
        #if arch(arm64e)
        // Pointers in metadata are signed there.
        return nil
        #else
        // A metatype is a pointer to metadata, whose first word is its kind, for an enum with the descriptor next. Descriptors are
        // constants of the program that refer to each other by 32-bit offsets from where the offset is; zero is none.
        metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == Self.enumKind else { return nil }
        let descriptor = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
        // Flags, parent, name, access function, fields, number of cases with values (24 bits), of cases without.
        guard let fields = Self.target(of: descriptor + 16) else { return nil }
        let withValues = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let withoutValues = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        // Type name, superclass, kind, size of a record, number of records; then the records: flags, type, name.
        count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        guard count == withValues + withoutValues, fields.load(fromByteOffset: 10, as: UInt16.self) == 12 else {
            return nil
        }
        self.fields = fields
        #endif
    }

    /// The names in declaration order, those with associated values first.
    var names: [String] { (0..<count).compactMap(name) }

    /// The name of the case of `value`, which must be of the type.
    func name<Value>(of value: Value) -> String? {
        // The word before the metadata leads to the value witness table: eight functions, size, stride, flags (32 bits), number of extra
        // inhabitants, and for an enum the function `getEnumTag`, which numbers the cases as they are ordered here.
        let word = MemoryLayout<UInt>.size
        let witnesses = (metadata - word).load(as: UnsafeRawPointer.self)
        guard witnesses.load(fromByteOffset: 10 * word, as: UInt32.self) & Self.hasEnumWitnesses != 0 else {
            return nil
        }
        // For two pointers, a value and the metadata of its type, Swift's calling convention is C's.
        let getEnumTag = witnesses.load(
            fromByteOffset: 10 * word + 8, as: (@convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32).self)
        return withUnsafePointer(to: value) { name(Int(getEnumTag($0, metadata))) }
    }

    private func name(_ index: Int) -> String? {
        guard index < count, let name = Self.target(of: fields + 16 + index * 12 + 8) else { return nil }
        // A C string.
        return String(cString: name.assumingMemoryBound(to: CChar.self))
    }

    /// Where the offset at `place` leads to.
    private static func target(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = Int(place.load(as: Int32.self))
        return offset == 0 ? nil : place + offset
    }
}

extension API {
    /// The Swift names of the cases that no example shows, which can't be called; empty if that can't be known.
    package static var casesWithoutExample: [String] {
        casesWithoutExample(besides: Set(examples.compactMap { try? $0.caseName }.map(KebabCase.text)))
    }

    /// The same, if the names of the endpoints are known.
    package static func casesWithoutExample(besides endpoints: some Collection<String>) -> [String] {
        guard let cases = EnumCases(of: Self.self), cases.count > endpoints.count else { return [] }
        let shown = Set(endpoints)
        return cases.names.filter { !shown.contains(KebabCase.text($0)) }
    }
}
