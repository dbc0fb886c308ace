import JSONText
import Synchronization

/// Finds the values that the `$ref`s of a document name, in the document itself or in other files.
///
/// Each file is loaded once, and each reference is looked up once.
final class ReferenceResolver: Sendable {
    /// Loads and parses a file. The argument is the path from the directory of the document, or a URL.
    typealias FileLoader = @Sendable (String) throws -> SourceDocument

    /// The most references that refer to each other in a chain. A longer chain is taken for a circle. Real documents
    /// have chains of two or three.
    private static let maxChain = 64
    /// The most files of a document. All files stay in memory.
    private static let maxFiles = 1_000
    /// The most members of an object that are searched one by one. For a larger object, a table of its keys is faster.
    private static let maxSearchedMembers = 32

    /// The value of the whole document.
    let root: JSONValue
    /// The directory of the document with a slash at the end, as the caller named it. It is empty for the current
    /// directory, and for a document at a URL.
    private let directory: String
    private let load: FileLoader
    private let state: Mutex<State>

    /// The files and references that are known. Several threads share them under a lock.
    private struct State {
        /// The parsed files by their paths from the directory of the document, or by their URLs.
        var files: [String: SourceDocument]
        /// The path or URL of each file in `files`, by the identity of the parsed document.
        var paths: [ObjectIdentifier: String]
        /// The errors of files that could not be loaded, by path or URL. A document may refer to such a file thousands
        /// of times, but it is only tried once.
        var failures: [String: PartFailure] = [:]
        /// The values of the references that were looked up.
        var targets: [WrittenReference: JSONValue] = [:]
        /// The slots of members by their keys, for objects with many members.
        var members: [DocumentPlace: [String: Int]] = [:]
    }

    /// The text of a reference, and the file that contains it.
    private struct WrittenReference: Hashable {
        let document: ObjectIdentifier
        let text: String
    }

    /// Creates the resolver of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - name: The path of the document, such as `apis/shop.json`, or its URL. References are relative to it.
    ///   - load: Loads a file that the document refers to.
    init(_ document: SourceDocument, name: String, load: @escaping FileLoader) {
        root = JSONValue(document.json)
        // A file is identified by its path from the directory of the document, and a URL by the whole URL.
        let isURL = DocumentURL(name) != nil
        let file = isURL ? name : String(name.split(separator: "/").last ?? "")
        directory = String(name.dropLast(file.count))
        self.load = load
        state = Mutex(State(files: [file: document], paths: [ObjectIdentifier(document.json): file]))
    }

    // MARK: Following references

    /// Returns the value at the end of a chain of references. A value without `$ref` is returned as it is.
    ///
    /// Files that the references name are loaded, unless they have been loaded before.
    ///
    /// - Throws: ``PartFailure`` at `value` if a reference can't be resolved, or if the chain is a circle.
    func resolve(_ value: JSONValue) throws(PartFailure) -> JSONValue {
        var target = value
        for _ in 0..<Self.maxChain {
            guard let reference = target["$ref"]?.string else { return target }
            do {
                target = try findTarget(of: reference, from: target)
            } catch {
                throw PartFailure(at: value, expected: error.expected, found: error.found)
            }
        }
        throw PartFailure(at: value, expected: "a reference to a value", found: "references that lead in a circle")
    }

    /// Returns the object at the end of a chain of references. An object without `$ref` is returned as it is.
    ///
    /// - Throws: ``PartFailure`` if a reference can't be resolved, or if the value is not an object.
    func resolveObject(_ value: JSONValue) throws(PartFailure) -> JSONValue {
        let target = try resolve(value)
        guard target.kind == .object else { throw PartFailure(foundValue: target, expected: "an object") }
        return target
    }

    /// Returns the members of an object, or of the object that a reference leads to.
    ///
    /// - Parameter value: An object, or a reference to one. Nil and null have no members.
    /// - Throws: ``PartFailure`` if a reference can't be resolved, or if the value is not an object.
    func resolveMembers(of value: JSONValue?) throws(PartFailure) -> [(key: String, value: JSONValue)] {
        guard let value, !value.isNull else { return [] }
        return try resolveObject(value).members ?? []
    }

    /// Returns the value of a member of an object. This is also fast for an object with thousands of members.
    ///
    /// - Returns: The value; nil if there is no such member, or if `object` is not an object.
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

