import EndpointKit
import Synchronization

/// The name of a downloaded file, if the command line gives only its directory (`-O`, `-o DIR/`).
enum DownloadName {
    /// The most bytes of a name that file systems take.
    private static let maxLength = 255

    /// Returns the last segment of a URL's path, still percent-encoded: `/files/a%20b.zip` → `a%20b.zip`.
    ///
    /// - Throws: ``UsageError`` for a path that ends with a slash.
    static func lastSegment(ofPath path: String) throws(UsageError) -> String {
        guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty else {
            throw UsageError("the URL's path ends with a slash, so that the file has no name; give one with -o FILE")
        }
        return String(name)
    }

    /// Returns the name that a response gives its content in `Content-Disposition` (RFC 6266).
    ///
    /// The name is made safe: it has no path, no dot at the beginning and no control characters.
    ///
    ///     attachment; filename="../../.ssh/id"            →   id
    ///     attachment; filename*=UTF-8''caf%C3%A9.pdf      →   café.pdf
    ///
    /// - Returns: The name; nil if the response gives none, or if nothing of it is safe.
    static func name(givenBy head: ResponseHead) -> String? {
        guard let field = head["Content-Disposition"] else { return nil }
        let parameters = parseParameters(of: field)
        // `filename*` is preferred, because `filename` has only ASCII (RFC 6266, section 4.3).
        if let extended = parameters["filename*"], let name = decodedExtendedValue(extended) { return safe(name) }
        return parameters["filename"].flatMap(safe)
    }

    /// Returns a name without anything that could lead to another directory or hide the file; nil if nothing is left.
    private static func safe(_ name: String) -> String? {
        let lastSegment = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        let withoutControls = lastSegment.filter { $0.value >= 0x20 && $0.value != 0x7F }
        let withoutLeadingDots = withoutControls.drop { $0 == "." || $0 == " " }
        var safeName = String(String.UnicodeScalarView(withoutLeadingDots))
        while safeName.utf8.count > maxLength { safeName.unicodeScalars.removeLast() }
        return safeName.isEmpty ? nil : safeName
    }

    /// Returns the text of an extended value (RFC 8187): `UTF-8''caf%C3%A9.pdf` → `café.pdf`. Between the quotes, there
    /// may be a language. Nil for another encoding than UTF-8.
    private static func decodedExtendedValue(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentEncoding.decode(parts[2])
    }

    /// Returns the parameters of a header's value, `type; name=value; …`, by their names in lower case. If two have the
    /// same name, the first one counts.
    private static func parseParameters(of field: String) -> [String: String] {
        var valuesByName: [String: String] = [:]
        // `remaining` starts with the semicolon before the next parameter.
        var remaining = field.unicodeScalars.drop { $0 != ";" }
        while remaining.popFirst() != nil {
            let name = String(remaining.prefix { $0 != "=" && $0 != ";" })
            remaining = remaining.drop { $0 != "=" && $0 != ";" }
            guard remaining.first == "=" else { continue }
            remaining.removeFirst()
            let value = takeValue(from: &remaining)
            let trimmedName = name.filter { $0 != " " && $0 != "\t" }.lowercased()
            if valuesByName[trimmedName] == nil { valuesByName[trimmedName] = value }
        }
        return valuesByName
    }

    /// Removes the value of a parameter from the beginning of `text`, which begins with the next semicolon afterwards.
    ///
    /// - Returns: The value, without quotes and blanks around it.
    private static func takeValue(from text: inout Substring.UnicodeScalarView) -> String {
        text = text.drop { $0 == " " || $0 == "\t" }
        if text.first == "\"" { return takeQuotedValue(from: &text) }
        let value = String(text.prefix { $0 != ";" })
        text = text.drop { $0 != ";" }
        return String(exactBytes: value.exactBytes.trimmingBlanks())
    }

    /// Removes a value in quotes from the beginning of `text`, and everything after it up to the next semicolon.
    ///
    /// The value may have semicolons, and a backslash escapes a character in it (RFC 9110, section 5.6.4).
    ///
    ///     "a;\"b\"" ; x=1   →   returns a;"b", leaves ; x=1
    private static func takeQuotedValue(from text: inout Substring.UnicodeScalarView) -> String {
        var value = String.UnicodeScalarView()
        text.removeFirst()
        while let scalar = text.popFirst(), scalar != "\"" {
            if scalar == "\\", let escaped = text.popFirst() {
                value.append(escaped)
            } else {
                value.append(scalar)
            }
        }
        text = text.drop { $0 != ";" }
        return String(value)
    }
}

/// The file of `--remote-header-name`, whose name comes with the response. It never replaces an existing file.
final class ServerNamedFile: FileReplacement {
    private let directory: String
    private let fallbackName: String
    private let files: any FileSystem
    /// The file under its name; nil until the name is known.
    private let openedFile = Mutex<(any FileReplacement)?>(nil)
    private let openedPath = Mutex<String?>(nil)

    let isTerminal = false

    /// Makes a file that has no name yet.
    ///
    /// - Parameters:
    ///   - path: The path that the file has if the response names none.
    ///   - files: The file system.
    init(_ path: String, in files: any FileSystem) {
        directory = FilePlace.directory(of: path)
        fallbackName = String(path.unicodeScalars.dropFirst(directory.unicodeScalars.count))
        self.files = files
    }

    /// The path of the file; nil until the name is known.
    var path: String? { openedPath.withLock { $0 } }

    /// Opens the file under the name that a response gives it.
    ///
    /// A request that is retried may get a response with another name. So a file that was opened for an earlier
    /// response is discarded.
    ///
    /// - Throws: ``FileError`` if the file exists, or can't be written.
    func open(namedBy head: ResponseHead) throws {
        discard()
        let path = directory + (DownloadName.name(givenBy: head) ?? fallbackName)
        if files.exists(path) { throw FileError(.write, path, reason: "it exists already") }
        let opened = try files.beginReplacing(path)
        openedFile.withLock { $0 = opened }
        openedPath.withLock { $0 = path }
    }

    func write(_ bytes: [UInt8]) throws { try openedFile.withLock { $0 }?.write(bytes) }

    func restart() throws -> Bool { try openedFile.withLock { $0 }?.restart() ?? true }

    func commit() throws { try openedFile.withLock { $0 }?.commit() }

    func discard() { openedFile.withLock { $0 }?.discard() }
}
