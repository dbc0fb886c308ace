import EndpointKit
import JSONText

/// The requests of a recording in the HTTP archive format, version 1.2, with their responses.
package struct HAR {
    package private(set) var requests: [ImportedRequest] = []
    /// The number of entries that were left out, by the reasons.
    package private(set) var leftOut: [String: Int] = [:]

    /// Reads a recording.
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
                leftOut["not of HTTP", default: 0] += 1
            }
        }
    }

    /// Returns the text with `?` in the place of the mark around a shell's variable, which is nothing special in a
    /// recording.
    private static func withoutMarks(_ text: [UInt8]) -> [UInt8] {
        let mark = Array(String(ShellReader.mark).utf8)
        guard let first = mark.first, text.contains(first) else { return text }
        return String(exactBytes: text).replacingBytes(of: String(ShellReader.mark), with: "?").exactBytes
    }
}
