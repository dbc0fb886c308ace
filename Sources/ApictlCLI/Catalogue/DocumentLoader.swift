import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// A document that has been read, from which an API is made.
struct LoadedDocument: Sendable {
    let source: DocumentSource
    let document: OpenAPIDocument
    /// The name of the API.
    let apiName: String

    /// Makes the API of the document.
    ///
    /// - Parameter choices: The user's choices for the APIs of documents.
    /// - Throws: ``UsageError`` for a `--server-variable` with a value that the document does not allow.
    func makeAPI(with choices: DocumentCatalogue.Options) throws(UsageError) -> CatalogueAPI {
        do {
            // A document at a URL may give its servers relative to this URL.
            let url = source.isURL ? source.word.text : nil
            return CatalogueAPI(try DocumentCatalogue(document, name: apiName, documentURL: url, options: choices))
        } catch {
            throw UsageError("--server-variable: \(error)", see: "help documents")
        }
    }
}

/// Reads OpenAPI documents from files and URLs.
struct DocumentLoader: Sendable {
    private let context: CommandContext

    /// The longest document, in bytes. The largest public ones have about 20 MB.
    private static let maxBytes = 256 << 20

    init(_ context: CommandContext) { self.context = context }

    /// Reads a document from its file, or requests it from its URL.
    ///
    /// - Returns: The document with the name of its API: the given one, or one made from the document's title or file.
    /// - Throws: ``UsageError`` for a text that is no document, ``FileError``, and ``Failure`` for a URL that can't be
    ///   read.
    func loadDocument(from source: DocumentSource) async throws -> LoadedDocument {
        do {
            let document = try await readDocument(source)
            let apiName = source.name ?? Self.defaultAPIName(of: document, in: source.word.text)
            return LoadedDocument(source: source, document: document, apiName: apiName)
        } catch let error as UnreadableDocument {
            throw UsageError(error.description, see: "help documents")
        } catch let error as OpenAPIError {
            throw UsageError(error.description, see: "help documents")
        }
    }

    /// Returns a name for a document's API: its title in kebab case, or else the name of its file.
    ///
    /// `Pet Store` becomes `pet-store`. Without a title, `docs/shop.v2.yaml` becomes `shop`. If neither has a letter or
    /// digit, the name is `api`.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - file: Its file or URL.
    private static func defaultAPIName(of document: OpenAPIDocument, in file: String) -> String {
        if let title = document.info.title, let nameFromTitle = DocumentCatalogue.name(title) { return nameFromTitle }
        let lastComponent = file.split(separator: "/").last ?? ""
        let baseName = lastComponent.prefix { $0 != "." }
        return DocumentCatalogue.name(String(baseName)) ?? "api"
    }

    /// Returns the file or URL of a document for messages. The query of a URL is left out, because it may hold a
    /// secret.
    private func shownName(of source: DocumentSource) -> String {
        let text = source.word.text
        return source.isURL ? String(text.prefix { $0 != "?" && $0 != "#" }) : text
    }

    // MARK: Documents

    /// Reads a document from its file, or requests it from its URL.
    ///
    /// - Throws: `UnreadableDocument`, `OpenAPIError`, and the errors of reading and requesting.
    private func readDocument(_ source: DocumentSource) async throws -> OpenAPIDocument {
        source.isURL ? try await downloadDocument(source) : try readFile(shownName(of: source))
    }

    /// Reads a document from a file of this machine. The files that it refers to are read when the document asks for
    /// them.
    ///
    /// - Throws: `UnreadableDocument`, `OpenAPIError`, and the errors of reading.
    private func readFile(_ path: String) throws -> OpenAPIDocument {
        let bytes = try context.environment.readFile(path, limit: Self.maxBytes).bytes
        let document = try SourceDocument(bytes, name: path)
        return try OpenAPIDocument(document, name: path, loadFile: fileLoader(besideDocument: path))
    }

    /// Requests a document from its URL. All files that it refers to are requested in advance, because a document loads
    /// its files synchronously.
    ///
    /// - Throws: `UnreadableDocument`, `OpenAPIError`, and the errors of requesting.
    private func downloadDocument(_ source: DocumentSource) async throws -> OpenAPIDocument {
        // Without the query, which may hold a secret. Relative references do not depend on it (RFC 3986, section 5.2.2).
        let url = shownName(of: source)
        var download = DocumentDownload(context, maxBytes: Self.maxBytes)
        let bytes = try await download.requestDocument(at: source.word, followsRedirects: true)
        let document = try SourceDocument(bytes, name: url)
        let files = try await download.requestFiles(referencedBy: document, at: url)
        return try OpenAPIDocument(document, name: url, loadFile: files.file)
    }

    /// Returns a function that loads files of this machine. Their paths are relative to the directory of a document.
    private func fileLoader(besideDocument documentPath: String) -> @Sendable (String) throws -> SourceDocument {
        let directory = FilePlace.directory(of: documentPath)
        let environment = context.environment
        return { path in
            let file = directory.isEmpty ? path : "\(directory)/\(path)"
            let bytes = try environment.readFile(file, limit: Self.maxBytes).bytes
            return try SourceDocument(bytes, name: file)
        }
    }
}
