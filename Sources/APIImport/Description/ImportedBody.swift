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

    /// The most fields that become parameters. A body with more is one parameter, because nobody reads so many.
    private static let mostFields = 40

    /// Reads the content of a request.
    ///
    /// - Parameters:
    ///   - request: The request, whose `Content-Type` header counts too.
    ///   - secrets: Removes secrets from examples.
    init(_ request: ImportedRequest, secrets: ImportSecrets) {
        switch request.content {
        case .none: self = .none
        case .parts(let parts): self = .parts(parts)
        case .file: self = .data(type: request.header("Content-Type") ?? Self.bytesType)
        case .bytes(let bytes): self.init(bytes, of: request, secrets: secrets)
        }
    }

    /// Reads bytes in the format that their media type declares: a JSON object, a form, or a text.
    ///
    /// Without a media type, the bytes are read as the first of these formats that they have. A media type that curl
    /// has added, as it does to all data, is treated as missing. An object that can't be divided into parameters, and
    /// any other JSON, is a text. Bytes that are not UTF-8 stay bytes.
    private init(_ bytes: [UInt8], of request: ImportedRequest, secrets: ImportSecrets) {
        let declaredType = request.header("Content-Type")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            self = .data(type: declaredType ?? Self.bytesType)
            return
        }
        // `application/json; charset=utf-8` → `application/json`
        let mediaType = (declaredType ?? "").prefix { $0 != ";" }.lowercased()
        let isUndeclared = declaredType == nil || request.hasImpliedType
        let mayBeJSON = isUndeclared || mediaType.hasSuffix("json")
        let mayBeForm = isUndeclared || mediaType == "application/x-www-form-urlencoded"
        let json = mayBeJSON ? try? JSONValue(text: bytes) : nil
        if let members = json?.members, Self.canBeParameters(members, secrets: secrets) {
            self = .object(members)
            return
        }
        let isObjectOrList = json?.members != nil || json?.elements != nil
        if mayBeForm, !isObjectOrList, Self.isForm(text) {
            self = .form(ImportedRequest.items(text))
        } else {
            self = .text(text, type: declaredType ?? "text/plain; charset=utf-8")
        }
    }

    /// The media type of bytes about which nothing else is known (RFC 2046, section 4.5.1).
    private static let bytesType = "application/octet-stream"

    /// The members of an object; empty for another body.
    var members: [(key: String, value: JSONValue)] { if case .object(let members) = self { members } else { [] } }
    /// The items of a form; empty for another body.
    var items: [ImportedRequest.NameValue] { if case .form(let items) = self { items } else { [] } }

    /// Whether the declaration of the body implies a media type, so that no header needs to say it.
    func declares(_ type: String) -> Bool {
        switch self {
        case .none: false
        case .object: type == "application/json"
        case .form: type == "application/x-www-form-urlencoded"
        case .parts, .text, .data: true
        }
    }

    /// Whether the members of an object can be parameters.
    ///
    /// There must be at most ``mostFields`` members. Each key must be short and come once, and each value must have a
    /// literal in Swift.
    private static func canBeParameters(_ members: [(key: String, value: JSONValue)], secrets: ImportSecrets) -> Bool {
        let keys = Set(members.map(\.key))
        guard members.count <= mostFields, keys.count == members.count else { return false }
        return members.allSatisfy { key, value in
            let isShort = SwiftLiteral.string(key).count <= ImportedEndpoint.longestKey
            return isShort && RequestValue.lineLiteral(of: value, secrets: secrets) != nil
        }
    }

    /// Whether a text is a form whose items can be parameters: `name=Rex&tag=a&tag=b`.
    ///
    /// A parameter with a list has all items of one name. So these items must follow each other: `a=1&b=2&a=3` would be
    /// sent in another order.
    static func isForm(_ text: String) -> Bool {
        let items = text.split(separator: "&", omittingEmptySubsequences: false)
        guard items.count <= mostFields, items.allSatisfy(isFormItem) else { return false }
        // Servers differ in how they read a percent sign without two hexadecimal digits.
        if text.contains(#/%(?![0-9A-Fa-f]{2})/#) { return false }
        let names = ImportedRequest.items(text).map(\.name)
        // A run is a row of items with the same name.
        let runCount = 1 + zip(names, names.dropFirst()).count { $0 != $1 }
        let hasOneRunForEachName = runCount == Set(names).count
        return hasOneRunForEachName
    }

    /// Whether a text is an item of a form: `NAME=VALUE`, with the characters that names of items usually have.
    private static func isFormItem(_ item: Substring) -> Bool {
        let name = item.prefix { $0 != "=" }
        let hasValue = name.count < item.count
        guard hasValue, !name.isEmpty else { return false }
        let nameSigns = "-._~[]%+:$@!*()".utf8
        guard name.utf8.allSatisfy({ $0.isLetterOrDigit || nameSigns.contains($0) }) else { return false }
        // People who use curl write blanks as they are. A semicolon separates items for some servers.
        return item.utf8.allSatisfy { $0 >= UInt8(ascii: " ") && $0 != UInt8(ascii: ";") }
    }
}
