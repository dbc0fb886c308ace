import EndpointKit
import Synchronization

/// The name of a downloaded file, if the command line gives only its directory (`-O`, `-o DIR/`).
enum DownloadName {
    /// The most bytes of a name that file systems take.
    private static let maxLength = 255

    /// Returns the last segment of a path, as it is in the URL.
    ///
    /// - Throws: ``UsageError`` for a path that ends with a slash.
    static func lastSegment(ofPath path: String) throws(UsageError) -> String {
        guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty else {
            throw UsageError("the URL's path ends with a slash, so that the file has no name; give one with -o FILE")
        }
        return String(name)
    }

    /// Returns the name that a response gives its content (RFC 6266), made safe: no path, no dot at the beginning, no
    /// control characters.
    ///
    ///     attachment; filename="../../.ssh/id"            →   id
    ///     attachment; filename*=UTF-8''caf%C3%A9.pdf      →   café.pdf
    ///
    /// - Returns: The name; nil if the response gives none, or if nothing of it is safe.
    static func given(by head: ResponseHead) -> String? {
        guard let field = head["Content-Disposition"] else { return nil }
        let parameters = parameters(of: field)
        let encoded = parameters["filename*"].flatMap(decoded)
        guard let name = encoded ?? parameters["filename"] else { return nil }
        return safe(name)
    }

    /// Returns a name without what could lead to another directory or hide the file; nil if nothing is left.
    private static func safe(_ name: String) -> String? {
        let lastPart = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        let visible = lastPart.filter { $0.value >= 0x20 && $0.value != 0x7F }
        let start = visible.drop { $0 == "." || $0 == " " }
        var text = String(String.UnicodeScalarView(start))
        while text.utf8.count > maxLength { text.unicodeScalars.removeLast() }
        return text.isEmpty ? nil : text
    }

    /// Returns a value such as `UTF-8''caf%C3%A9.pdf` as text (RFC 8187); nil for another encoding than UTF-8.
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentEncoding.decode(parts[2])
    }

    /// Returns the parameters of a field, by their names in lower case. The first one of a name counts.
    private static func parameters(of field: String) -> [String: String] {
        var parameters: [String: String] = [:]
        var rest = field.unicodeScalars.drop { $0 != ";" }
        while rest.popFirst() != nil {
            let name = String(rest.prefix { $0 != "=" && $0 != ";" })
            rest = rest.drop { $0 != "=" && $0 != ";" }
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            let value = takeValue(from: &rest)
            let key = name.filter { $0 != " " && $0 != "\t" }.lowercased()
            parameters[key] = parameters[key] ?? value
        }
        return parameters
    }

    /// Removes a value from the beginning of `text`, up to the next semicolon. A value in quotes may have semicolons,
    /// and a backslash escapes a character in it.
    private static func takeValue(from text: inout Substring.UnicodeScalarView) -> String {
        text = text.drop { $0 == " " || $0 == "\t" }
        var value = String.UnicodeScalarView()
        if text.first == "\"" {
            text.removeFirst()
            while let scalar = text.popFirst(), scalar != "\"" {
                value.append(scalar == "\\" ? text.popFirst() ?? scalar : scalar)
            }
            text = text.drop { $0 != ";" }
            return String(value)
        }
        let end = text.firstIndex(of: ";") ?? text.endIndex
        value.append(contentsOf: text[..<end])
        text = text[end...]
        return String(exactBytes: String(value).exactBytes.trimmingBlanks())
    }
}

/// The file of `--remote-header-name`, whose name comes with the response. It never replaces an existing file.
final class ServerNamedFile: FileReplacement {
    private let directory: String
    private let fallbackName: String
    private let files: any FileSystem
    /// The file; nil until the name is known.
    private let file = Mutex<(any FileReplacement)?>(nil)
    private let chosenPath = Mutex<String?>(nil)

    let isTerminal = false

    /// Makes a file that has no name yet.
    ///
    /// - Parameters:
    ///   - path: The path that the file has if the response names none.
    ///   - files: The file system.
    init(_ path: String, _ files: any FileSystem) {
        directory = FilePlace.directory(of: path)
        fallbackName = String(path.unicodeScalars.dropFirst(directory.unicodeScalars.count))
        self.files = files
    }

    /// The path of the file; nil until the name is known.
    var path: String? { chosenPath.withLock { $0 } }

    /// Opens the file under the name that a response gives it.
    ///
    /// - Throws: ``FileError`` if the file exists, or can't be written.
    func open(_ head: ResponseHead) throws {
        // A response that is tried again may have another name.
        discard()
        let path = directory + (DownloadName.given(by: head) ?? fallbackName)
        if (try? files.open(path)) != nil { throw FileError(.write, path, reason: "it exists already") }
        let opened = try files.replace(path)
        file.withLock { $0 = opened }
        chosenPath.withLock { $0 = path }
    }

    func write(_ bytes: [UInt8]) throws { try file.withLock { $0 }?.write(bytes) }

    func restart() throws -> Bool { try file.withLock { $0 }?.restart() ?? true }

    func commit() throws { try file.withLock { $0 }?.commit() }

    func discard() { file.withLock { $0 }?.discard() }
}
