import EndpointKit
import JSONText

/// The parts of a request in which parameters can be, decoded.
struct CallParts {
    /// The values in the path, in the order of the template.
    var path: [String]
    var query: [ReceivedRequest.Field]
    var headers: [ReceivedRequest.Field]
    var content: Content

    enum Content {
        case none
        case json(JSONValue)
        case form([ReceivedRequest.Field])
        /// The text fields, and the names of the files.
        case multipart([ReceivedRequest.Field], files: [String])
        case text(String)
        /// The body should be JSON or multipart, and is not.
        case unreadable(String)
    }

    /// How a body is written.
    enum Form: Sendable, Equatable {
        case none, json, form, multipart, other

        /// What a content type says.
        init(_ contentType: String?, isEmpty: Bool) {
            let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
            switch type {
            case _ where isEmpty: self = .none
            case "application/x-www-form-urlencoded": self = .form
            case "multipart/form-data": self = .multipart
            case _ where type == "application/json" || type.hasSuffix("+json"): self = .json
            default: self = .other
            }
        }
    }

    /// The parts of a request as it is made, without secrets.
    init(_ endpoint: Endpoint, of api: any API.Type) throws {
        let options = RequestOptions(
            base: try BaseURL("http://127.0.0.1"), missingCredential: .placeholder, boundary: "boundary")
        let request = try api.request(endpoint, options)
        path = endpoint.path.pieces.compactMap { piece in
            switch piece {
            case .value(let text), .rest(let text): text
            case .literal, .date: nil
            }
        }
        query = try request.query.filter { !$0.value.holdsSecrets }.map { .init($0.name, try $0.value.reveal()) }
        headers = try request.headers.filter { !$0.value.holdsSecrets }.map { .init($0.name, try $0.value.reveal()) }
        if let parts = request.body?.parts {
            var (fields, files): ([ReceivedRequest.Field], [String]) = ([], [])
            for part in parts {
                switch part {
                case .field(let name, let value): fields.append(.init(name, value))
                case .file(let name, _, _, _): files.append(name)
                }
            }
            content = .multipart(fields, files: files)
        } else {
            let type = headers.first { $0.name.isSameName(as: "Content-Type") }?.value
            content = Self.content(request.body?.bytes ?? [], Form(type, isEmpty: request.body == nil), type)
        }
    }

    /// The parts of a request as it was received; `form` is how the endpoint's body is written.
    init(_ request: ReceivedRequest, pathValues: [String], expecting form: Form) {
        path = pathValues
        query = request.queryItems
        headers = request.fields
        content =
            form == .none || request.body.isEmpty
            ? .none : Self.content(request.body, form, request["Content-Type"])
    }

    /// The largest form that is read, in bytes: its fields take ten times as much memory.
    private static let maxFormSize = 1 << 20

    private static func content(_ bytes: [UInt8], _ form: Form, _ contentType: String?) -> Content {
        switch form {
        case .none: return .none
        case .json:
            do {
                return .json(JSONValue(try JSONDocument(bytes)))
            } catch {
                let reason = (error as? JSONSyntaxError)?.description ?? "it is not one JSON document"
                return .unreadable("the body is not JSON: \(reason)")
            }
        case .form where bytes.count > maxFormSize: return .unreadable("the form is longer than \(maxFormSize) bytes")
        case .form: return .form(ReceivedRequest.formItems(String(exactBytes: bytes)))
        case .multipart:
            return MultipartReader.content(bytes, contentType ?? "") ?? .unreadable("the body is not multipart")
        case .other: return .text(String(exactBytes: bytes))
        }
    }

    var form: Form {
        switch content {
        case .none: .none
        case .json: .json
        case .form: .form
        case .multipart: .multipart
        case .text, .unreadable: .other
        }
    }
}

/// Reads multipart/form-data (RFC 7578; RFC 2046, section 5.1).
enum MultipartReader {
    /// The fields and the files; nil without a boundary, or if the body does not have it.
    static func content(_ body: [UInt8], _ contentType: String) -> CallParts.Content? {
        guard let boundary = parameter("boundary", of: contentType[...]), !boundary.isEmpty else { return nil }
        // The first delimiter has no line break before it.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        let pieces = ([0x0D, 0x0A] + body).split(separator: delimiter, omittingEmptySubsequences: false)
        guard pieces.count > 1, pieces[pieces.count - 1].starts(with: "--".utf8) else { return nil }
        var (fields, files): ([ReceivedRequest.Field], [String]) = ([], [])
        for piece in pieces.dropFirst().dropLast() {
            guard let end = piece.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(exactBytes: piece[..<end.lowerBound])
            let disposition = head.split(separator: "\r\n").first {
                $0.prefix { $0 != ":" }.lowercased() == "content-disposition"
            }
            guard let disposition, let name = parameter("name", of: disposition) else { return nil }
            if parameter("filename", of: disposition) != nil {
                files.append(name)
            } else {
                fields.append(.init(name, String(exactBytes: piece[end.upperBound...])))
            }
        }
        return .multipart(fields, files: files)
    }

    /// The value of a parameter such as `name="a"` of a header.
    private static func parameter(_ name: String, of value: Substring) -> String? {
        for part in value.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == name else { continue }
            let text = pair[1].drop { $0 == " " }
            return text.hasPrefix("\"") ? String(text.dropFirst().prefix { $0 != "\"" }) : String(text)
        }
        return nil
    }
}
