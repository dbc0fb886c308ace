/// A generic structure, told from other types by its metadata: whether a type conforms to a protocol takes the runtime 60 µs to find out.
struct GenericType: Sendable {
    static let dictionary = GenericType(of: [String: Int].self)

    private static let structKind: UInt = 0x200

    /// What all types that are made of it have in common; nil if that is not known.
    private let descriptor: UInt?

    private init(of type: Any.Type) { descriptor = Self.descriptor(of: type) }

    /// Whether `type` may be made of it; false only if it is not.
    func mayBe(_ type: Any.Type) -> Bool { descriptor == nil || Self.descriptor(of: type) == descriptor }

    /// The address of the description that the program has of the structure; nil for other types.
    private static func descriptor(of type: Any.Type) -> UInt? {
        #if arch(arm64e)
        // Pointers in metadata are signed there.
        return nil
        #else
        // A metatype is a pointer to metadata, whose first word is its kind, for a structure with the descriptor next, as
        // `docs/ABI/TypeMetadata.rst` of the Swift project says.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == structKind else { return nil }
        return metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
        #endif
    }
}
