import EndpointKit
import JSONText

/// What a request's content is, as far as a declaration has words for it.
enum ImportedBody {
    case none
    case object([(key: String, value: JSONValue)])
    case form([ImportedRequest.Field])
    case parts([Part])
    case text(String, type: String)
    /// Bytes that are no text, or a file.
    case data(type: String)

    /// The most fields that become parameters; a body with more is one parameter.
    static let mostFields = 40

    /// The kind of `request`'s content: by its type, else JSON, else a form, else text.
    init(_ request: ImportedRequest, _ sweep: SecretSweep) {
        let declared = request.header("Content-Type")
        let type = (declared ?? "").prefix { $0 != ";" }.lowercased()
        self = .data(type: declared ?? "application/octet-stream")
        switch request.content {
        case .none: self = .none
        case .parts(let parts): self = .parts(parts)
        case .file: break
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else { return }
            let isOpen = declared == nil || request.hasImpliedType
            self = .text(text, type: declared ?? "text/plain; charset=utf-8")
            if type.hasSuffix("json") || isOpen, let value = try? JSONValue(text: bytes),
                value.elements != nil || value.members != nil
            {
                if let members = value.members, Self.areParameters(members, sweep) { self = .object(members) }
            } else if type == "application/x-www-form-urlencoded" || isOpen, !bytes.isEmpty {
                let isForm = Self.isForm(text) && text.count(where: { $0 == "&" }) < Self.mostFields
                if isForm { self = .form(ImportedRequest.items(text)) }
            } else if type == "multipart/form-data", let parts = Self.parts(text, declared ?? "") {
                self = .parts(parts)
            }
        }
    }

    /// Whether a declaration of the content has that type too, so that no header needs to say it.
    func declares(_ type: String) -> Bool {
        switch self {
        case .none: false
        case .object: type == "application/json"
        case .form: type == "application/x-www-form-urlencoded"
        case .parts, .text, .data: true
        }
    }

    /// Whether the members have short keys, each once, and values that can be written.
    private static func areParameters(_ members: [(key: String, value: JSONValue)], _ sweep: SecretSweep) -> Bool {
        members.count <= mostFields && Set(members.map(\.key)).count == members.count
            && members.allSatisfy {
                SwiftLiteral.string($0.key).count <= ImportedEndpoint.longestKey
                    && Parameter.expression($0.value, sweep) != nil
            }
    }

    /// Whether decoding and encoding gives the same bytes, but for which of them are percent-encoded.
    private static func isForm(_ text: String) -> Bool {
        text.split(separator: "&", omittingEmptySubsequences: false).allSatisfy { item in
            let name = item.prefix { $0 != "=" }
            return name.count < item.count && !name.isEmpty
                && name.utf8.allSatisfy { $0.isLetterOrDigit || "-._~[]%+:$@!*()".utf8.contains($0) }
                && item.utf8.allSatisfy { $0 >= 0x20 }
        }
    }

    /// The parts of a multipart body that a browser made (RFC 7578); nil if it is something else.
    private static func parts(_ text: String, _ type: String) -> [Part]? {
        guard let start = type.firstRange(of: "boundary=") else { return nil }
        let boundary = type[start.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        var parts: [Part] = []
        let line = text.unicodeScalars.contains("\r") ? "\r\n" : "\n"
        for piece in text.split(separator: "--\(boundary)") where !piece.hasPrefix("--") && piece != line {
            guard let end = piece.firstRange(of: line + line) else { return nil }
            let head = String(piece[..<end.lowerBound])
            guard let name = attribute("name", head) else { return nil }
            if let file = attribute("filename", head) {
                let field = head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("content-type:") }
                let type = field.map { String($0.dropFirst(13).drop { $0 == " " }) } ?? "application/octet-stream"
                parts.append(.file(name, path: file, contentType: type))
            } else {
                let value = piece[end.upperBound...]
                parts.append(.field(name, String(value.hasSuffix(line) ? value.dropLast() : value)))
            }
        }
        return parts.isEmpty ? nil : parts
    }

    private static func attribute(_ name: String, _ head: String) -> String? {
        head.firstRange(of: " \(name)=\"").map { String(head[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
