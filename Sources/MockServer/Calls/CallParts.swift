import EndpointKit
import JSONText

/// The texts of a request, each with its place, and its JSON.
package struct CallParts: Sendable {
    /// Where a parameter can be.
    package enum Place: Sendable, Hashable {
        /// The value of that number in the path.
        case path(Int)
        case query(String)
        /// By its name in lower case.
        case header(String)
        /// A field of a form, multipart or not.
        case field(String)
        /// A file of a multipart body: its content is not the parameter.
        case file(String)
        /// The value at those keys of a JSON body.
        case json([String])
        /// The whole body.
        case body

        /// What it is called in a sentence.
        var phrase: String {
            switch self {
            case .path: "the path"
            case .query(""): "the query"
            case .field(""): "the form"
            case .query(let name): "query item \(name)"
            case .header(let name): "header \(name)"
            case .field(let name): "form field \(name)"
            case .file(let name): "file \(name)"
            case .json([]), .body: "the body"
            case .json(let keys): "$" + keys.map { FoldedPlaces.step($0) }.joined()
            }
        }

        package var isFile: Bool { if case .file = self { true } else { false } }
        /// The name of a query item or a field of a form.
        package var name: String? {
            switch self {
            case .query(let name), .field(let name): name
            default: nil
            }
        }

        /// A place of the same kind.
        func with(_ name: String) -> Place { isQuery ? .query(name) : .field(name) }

        package var isInBody: Bool {
            switch self {
            case .path, .query, .header: false
            case .field, .file, .json, .body: true
            }
        }

        package var isQuery: Bool { if case .query = self { true } else { false } }
    }

    package struct Item: Sendable, Equatable {
        package let place: Place
        package let text: String

        init(_ place: Place, _ text: String) { (self.place, self.text) = (place, text) }
    }

    /// How a body is written.
    package enum Form: Sendable {
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

    package private(set) var items: [Item]
    private(set) var json: JSONValue?
    /// How the body is written.
    let form: Form
    /// Why the body, which should be JSON, a form or multipart, can't be read.
    private(set) var problem: String?

    private static let base = Result { try BaseURL("http://127.0.0.1") }

    /// The parts of a request as it is made, without secrets.
    package init(_ endpoint: Endpoint, of api: any API.Type) throws {
        var options = RequestOptions()
        options.base = try Self.base.get()
        (options.missingCredential, options.boundary) = (.placeholder, "boundary")
        let request = try api.request(endpoint, options)
        let headers = try request.headers.filter { !$0.value.holdsSecrets }.map { ($0.name, try $0.value.reveal()) }
        let type = headers.first { $0.0.isSameName(as: "Content-Type") }?.1
        form = Form(type, isEmpty: request.body == nil)
        items = try request.query.filter { !$0.value.holdsSecrets }.map { Item(.query($0.name), try $0.value.reveal()) }
        add(path: endpoint.path.values(api.coding), headers: headers)
        for part in request.body?.parts ?? [] {
            switch part {
            case .field(let name, let value): items.append(Item(.field(name), value))
            case .file(let name, _, _, _): items.append(Item(.file(name), ""))
            }
        }
        if let bytes = request.body?.bytes, form != .multipart { read(bytes, type) }
    }

    /// The parts of a request as it was received; `form` is how the endpoint's body is written.
    init(_ request: ReceivedRequest, path: [String], expecting form: Form) {
        self.form = form
        items = request.queryItems.map { Item(.query($0.name), $0.value) }
        add(path: path, headers: request.fields.map { ($0.name, $0.value) })
        if !request.body.isEmpty { read(request.body, request["Content-Type"]) }
    }

    /// The texts at a place, in order.
    package func texts(at place: Place) -> [String] { items.filter { $0.place == place }.map(\.text) }

    private mutating func add(path: [String], headers: [(String, String)]) {
        items += path.enumerated().map { Item(.path($0), $1) }
        items += headers.map { Item(.header($0.0.lowercased()), $0.1) }
    }

    /// The largest form that is read, in bytes: its fields take ten times as much memory.
    private static let maxFormSize = 1 << 20

    private mutating func read(_ bytes: [UInt8], _ contentType: String?) {
        switch form {
        case .none: break
        case .json:
            do {
                json = JSONValue(try JSONDocument(bytes))
            } catch {
                problem = "the body is not JSON: \(error)"
            }
        case .form where bytes.count > Self.maxFormSize: problem = "the form is longer than \(Self.maxFormSize) bytes"
        case .form: items += FormText.items(String(exactBytes: bytes)).map { Item(.field($0.name), $0.value) }
        case .multipart:
            let found = Self.items(multipart: bytes, contentType ?? "")
            items += found ?? []
            if found == nil { problem = "the body is not multipart" }
        case .other: items.append(Item(.body, String(exactBytes: bytes)))
        }
    }
}

extension CallParts {
    /// The fields and the files of multipart/form-data (RFC 7578; RFC 2046, section 5.1); nil without a boundary, or if the body does not have
    /// it.
    private static func items(multipart body: [UInt8], _ contentType: String) -> [Item]? {
        guard let boundary = parameter("boundary", of: contentType[...]), !boundary.isEmpty else { return nil }
        // The first delimiter has no line break before it.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        let pieces = ([0x0D, 0x0A] + body).split(separator: delimiter, omittingEmptySubsequences: false)
        guard pieces.count > 1, pieces[pieces.count - 1].starts(with: "--".utf8) else { return nil }
        var items: [Item] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let end = piece.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let lines = String(exactBytes: piece[..<end.lowerBound]).split(separator: "\r\n")
            let disposition = lines.first { $0.prefix { $0 != ":" }.lowercased() == "content-disposition" }
            guard let disposition, let name = parameter("name", of: disposition) else { return nil }
            let isFile = parameter("filename", of: disposition) != nil
            items.append(
                isFile ? .init(.file(name), "") : .init(.field(name), String(exactBytes: piece[end.upperBound...])))
        }
        return items
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
