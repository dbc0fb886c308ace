/// Notes what a model has asked of a document and read from it: a few flags for each slot of its index.
///
/// A value that could not be decoded has no flags, and neither has anything inside it. So if a type tries several forms
/// in turn, only the form that fitted is marked.
package final class ReadMarks {
    struct Flags: OptionSet {
        let rawValue: UInt8

        /// The value has been decoded.
        static let read = Flags(rawValue: 1)
        /// A model has asked for the value, by its key or its position.
        static let asked = Flags(rawValue: 2)
        /// The value is an object or array that was decoded member by member or element by element.
        static let opened = Flags(rawValue: 4)
        /// Decoding the value has thrown, and continued without it, so that the model may not have asked for all keys.
        static let incomplete = Flags(rawValue: 8)
    }

    /// The flags of each slot.
    ///
    /// A pointer, because an array in a class would be checked for its bounds and for being shared at each value that
    /// is decoded. It is valid for each slot of the document, and all slots come from the document. `deinit` frees it.
    private let flags: UnsafeMutablePointer<Flags>
    private let document: JSONDocument
    /// The container of which decoding a part has just failed, or -1 if there is none. If the container is opened
    /// again, a type tries another form.
    ///
    /// Unchecked, because each access is a single read or write, and one thread decodes a document.
    @exclusivity(unchecked) private var failedContainer = -1

    /// Makes marks for a document of which nothing has been read yet.
    package init(_ document: JSONDocument) {
        self.document = document
        let count = document.next(after: JSONDocument.root)
        flags = .allocate(capacity: count)
        flags.initialize(repeating: [], count: count)
    }

    deinit { flags.deallocate() }

    /// Whether the value has been decoded.
    package func isRead(_ slot: Int) -> Bool { flags[slot].contains(.read) }
    /// Whether a model has asked for the value.
    package func isAsked(_ slot: Int) -> Bool { flags[slot].contains(.asked) }
    /// Whether the object or array has been decoded part by part.
    package func isOpened(_ slot: Int) -> Bool { flags[slot].contains(.opened) }
    /// Whether the value's type has thrown, so that it may not have asked for all keys.
    package func isIncomplete(_ slot: Int) -> Bool { flags[slot].contains(.incomplete) }

    // MARK: Called while a document is decoded

    /// Marks a value that has been decoded.
    @inline(__always)
    func setRead(_ slot: Int) {
        flags[slot].formUnion([.read, .asked])
        failedContainer = -1
    }

    func setAsked(_ slot: Int) { flags[slot].insert(.asked) }
    func setIncomplete(_ slot: Int) { flags[slot].insert(.incomplete) }

    /// Marks a value and all that it holds.
    func setAllRead(_ slot: Int) {
        for slot in slot..<document.next(after: slot) { flags[slot].formUnion([.read, .asked]) }
        failedContainer = -1
    }

    /// Marks an object or array that is about to be decoded part by part.
    ///
    /// A type may try several forms: it opens the object, asks for a key, fails, and opens the same object again as
    /// another form. If decoding a part of this container has just failed, the marks of the form that failed are
    /// removed.
    ///
    /// - Parameters:
    ///   - slot: The slot of the container in the document's index.
    ///   - isFailedFormInUse: Whether the model may go on reading the form that failed. Then its marks stay.
    /// - Returns: Whether the container has not been read before.
    @inline(__always)
    func markOpened(_ slot: Int, isFailedFormInUse: @autoclosure () -> Bool = false) -> Bool {
        if failedContainer == slot, !isFailedFormInUse() { clear(slot) }
        let isFirstReading = !isRead(slot)
        flags[slot].formUnion([.read, .asked, .opened])
        return isFirstReading
    }

    /// Notes that decoding a part of a container has failed.
    func setFailed(_ container: Int) { failedContainer = container }

    /// Removes the marks of a value that could not be decoded, and of all that it holds. It stays marked as asked for.
    func clear(_ slot: Int) {
        for slot in slot..<document.next(after: slot) { flags[slot] = [] }
        flags[slot] = .asked
        failedContainer = -1
    }
}
