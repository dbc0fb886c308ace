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
    /// - Throws: ``UsageError`` for a value of a server's variable that is not allowed.
    func api(_ choices: DocumentCatalogue.Options) throws(UsageError) -> CatalogueAPI {
        do {
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

    /// Returns the name of a document's API: its title in kebab case, or that of its file without a title.
    private static func name(of document: OpenAPIDocument, in file: String) -> String {
        if let title = document.info.title, let name = DocumentCatalogue.name(title) { return name }
        let base = file.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
        return DocumentCatalogue.name(String(base)) ?? "api"
    }

    /// The name of a document in messages, without the query of a URL, which may hold a secret.
    private func shownName(of source: DocumentSource) -> String {
        let text = source.word.text
        return source.isURL ? String(text.prefix { $0 != "?" && $0 != "#" }) : text
    }

    // MARK: Documents

    /// Reads a document of a file or URL.
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

    /// Returns a function that loads files of this machine beside a document.
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
