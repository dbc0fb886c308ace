import EndpointKit
import JSONText

/// The texts of a request, each with its location, and the JSON of its body: everything that parameters of an endpoint
/// can change.
///
/// For example, `POST /pets/7/toys?notify=true` with the body `{"name": "ball"}` has these items and ``members``:
///
///     the value 0 of the path     7
///     the query item notify       true
///     the key name of the body    "ball"
///
/// Two requests of an endpoint are compared by their items to see what a parameter changes.
package struct ParameterTexts: Sendable, Equatable {
    /// Where a text is in a request.
    package enum Location: Sendable, Hashable {
        /// The value with that index in the path.
        case path(Int)
        /// The query item with that name.
        case query(String)
        /// The header with that name in lower case.
        case header(String)
        /// The field with that name in a form or multipart body.
        case field(String)
        /// The file with that name in a multipart body. Its path is the text, not its content.
        case file(String)
        /// The value at those keys of a JSON body. Without keys, this is the whole body.
        case json([String])
        /// The whole body, if it is neither JSON nor a form.
        case body

        /// The words for the location in a sentence, such as `query item page`, or `$.pet.name` for a value in a JSON
        /// body.
        package var phrase: String {
            switch self {
            case .path: "the path"
            // Without a name, the location is that of a structured value whose fields are the query items.
            case .query(""): "the query"
            case .field(""): "the form"
            case .query(let name): "query item \(name)"
            case .header(let name): "header \(name)"
            case .field(let name): "form field \(name)"
            case .file(let name): "file \(name)"
            case .json([]), .body: "the body"
            case .json(let keys): "$" + keys.map { ComparisonPlaces.step($0) }.joined()
            }
        }

        /// The part of the request that the location is in.
        package var part: ParameterLocation {
            switch self {
            case .path: .path
            case .query: .query
            case .header: .header
            case .field, .file, .json, .body: .body
            }
        }

        package var isFile: Bool { if case .file = self { true } else { false } }

        /// The name of a query item, or of a field in a form; nil for other locations.
        package var name: String? {
            switch self {
            case .query(let name), .field(let name): name
            default: nil
            }
        }

        /// Returns the location with another name in the same part of the request: a query item if this is one, or else
        /// a field of a form.
        package func replacingName(with newName: String) -> Location {
            part == .query ? .query(newName) : .field(newName)
        }
    }

    /// A text of a request, with its location.
    package struct Item: Sendable, Hashable {
        package let place: Location
        /// The text. For a file this is its path, or nothing if the path is not known.
        package let text: String

        package init(_ place: Location, _ text: String) {
            self.place = place
            self.text = text
        }
    }

    /// The format of a body.
    package enum BodyFormat: Sendable {
        case none, json, form, multipart, other

        /// Returns the format of a body by its media type. For example, `application/json; charset=utf-8` is JSON.
        ///
        /// A type whose name ends in `+json` is JSON too (RFC 6839, section 3.1).
        ///
        /// - Parameters:
        ///   - contentType: The value of the Content-Type header; nil if there is no such header.
        ///   - isEmpty: Whether there is no body.
        package init(_ contentType: String?, isEmpty: Bool) {
            if isEmpty {
                self = .none
                return
            }
            let mediaType = MediaTypeName(contentType ?? "")
            if mediaType.isForm {
                self = .form
            } else if mediaType.isMultipart {
                self = .multipart
            } else {
                self = mediaType.isJSON ? .json : .other
            }
        }
    }

    /// The texts of the path, the query, the headers, and of a body that is not JSON.
    package private(set) var items: [Item] = []
    /// The query items and headers that hold secrets, which are not among ``items``.
    private(set) var secrets: [Item] = []
    /// The texts of the path between its values: `/movie/` and `/videos` for `"/movie/\(id)/videos"`.
    private(set) var literals: [String] = []
    /// Whether the endpoint has a path, not a URL, and no value in the path is empty.
    package private(set) var hasCompletePath = true
    /// The body, if it is JSON.
    package private(set) var json: JSONValue?
    /// The format of the body.
    package let bodyFormat: BodyFormat
    /// The reason why a body that should be JSON, a form or multipart can't be read; nil if it can.
    package private(set) var problem: String?

    /// Collects the texts of the request that an endpoint makes, without headers that every client adds.
    ///
    /// The request is not sent. Parts that can't be encoded are left out.
    ///
    /// - Parameters:
    ///   - endpoint: The path, query, headers and body of the request.
    ///   - api: The endpoint's API, which has further headers and says how values are encoded.
    package init(_ endpoint: Endpoint, of api: CatalogueAPI) {
        let headers = api.requestBuilder.fields(of: endpoint)
        // The parts of a multipart body are read one by one, so no text is needed between them.
        let body = try? endpoint.body?.encoded(api.coding, boundary: "")
        // A Content-Type among the headers takes precedence over that of the body's own format.
        let contentTypeHeader = headers.first { $0.name.lowercased() == "content-type" }
        let contentType = contentTypeHeader?.value ?? body?.contentType
        bodyFormat = BodyFormat(contentType, isEmpty: body == nil)

        readPath(of: endpoint, coding: api.coding)
        let queryItems = (try? endpoint.query.items(api.coding)) ?? []
        for item in queryItems { addText(item.content, at: .query(item.name)) }
        for header in headers { addText(header.content, at: .header(header.name.lowercased())) }
        if let parts = body?.body.parts {
            addParts(parts, filePaths: .known)
        } else if let bytes = body?.body.bytes {
            readBody(bytes, contentType: contentType)
        }
    }

    /// Collects the texts of a request that was received, to compare them with those of a request of the endpoint.
    ///
    /// - Parameters:
    ///   - pathValues: The values in the request's path: `["7"]` for `/pets/7` and the template `/pets/{id}`.
    ///   - query: The query items.
    ///   - headers: The headers. Their names may be in any case.
    ///   - body: The body; empty if there is none.
    ///   - bodyFormat: The format of the endpoint's body, whatever the request's Content-Type says.
    package init(
        path pathValues: [String], query: [QueryItem], headers: [HTTPField], body: [UInt8],
        expecting bodyFormat: BodyFormat
    ) {
        self.bodyFormat = bodyFormat
        items += pathValues.enumerated().map { Item(.path($0), $1) }
        items += query.map { Item(.query($0.name), $0.value) }
        items += headers.map { Item(.header($0.name.lowercased()), $0.value) }
        if !body.isEmpty {
            let contentType = headers.first { $0.name.isSameName(as: "Content-Type") }?.value
            readBody(body, contentType: contentType)
        }
    }

    /// Returns the texts at a location, in their order in the request.
    package func texts(at place: Location) -> [String] { items.filter { $0.place == place }.map(\.text) }

    /// The members of a JSON body as items. A body that is no object is one item without keys.
    package var members: [Item] {
        guard let json else { return [] }
        guard let members = json.members else { return [Item(.json([]), "\(json)")] }
        return members.map { Item(.json([$0.key]), "\($0.value)") }
    }

    /// Returns the items that only one of two requests has: first those of this request, then those of `other`.
    ///
    /// For example, `/movie/550` and `/movie/71` differ in the items `550` and `71`, both at the value 0 of the path.
    package func difference(from other: ParameterTexts) -> [Item] {
        let allItems = items + secrets + members
        let allOtherItems = other.items + other.secrets + other.members
        let itemSet = Set(allItems)
        let otherItemSet = Set(allOtherItems)
        let onlyInThis = allItems.filter { !otherItemSet.contains($0) }
        let onlyInOther = allOtherItems.filter { !itemSet.contains($0) }
        return onlyInThis + onlyInOther
    }

    /// Returns the text that this request has where another request has `text`. Bodies are not compared.
    ///
    /// For example, if the other request has the query `limit=71` and this one has `limit=20`, the replacement of `71`
    /// is `20`.
    ///
    /// - Returns: The text; nil if it is the same, if this request has no text there, or if there are several.
    func replacement(of text: String, in other: ParameterTexts) -> String? {
        let itemsWithText = other.items.filter { $0.text == text && $0.place.part != .body }
        let replacements = itemsWithText.flatMap { texts(at: $0.place) }
        guard replacements.count == 1, replacements[0] != text else { return nil }
        return replacements[0]
    }
}

