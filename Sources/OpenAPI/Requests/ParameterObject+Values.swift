import EndpointKit
import JSONText

/// The values of parameters in requests.
extension ParameterObject {
    /// Returns the text of a value in the media type of ``content``.
    ///
    /// - Returns: JSON text, or the plain text of a value in another media type. Nil if the parameter has a style
    ///   instead.
    private func contentText(_ value: JSONValue) -> String? {
        guard let content else { return nil }
        let isJSON = MediaTypeName(content.contentType).isJSON
        return isJSON ? StyledValue.jsonText(of: value) : StyledValue.text(of: value)
    }

    /// Returns the percent-encoded text of a value in the path; empty if the value is undefined, as null is.
    func pathText(_ value: JSONValue) -> String {
        if let text = contentText(value) { return PercentEncoding.encode(text) }
        return StyledValue(value).map { ValueStyle(self).pathText($0) } ?? ""
    }

    /// Returns the items of a value in the query: one item with the text of a media type, or those that the style
    /// makes.
    func queryItems(_ value: JSONValue) -> [QueryItem] {
        if let text = contentText(value) { return [QueryItem(name, text)] }
        return ValueStyle(self).queryItems(value)
    }

    /// Returns the items of a query that is one value (OpenAPI 3.2, `in: querystring`).
    ///
    ///     a form              {"a": 1, "b": 2}    a=1&b=2
    ///     application/json    {"a": 1}            %7B%22a%22%3A1%7D
    ///
    /// A form has an item for each member. Any other text is the whole query, percent-encoded.
    func queryStringItems(_ value: JSONValue) -> [QueryItem] {
        let isForm = content.map { MediaTypeName($0.contentType).isForm } ?? true
        if isForm, let members = value.members {
            return FormFields(encodings: content?.encodings ?? [:], fileNames: []).items(members)
        }
        let text = contentText(value) ?? StyledValue.text(of: value)
        // An item without a name has no `=`: the encoded text is all that is sent.
        return [QueryItem("", text, encodedText: PercentEncoding.encode(text))]
    }

    /// Returns the header of a value.
    ///
    /// The header is checked when a request is made, so line breaks in its value are no matter here.
    ///
    /// - Returns: The header; nil if the value is undefined, as null is.
    func header(_ value: JSONValue) -> HTTPField? {
        if let text = contentText(value) { return HTTPField(name, text) }
        return StyledValue(value).map { HTTPField(name, ValueStyle(self).headerText($0)) }
    }

    /// Returns the cookies of a value, each as `name=value`.
    ///
    /// - Parameters:
    ///   - value: The value of the parameter.
    ///   - identifier: The identifier of the parameter, for the error.
    /// - Returns: The cookies; empty if the value is undefined, as null is.
    /// - Throws: ``CallValueError`` if a cookie that is sent as it is would start another one.
    func cookies(_ value: JSONValue, _ identifier: String) throws(CallValueError) -> [String] {
        if let text = contentText(value) { return ["\(name)=" + PercentEncoding.encode(text)] }
        guard let styled = StyledValue(value) else { return [] }
        let cookies = ValueStyle(self).cookies(styled)
        guard !cookies.contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }) else {
            throw .cookie(identifier: identifier)
        }
        return cookies
    }
}
