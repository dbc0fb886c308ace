import EndpointKit
import JSONText
import OpenAPI

/// Why a document can't be imported, with the place in it.
package struct OpenAPIError: Error, CustomStringConvertible {
    /// `api.json:12:5: #/paths/~1pets: expected an object, found string "x"`; safe for a terminal.
    package let description: String
}

/// An OpenAPI document, and the files beside it that it refers to.
final class OpenAPIDocument {
    let root: JSONValue
    /// Whether it is of version 2, where a parameter is its own schema.
    let isSwagger: Bool
    private let read: (String) throws -> [UInt8]
    private var files: [String: JSONValue] = [:]
    /// The texts that were read, with their names.
    private var sources: [ObjectIdentifier: (name: String, source: SourceDocument)] = [:]
    private var targets: [String: JSONValue] = [:]
    /// The members of the objects on the way of references, of which one may have thousands.
    private var indexes: [Inference.Slot: [String: JSONValue]] = [:]
    /// What the schemas allow that have been read.
    var facts: [Inference.Slot: OpenAPIFacts] = [:]
    /// The documents of those schemas, of which some are made here: what is freed would leave its address, the key, to others.
    var kept: [ObjectIdentifier: JSONDocument] = [:]

    /// The most references that lead from one to the next.
    private static let longestChain = 10_000

    /// The document at `name`, in JSON or YAML; `read` gives the bytes of a file beside it.
    ///
    /// Throws ``OpenAPIError``, and what `read` throws.
    init(_ bytes: [UInt8], name: String, read: @escaping (String) throws -> [UInt8]) throws {
        self.read = read
        let source = try Self.source(bytes, name: name)
        root = JSONValue(source.json)
        sources[ObjectIdentifier(source.json)] = (name, source)
        let version = Self.version(root["openapi"] ?? root["swagger"])
        isSwagger = root["openapi"] == nil
        files[""] = root
        guard let version, isSwagger ? version.hasPrefix("2.") : version.hasPrefix("3.") else {
            let found = version.map { "version '\($0)'" } ?? "no 'openapi' or 'swagger' member with a version"
            throw error(root, "expected OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, found \(found)")
        }
    }

    /// Returns the text of a version. In YAML, `swagger: 2.0` without quotes is a number.
    private static func version(_ value: JSONValue?) -> String? {
        guard let value, value.kind == .number else { return value?.string }
        return String(decoding: value.written, as: UTF8.self)
    }

    /// Reads a document in JSON or YAML.
    ///
    /// - Parameters:
    ///   - bytes: The text of the document.
    ///   - name: The name of the document in messages.
    /// - Throws: ``OpenAPIError`` with the place of the problem.
    private static func source(_ bytes: [UInt8], name: String) throws -> SourceDocument {
        do {
            return try SourceDocument(bytes, name: name)
        } catch {
            throw OpenAPIError(description: error.description)
        }
    }

    /// An error at a value of the document, or of a file beside it.
    func error(_ value: JSONValue, _ problem: String) -> OpenAPIError {
        let place = places(of: [value.written.startIndex], in: value.document)[0]
        let name = sources[ObjectIdentifier(value.document)]?.name ?? ""
        let text = "\(name):\(place.line):\(place.column): \(pointer(to: value).prefix(300)): \(problem)"
        return OpenAPIError(description: TerminalText.escaped(String(text.unicodeScalars.prefix(500))))
    }

    /// Returns the places of values in the text that people wrote, which may be YAML.
    ///
    /// - Parameters:
    ///   - offsets: The offsets of the values in the text of `document`, in ascending order.
    ///   - document: The document, a file beside it, or a schema that was made here.
    func places(of offsets: [Int], in document: JSONDocument) -> [TextPlace] {
        if let source = sources[ObjectIdentifier(document)]?.source { return source.places(of: offsets) }
        return document.places(of: offsets)
    }

    /// The place of a value as a JSON pointer (RFC 6901): `#/paths/~1pets/get`.
    func pointer(to value: JSONValue) -> String { Self.pointer(value.document.path(to: value.slot)) }

