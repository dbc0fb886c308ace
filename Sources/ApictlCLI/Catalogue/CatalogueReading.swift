import EndpointKit
import EndpointTools
import OpenAPI

/// An OpenAPI document in the configuration.
struct ConfiguredDocument: Sendable {
    /// The name of its API.
    let name: String
    let source: DocumentSource
}

/// Finds the APIs that a command line can use: the compiled ones, and those of OpenAPI documents.
struct CatalogueReading {
    private let arguments: [String]
    private let context: CommandContext
    private let words: DocumentWords

    /// Prepares the reading.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - context: The context with the compiled APIs and the configuration.
    /// - Throws: ``UsageError`` for a wrong value of `--api` or `--server-variable`.
    init(_ arguments: [String], _ context: CommandContext) throws {
        self.arguments = arguments
        self.context = context
        words = try DocumentWords(arguments, stoppingAt: Self.command(arguments, context)?.foreignPrograms ?? [])
    }

    /// Returns the APIs: the compiled ones, those of the configuration's documents, and those of `--api`.
    ///
    /// A document of the configuration is read if the command line names its API, or names no API at all.
    ///
    /// - Throws: ``UsageError`` for a text that is no document and for two APIs with the same name, ``FileError``, and
    ///   ``Failure`` for a URL that can't be read.
    func apis() async throws -> APIRegistry {
        let options = DocumentCatalogue.Options(serverVariables: words.serverVariables, bodyType: words.bodyType)
        let loader = DocumentLoader(context, options)
        var registry = context.registry
        for document in neededDocuments { try await add(document.source, to: &registry, loader) }
        for source in words.sources {
            // A shell waits for completions, which must not wait for a network.
            if isCompletion, source.isURL { continue }
            try await add(source, to: &registry, loader)
        }
        return registry
    }

    /// Reads a document and adds its API.
    ///
    /// - Throws: ``UsageError`` if another API has the same name.
    private func add(_ source: DocumentSource, to registry: inout APIRegistry, _ loader: DocumentLoader) async throws {
        let api = try await loader.api(source)
        if registry.apis.contains(where: { $0.name == api.name }) {
            throw UsageError(
                "\(source.word.shown): there is an API \(api.name) already; "
                    + "--api NAME=FILE gives this one another name",
                see: "list", from: source.word.source)
        }
        registry.apis.append(api)
    }

    // MARK: Documents of the configuration

    /// The documents of the configuration that the command needs.
    private var neededDocuments: [ConfiguredDocument] {
        let documents = (try? context.configuration.get())?.documents ?? []
        if documents.isEmpty { return [] }
        let command = Self.command(arguments, context)
        if let command, !command.takesAPIs { return [] }

        // Neither help nor completion may wait for a network.
        let isHelp = command == HelpCommand.self || arguments.isEmpty || isCompletion
        let readable = isHelp ? documents.filter { !$0.source.isURL } : documents
        let apiNames = context.registry.apis.map(\.name) + documents.map(\.name) + words.sources.compactMap(\.name)
        let mentionsAnyAPI = apiNames.contains(where: mentions)
        return mentionsAnyAPI ? readable.filter { mentions($0.name) } : readable
    }

    private var isCompletion: Bool { arguments.first == "__complete" }

    /// Whether a word of the command line is the name of an API, of a group that it may belong to, or of one of its
    /// endpoints.
    private func mentions(_ api: String) -> Bool {
        arguments.contains { word in
            word == api || word.hasPrefix(api + ".") || api.hasPrefix(word + ".")
        }
    }

    /// Returns the command that the first word that is not an option names; nil if that is not a command's name.
    private static func command(_ arguments: [String], _ context: CommandContext) -> (any Command.Type)? {
        let name = arguments.first { !$0.hasPrefix("-") && $0 != "__complete" }
        return context.commands.first { $0.name == name }
    }
}

extension Command {
    /// Whether the command can be about APIs.
    fileprivate static var takesAPIs: Bool {
        switch operands {
        case .none, .files, .values: false
        case .apis, .topics, .patterns, .subject, .call, .valueAndFiles: true
        }
    }
}
