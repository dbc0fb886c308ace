import EndpointKit
import JSONText

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
    private var names: [ObjectIdentifier: String] = [:]
    private var targets: [String: JSONValue] = [:]
    /// The members of the objects on the way of references, of which one may have thousands.
    private var indexes: [Inference.Slot: [String: JSONValue]] = [:]
    /// What the schemas allow that have been read.
    var facts: [Inference.Slot: OpenAPIFacts] = [:]
    /// The documents of those schemas, of which some are made here: what is freed would leave its address, the key, to others.
    var kept: [ObjectIdentifier: JSONDocument] = [:]

    /// The most references that lead from one to the next.
    private static let longestChain = 10_000

    /// The document at `name`; `read` gives the bytes of a file beside it.
    ///
    /// Throws ``OpenAPIError``, and what `read` throws.
    init(_ bytes: [UInt8], name: String, read: @escaping (String) throws -> [UInt8]) throws {
        self.read = read
        do {
            root = JSONValue(try JSONDocument(bytes))
        } catch {
            throw Self.unreadable(bytes, name, error)
        }
        let version = root["openapi"]?.string ?? root["swagger"]?.string
        isSwagger = root["openapi"] == nil
        names[ObjectIdentifier(root.document)] = name
        files[""] = root
        guard let version, isSwagger ? version.hasPrefix("2.") : version.hasPrefix("3.") else {
            let found = version.map { "version '\($0)'" } ?? "no 'openapi' or 'swagger' member with a version"
            throw error(root, "expected OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, found \(found)")
        }
    }

    private static func unreadable(_ bytes: [UInt8], _ name: String, _ error: any Error) -> OpenAPIError {
        let start = bytes.first { !" \t\r\n".utf8.contains($0) }
        var text = "\(name): \(error)"
        if bytes.starts(with: [0x1F, 0x8B]) {
            text = "\(name): packed with gzip; unpack it first: gunzip -c FILE > openapi.json"
        } else if start != UInt8(ascii: "{"), start != UInt8(ascii: "[") {
            text =
                "\(name): not JSON; from YAML: yq -o=json . FILE > openapi.json (or: ruby -ryaml -rjson "
                + "-e 'puts JSON.dump(YAML.load(ARGF.read))' FILE > openapi.json)"
        } else if let error = error as? JSONSyntaxError {
            text = "\(name):\(error.line):\(error.column): expected \(error.expected), found \(error.found)"
        }
        return OpenAPIError(description: text)
    }

    /// An error at a value of the document, or of a file beside it.
    func error(_ value: JSONValue, _ problem: String) -> OpenAPIError {
        let document = value.document
        let start = value.written.startIndex
        let (line, column) = document.position(of: start)
        let name = names[ObjectIdentifier(document)] ?? ""
        let text = "\(name):\(line):\(column): \(pointer(to: value).prefix(300)): \(problem)"
        return OpenAPIError(description: TerminalText.escaped(String(text.unicodeScalars.prefix(500))))
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
        do {
            let root = JSONValue(try JSONDocument(bytes))
            names[ObjectIdentifier(root.document)] = file
            files[file] = root
            return root
        } catch {
            throw Self.unreadable(bytes, file, error)
        }
    }
}
