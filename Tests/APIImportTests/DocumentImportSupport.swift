import APIImport
import EndpointKit

/// An import of a small document, for tests.
enum SmallDocument {
    /// The error of a file that is not beside the document.
    struct NoFile: Error {
        let name: String
    }

    /// Imports a document with the files beside it.
    static func imported(
        _ document: String, options: ImportChoices = ImportChoices(), others: [String: String] = [:]
    ) throws -> OpenAPIImport {
        try OpenAPIImport(Array(document.utf8), name: "api.json", options) { name in
            guard let text = others[name] else { throw NoFile(name: name) }
            return Array(text.utf8)
        }
    }

    /// A document with these paths and schemas.
    static func text(_ paths: String, schemas: String = "", more: String = "") -> String {
        """
        {"openapi": "3.1.0", "info": {"title": "Shop API", "version": "1"}, "servers": [{"url": "https://shop.example/v1/"}],
         "paths": {\(paths)}, "components": {"schemas": {\(schemas)}}\(more)}
        """
    }

    /// An operation whose response has a schema.
    static func operation(_ response: String, more: String = "") -> String {
        #"{\#(more)"responses": {"200": {"content": {"application/json": {"schema": \#(response)}}}}}"#
    }

    /// An operation whose JSON body has a schema.
    static func sending(_ body: String, required: Bool = true) -> String {
        #"{"requestBody": {"required": \#(required), "content": {"application/json": {"schema": \#(body)}}}}"#
    }
}

extension OpenAPIImport {
    /// The text of a file.
    func text(_ file: String) -> String { files.first { $0.path == file }?.text ?? "" }

    /// The text of all files.
    var allText: String { files.map(\.text).joined() }

    /// The text of all models.
    var modelText: String { files.filter { $0.path.hasPrefix("Models/") }.map(\.text).joined() }
}
