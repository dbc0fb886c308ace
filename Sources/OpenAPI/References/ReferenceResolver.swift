import JSONText
import Synchronization

/// Follows `$ref` within a document and to files beside it.
///
/// Each file is loaded once, and the target of each text of a reference is looked up once.
final class ReferenceResolver: Sendable {
    /// Loads and parses a file, given its path from the directory of the document, or its URL.
    typealias FileLoader = @Sendable (String) throws -> SourceDocument

    /// References to references beyond this number are taken for a circle. Real documents have two or three.
    private static let maxChain = 64
    /// A document that consists of more files than this is refused: each file is kept in memory.
    private static let maxFiles = 1_000
    /// Objects with more members get a table of their keys. Below, a search from the first member on is as fast.
    private static let maxSearchedMembers = 32

    /// The value of the whole document.
    let root: JSONValue
    /// The directory of the document as the caller named it, with a slash at the end, or empty. It is empty for a
    /// document at a URL, whose files are known by their URLs.
    private let directory: String
    private let load: FileLoader
    private let state: Mutex<State>

    /// Tables that grow while references are followed. Threads share them under a lock.
    private struct State {
        /// The parsed files by their path from the directory of the document.
        var files: [String: SourceDocument]
        /// The paths of the files. All of them are also in `files`, which keeps them alive.
        var paths: [ObjectIdentifier: String]
        /// The failures of files that could not be loaded, by the same paths as in `files`. Each file is tried once,
        /// because a document may refer to it thousands of times.
        var failures: [String: PartFailure] = [:]
        var targets: [WrittenReference: JSONValue] = [:]
        /// The slots of members by key, for objects with many members.
        var members: [DocumentPlace: [String: Int]] = [:]
    }

    /// A reference as a document writes it. It is looked up without being taken apart again.
    private struct WrittenReference: Hashable {
        let document: ObjectIdentifier
        let text: String
    }

    /// Makes the resolver of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - name: The path of the document for messages, such as `apis/shop.json`, or its URL, to which references are
    ///     relative.
    ///   - load: Loads a file beside the document.
    init(_ document: SourceDocument, name: String, load: @escaping FileLoader) {
        root = JSONValue(document.json)
        let file = DocumentURL(name) == nil ? String(name.split(separator: "/").last ?? "") : name
        directory = String(name.dropLast(file.count))
        self.load = load
        state = Mutex(State(files: [file: document], paths: [ObjectIdentifier(document.json): file]))
    }

    // MARK: Following references

    /// Returns a value, or the value that it refers to with `$ref`, directly or through other references.
    ///
    /// - Throws: ``PartFailure`` at `value` if the reference leads nowhere or in a circle.
    func resolved(_ value: JSONValue) throws(PartFailure) -> JSONValue {
        var target = value
        for _ in 0..<Self.maxChain {
            guard let reference = target["$ref"]?.string else { return target }
            do {
                target = try self.target(of: reference, from: target)
            } catch {
                throw PartFailure(at: value, expected: error.expected, found: error.found)
            }
        }
        throw PartFailure(at: value, expected: "a reference to a value", found: "references that lead in a circle")
    }

    /// Returns an object, or the object that a value refers to.
    ///
    /// - Throws: ``PartFailure`` if the value is no object, or its reference leads nowhere.
    func object(_ value: JSONValue) throws(PartFailure) -> JSONValue {
        let target = try resolved(value)
        guard target.kind == .object else { throw PartFailure(target, expected: "an object") }
        return target
    }

    /// Returns the members of an object, or of the object that a value refers to.
    ///
    /// - Parameter value: The value; nil or null has no members.
    /// - Throws: ``PartFailure`` if the value is something else, or its reference leads nowhere.
    func members(_ value: JSONValue?) throws(PartFailure) -> [(key: String, value: JSONValue)] {
        guard let value, !value.isNull else { return [] }
        return try object(value).members ?? []
    }

    /// Returns the value of a member of an object, found by a table if the object has many members.
    ///
    /// - Returns: The value; nil if the object has no such member, or if `object` is no object.
    func member(_ key: String, of object: JSONValue) -> JSONValue? {
        guard object.kind == .object else { return nil }
        guard object.document.count(of: object.slot) > Self.maxSearchedMembers else { return object[key] }
        let slot = state.withLock { state in
            let place = DocumentPlace(object)
            if state.members[place] == nil { state.members[place] = Self.memberSlots(object) }
            return state.members[place]?[key]
        }
        return slot.map { JSONValue(object.document, slot: $0) }
    }

