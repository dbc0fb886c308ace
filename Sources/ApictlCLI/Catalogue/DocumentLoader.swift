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
    func api(_ choices: DocumentCatalogue.Options) throws(UsageError) -> CatalogueAPI {
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

    /// Reads a document.
    ///
    /// - Returns: The document with the name of its API: the given one, or one made from the document's title or file.
    /// - Throws: ``UsageError`` for a text that is no document, ``FileError``, and ``Failure`` for a URL that can't be
    ///   read.
    func document(_ source: DocumentSource) async throws -> LoadedDocument {
        do {
            let document = try await openAPIDocument(source)
            let apiName = source.name ?? Self.name(of: document, in: source.word.text)
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
    private static func name(of document: OpenAPIDocument, in file: String) -> String {
        if let title = document.info.title, let name = DocumentCatalogue.name(title) { return name }
        let base = file.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
        return DocumentCatalogue.name(String(base)) ?? "api"
    }

    /// Returns the file or URL of a document for messages. The query of a URL is left out, because it may hold a
    /// secret.
    private func shownName(of source: DocumentSource) -> String {
        let text = source.word.text
        return source.isURL ? String(text.prefix { $0 != "?" && $0 != "#" }) : text
    }

    // MARK: Documents

    /// Reads a document of a file or URL.
    ///
    /// The files that a document refers to are read in two ways. Beside a file, they are read when the document asks
    /// for them. Beside a URL, they are all requested first, because a document loads its files synchronously.
    ///
    /// - Throws: `UnreadableDocument`, `OpenAPIError`, and the errors of reading and requesting.
    private func openAPIDocument(_ source: DocumentSource) async throws -> OpenAPIDocument {
        let name = shownName(of: source)
        guard source.isURL else {
            let text = try context.environment.file(name, limit: Self.maxBytes).bytes
            return try OpenAPIDocument(
                SourceDocument(text, name: name), name: name, loadFile: fileLoader(besides: name))
        }
        var download = DocumentDownload(context, maxBytes: Self.maxBytes)
        let text = try await download.text(source.word, followsRedirects: true)
        let document = try SourceDocument(text, name: name)
        let files = try await download.files(besides: document, name)
        return try OpenAPIDocument(document, name: name, loadFile: files.file)
    }

    /// Returns a function that loads files of this machine, with paths relative to the directory of a document.
    private func fileLoader(besides document: String) -> @Sendable (String) throws -> SourceDocument {
        let directory = FilePlace.directory(of: document)
        let environment = context.environment
        return { path in
            let file = directory.isEmpty ? path : "\(directory)/\(path)"
            let bytes = try environment.file(file, limit: Self.maxBytes).bytes
            return try SourceDocument(bytes, name: file)
        }
    }
}
