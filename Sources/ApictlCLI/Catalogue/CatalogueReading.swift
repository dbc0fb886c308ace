import EndpointKit
import EndpointTools
import OpenAPI

/// A document that the configuration names.
struct ConfiguredDocument: Sendable {
    /// The name of its API.
    let name: String
    let source: DocumentSource
}

/// Finds the APIs that a command line can use: those that are compiled, and those of documents.
struct CatalogueReading {
    private let arguments: [String]
    private let context: CommandContext
    private let words: DocumentWords

    /// Prepares the reading.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - context: The context with the APIs that are compiled, and with the configuration.
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
        // A shell waits for completions, which must not wait for a network.
        for source in words.sources where !(isCompletion && source.isURL) {
            try await add(source, to: &registry, loader)
        }
        return registry
    }

    /// Reads a document and adds its API.
    private func add(_ source: DocumentSource, to registry: inout APIRegistry, _ loader: DocumentLoader) async throws {
        let api = try await loader.api(source)
        if registry.apis.contains(where: { $0.name == api.name }) {
            throw UsageError(
                "\(source.word.shown): there is an API \(api.name) already; --api NAME=FILE gives this one another name",
                see: "list", from: source.word.source)
        }
        registry.apis.append(api)
    }

    private var isCompletion: Bool { arguments.first == "__complete" }

    /// The documents of the configuration that the command needs.
    private var neededDocuments: [ConfiguredDocument] {
        let documents = (try? context.configuration.get())?.documents ?? []
        if documents.isEmpty { return [] }
        let command = Self.command(arguments, context)
        if let command, !command.takesAPIs { return [] }
        let isHelp = command == HelpCommand.self || arguments.isEmpty || isCompletion
        let readable = documents.filter { !(isHelp && $0.source.isURL) }
        let names = context.registry.apis.map(\.name) + documents.map(\.name) + words.sources.compactMap(\.name)
        let namesAnAPI = names.contains { Self.names($0, in: arguments) }
        return namesAnAPI ? readable.filter { Self.names($0.name, in: arguments) } : readable
    }

    /// The command that the first word which is no option names; nil if it is no command's name.
    private static func command(_ arguments: [String], _ context: CommandContext) -> (any Command.Type)? {
        let first = arguments.first { !$0.hasPrefix("-") && $0 != "__complete" }
        return context.commands.first { $0.name == first }
    }

    /// Whether one of the words is the name of an API or group, or the name of one of its endpoints.
    private static func names(_ name: String, in words: [String]) -> Bool {
        words.contains { $0 == name || $0.hasPrefix(name + ".") || name.hasPrefix($0 + ".") }
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
