import EndpointKit
import JSONText

/// The content of a request in the form in which an endpoint declares it.
enum ImportedBody {
    case none
    /// A JSON object whose members are parameters.
    case object([(key: String, value: JSONValue)])
    case form([ImportedRequest.NameValue])
    case parts([Part])
    /// A text that is one parameter, with its media type.
    case text(String, type: String)
    /// Bytes that are no text, or a file.
    case data(type: String)

    /// The most fields that become parameters; a body with more is one parameter.
    private static let mostFields = 40

    /// Reads the content of a request: by its media type, or else as JSON, as a form, or as text.
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
            let value = type.hasSuffix("json") || isOpen ? try? JSONValue(text: bytes) : nil
            self = .text(text, type: declared ?? "text/plain; charset=utf-8")
            if let members = value?.members {
                if Self.areParameters(members, sweep) { self = .object(members) }
            } else if value?.elements == nil, type == "application/x-www-form-urlencoded" || isOpen, Self.isForm(text) {
                self = .form(ImportedRequest.items(text))
            }
        }
    }

    /// The members of an object; empty for another body.
    var members: [(key: String, value: JSONValue)] { if case .object(let members) = self { members } else { [] } }
    /// The items of a form; empty for another body.
    var items: [ImportedRequest.NameValue] { if case .form(let items) = self { items } else { [] } }

    /// Returns whether the declaration of the body has that media type too, so that no header needs to say it.
    func declares(_ type: String) -> Bool {
        switch self {
        case .none: false
        case .object: type == "application/json"
        case .form: type == "application/x-www-form-urlencoded"
        case .parts, .text, .data: true
        }
    }

    /// Returns whether the members have short keys, each once, and values that can be written in Swift.
    private static func areParameters(_ members: [(key: String, value: JSONValue)], _ sweep: SecretSweep) -> Bool {
        members.count <= mostFields && Set(members.map(\.key)).count == members.count
            && members.allSatisfy { key, value in
                SwiftLiteral.string(key).count <= ImportedEndpoint.longestKey
                    && RequestValue.expression(value, sweep) != nil
            }
    }

    /// Returns whether a text is a form of few items that decoding and encoding gives again, but for which of its bytes are
    /// percent-encoded.
    ///
    /// A blank in a value is one that was not encoded, as curl's users write it. `;` may separate items too, and servers
    /// differ in what a `%` without digits is.
    static func isForm(_ text: String) -> Bool {
        let items = text.split(separator: "&", omittingEmptySubsequences: false)
        // Items of one name become a list, if they are next to each other.
        let names = ImportedRequest.items(text).map(\.name)
        let runs = zip(names, names.dropFirst()).count { $0 != $1 } + 1
        return items.count <= mostFields && runs == Set(names).count
            && text.firstMatch(of: #/%(?![0-9A-Fa-f]{2})/#) == nil
            && items.allSatisfy { item in
                let name = item.prefix { $0 != "=" }
                return name.count < item.count && !name.isEmpty
                    && name.utf8.allSatisfy { $0.isLetterOrDigit || "-._~[]%+:$@!*()".utf8.contains($0) }
                    && item.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: ";") }
            }
    }
}
