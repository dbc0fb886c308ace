import EndpointKit
import JSONText

/// A complete response that a case of a file of cases is compared with: its head, its body, and its JSON.
package struct CheckedResponse: Sendable {
    package let head: ResponseHead
    package let body: [UInt8]
    /// The body as JSON; nil if it is not JSON. A stream of documents, one on each line, is one array.
    package let document: JSONDocument?

    /// Prepares to compare a response with requirements. If the body is JSON, it is read.
    ///
    /// - Parameters:
    ///   - response: The response, with its complete body.
    ///   - document: The body as JSON if it has been read already, such as one that was converted to UTF-8. Nil to read
    ///     it from the response: a stream of documents as an array of them, and any other body as one document.
    package init(_ response: Response, document: JSONDocument? = nil) {
        head = response.head
        body = response.body
        if let document {
            self.document = document
        } else if head.isDocumentStream {
            self.document = try? JSONDocument.list(of: body)
        } else {
            self.document = try? JSONDocument(body)
        }
    }

    /// The body as text; nil if it is not UTF-8.
    package var text: String? { String(validUTF8: body) }

    /// The values of all header fields of a name, in their order. Upper and lower case are the same in the name.
    package func values(ofHeader name: String) -> [String] {
        let fields = head.fields.filter { $0.name.lowercased() == name.lowercased() }
        return fields.map(\.value)
    }
}

extension JSONDocument {
    /// Returns the value around the end of a path, or else the next outer value that the document has.
    ///
    ///     {"items": [{"id": 7}]}    $.items[0].name        →    {"id": 7}
    ///     {"items": [{"id": 7}]}    $.items[0].owner.id    →    {"id": 7}, because it has no `owner`
    ///
    /// - Parameter path: A path in any of the notations of `JSONPath`. The document need not have a value there.
    /// - Returns: The value; the whole document if it has no other value on the way.
    package func valueEnclosing(_ path: String) -> JSONValue {
        var outerPath = path[...]
        // The path is shortened at its last separator until it selects something. A separator in a quoted name, such as
        // `['a.b']`, leaves half a name, which selects nothing.
        while let separator = outerPath.lastIndex(where: { $0 == "." || $0 == "[" }) {
            outerPath = outerPath[..<separator]
            if let query = try? JSONPath(String(outerPath)), let value = firstValue(at: query) { return value }
        }
        return JSONValue(self)
    }

    /// Returns the first value that a path selects; nil if there is none, or if the search takes too long.
    private func firstValue(at path: JSONPath) -> JSONValue? {
        var selectedValue: JSONValue?
        try? path.select(in: self, counting: StepCounter(for: self)) { slot in
            selectedValue = JSONValue(self, slot: slot)
            // False ends the search.
            return false
        }
        return selectedValue
    }
}
