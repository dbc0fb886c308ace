import EndpointKit
import JSONText

/// The texts of a request, each with its place, and its JSON: where the parameters of an endpoint can be.
package struct RequestParts: Sendable, Equatable {
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
        package var phrase: String {
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

        /// The part of the request that it is in.
        package var part: ParameterPlaces.Place {
            switch self {
            case .path: .path
            case .query: .query
            case .header: .header
            case .field, .file, .json, .body: .body
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

        /// A query item of that name, or a field if this is one.
        package func with(_ name: String) -> Place { part == .query ? .query(name) : .field(name) }
    }

    package struct Item: Sendable, Hashable {
        package let place: Place
        /// Of a file, its path if that is known.
        package let text: String

        package init(_ place: Place, _ text: String) { (self.place, self.text) = (place, text) }
    }

    /// How a body is written.
    package enum Form: Sendable {
        case none, json, form, multipart, other

        /// What a content type says.
        package init(_ contentType: String?, isEmpty: Bool) {
            if isEmpty {
                self = .none
                return
            }
            let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
            switch type {
            case "application/x-www-form-urlencoded": self = .form
            case "multipart/form-data": self = .multipart
            case _ where type == "application/json" || type.hasSuffix("+json"): self = .json
            default: self = .other
            }
        }
    }

    package private(set) var items: [Item]
    /// The query items and headers that hold secrets.
    private(set) var secrets: [Item] = []
    /// The texts of the path that are no values.
    private(set) var literals: [String] = []
    /// Whether there is a path, in which no value is empty.
    package private(set) var hasPath = true
    package private(set) var json: JSONValue?
    /// How the body is written.
    package let form: Form
    /// Why the body, which should be JSON, a form or multipart, can't be read.
    package private(set) var problem: String?

    /// The parts of the requests for an endpoint, without what every client adds; what can't be written as text is left out.
    package init(_ endpoint: Endpoint, of api: any API.Type) {
        let query = ((try? endpoint.query.items(api.coding)) ?? []).map { (Place.query($0.name), $0.value) }
        let fields = api.fields(of: endpoint).map { (Place.header($0.name.lowercased()), $0.value) }
        let body = try? endpoint.body?.encoded(api.coding, boundary: "")
        let type = fields.first { $0.0 == .header("content-type") }?.1.description ?? body?.contentType
        form = Form(type, isEmpty: body == nil)
        literals = endpoint.path.pieces.compactMap { if case .literal(let text) = $0 { text } else { nil } }
        let values = endpoint.path.values(api.coding)
        hasPath = endpoint.url == nil && !values.contains("")
        items = values.enumerated().map { Item(.path($0), $1) }
        for (place, value) in query + fields {
            if value.holdsSecrets {
                secrets.append(Item(place, (try? value.reveal()) ?? value.description))
            } else {
                items.append(Item(place, value.description))
            }
        }
        if let parts = body?.body.parts {
            items += parts.map { part in
                switch part {
                case .field(let name, let value): Item(.field(name), value)
                case .file(let name, let path, _, _): Item(.file(name), path)
                }
            }
        } else if let bytes = body?.body.bytes {
            read(bytes, type)
        }
    }

    /// The parts of a request that was received; `path` are the values in its path, `form` is how the endpoint's body is written.
    package init(
        path: [String], query: [ResponseHead.Field], headers: [ResponseHead.Field], body: [UInt8], expecting form: Form
    ) {
        self.form = form
        items =
            path.enumerated().map { Item(.path($0), $1) } + query.map { Item(.query($0.name), $0.value) }
            + headers.map { Item(.header($0.name.lowercased()), $0.value) }
        if !body.isEmpty { read(body, headers.first { $0.name.isSameName(as: "Content-Type") }?.value) }
    }

    /// The texts at a place, in order.
    package func texts(at place: Place) -> [String] { items.filter { $0.place == place }.map(\.text) }

    /// The members of a JSON object as items, or any other JSON as a whole.
    package var members: [Item] {
        guard let json else { return [] }
        return json.members?.map { Item(.json([$0.key]), "\($0.value)") } ?? [Item(.json([]), "\(json)")]
    }

    /// The items that only one of two requests has.
    package func difference(_ other: RequestParts) -> [Item] {
        let (own, others) = (items + secrets + members, other.items + other.secrets + other.members)
        return own.filter { !others.contains($0) } + others.filter { !own.contains($0) }
    }

    /// What is here in the place that has `text` in `other`; nil if that is not one place, or nothing is here.
    func replacement(of text: String, in other: RequestParts) -> String? {
        let places = other.items.filter { $0.text == text && $0.place.part != .body }.map(\.place)
        let found = places.flatMap { texts(at: $0) }
        return found.count == 1 && found[0] != text ? found[0] : nil
    }

    /// The largest form that is read, in bytes: its fields take ten times as much memory.
    private static let maxFormSize = 1 << 20

    private mutating func read(_ bytes: [UInt8], _ contentType: String?) {
        switch form {
        case .none, .other: break
        case .json:
            do {
                json = JSONValue(try JSONDocument(bytes))
            } catch {
                problem = "the body is not JSON: \(error)"
            }
        case .form where bytes.count > Self.maxFormSize: problem = "the form is longer than \(Self.maxFormSize) bytes"
        case .form: items += FormText.items(String(exactBytes: bytes)).map { Item(.field($0.name), $0.value) }
        case .multipart:
            let parts = Self.parts(multipart: bytes, contentType ?? "")
            items += (parts ?? []).map { part in
                switch part {
                case .field(let name, let value): Item(.field(name), value)
                case .file(let name, _, _, _): Item(.file(name), "")
                }
            }
            if parts == nil { problem = "the body is not multipart" }
        }
        if form == .other || problem != nil { items.append(Item(.body, String(exactBytes: bytes))) }
    }
}

extension RequestParts {
    /// The fields and the files of multipart/form-data (RFC 7578; RFC 2046, section 5.1), each file with its name as the path; nil without a
    /// boundary, or if the body does not have it.
    package static func parts(multipart body: [UInt8], _ contentType: String) -> [Part]? {
        guard let boundary = parameter("boundary", of: contentType[...]), !boundary.isEmpty else { return nil }
        // The first delimiter has no line break before it.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        let pieces = ([0x0D, 0x0A] + body).split(separator: delimiter, omittingEmptySubsequences: false)
        guard pieces.count > 1, pieces[pieces.count - 1].starts(with: "--".utf8) else { return nil }
        var parts: [Part] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let end = piece.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let lines = String(exactBytes: piece[..<end.lowerBound]).split(separator: "\r\n").map { line in
                (name: line.prefix { $0 != ":" }.lowercased(), line: line)
            }
            let disposition = lines.first { $0.name == "content-disposition" }?.line
            guard let disposition, let name = parameter("name", of: disposition) else { return nil }
            if let file = parameter("filename", of: disposition) {
                let type = lines.first { $0.name == "content-type" }?.line.dropFirst(13).drop { $0 == " " }
                parts.append(.file(name, path: file, contentType: type.map(String.init) ?? "application/octet-stream"))
            } else {
                parts.append(.field(name, String(exactBytes: piece[end.upperBound...])))
            }
        }
        return parts
    }

    /// The value of a parameter such as `name="a"` of a header.
    private static func parameter(_ name: String, of value: Substring) -> String? {
        var rest = value.unicodeScalars
        return Header.parameters(&rest, isList: false).first { $0.name.lowercased() == name }?.value
    }
}

extension API {
    /// Whether what stands at `place` in requests for `endpoint` is a credential.
    static func isCredential(_ place: RequestParts.Place, of endpoint: Endpoint) -> Bool {
        switch place {
        case .query(let name): isCredential(queryItem: name, of: endpoint)
        case .header(let name): isCredential(header: name, of: endpoint)
        case .path, .field, .file, .json, .body: false
        }
    }
}
