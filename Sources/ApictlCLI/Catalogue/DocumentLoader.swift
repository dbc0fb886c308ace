import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// Reads OpenAPI documents from files and URLs, and makes an API of each.
struct DocumentLoader: Sendable {
    private let context: CommandContext
    private let options: DocumentCatalogue.Options

    /// The longest document, in bytes. The largest public ones have about 20 MB.
    private static let maxBytes = 256 << 20

    /// Prepares the reading of documents.
    ///
    /// - Parameters:
    ///   - context: The context with the settings of requests.
    ///   - options: The choices of the command line about documents.
    init(_ context: CommandContext, _ options: DocumentCatalogue.Options) {
        self.context = context
        self.options = options
    }

    /// Reads a document and makes an API of it.
    ///
    /// - Throws: ``UsageError`` for a text that is no document, and for a value of `--server-variable` that does not
    ///   fit. ``FileError`` and ``Failure`` if the file or URL can't be read.
    func api(_ source: DocumentSource) async throws -> CatalogueAPI {
        let location = source.word.text
        do {
            let document = try await document(source)
            let name = source.name ?? Self.apiName(of: document, at: location)
            let catalogue = try DocumentCatalogue(
                document, name: name, documentURL: source.isURL ? location : nil, options: options)
            return CatalogueAPI(catalogue)
        } catch let error as UnreadableDocument {
            throw UsageError(error.description, see: "help documents")
        } catch let error as OpenAPIError {
            throw UsageError(error.description, see: "help documents")
        } catch let error as ServerVariableError {
            throw UsageError("--server-variable: \(error)", see: "help documents")
        }
    }

    /// Returns the name of a document's API: the title in kebab case, or the name of the file if there is no title.
    ///
    ///     apiName(of: document, at: "docs/pet-shop.v2.yaml")   // "pet-shop"
    private static func apiName(of document: OpenAPIDocument, at location: String) -> String {
        if let title = document.info.title, let name = DocumentCatalogue.name(title) { return name }
        let fileName = location.split(separator: "/").last ?? ""
        let baseName = fileName.prefix { $0 != "." }
        return DocumentCatalogue.name(String(baseName)) ?? "api"
    }

    // MARK: Documents

    /// Reads the document at a file or URL.
    private func document(_ source: DocumentSource) async throws -> OpenAPIDocument {
        let name = shownName(of: source)
        if source.isURL { return try await downloadedDocument(source.word, name: name) }
        let text = try context.environment.file(name, limit: Self.maxBytes).bytes
        let document = try SourceDocument(text, name: name)
        return try OpenAPIDocument(document, name: name, loadFile: fileLoader(besides: name))
    }

    /// Requests a document and the files that it refers to.
    private func downloadedDocument(_ url: SourcedText, name: String) async throws -> OpenAPIDocument {
        var download = DocumentDownload(context, maxBytes: Self.maxBytes)
        let text = try await download.text(url, followsRedirects: true)
        let document = try SourceDocument(text, name: name)
        let files = try await download.files(besides: document, name)
        return try OpenAPIDocument(document, name: name, loadFile: files.file)
    }

    /// Returns the name of a document in messages: the file, or the URL without its query, which may hold a secret.
    private func shownName(of source: DocumentSource) -> String {
        let location = source.word.text
        guard source.isURL else { return location }
        return String(location.prefix { $0 != "?" && $0 != "#" })
    }

    /// Returns a function that loads the files of this machine to which a document refers.
    ///
    /// - Parameter document: The document, to whose directory the paths of the files are relative.
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
