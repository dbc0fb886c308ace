/// Keyed containers that are used again for the next object of the same type, once no model holds them.
///
/// To make a container, the runtime looks up several generic types, which takes longer than to decode a small object.
struct ContainerPool {
    /// The most containers that are kept: enough for the types of a model, few enough to look at each in turn.
    private static let maxContainers = 32

    /// A container that is kept. This is a class, so that nothing copies the reference to the container, which would
    /// not be unique then.
    private final class Entry {
        /// The type of the container's keys.
        let keyType: ObjectIdentifier
        let reader: ObjectReader
        /// The container itself, as a reference.
        ///
        /// The casts between the two are correct: `KeyedDecodingContainer` has one stored property, a strong reference
        /// to a class of the standard library (Codable.swift of the Swift project). A structure with one stored
        /// property has the layout of that property, and a reference counts the same whatever its static type. If a
        /// later library stores more, the sizes differ, and no container is kept.
        ///
        /// Unchecked, because one thread decodes a document, and no access lasts longer than the count of the
        /// references is read.
        ///
        /// It is never nil. It is optional, because without optimisation the compiler copies a reference of the type
        /// `AnyObject` in order to check it, and so never finds it unique.
        @exclusivity(unchecked) private var container: AnyObject?

        /// Keeps a container and its reader.
        init<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, reader: ObjectReader) {
            keyType = ObjectIdentifier(Key.self)
            self.reader = reader
            self.container = unsafeBitCast(container, to: AnyObject.self)
        }

        /// Whether a model holds the container.
        @inline(__always) var isHeld: Bool { !isKnownUniquelyReferenced(&container) }

        /// Returns the container. Precondition: `Key` is the type of its keys.
        @inline(__always)
        func typedContainer<Key: CodingKey>() -> KeyedDecodingContainer<Key> {
            unsafeBitCast(container, to: KeyedDecodingContainer<Key>.self)
        }
    }

    private var entries: [Entry] = []
    /// Whether the decoding is over. A container that is kept after that would keep the session alive.
    private var isClosed = false

    /// Reuses a container of this pool that no model holds any more, and makes it read another object.
    ///
    /// - Parameters:
    ///   - type: The type of the container's keys.
    ///   - place: The slot of the object, and the path to it.
    ///   - keepsKeys: Whether keys are left as they are, even if the coding converts keys.
    /// - Returns: The container, or nil if the pool has no free container with keys of this type.
    /// - Throws: The error of opening the object, for example that it is not an object.
    @inline(__always)
    func reopenContainer<Key: CodingKey>(
        keyedBy type: Key.Type, at place: ValuePlace, keepsKeys: Bool
    ) throws -> KeyedDecodingContainer<Key>? {
        let keyType = ObjectIdentifier(type)
        for entry in entries where entry.keyType == keyType && !entry.isHeld {
            try entry.reader.openObject(at: place, keepsKeys: keepsKeys)
            return entry.typedContainer()
        }
        return nil
    }

    /// Adds a container to the pool, if there is room and the decoding is not over.
    ///
    /// - Parameters:
    ///   - container: A container that a model is about to use.
    ///   - reader: The reader of the container, which is opened again for another object.
    mutating func add<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, reader: ObjectReader) {
        // Only a container that is a single reference can be kept as one.
        let isReference = MemoryLayout.size(ofValue: container) == MemoryLayout<AnyObject>.size
        guard isReference, !isClosed, entries.count < Self.maxContainers else { return }
        entries.append(Entry(container, reader: reader))
    }

    /// Returns whether a model may still hold the container of a reader.
    ///
    /// A reader outside of the pool is alive only because of its container, so it counts as held.
    func isHeld(_ reader: ObjectReader) -> Bool {
        guard let entry = entries.first(where: { $0.reader === reader }) else { return true }
        return entry.isHeld
    }

    /// Lets go of all containers.
    mutating func close() {
        entries = []
        isClosed = true
    }
}