    /// Returns the slot of each member's value by its key. The first of members with the same key counts.
    private static func memberSlots(_ object: JSONValue) -> [String: Int] {
        let members = object.members ?? []
        return Dictionary(members.map { ($0.key, $0.value.slot) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the value that a reference leads to, which may be a reference itself.
    ///
    /// - Parameters:
    ///   - reference: The text of `$ref`.
    ///   - value: A value of the document that holds the reference.
    /// - Throws: ``PartFailure`` if the file can't be loaded, or if there is no value at the reference.
    func target(of reference: String, from value: JSONValue) throws(PartFailure) -> JSONValue {
        let key = WrittenReference(document: ObjectIdentifier(value.document), text: reference)
        if let knownTarget = state.withLock({ $0.targets[key] }) { return knownTarget }
        let parts = try FileReference(reference, in: path(of: value.document))
        var target = JSONValue(try document(parts.file))
        for token in parts.tokens {
            guard let next = child(token, of: target) else {
                throw PartFailure(expected: "a value at '\(reference)'", found: "nothing there")
            }
            target = next
        }
        // A closure that may run on any thread captures constants alone.
        let finalTarget = target
        state.withLock { $0.targets[key] = finalTarget }
        return finalTarget
    }

    /// Returns the member or element that a reference token names (RFC 6901, section 4).
    ///
    /// - Parameters:
    ///   - token: The key of a member, or the position of an element.
    ///   - value: The object or array.
    /// - Returns: The member or element; nil if there is none.
    private func child(_ token: String, of value: JSONValue) -> JSONValue? {
        if value.kind == .object { return member(token, of: value) }
        guard let index = Int(token) else { return nil }
        return value.document.child(.index(index), of: value.slot).map { JSONValue(value.document, slot: $0) }
    }

    // MARK: Files

    /// Returns the path of a document from the directory of the root document, or its URL.
    ///
    /// Each document is recorded before its values are given out, so that the empty path is never used.
    private func path(of document: JSONDocument) -> String {
        state.withLock { $0.paths[ObjectIdentifier(document)] } ?? ""
    }

    /// Returns the parsed file at a path, which is loaded if it is asked for the first time.
    ///
    /// The lock is not held while the file is loaded, so that other threads can go on with the files that are there.
    ///
    /// - Parameter path: The path from the directory of the root document.
    /// - Throws: ``PartFailure`` if the file can't be loaded, or if ``maxFiles`` have been loaded.
    private func document(_ path: String) throws(PartFailure) -> JSONDocument {
        let (knownFile, knownFailure, count) = state.withLock { state in
            (state.files[path], state.failures[path], state.files.count + state.failures.count)
        }
        if let knownFile { return knownFile.json }
        if let knownFailure { throw knownFailure }
        guard count < Self.maxFiles else {
            throw PartFailure(expected: "at most \(Self.maxFiles) files", found: "another one, '\(path)'")
        }
        let loaded: SourceDocument
        do {
            loaded = try load(path)
        } catch {
            let failure = PartFailure(expected: "a file '\(path)' beside the document", found: "an error: \(error)")
            state.withLock { $0.failures[path] = failure }
            throw failure
        }
        return state.withLock { state in
            // Another thread may have loaded the file in the meantime; all must use the same document.
            if let knownFile = state.files[path] { return knownFile.json }
            state.files[path] = loaded
            state.paths[ObjectIdentifier(loaded.json)] = path
            return loaded.json
        }
    }

    // MARK: Places

    /// Returns the places of values of the root document in the text that people wrote.
    ///
    /// - Parameter offsets: The offsets of the values in the JSON text, in ascending order.
    func places(of offsets: [Int]) -> [TextPlace] { places(of: offsets, in: root.document) }

    /// Returns the places of values of a document in the text that people wrote, which may be YAML.
    private func places(of offsets: [Int], in document: JSONDocument) -> [TextPlace] {
        // The text that a document was read from is found by its path.
        let path = path(of: document)
        let source = state.withLock { $0.files[path] }
        return source?.places(of: offsets) ?? document.places(of: offsets)
    }

    // MARK: Errors

    /// Returns a failure with file, line and column.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - place: The value whose place is taken for a failure that names none.
    func error(_ failure: PartFailure, at place: JSONValue) -> OpenAPIError {
        let value = failure.place ?? place
        let path = path(of: value.document)
        let position = places(of: [value.written.startIndex], in: value.document)[0]
        return OpenAPIError(
            file: directory + path, pointer: JSONPointer.text(of: value), line: position.line,
            column: position.column, expected: failure.expected, found: failure.found)
    }
}
