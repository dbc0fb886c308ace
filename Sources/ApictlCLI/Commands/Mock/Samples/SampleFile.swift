import EndpointKit
import JSONText

/// A file with a response, or with headers of one.
struct SampleFile: Sendable {
    let name: SampleName
    let content: Content

    enum Content: Sendable {
        case body([UInt8])
        case headers([(name: String, value: String)])
    }

    /// Why a file can't be used.
    struct Problem: Error {
        /// `path:line:column: what is wrong`, or without a place.
        let text: String
    }

    /// The longest file that is read, in bytes.
    private static let longest = 100_000_000
    /// Headers that the server sets itself.
    private static let framing = ["content-length", "transfer-encoding", "connection", "keep-alive", "upgrade"]

    /// Reads the file at `path`. Throws ``Problem``.
    init(_ name: SampleName, at path: String, in files: any FileSystem, of endpoint: Endpoint) throws(Problem) {
        self.name = name
        let bytes: [UInt8]
        do {
            bytes = try files.open(path).readAll(name: path, limit: Self.longest)
        } catch {
            throw Problem(text: "\(path): \((error as? FileError)?.reason ?? "\(error)")")
        }
        if name.fileExtension == SampleName.headersExtension {
            content = .headers(try Self.headers(bytes, path))
            return
        }
        let mayBeEmpty = endpoint.response.kind != .json || name.status.map { $0 == 204 || $0 >= 300 } ?? false
        if name.fileExtension == "json", !(bytes.isEmpty && mayBeEmpty) {
            do {
                _ = try JSONDocument(bytes)
            } catch let error as JSONSyntaxError {
                throw Problem(
                    text: "\(path):\(error.line):\(error.column): expected \(error.expected), found \(error.found)")
            } catch {
                throw Problem(text: "\(path): it is not one JSON document")
            }
        }
        content = .body(bytes)
    }

    /// Lines of `Name: value`.
    private static func headers(_ bytes: [UInt8], _ path: String) throws(Problem) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = line.last == 0x0D ? line.dropLast() : line
            if text.isEmpty { continue }
            let name = text.prefix { $0 != UInt8(ascii: ":") }
            let header = Header(
                String(exactBytes: name), String(exactBytes: text.dropFirst(name.count + 1).drop { $0 == 0x20 }))
            guard name.count < text.count, (try? header.checked()) != nil else {
                throw Problem(text: "\(path):\(index + 1):1: expected 'Name: value'")
            }
            if framing.contains(header.name.lowercased()) { continue }
            headers.append((header.name, header.value.description))
        }
        return headers
    }
}
