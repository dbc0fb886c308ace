import JSONText

/// The part of an operation that a list of operations shows.
///
/// It is read without the rest of the operation, so that a list of 1,000 operations takes milliseconds.
package struct OperationSummary: Sendable {
    /// The method in capitals, as it is sent: `GET`.
    package let method: String
    /// The path with its variables in braces: `/pets/{id}`.
    package let path: String
    /// The `operationId`; nil if it is missing or empty.
    package let operationID: String?
    package let tags: [String]
    /// The `summary` of the operation; nil if it is missing. The `description` does not replace it.
    package let summary: String?
    package let isDeprecated: Bool

    /// The Operation Object.
    let value: JSONValue
    /// The Path Item Object around it.
    let pathItem: JSONValue

    /// Reads the summary of an operation.
    ///
    /// - Parameters:
    ///   - method: The method in capitals.
    ///   - path: The path with its variables in braces.
    ///   - value: The Operation Object.
    ///   - pathItem: The Path Item Object around it.
    init(method: String, path: String, value: JSONValue, pathItem: JSONValue) {
        self.method = method
        self.path = path
        self.value = value
        self.pathItem = pathItem
        let id = value["operationId"]?.string ?? ""
        operationID = id.isEmpty ? nil : id
        tags = value["tags"]?.elements?.compactMap(\.string) ?? []
        summary = value["summary"]?.string
        isDeprecated = value["deprecated"]?.bool ?? false
    }
}