    /// Returns the slots of an object's members by their keys. If a key is repeated, its first member is taken.
    private static func memberSlots(_ object: JSONValue) -> [String: Int] {
        let members = object.members ?? []
        return Dictionary(members.map { ($0.key, $0.value.slot) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the value that a reference names. The value may be a reference to another value.
    ///
    /// The first call for a reference loads the file that it names. The value is stored for further calls.
    ///
    /// - Parameters:
    ///   - reference: The text of the `$ref`, such as `pets.yaml#/Pet`.
    ///   - referrer: Any value of the file that contains the `$ref`. The reference is relative to this file.
    /// - Throws: ``PartFailure`` if the file can't be loaded, or if it has no such value.
    func findTarget(of reference: String, from referrer: JSONValue) throws(PartFailure) -> JSONValue {
        let writtenReference = WrittenReference(document: ObjectIdentifier(referrer.document), text: reference)
        if let knownTarget = state.withLock({ $0.targets[writtenReference] }) { return knownTarget }
        let fileReference = try FileReference(reference, in: path(of: referrer.document))
        var target = JSONValue(try loadDocument(at: fileReference.file))
        for token in fileReference.tokens {
            guard let childValue = child(token, of: target) else {
                throw PartFailure(expected: "a value at '\(reference)'", found: "nothing there")
            }
            target = childValue
        }
        // The closure can only capture a constant.
        let finalTarget = target
        state.withLock { $0.targets[writtenReference] = finalTarget }
        return finalTarget
    }

    /// Returns the member or element that one part of a JSON pointer names (RFC 6901, section 4).
    ///
    /// - Parameters:
    ///   - token: The key of a member, or the position of an element.
    ///   - value: The object or array.
    /// - Returns: The member or element; nil if there is no such member or element.
    private func child(_ token: String, of value: JSONValue) -> JSONValue? {
        if value.kind == .object { return member(token, of: value) }
        guard let index = Int(token) else { return nil }
        return value.document.child(.index(index), of: value.slot).map { JSONValue(value.document, slot: $0) }
    }

    // MARK: Files

    /// Returns the path of a parsed file from the directory of the root document, or its URL.
    private func path(of document: JSONDocument) -> String {
        // All parsed files are in the table. The empty path is a fallback for the compiler.
        state.withLock { $0.paths[ObjectIdentifier(document)] } ?? ""
    }

    /// Returns the parsed file at a path. The first call loads the file, and stores it or the error.
    ///
    /// The lock is not held while the file is loaded, so other threads don't wait. Two threads may load the same file;
    /// `storeFile` keeps the first result.
    ///
    /// - Parameter path: The path from the directory of the root document, or a URL.
    /// - Throws: ``PartFailure`` if the file can't be loaded, or if the document has more than ``maxFiles``.
    private func loadDocument(at path: String) throws(PartFailure) -> JSONDocument {
        if let storedFile = try storedFile(at: path) { return storedFile }
        let triedFileCount = state.withLock { $0.files.count + $0.failures.count }
        guard triedFileCount < Self.maxFiles else {
            throw PartFailure(expected: "at most \(Self.maxFiles) files", found: "another one, '\(path)'")
        }
        do {
            return storeFile(try load(path), path: path)
        } catch {
            let failure = PartFailure(expected: "a file '\(path)' beside the document", found: "an error: \(error)")
            state.withLock { $0.failures[path] = failure }
            throw failure
        }
    }

    /// Returns the parsed file at a path if it has been loaded; nil if loading it has not been tried.
    ///
    /// - Throws: ``PartFailure`` if loading it has failed.
    private func storedFile(at path: String) throws(PartFailure) -> JSONDocument? {
        try state.withLock { state throws(PartFailure) in
            if let file = state.files[path] { return file.json }
            if let failure = state.failures[path] { throw failure }
            return nil
        }
    }

    /// Adds a file that was just loaded to the table of files.
    ///
    /// - Returns: The parsed file. If another thread has loaded the same file in the meantime, its result is returned,
    ///   so that each file has one identity.
    private func storeFile(_ file: SourceDocument, path: String) -> JSONDocument {
        state.withLock { state in
            if let knownFile = state.files[path] { return knownFile.json }
            state.files[path] = file
            state.paths[ObjectIdentifier(file.json)] = path
            return file.json
        }
    }

    // MARK: Places

    /// Returns the lines and columns of values in the original text of the root document, which may be YAML.
    ///
    /// - Parameter offsets: The offsets of the values in the document as JSON, in ascending order.
    func places(of offsets: [Int]) -> [TextPlace] { places(of: offsets, in: root.document) }

    /// Returns the lines and columns of values in the original text of a file, as ``places(of:)`` does.
    private func places(of offsets: [Int], in document: JSONDocument) -> [TextPlace] {
        let path = path(of: document)
        let source = state.withLock { $0.files[path] }
        return source?.places(of: offsets) ?? document.places(of: offsets)
    }

    // MARK: Errors

    /// Returns the error that a failure leads to, with its file, line and column.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - value: The value with the error, if the failure itself does not name one.
    func error(_ failure: PartFailure, at value: JSONValue) -> OpenAPIError {
        let wrongValue = failure.place ?? value
        let path = path(of: wrongValue.document)
        // One offset has one place.
        let place = places(of: [wrongValue.written.startIndex], in: wrongValue.document)[0]
        return OpenAPIError(
            file: directory + path, pointer: JSONPointer.text(of: wrongValue), line: place.line,
            column: place.column, expected: failure.expected, found: failure.found)
    }
}
