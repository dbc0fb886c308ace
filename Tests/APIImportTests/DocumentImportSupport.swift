import APIImport
import EndpointKit

/// An import of a small document, for tests.
enum SmallDocument {
    /// The error of a file that is not beside the document.
    struct NoFile: Error {
        let name: String
    }

    /// Imports a document.
    ///
    /// - Parameter others: The texts of the files beside the document, by name.
    static func imported(
        _ document: String, options: ImportChoices = ImportChoices(), others: [String: String] = [:]
    ) throws -> OpenAPIImport {
        try OpenAPIImport(Array(document.utf8), name: "api.json", options) { name in
            guard let text = others[name] else { throw NoFile(name: name) }
            return Array(text.utf8)
        }
    }

    /// A document of version 3.1 with a title, a server, and the members of `paths` and `schemas`.
    ///
    /// - Parameter more: Members of the document after `components`, with a leading comma.
    static func text(_ paths: String, schemas: String = "", more: String = "") -> String {
        """
        {"openapi": "3.1.0", "info": {"title": "Shop API", "version": "1"}, \
        "servers": [{"url": "https://shop.example/v1/"}],
         "paths": {\(paths)}, "components": {"schemas": {\(schemas)}}\(more)}
        """
    }

    /// An operation whose response has a schema.
    ///
    /// - Parameter more: Members of the operation before `responses`, with a trailing comma.
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

    /// The lines of the models that declare a type, a property or a case, without `public` and `Sendable`.
    var modelDeclarations: String {
        let declarations = [
            "public let ", "public var ", "public struct ", "public enum ", "public final class ", "case ",
        ]
        let lines = modelText.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
        let declaringLines = lines.filter { line in
            let isDeclaration = declarations.contains { line.hasPrefix($0) }
            let isCaseOfSwitch = line.hasSuffix(":") || line.contains("self = ")
            return isDeclaration && !isCaseOfSwitch
        }
        return
            declaringLines
            .map { $0.replacing("public ", with: "").replacing(", Sendable {", with: "") }
            .joined(separator: "\n")
    }
}
