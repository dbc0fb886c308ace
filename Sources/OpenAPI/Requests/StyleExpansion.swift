import EndpointKit
import JSONText

/// The way in which the value of a parameter or field is written in a request (OpenAPI 3.1, section 4.8.12.3).
struct ValueStyle {
    /// The name of the parameter or field.
    let name: String
    let style: ParameterObject.Style
    /// Whether each element of an array, or member of an object, is written as a value of its own.
    let isExploded: Bool
    /// Whether reserved characters such as `/` are sent without percent-encoding.
    let allowsReserved: Bool

    /// Creates a style from its parts.
    init(name: String, style: ParameterObject.Style, isExploded: Bool, allowsReserved: Bool) {
        self.name = name
        self.style = style
        self.isExploded = isExploded
        self.allowsReserved = allowsReserved
    }

    /// Creates the style that a document declares for a parameter.
    init(_ parameter: ParameterObject) {
        self.init(
            name: parameter.name, style: parameter.style, isExploded: parameter.isExploded,
            allowsReserved: parameter.allowsReserved)
    }

    /// The text between the elements of an array that is not exploded.
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
    /// Returns a value as a percent-encoded part of a path.
    ///
    ///     value          style     not exploded         exploded
    ///     blue, black    matrix    ;color=blue,black    ;color=blue;color=black
    ///     blue, black    label     .blue,black          .blue.black
    ///     blue, black    simple    blue,black           blue,black
    ///
    /// All other styles are written like `simple`, with the delimiter of the style. OpenAPI does not define them for
    /// paths.
    func pathText(_ value: StyledValue) -> String {
        let encoding = allowsReserved ? TextEncoding.reservedInPath : .unreserved
        switch style {
        case .matrix: return matrixText(of: value, encoding: encoding)
        case .label: return "." + joinedText(of: value, delimiter: isExploded ? "." : ",", encoding: encoding)
        case .spaceDelimited, .pipeDelimited, .tabDelimited:
            return joinedText(of: value, delimiter: PercentEncoding.encode(delimiter), encoding: encoding)
        case .simple, .form, .deepObject, .cookie: return joinedText(of: value, delimiter: ",", encoding: encoding)
        }
    }

    /// Returns a value as the text of a header: `blue,black`. OpenAPI sends headers without percent-encoding.
    func headerText(_ value: StyledValue) -> String { joinedText(of: value, delimiter: delimiter, encoding: .verbatim) }

    /// Returns the elements or members of a value with a delimiter between them.
    ///
    ///     value                   not exploded    exploded
    ///     ["blue", "black"]       blue,black      blue,black
    ///     {"R": 100, "G": 200}    R,100,G,200     R=100,G=200
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - delimiter: The text between two elements or members. It is not encoded.
    ///   - encoding: The encoding of keys and values.
    private func joinedText(of value: StyledValue, delimiter: String, encoding: TextEncoding) -> String {
        if isExploded, case .pairs(let pairs) = value {
            let members = pairs.map { encoding.encoded($0.key) + "=" + encoding.encoded($0.value) }
            return members.joined(separator: delimiter)
        }
        return value.flatTexts.map(encoding.encoded).joined(separator: delimiter)
    }

    /// Returns a value as path-style parameters (RFC 6570, section 3.2.7).
    ///
    ///     value                   not exploded          exploded
    ///     ""                      ;color                ;color
    ///     ["blue", "black"]       ;color=blue,black     ;color=blue;color=black
    ///     {"R": 100, "G": 200}    ;color=R,100,G,200    ;R=100;G=200
    private func matrixText(of value: StyledValue, encoding: TextEncoding) -> String {
        let encodedName = PercentEncoding.encode(name)
        switch value {
        case .text(""):
            return ";" + encodedName
        case .list(let texts) where isExploded:
            return texts.map { ";\(encodedName)=\(encoding.encoded($0))" }.joined()
        case .pairs where isExploded:
            return ";" + joinedText(of: value, delimiter: ";", encoding: encoding)
        case .text, .list, .pairs:
            return ";\(encodedName)=" + joinedText(of: value, delimiter: ",", encoding: encoding)
        }
    }
}