// MARK: - Reading

extension ParameterTexts {
    /// The number of bytes of the largest form that is read, because the fields of a form take ten times as much
    /// memory.
    private static let maxFormSize = 1 << 20

    /// Whether the paths of the files in a multipart body are known.
    private enum FilePaths {
        /// The body is about to be sent, so the files are on this machine.
        case known
        /// The body was received. It only has the files' names, which are not compared.
        case unknown
    }

    /// Reads the path of a request that an endpoint makes: its values as ``items``, and the ``literals`` between them.
    private mutating func readPath(of endpoint: Endpoint, coding: Coding) {
        let values = endpoint.path.values(coding)
        items += values.enumerated().map { Item(.path($0), $1) }
        for piece in endpoint.path.pieces {
            if case .literal(let text) = piece { literals.append(text) }
        }
        hasCompletePath = endpoint.url == nil && !values.contains("")
    }

    /// Adds a query item or header: to ``secrets`` if it holds one, or else to ``items``.
    ///
    /// A secret whose value is not known, such as one of a variable that is not set, is compared by its description.
    private mutating func addText(_ text: SensitiveText, at location: Location) {
        if text.holdsSecrets {
            let secret = (try? text.reveal()) ?? text.description
            secrets.append(Item(location, secret))
        } else {
            items.append(Item(location, text.description))
        }
    }

