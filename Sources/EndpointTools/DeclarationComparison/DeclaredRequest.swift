import EndpointKit
import JSONText

/// The requests of an endpoint as its declaration describes them: the method, the path, the parameters and the body.
package struct DeclaredRequest: Sendable {
    /// The method, such as `GET`.
    package let method: String
    /// The path with the names of its variables, as people read it: `/pets/{petId}`.
    package let path: String
    /// The path with `{}` in place of variables, percent-decoded: `/pets/{}`. Names of variables don't tell paths
    /// apart.
    package let template: String
    /// The path of the server's URL, without a slash at the end: `/v1`. It is empty if the URL has none.
    package let basePath: String
    package let parameters: [DeclaredParameter]
    /// The body; nil if requests have none.
    package let body: DeclaredBody?
    /// Whether the declaration names each cookie. In an enum, all cookies are one header.
    package let namesCookies: Bool

    /// Describes the requests of an endpoint.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - path: The path with the names of its variables.
    ///   - template: The path with `{}` in place of variables. It may be percent-encoded.
    ///   - serverURL: The URL of the server, absolute or a path alone; nil if there is none.
    ///   - parameters: The parameters in the path, the query, the headers and the cookies.
    ///   - body: The body; nil if requests have none.
    ///   - namesCookies: Whether the declaration names each cookie.
    package init(
        method: String, path: String, template: String, serverURL: String?, parameters: [DeclaredParameter],
        body: DeclaredBody?, namesCookies: Bool
    ) {
        self.method = method
        self.path = path
        // Two declarations may percent-encode different characters of the same path.
        self.template = PercentEncoding.decode(template)
        basePath = Self.path(ofURL: serverURL ?? "")
        self.parameters = parameters
        self.body = body
        self.namesCookies = namesCookies
    }

    /// Returns the path of a URL without a slash at the end: `/v1` for `https://shop.test/v1/` and for `/v1`.
    private static func path(ofURL url: String) -> String {
        var urlPath = url[...]
        if let schemeEnd = url.firstRange(of: "://")?.upperBound {
            let hostAndPath = url[schemeEnd...]
            urlPath = hostAndPath.drop { $0 != "/" }
        }
        while urlPath.hasSuffix("/") { urlPath.removeLast() }
        return PercentEncoding.decode(urlPath)
    }
}

/// A parameter in the path, the query, a header or a cookie of requests.
package struct DeclaredParameter: Sendable {
    /// The place of a parameter. Two parameters with the same place are the same parameter.
    package enum Place: Hashable, Sendable {
        /// The variable of the path with that index.
        case path(Int)
        /// The query item with that name.
        case query(String)
        /// The header with that name in lower case.
        case header(String)
        /// The cookie with that name.
        case cookie(String)

        /// The part of the request, as reports name it.
        var part: String {
            switch self {
            case .path: "path"
            case .query: "query"
            case .header: "header"
            case .cookie: "cookie"
            }
        }

        /// Whether the parameter is a cookie.
        var isCookie: Bool { if case .cookie = self { true } else { false } }
    }

    /// The way in which a query holds the elements of a list.
    package enum ListStyle: Hashable, Sendable {
        /// Each element is an item of its own: `tag=a&tag=b`.
        case separateItems
        /// One item has all elements, with a text between them: `tag=a,b`.
        case joined(by: String)

        /// The style in the words of a report.
        var phrase: String {
            switch self {
            case .separateItems: "an item for each element"
            case .joined(by: "\t"): "elements joined by tabs"
            case .joined(let separator): "elements joined by '\(separator)'"
            }
        }
    }

    package let place: Place
    /// The name as the declaration has it.
    package let name: String
    package let isRequired: Bool
    /// The shape of the value.
    package let shape: ModelShape
    /// The style of a list in a query; nil for anything else, and if the style is not known.
    package let listStyle: ListStyle?
    /// Whether the whole value is one text, even if it is a list or an object.
    package let isOneText: Bool
    /// The path to the parameter in the declaration. A member of an object in the query has the path of that member.
    package let path: DeclarationPath

    /// Describes a parameter.
    ///
    /// - Parameters:
    ///   - place: The place in the request.
    ///   - name: The name as the declaration has it.
    ///   - isRequired: Whether each request must have it.
    ///   - shape: The shape of the value.
    ///   - listStyle: The style of a list in a query; nil for anything else, and if the style is not known.
    ///   - isOneText: Whether the whole value is one text, even if it is a list or an object.
    ///   - path: The path to the parameter in the declaration; nil for the path of the whole parameter at `place`.
    package init(
        _ place: Place, name: String, isRequired: Bool, shape: ModelShape, listStyle: ListStyle? = nil,
        isOneText: Bool, path: DeclarationPath? = nil
    ) {
        self.place = place
        self.name = name
        self.isRequired = isRequired
        self.shape = shape
        self.listStyle = listStyle
        self.isOneText = isOneText
        self.path = path ?? DeclarationPath(.parameter(place))
    }

    /// Whether the parameter is an enum with a single value, which all requests have, so that callers don't know of it.
    var isConstant: Bool { if case .values(let values) = shape.root { values.count == 1 } else { false } }
}

/// The body of requests.
package struct DeclaredBody: Sendable {
    package let isRequired: Bool
    /// The body in each of its media types.
    package let contents: [DeclaredContent]

    package init(isRequired: Bool, contents: [DeclaredContent]) {
        self.isRequired = isRequired
        self.contents = contents
    }
}

/// The body of requests in one media type.
package struct DeclaredContent: Sendable {
    /// A media type or range, by which contents are found in the other declaration.
    package enum MediaType: Hashable, Sendable {
        /// JSON in any of its media types.
        case json
        /// Any other type or range in lower case, without parameters: `text/plain`, `image/*`.
        case other(String)

        /// Returns the media type of a body.
        ///
        /// - Parameter contentType: The media type, such as `text/plain; charset=utf-8`.
        package init(contentType: String) {
            let name = MediaTypeName(contentType)
            self = name.isJSON ? .json : .other(name.essence)
        }

        /// The media type in the words of a report.
        var text: String {
            switch self {
            case .json: "application/json"
            case .other(let text): text
            }
        }

        /// Whether a body of another media type is also of this one (RFC 9110, section 12.5.1).
        func includes(_ other: MediaType) -> Bool {
            self == other || MediaTypeName(text).includes(MediaTypeName(other.text))
        }
    }

    package let mediaType: MediaType
    /// The shape of the body; nil if it is bytes.
    package let shape: ModelShape?

    package init(_ mediaType: MediaType, _ shape: ModelShape?) {
        self.mediaType = mediaType
        self.shape = shape
    }
}
