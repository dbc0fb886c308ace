import EndpointKit
import JSONText

/// The requests of a recording in the HTTP archive format, version 1.2, with their responses.
package struct HAR {
    package private(set) var requests: [ImportedRequest] = []
    /// The number of entries that were left out, by the reasons: `for static files`.
    package private(set) var leftOut: [String: Int] = [:]

    /// Reads the requests of a recording, and counts the entries that are left out.
    ///
    /// - Parameters:
    ///   - text: The recording as JSON.
    ///   - keepsFiles: Whether requests for static files are kept, such as images.
    /// - Throws: ``ImportError``, and `JSONSyntaxError` for a text that is not JSON.
    package init(_ text: [UInt8], keepsFiles: Bool = false) throws {
        guard let entries = try JSONValue(text: Self.withoutMarks(text))["log"]?["entries"]?.elements else {
            throw ImportError("this is not a HAR file: it has no list at log.entries")
        }
        for (index, value) in entries.enumerated() {
            guard let entry = RecordedEntry(value) else {
                throw ImportError("this is not a HAR file: log.entries[\(index)] has no request with method and url")
            }
            if let reason = entry.reasonToLeaveOut(keepsFiles: keepsFiles) {
                leftOut[reason, default: 0] += 1
            } else if let request = entry.importedRequest() {
                requests.append(request)
            } else {
                // The URL can't be used.
                leftOut["not of HTTP", default: 0] += 1
            }
        }
    }

    /// Returns a text in which `?` replaces the character that marks variables of the shell in requests.
    ///
    /// A recording has no variables of the shell, so a character that it happens to have must not look like a mark.
    private static func withoutMarks(_ text: [UInt8]) -> [UInt8] {
        let mark = String(ShellReader.mark)
        // A recording may have many megabytes, and very few have the mark.
        guard let firstByte = mark.utf8.first, text.contains(firstByte) else { return text }
        return String(exactBytes: text).replacingBytes(of: mark, with: "?").exactBytes
    }
}