// MARK: Queries, forms and cookies

extension ValueStyle {
    /// Returns a value as items of a query or form.
    ///
    ///     value                   style            not exploded          exploded
    ///     ["blue", "black"]       form             color=blue,black      color=blue&color=black
    ///     ["blue", "black"]       pipeDelimited    color=blue%7Cblack    color=blue&color=black
    ///     {"R": 100, "G": 200}    form             color=R,100,G,200     R=100&G=200
    ///     {"R": 100, "G": 200}    deepObject       color[R]=100&color[G]=200, with percent-encoded brackets
    ///
    /// The style `deepObject` writes an array like an exploded `form`. Styles that OpenAPI does not define for queries
    /// are written like `form`.
    ///
    /// - Returns: The items; empty for null, and for an array or object that is empty.
    func queryItems(_ value: JSONValue) -> [QueryItem] {
        if style == .deepObject, value.members != nil {
            // An array inside of the object has no indexes: `color[tags]=a&color[tags]=b`.
            return QueryItem.items(name, value, isIndexed: false).map {
                item(named: $0.name, value: $0.value.description)
            }
        }
        guard let styled = StyledValue(value) else { return [] }
        switch styled {
        case .text(let text): return [item(named: name, value: text)]
        case .list(let texts) where isExploded || style == .deepObject:
            return texts.map { item(named: name, value: $0) }
        case .pairs(let pairs) where isExploded: return pairs.map { item(named: $0.key, value: $0.value) }
        case .list, .pairs: return [joinedItem(styled.flatTexts)]
        }
    }

    /// The encoding of values in queries and forms.
    private var queryEncoding: TextEncoding { allowsReserved ? .reservedInQuery : .unreserved }

    /// Returns an item of a query.
    ///
    /// With `allowReserved`, the item `path=a/b` is sent as it is. Usually, it would be sent as `path=a%2Fb`.
    private func item(named name: String, value: String) -> QueryItem {
        guard allowsReserved else { return QueryItem(name, value) }
        let encodedText = PercentEncoding.encode(name) + "=" + queryEncoding.encoded(value)
        return QueryItem(name, value, encodedText: encodedText)
    }

    /// Returns an item of a query with several texts as its value: `color=blue,black`.
    ///
    /// A comma is the only delimiter that is sent without percent-encoding (RFC 6570, section 3.2.8).
    private func joinedItem(_ texts: [String]) -> QueryItem {
        let sentDelimiter = delimiter == "," ? "," : PercentEncoding.encode(delimiter)
        let values = texts.map(queryEncoding.encoded).joined(separator: sentDelimiter)
        let encodedText = PercentEncoding.encode(name) + "=" + values
        return QueryItem(name, texts.joined(separator: delimiter), encodedText: encodedText)
    }

    /// Returns a value as cookies of the form `name=value`.
    ///
    ///     value                   not exploded         exploded
    ///     ["blue", "black"]       color=blue,black     color=blue, color=black
    ///     {"R": 100, "G": 200}    color=R,100,G,200    R=100, G=200
    ///
    /// The style `form` percent-encodes values, and the style `cookie` sends them as they are.
    func cookies(_ value: StyledValue) -> [String] {
        let encoding = style == .cookie ? TextEncoding.verbatim : .unreserved
        switch value {
        case .list(let texts) where isExploded:
            return texts.map { cookie(named: name, encodedValue: encoding.encoded($0)) }
        case .pairs(let pairs) where isExploded:
            return pairs.map { cookie(named: $0.key, encodedValue: encoding.encoded($0.value)) }
        case .text, .list, .pairs:
            return [cookie(named: name, encodedValue: value.flatTexts.map(encoding.encoded).joined(separator: ","))]
        }
    }

    /// Returns a cookie. A name that is not a token is percent-encoded (RFC 6265, section 4.1.1).
    private func cookie(named name: String, encodedValue: String) -> String {
        let isToken = !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
        return (isToken ? name : PercentEncoding.encode(name)) + "=" + encodedValue
    }
}
