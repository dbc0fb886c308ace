/// The names of an enum's cases, also of those without an example.
///
/// Swift has no way to ask for them, so they are read from where `Mirror` finds them too: the metadata of the type, laid out as in
/// `docs/ABI/TypeMetadata.rst` of the Swift project.
enum EnumCases {
    /// The names in declaration order, those with associated values first; nil if the type is not an enum, or the program was compiled without
    /// reflection metadata.
    static func names(of type: Any.Type) -> [String]? {
        #if arch(arm64e)
        // Pointers in metadata are signed there.
        return nil
        #else
        // A metatype is a pointer to metadata, whose first word is its kind, for an enum with the descriptor next. Descriptors are
        // constants of the program that refer to each other by 32-bit offsets from where the offset is; zero is none.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == enumKind else { return nil }
        let descriptor = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
        // Flags, parent, name, access function, fields, number of cases with values (24 bits), of cases without.
        guard let fields = target(of: descriptor + 16) else { return nil }
        let withValues = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let withoutValues = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        // Type name, superclass, kind, size of a record, number of records; then the records: flags, type, name.
        let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        let count = fields.load(fromByteOffset: 12, as: UInt32.self)
        guard count == withValues + withoutValues, size == 12 else { return nil }
        var names: [String] = []
        for index in 0..<Int(count) {
            guard let name = target(of: fields + 16 + index * size + 8) else { return nil }
            // A C string.
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        return names.contains("") ? nil : names
        #endif
    }

    private static let enumKind: UInt = 0x201

    /// Where the offset at `place` leads to.
    private static func target(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = Int(place.load(as: Int32.self))
        return offset == 0 ? nil : place + offset
    }
}

extension API {
    /// The Swift names of the cases that no example shows, which can't be called; empty if that can't be known.
    package static var casesWithoutExample: [String] {
        casesWithoutExample(among: examples.compactMap { try? Signature.caseName(of: $0) }.map(KebabCase.text))
    }

    /// The same, if the names of the endpoints are known.
    package static func casesWithoutExample(among endpoints: some Sequence<String>) -> [String] {
        guard let names = EnumCases.names(of: Self.self) else { return [] }
        let shown = Set(endpoints)
        return names.filter { !shown.contains(KebabCase.text($0)) }
    }
}
