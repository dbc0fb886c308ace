import EndpointKit
import JSONText

/// The way in which a named value is written (OpenAPI 3.1, section 4.8.12.3).
struct ValueStyle {
    let name: String
    let style: ParameterObject.Style
    let isExploded: Bool
    let allowsReserved: Bool

    /// Makes the style of a value with a name.
    init(name: String, style: ParameterObject.Style, isExploded: Bool, allowsReserved: Bool) {
        self.name = name
        self.style = style
        self.isExploded = isExploded
        self.allowsReserved = allowsReserved
    }

    /// Makes the style that a document declares for a parameter.
    init(_ parameter: ParameterObject) {
        self.init(
            name: parameter.name, style: parameter.style, isExploded: parameter.isExploded,
            allowsReserved: parameter.allowsReserved)
    }

    /// The delimiter of a list that is not exploded: a comma unless the style has another one.
    var delimiter: String {
        switch style {
        case .spaceDelimited: " "
        case .pipeDelimited: "|"
        case .tabDelimited: "\t"
        case .matrix, .label, .simple, .form, .deepObject, .cookie: ","
        }
    }
}

// MARK: Paths and headers

extension ValueStyle {
    /// Returns a value of a path, percent-encoded, in the style matrix, label or simple.
    ///
    ///     matrix    ;color=blue,black    exploded    ;color=blue;color=black
    ///     label     .blue,black          exploded    .blue.black
    ///     simple    blue,black           exploded    blue,black
    ///
    /// A style that OpenAPI does not define for paths is treated like simple, with the delimiter of the style.
    func pathText(_ value: StyledValue) -> String {
        let encoding = allowsReserved ? TextEncoding.reservedInPath : .unreserved
        switch style {
        case .matrix: return matrixText(value, encoding)
        case .label: return "." + joined(value, by: isExploded ? "." : ",", encoding)
        case .spaceDelimited, .pipeDelimited, .tabDelimited:
            return joined(value, by: PercentEncoding.encode(delimiter), encoding)
        case .simple, .form, .deepObject, .cookie: return joined(value, by: ",", encoding)
        }
    }

    /// Returns a value of a header: `blue,black`. It is not percent-encoded, because OpenAPI leaves headers as they
    /// are.
    func headerText(_ value: StyledValue) -> String { joined(value, by: delimiter, .verbatim) }

    /// Returns the elements or members of a value with a delimiter between them.
    ///
    ///     {"R": 100, "G": 200}    R,100,G,200    exploded    R=100,G=200
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - delimiter: The delimiter as it is sent.
    ///   - encoding: The encoding of keys and values.
    private func joined(_ value: StyledValue, by delimiter: String, _ encoding: TextEncoding) -> String {
        if isExploded, case .pairs(let pairs) = value {
            let members = pairs.map { encoding.encoded($0.key) + "=" + encoding.encoded($0.value) }
            return members.joined(separator: delimiter)
        }
        return value.flatTexts.map(encoding.encoded).joined(separator: delimiter)
    }

    /// Returns path-style parameters (RFC 6570, section 3.2.7).
    ///
    ///     an empty text              ;color
    ///     blue and black             ;color=blue,black    exploded    ;color=blue;color=black
    ///     {"R": 100, "G": 200}       ;color=R,100,G,200   exploded    ;R=100;G=200
    private func matrixText(_ value: StyledValue, _ encoding: TextEncoding) -> String {
        let encodedName = PercentEncoding.encode(name)
        switch value {
        case .text(""):
            return ";" + encodedName
        case .list(let texts) where isExploded:
            return texts.map { ";\(encodedName)=\(encoding.encoded($0))" }.joined()
        case .pairs where isExploded:
            return ";" + joined(value, by: ";", encoding)
        case .text, .list, .pairs:
            return ";\(encodedName)=" + joined(value, by: ",", encoding)
        }
    }
}

// MARK: Queries, forms and cookies

extension ValueStyle {
    /// Returns the items of a value in a query or form.
    ///
    ///     form              color=blue,black      exploded    color=blue&color=black
    ///     pipeDelimited     color=blue%7Cblack
    ///     deepObject        color[R]=100&color[G]=200, with the brackets percent-encoded
    ///
    /// A style that OpenAPI does not define for queries is treated like form. With deepObject, a list has an item for
    /// each element, as in form with `explode`.
    ///
    /// - Returns: The items; none for null, and for an array or object without elements or members.
    func queryItems(_ value: JSONValue) -> [QueryItem] {
        if style == .deepObject, value.members != nil {
            // Elements of lists have no index: `tags[]=a`, and not `tags[0]=a`.
            return QueryItem.items(name, value, isIndexed: false).map { item($0.name, $0.value.description) }
        }
        guard let styled = StyledValue(value) else { return [] }
        switch styled {
        case .text(let text): return [item(name, text)]
        case .list(let texts) where isExploded || style == .deepObject: return texts.map { item(name, $0) }
        case .pairs(let pairs) where isExploded: return pairs.map { item($0.key, $0.value) }
        case .list, .pairs: return [joinedItem(styled.flatTexts)]
        }
    }

    /// The encoding of values in queries and forms.
    private var queryEncoding: TextEncoding { allowsReserved ? .reservedInQuery : .unreserved }

    /// Returns an item of a query.
    ///
    /// With `allowReserved`, the item has a text that is sent in place of the usual encoding.
    private func item(_ name: String, _ value: String) -> QueryItem {
        guard allowsReserved else { return QueryItem(name, value) }
        let encodedText = PercentEncoding.encode(name) + "=" + queryEncoding.encoded(value)
        return QueryItem(name, value, encodedText: encodedText)
    }

    /// Returns an item with texts between delimiters. A comma is sent as it is, because RFC 6570 writes it so.
    private func joinedItem(_ texts: [String]) -> QueryItem {
        let sentDelimiter = delimiter == "," ? "," : PercentEncoding.encode(delimiter)
        let values = texts.map(queryEncoding.encoded).joined(separator: sentDelimiter)
        let encodedText = PercentEncoding.encode(name) + "=" + values
        return QueryItem(name, texts.joined(separator: delimiter), encodedText: encodedText)
    }

    /// Returns the cookies of a value, each as `name=value`.
    ///
    /// Values are percent-encoded in the style form, and sent as they are in the style cookie. Exploded arrays and
    /// objects are several cookies.
    func cookies(_ value: StyledValue) -> [String] {
        let encoding = style == .cookie ? TextEncoding.verbatim : .unreserved
        switch value {
        case .list(let texts) where isExploded:
            return texts.map { cookie(name, encoding.encoded($0)) }
        case .pairs(let pairs) where isExploded:
            return pairs.map { cookie($0.key, encoding.encoded($0.value)) }
        case .text, .list, .pairs:
            return [cookie(name, value.flatTexts.map(encoding.encoded).joined(separator: ","))]
        }
    }

    /// Returns a cookie, whose name is percent-encoded if it is no token (RFC 6265, section 4.1.1).
    private func cookie(_ name: String, _ encodedValue: String) -> String {
        let isToken = !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
        return (isToken ? name : PercentEncoding.encode(name)) + "=" + encodedValue
    }
}
