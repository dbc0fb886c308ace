import EndpointKit
import JSONText

/// Writes the values of parameters into requests.
extension ParameterObject {
    /// Returns a value as text in the media type of the parameter's `content`.
    ///
    /// - Returns: JSON text or plain text. Nil if the parameter has no `content`, so that its style writes the value.
    private func contentText(_ value: JSONValue) -> String? {
        guard let content else { return nil }
        let isJSON = MediaTypeName(content.contentType).isJSON
        return isJSON ? StyledValue.jsonText(of: value) : StyledValue.text(of: value)
    }

    /// Returns a value as percent-encoded text of the path.
    ///
    /// The text is empty for null, and for an empty array or object.
    func pathText(_ value: JSONValue) -> String {
        if let text = contentText(value) { return PercentEncoding.encode(text) }
        return StyledValue(value).map { ValueStyle(self).pathText($0) } ?? ""
    }

    /// Returns a value as items of the query.
    ///
    ///     name color, style form    ["blue", "black"]  →  color=blue&color=black
    ///     name filter, JSON         {"a": 1}           →  filter={"a":1}
    func queryItems(_ value: JSONValue) -> [QueryItem] {
        if let text = contentText(value) { return [QueryItem(name, text)] }
        return ValueStyle(self).queryItems(value)
    }

    /// Returns a value as the whole query (`in: querystring` of OpenAPI 3.2).
    ///
    ///     application/x-www-form-urlencoded    {"a": 1, "b": 2}  →  a=1&b=2
    ///     application/json                     {"a": 1}          →  %7B%22a%22%3A1%7D
    func queryStringItems(_ value: JSONValue) -> [QueryItem] {
        let isForm = content.map { MediaTypeName($0.contentType).isForm } ?? true
        if isForm, let members = value.members {
            return FormFields(encodings: content?.encodings ?? [:], fileFieldNames: []).items(members)
        }
        let text = contentText(value) ?? StyledValue.text(of: value)
        // Only the encoded text of this item is sent, without a name and `=`.
        return [QueryItem("", text, encodedText: PercentEncoding.encode(text))]
    }

    /// Returns a value as a header, such as `X-Colors: blue,black`.
    ///
    /// The value may contain line breaks. All headers are checked when the request is made.
    ///
    /// - Returns: The header; nil for null, and for an empty array or object.
    func header(_ value: JSONValue) -> HTTPField? {
        if let text = contentText(value) { return HTTPField(name, text) }
        return StyledValue(value).map { HTTPField(name, ValueStyle(self).headerText($0)) }
    }

    /// Returns a value as cookies of the form `name=value`.
    ///
    /// - Parameters:
    ///   - value: The value of the parameter.
    ///   - identifier: The identifier of the parameter. An error names it.
    /// - Returns: The cookies; empty for null, and for an empty array or object.
    /// - Throws: ``CallValueError`` if a cookie contains a semicolon, which would start another cookie.
    func cookies(_ value: JSONValue, identifier: String) throws(CallValueError) -> [String] {
        if let text = contentText(value) { return ["\(name)=" + PercentEncoding.encode(text)] }
        guard let styled = StyledValue(value) else { return [] }
        let cookies = ValueStyle(self).cookies(styled)
        let hasSemicolon = cookies.contains { $0.utf8.contains(UInt8(ascii: ";")) }
        if hasSemicolon { throw .cookie(identifier: identifier) }
        return cookies
    }
}