    static func pointer(_ path: [JSONPathComponent]) -> String {
        path.reduce("#") { text, step in
            switch step {
            case .index(let index): "\(text)/\(index)"
            case .key(let key): "\(text)/" + key.replacingBytes(of: "~", with: "~0").replacingBytes(of: "/", with: "~1")
            }
        }
    }

    /// The value, or what it refers to. Throws ``OpenAPIError`` if that is nowhere.
    func resolved(_ value: JSONValue) throws -> JSONValue {
        var value = value
        for _ in 0..<Self.longestChain {
            guard value.kind == .object, let reference = value["$ref"]?.string else { return value }
            value = try target(of: reference, from: value)
        }
        throw error(value, "the references lead in a circle")
    }

    /// The object, or that which it refers to.
    func object(_ value: JSONValue) throws -> JSONValue {
        let target = try resolved(value)
        if target.kind == .object { return target }
        throw error(value, "expected an object, found \(value.document.valueText(of: value.slot))")
    }

    /// The members of an object, whose references are resolved; none if there is no value.
    func members(_ value: JSONValue?) throws -> [(key: String, value: JSONValue)] {
        guard let value, !value.isNull else { return [] }
        return try object(value).members ?? []
    }

    /// The elements of an array; none if there is no value.
    func elements(_ value: JSONValue?) throws -> [JSONValue] {
        guard let value, !value.isNull else { return [] }
        guard let elements = value.elements else {
            throw error(value, "expected an array, found \(value.document.valueText(of: value.slot))")
        }
        return elements
    }

    private func target(of reference: String, from value: JSONValue) throws -> JSONValue {
        let parts = reference.parts(at: "#")
        var file = PercentEncoding.decode(parts[0])
        // A file is searched for beside the one that names it.
        let own = files.first { $0.value.document === value.document }?.key ?? ""
        if file.isEmpty {
            file = own
        } else {
            let steps = own.parts(at: "/").dropLast() + file.parts(at: "/")
            let path = steps.reduce(into: [String]()) { path, step in
                if step == "..", path.last.map({ $0 != ".." && $0 != "" }) == true {
                    path.removeLast()
                } else if step != "." {
                    path.append(step)
                }
            }
            file = path.joined(separator: "/")
        }
        let pointer = parts.dropFirst().joined(separator: "#")
        let key = "\(file)#\(pointer)"
        if let known = targets[key] { return known }
        var target = try root(of: file, from: value)
        for step in pointer.parts(at: "/").dropFirst() {
            let name = PercentEncoding.decode(step).replacingBytes(of: "~1", with: "/").replacingBytes(
                of: "~0", with: "~")
            let element = Int(name).flatMap { target.document.child(.index($0), of: target.slot) }
            guard let next = member(name, of: target) ?? element.map({ JSONValue(target.document, slot: $0) }) else {
                throw error(value, "there is nothing at '\(reference)'")
            }
            target = next
        }
        targets[key] = target
        return target
    }

    private func member(_ key: String, of object: JSONValue) -> JSONValue? {
        let slot = object.inferenceSlot
        let index = indexes[slot] ?? Dictionary(object.members ?? []) { first, _ in first }
        indexes[slot] = index
        return index[key]
    }

    private func root(of file: String, from value: JSONValue) throws -> JSONValue {
        if let known = files[file] { return known }
        let isBeside =
            !file.utf8.contains(UInt8(ascii: ":")) && file.utf8.first != UInt8(ascii: "/")
            && !file.parts(at: "/").contains("..")
        guard isBeside else {
            throw error(
                value, "'\(file)' is not beside the document; only files beside it are read, and nothing is fetched")
        }
        let bytes: [UInt8]
        do {
            bytes = try read(file)
        } catch let problem {
            throw error(value, "\(problem)")
        }
        let source = try Self.source(bytes, name: file)
        let root = JSONValue(source.json)
        sources[ObjectIdentifier(source.json)] = (file, source)
        files[file] = root
        return root
    }
}
