/// What a model has asked of a document and read from it: a few flags for each slot of its index.
///
/// A value that could not be decoded has no flags, and neither has anything inside it: its slots are one range. So of the forms that a type
/// tries in turn, the one that fitted is marked.
package final class ReadMarks {
    struct Flags: OptionSet {
        let rawValue: UInt8

        /// It has been decoded.
        static let read = Flags(rawValue: 1)
        /// A model has asked for it, by its key or its position.
        static let asked = Flags(rawValue: 2)
        /// It is an object or array that was decoded member by member or element by element.
        static let opened = Flags(rawValue: 4)
        /// Its type has thrown, and decoding went on without it: keys may not have been asked for.
        static let incomplete = Flags(rawValue: 8)
    }

    /// For each slot; all callers have slots of the document.
    private let flags: UnsafeMutablePointer<Flags>
    private let document: JSONDocument
    /// The container whose last question failed; -1 if there is none. If its value is opened again, a type tries another form.
    @exclusivity(unchecked) private var failedContainer = -1

    package init(_ document: JSONDocument) {
        self.document = document
        let count = document.next(after: JSONDocument.root)
        flags = .allocate(capacity: count)
        flags.initialize(repeating: [], count: count)
    }

    deinit { flags.deallocate() }

    package func isRead(_ slot: Int) -> Bool { flags[slot].contains(.read) }
    package func isAsked(_ slot: Int) -> Bool { flags[slot].contains(.asked) }
    package func isOpened(_ slot: Int) -> Bool { flags[slot].contains(.opened) }
    package func isIncomplete(_ slot: Int) -> Bool { flags[slot].contains(.incomplete) }

    // MARK: While a document is decoded

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

    /// Marks a container that is about to be decoded; whether it has not been read before. After a failure, it is another form of the value that
    /// is decoded, unless the form that failed goes on.
    @inline(__always)
    func open(_ slot: Int, goesOn: @autoclosure () -> Bool = false) -> Bool {
        if failedContainer == slot, !goesOn() { clear(slot) }
        defer { flags[slot].formUnion([.read, .asked, .opened]) }
        return !isRead(slot)
    }

    /// A question to a container has failed; what surrounds it goes on, or fails too.
    func setFailed(_ container: Int) { failedContainer = container }

    /// Removes the marks of a value that could not be decoded, but not that it was asked for.
    func clear(_ slot: Int) {
        for slot in slot..<document.next(after: slot) { flags[slot] = [] }
        flags[slot] = .asked
        failedContainer = -1
    }
}
