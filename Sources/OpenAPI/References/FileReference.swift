import EndpointKit

/// A `$ref`, taken apart: the file that it names and the pointer in that file.
struct FileReference {
    /// The path of the file from the directory of the document, without `.` and `..`, or the URL of the file.
    let file: String
    /// The keys and positions that lead to the value.
    let tokens: [String]

    /// Takes a reference apart.
    ///
    ///     "#/components/schemas/Pet"   in "shop.json"        → "shop.json", ["components", "schemas", "Pet"]
    ///     "../pets.json#/Pet"          in "parts/shop.json"  → "pets.json", ["Pet"]
    ///     "pet.json"                   in "parts/shop.json"  → "parts/pet.json", []
    ///     "pets.json#/Pet"             in "https://shop.example/shop.json"
    ///                                                        → "https://shop.example/pets.json", ["Pet"]
    ///
    /// - Parameters:
    ///   - text: The reference.
    ///   - base: The file that holds the reference, from the directory of the root document, or its URL.
    /// - Throws: ``PartFailure`` for a fragment that is no JSON pointer. For a document in a file, also for a URL and a
    ///   file outside the directory of the document. For a document at a URL, also for a file of another origin.
    init(_ text: String, in base: String) throws(PartFailure) {
        let mark = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let fragment = Substring(text.utf8[mark...].dropFirst())
        guard let tokens = JSONPointer.tokens(of: fragment) else {
            throw PartFailure(expected: "a JSON pointer after '#'", found: "'\(text)'")
        }
        self.tokens = tokens
        let writtenPath = text[..<mark]
        if writtenPath.isEmpty {
            file = base
        } else if let url = DocumentURL(base) {
            file = try url.file(writtenPath)
        } else {
            file = try Self.path(PercentEncoding.decode(writtenPath), beside: base)
        }
    }

    /// Returns the path of a file from the directory of the root document: `pets.json` for `../pets.json` in
    /// `parts/shop.json`.
    ///
    /// - Parameters:
    ///   - path: The path from the directory of `base`. A backslash separates segments too, as on Windows.
    ///   - base: The path of the file that holds the reference, from the directory of the root document.
    /// - Throws: ``PartFailure`` for a URL, and for a path that leads out of the directory of the root document.
    private static func path(_ path: String, beside base: String) throws(PartFailure) -> String {
        // A colon in the first segment ends the scheme of a URL (RFC 3986, section 4.2).
        let firstSegment = path.prefix { $0 != "/" }
        guard !firstSegment.contains(":") else {
            throw PartFailure(
                expected: "a file beside the document",
                found: "the URL '\(SecretRules.redacted(path))', which is not loaded")
        }
        let outside = PartFailure(
            expected: "a file in the directory of the document", found: "'\(path)' outside of it")
        guard !path.hasPrefix("/"), !path.hasPrefix("\\") else { throw outside }
        // The path starts in the directory of the file that holds the reference.
        var steps = base.split(separator: "/").dropLast().map(String.init)
        for step in path.split(whereSeparator: { $0 == "/" || $0 == "\\" }) where step != "." {
            if step != ".." {
                steps.append(String(step))
            } else if steps.popLast() == nil {
                // A document that someone else wrote must not read files elsewhere on this computer.
                throw outside
            }
        }
        return steps.joined(separator: "/")
    }
}