    /// Adds the fields and files of a multipart body.
    ///
    /// A part with a file name is a file. The text of a file is its path if that is known. The content of a stream is
    /// not read, because it can be read only once.
    private mutating func addParts(_ parts: [Part], filePaths: FilePaths) {
        for part in parts {
            switch part {
            case .field(let name, let value), .text(let name, let value, _):
                items.append(Item(.field(name), value))
            case .file(let name, let path, _, _):
                let text = filePaths == .known ? path : ""
                items.append(Item(.file(name), text))
            case .bytes(let name, let bytes, filename: nil, _):
                items.append(Item(.field(name), String(exactBytes: bytes)))
            case .stream(let name, _, filename: nil, _):
                items.append(Item(.field(name), ""))
            case .bytes(let name, _, filename: .some, _), .stream(let name, _, filename: .some, _):
                // These files have no path, and the content of files is not compared.
                items.append(Item(.file(name), ""))
            }
        }
    }

    /// Reads a body in ``bodyFormat``: JSON becomes ``json``, and the fields and files of forms become ``items``.
    ///
    /// A body in another format becomes a single item, and so does one that can't be read. For the latter, ``problem``
    /// is set too.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: The value of the Content-Type header, which has the boundary of a multipart body; nil if there
    ///     is no such header.
    private mutating func readBody(_ body: [UInt8], contentType: String?) {
        switch bodyFormat {
        case .none:
            // The endpoint has no body, so whatever body a request was received with is not compared.
            return
        case .other:
            // The whole body becomes an item below.
            break
        case .json: readJSON(body)
        case .form: readForm(body)
        case .multipart: readMultipart(body, contentType: contentType ?? "")
        }
        let isUnread = bodyFormat == .other || problem != nil
        if isUnread { items.append(Item(.body, String(exactBytes: body))) }
    }

    /// Reads a body as JSON into ``json``, or else sets ``problem``.
    private mutating func readJSON(_ body: [UInt8]) {
        do {
            json = JSONValue(try JSONDocument(body))
        } catch {
            problem = "the body is not JSON: \(error)"
        }
    }

    /// Adds the fields of a form: `a=1&b=2`. A form that is longer than ``maxFormSize`` is a ``problem``.
    private mutating func readForm(_ body: [UInt8]) {
        if body.count > Self.maxFormSize {
            problem = "the form is longer than \(Self.maxFormSize) bytes"
            return
        }
        let fields = FormText.items(String(exactBytes: body))
        items += fields.map { Item(.field($0.name), $0.value) }
    }

    /// Adds the fields and files of a received multipart body, or else sets ``problem``.
    private mutating func readMultipart(_ body: [UInt8], contentType: String) {
        guard let parts = MultipartReader.parts(body, contentType: contentType) else {
            problem = "the body is not multipart"
            return
        }
        addParts(parts, filePaths: .unknown)
    }
}

extension RequestBuilder {
    /// Whether the query item or header at `place` in requests for `endpoint` is a credential.
    func isCredential(_ place: ParameterTexts.Location, of endpoint: Endpoint) -> Bool {
        switch place {
        case .query(let name): isCredential(queryItem: name, of: endpoint)
        case .header(let name): isCredential(header: name, of: endpoint)
        case .path, .field, .file, .json, .body: false
        }
    }
}
