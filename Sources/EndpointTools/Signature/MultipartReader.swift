import EndpointKit
import JSONText

/// Reads bodies of multipart/form-data (RFC 7578; RFC 2046, section 5.1).
package enum MultipartReader {
    /// Returns the fields and files of a body. A file's path is the file name that the body gives.
    ///
    /// With the boundary `x`, the body of a field `a` whose value is 1 is:
    ///
    ///     --x
    ///     Content-Disposition: form-data; name="a"
    ///
    ///     1
    ///     --x--
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: The value of the Content-Type header: `multipart/form-data; boundary=x`.
    /// - Returns: The parts; nil if there is no boundary, if the body does not end with it, or if a part has no name.
    package static func parts(_ body: [UInt8], contentType: String) -> [Part]? {
        guard let boundary = parameter("boundary", of: contentType[...]), !boundary.isEmpty else { return nil }
        let lineBreak = Array("\r\n".utf8)
        let delimiter = lineBreak + Array("--\(boundary)".utf8)
        // The first delimiter may have no line break before it.
        let sections = (lineBreak + body).split(separator: delimiter, omittingEmptySubsequences: false)
        // The last delimiter ends in two more hyphens, so these are at the start of the last section.
        guard sections.count > 1, sections[sections.count - 1].starts(with: "--".utf8) else { return nil }
        var fieldsAndFiles: [Part] = []
        // The first section is before the first delimiter and the last one after the last. Neither is a part.
        for section in sections.dropFirst().dropLast() {
            guard let part = parsePart(section) else { return nil }
            fieldsAndFiles.append(part)
        }
        return fieldsAndFiles
    }

    /// Returns the part between two delimiters: a file if its Content-Disposition has a file name, or else a field
    /// (RFC 7578, section 4.2).
    ///
    /// - Parameter section: The headers of the part, an empty line, and its content.
    /// - Returns: The part; nil if there is no empty line, or no name.
    private static func parsePart(_ section: ArraySlice<UInt8>) -> Part? {
        let emptyLine = Array("\r\n\r\n".utf8)
        guard let separator = section.firstRange(of: emptyLine) else { return nil }
        let headers = parseHeaders(section[..<separator.lowerBound])
        let content = section[separator.upperBound...]
        guard let disposition = headers.first(where: { $0.name == "content-disposition" })?.value else { return nil }
        guard let name = parameter("name", of: disposition) else { return nil }
        guard let fileName = parameter("filename", of: disposition) else {
            return .field(name, String(exactBytes: content))
        }
        guard let contentType = headers.first(where: { $0.name == "content-type" })?.value else {
            return .file(name, path: fileName)
        }
        return .file(name, path: fileName, contentType: String(contentType.drop { $0 == " " }))
    }

    /// Returns the headers of a part, with their names in lower case.
    private static func parseHeaders(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: Substring)] {
        String(exactBytes: bytes).split(separator: "\r\n").map { line in
            let name = line.prefix { $0 != ":" }
            return (name: name.lowercased(), value: line.dropFirst(name.count + 1))
        }
    }

    /// Returns the value of a header's parameter: `a` for `; name="a"`. Nil if the header has no such parameter.
    private static func parameter(_ name: String, of value: Substring) -> String? {
        var scalars = value.unicodeScalars
        let parameters = HTTPField.readParameters(&scalars, isList: false)
        return parameters.first { $0.name.lowercased() == name }?.value
    }
}
