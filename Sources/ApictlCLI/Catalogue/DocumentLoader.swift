import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// Reads OpenAPI documents from files and URLs, and makes APIs of them.
struct DocumentLoader: Sendable {
    private let context: CommandContext
    private let options: DocumentCatalogue.Options

    /// The longest document, in bytes. The largest public ones have about 20 MB.
    private static let maxBytes = 256 << 20
    /// The time that a server has for its document.
    private static let maxTime = Duration.seconds(30)

    init(_ context: CommandContext, _ options: DocumentCatalogue.Options) {
        self.context = context
        self.options = options
    }

    /// Reads a document.
    ///
    /// - Throws: ``UsageError`` for a text that is no document, ``FileError``, and ``Failure`` for a URL that can't be
    ///   read.
    func api(_ source: DocumentSource) async throws -> CatalogueAPI {
        let text = try await text(source)
        do {
            let document = try OpenAPIDocument(
                SourceDocument(text, name: shownName(of: source)), name: shownName(of: source),
                loadFile: fileLoader(besides: source))
            let apiName = source.name ?? Self.name(of: document, in: source.word.text)
            let catalogue = try DocumentCatalogue(
                document, name: apiName, documentURL: source.isURL ? source.word.text : nil, options: options)
            return CatalogueAPI(catalogue)
        } catch let error as UnreadableDocument {
            throw UsageError(error.description, see: "help documents")
        } catch let error as OpenAPIError {
            throw UsageError(error.description, see: "help documents")
        } catch let error as ServerVariableError {
            throw UsageError("--server-variable: \(error)", see: "help documents")
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

    // MARK: Texts

    /// Reads the text of a document.
    private func text(_ source: DocumentSource) async throws -> [UInt8] {
        if source.isURL { return try await response(source.word) }
        return try context.environment.file(source.word.text, limit: Self.maxBytes).bytes
    }

    /// Returns a function that loads files beside a document. Those beside a URL are not loaded.
    private func fileLoader(besides source: DocumentSource) -> @Sendable (String) throws -> SourceDocument {
        let directory = FilePlace.directory(of: source.word.text)
        let environment = context.environment
        let isURL = source.isURL
        return { path in
            if isURL { throw UsageError("files beside a URL are not loaded") }
            let file = directory.isEmpty ? path : "\(directory)/\(path)"
            let bytes = try environment.file(file, limit: Self.maxBytes).bytes
            return try SourceDocument(bytes, name: file)
        }
    }

    /// Requests a document with GET, as a call of its URL with the settings for all APIs.
    private func response(_ word: SourcedText) async throws -> [UInt8] {
        var words = try CallWords(CalledURL(word))
        words.options.maxTime = Self.maxTime
        let accept = "application/json, application/yaml, */*;q=0.8"
        words.options.headers = [SourcedText("Accept: " + accept, .preset)]
        let resolver = try CallResolver(context, environmentFiles: [], apis: [])
        let plan = try await resolver.plan(words)
        return try await Exchange(plan, resolver.context).run { response in
            guard response.head.isSuccess else {
                throw UsageError("\(plan.name): expected a document, got \(response.head.statusText)")
            }
            return try await response.wholeBody(limit: Self.maxBytes)
        }
    }
}
