import JSONText
import OpenAPI

/// Documents for tests.
enum Documents {
    struct NoFile: Error, CustomStringConvertible {
        let name: String
        var description: String { "no file '\(name)'" }
    }

    /// Returns a document with a text, which has other files beside it.
    static func document(_ text: String, files: [String: String] = [:]) throws -> OpenAPIDocument {
        try OpenAPIDocument(SourceDocument(Array(text.utf8)), name: "apis/shop.json") { name in
            guard let text = files[name] else { throw NoFile(name: name) }
            return try SourceDocument(Array(text.utf8))
        }
    }

    /// Returns the only operation of a document whose path `/x` has the members of `operation` for the method GET.
    static func operation(
        _ operation: String, version: String = #""openapi": "3.1.0""#, more: String = "",
        files: [String: String] = [:]
    ) throws -> OperationObject {
        let text = #"{\#(version), "paths": {"/x": {"get": {\#(operation)}}}\#(more)}"#
        let document = try document(text, files: files)
        return document.operation(document.operations().parts[0])
    }
}
