import EndpointKit

/// The parts of a `$ref`: the file that it names, and the pointer to a value in that file.
struct FileReference {
    /// The path of the file from the directory of the root document, without `.` and `..`, or the URL of the file.
    let file: String
    /// The keys and positions in the pointer, such as `components`, `schemas` and `Pet`.
    let tokens: [String]

    /// Splits a reference into its parts.
    ///
    ///     #/schemas/Pet in shop.json                 →  file shop.json, tokens schemas, Pet
    ///     ../pets.json#/Pet in parts/shop.json       →  file pets.json, tokens Pet
    ///     pet.json in parts/shop.json                →  file parts/pet.json, no tokens
    ///     pets.json in https://shop.example/a.json   →  file https://shop.example/pets.json, no tokens
    ///
    /// - Parameters:
    ///   - text: The text of the `$ref`.
    ///   - base: The path of the file with the `$ref` from the directory of the root document, or its URL.
    /// - Throws: ``PartFailure`` for a fragment that is not a JSON pointer, and for a file that must not be loaded:
    ///   one outside of the directory of the root document, or on another server than a document that was loaded with
    ///   HTTP.
    init(_ text: String, in base: String) throws(PartFailure) {
        let fragmentStart = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let fragment = Substring(text.utf8[fragmentStart...].dropFirst())
        guard let tokens = JSONPointer.tokens(of: fragment) else {
            throw PartFailure(expected: "a JSON pointer after '#'", found: "'\(text)'")
        }
        self.tokens = tokens
        let writtenPath = text[..<fragmentStart]
        if writtenPath.isEmpty {
            file = base
        } else if let documentURL = DocumentURL(base) {
            file = try documentURL.fileURL(of: writtenPath)
        } else {
            file = try Self.resolvePath(PercentEncoding.decode(writtenPath), relativeToFile: base)
        }
    }

    /// Returns the path of a file from the directory of the root document.
    ///
    ///     ../pets.json in parts/shop.json    →  pets.json
    ///
    /// - Parameters:
    ///   - path: The path from the directory of `base`. Segments are separated by `/` or `\`.
    ///   - base: The path of the file with the reference, from the directory of the root document.
    /// - Throws: ``PartFailure`` for a URL, and for a path that leads out of the directory of the root document.
    private static func resolvePath(_ path: String, relativeToFile base: String) throws(PartFailure) -> String {
        // A colon in the first segment ends the scheme of a URL (RFC 3986, section 4.2).
        let firstSegment = path.prefix { $0 != "/" }
        guard !firstSegment.contains(":") else {
            throw PartFailure(
                expected: "a file beside the document",
                found: "the URL '\(SecretRules.redacted(path))', which is not loaded")
        }
        let outsideFailure = PartFailure(
            expected: "a file in the directory of the document", found: "'\(path)' outside of it")
        guard !path.hasPrefix("/"), !path.hasPrefix("\\") else { throw outsideFailure }
        // The path starts in the directory of the file with the reference.
        var segments = base.split(separator: "/").dropLast().map(String.init)
        for segment in path.split(whereSeparator: { $0 == "/" || $0 == "\\" }) where segment != "." {
            if segment != ".." {
                segments.append(String(segment))
            } else if segments.popLast() == nil {
                // The author of a document must not be able to read other files on this computer.
                throw outsideFailure
            }
        }
        return segments.joined(separator: "/")
    }
}
