import EndpointKit
import EndpointTools
import OpenAPI

/// A document that the configuration names.
struct ConfiguredDocument: Sendable {
    /// The name of its API.
    let name: String
    let source: DocumentSource
}

/// Finds the APIs that a command line can use: the compiled ones, and those of OpenAPI documents.
///
/// Documents come from the configuration and from options `--api`. Options must be read in their order, because a
/// parameter of an endpoint may have the name of an option: in `--api shop.yaml shop.find --api x`, the second `--api`
/// may be a parameter of `shop.find`, which is only known once `shop.yaml` has been read.
struct CatalogueReading {
    private let arguments: [String]
    private let context: CommandContext
    /// The options about documents, in the order of the command line.
    private let words: [DocumentOption]
    private let loader: DocumentLoader
    /// The documents that have been read, in the order of their APIs.
    private var documents: [LoadedDocument] = []
    /// The choices that the options have made for all documents.
    private var choices = DocumentCatalogue.Options()

    /// Finds the options about documents. Reads nothing yet.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - context: The context with the APIs that are compiled, and with the configuration.
    init(_ arguments: [String], _ context: CommandContext) {
        self.arguments = arguments
        self.context = context
        words = DocumentOption.all(in: arguments[..<Self.endOfOwnWords(arguments, context)])
        loader = DocumentLoader(context)
    }

    /// Returns the APIs: the compiled ones, those of the configuration's documents, and those of `--api`.
    ///
    /// A document of the configuration is read if the command line names its API, or names no API at all.
    ///
    /// - Throws: ``UsageError`` for a wrong value of an option, for a text that is no document and for two APIs with
    ///   the same name, ``FileError``, and ``Failure`` for a URL that can't be read.
    mutating func apis() async throws -> APIRegistry {
        for document in neededDocuments { documents.append(try await loader.document(document.source)) }
        var given: [DocumentSource] = []
        var givenNames: Set<String> = []
        var options: [DocumentOption] = []
        var hidden = HiddenOptions()
        for option in words {
            try hidden.read(before: option, of: arguments, commands: context.commands) { try registryWithDocuments() }
            // The parser will read this word as a parameter of the endpoint.
            if hidden.names.contains(option.name.rawValue) { continue }
            options.append(option)
            switch option.name {
            case .api:
                let source = try DocumentSource(option.value)
                // A shell waits for completions, which must not wait for a network.
                if isCompletion, source.isURL { continue }
                let document = try await loader.document(source)
                documents.append(document)
                given.append(source)
                givenNames.insert(document.apiName)
            case .serverVariable:
                let variable = try OptionValueType.member.read(option.value, "--server-variable")
                choices.serverVariables[variable.name] = variable.text
            case .bodyType: choices.bodyType = option.value.text
            }
        }
        var registry = try registryWithDocuments()
        registry.apiOptions = given.map(\.option)
        registry.namesOfOptions = givenNames
        try checkNoneHidden(options, registry)
        try checkConfiguration(registry)
        return registry
    }

    /// Checks that the configuration can be read if the command line seems to name the API of one of its documents.
    ///
    /// A configuration with an error has no documents, so that their APIs are unknown. Other commands report the error
    /// themselves if they need the configuration.
    ///
    /// - Throws: The error of reading the configuration, because "unknown API" would be misleading.
    private func checkConfiguration(_ registry: APIRegistry) throws {
        guard case .failure(let error) = context.configuration, !isCompletion else { return }
        let command = Self.command(arguments, context)
        // Without a command, the first word is itself a name, as in `movies.popular`.
        if let command, !command.namesAPIs { return }
        // A word after an option may be its value.
        let operands = arguments.indices.filter { index in
            let followsOption = index > 0 && arguments[index - 1].hasPrefix("-")
            return !arguments[index].hasPrefix("-") && !followsOption
        }
        let hasNames = operands.contains { arguments[$0] != command?.name }
        let isKnown = registry.apis.contains { Self.names($0.name, in: arguments) }
        if hasNames, !isKnown { throw error }
    }

    /// Checks that no option is a parameter of an endpoint that was unknown before the option was read.
    ///
    /// ``apis()`` decides about each option with the APIs that are known up to it. With all APIs, the same word may
    /// turn out to follow the name of an endpoint that has a parameter of this name. Both meanings are then possible.
    ///
    /// - Throws: ``UsageError`` for such an option: it must stand before the name of the endpoint.
    private func checkNoneHidden(_ options: [DocumentOption], _ registry: APIRegistry) throws(UsageError) {
        var hidden = HiddenOptions()
        for option in options {
            hidden.read(before: option, of: arguments, commands: context.commands) { registry }
            guard hidden.names.contains(option.name.rawValue) else { continue }
            let word = SourcedText("--" + option.name.rawValue, .argument(option.range.lowerBound + 1))
            throw UsageError(
                "\(word.shown) is a parameter of the endpoint; write the option before the endpoint's name",
                see: "help documents")
        }
    }

    /// Returns the compiled APIs, and those of the documents that have been read so far.
    ///
    /// - Throws: ``UsageError`` if two APIs have the same name.
    private func registryWithDocuments() throws -> APIRegistry {
        var registry = context.registry
        for (index, document) in documents.enumerated() {
            let api = try document.api(choices)
            if registry.apis.contains(where: { $0.name == api.name }) {
                let other = documents[..<index].first { $0.apiName == document.apiName }
                throw Self.nameIsTaken(document, by: other)
            }
            registry.apis.append(api)
        }
        return registry
    }

    /// Returns the error that the API of a document has the name of another API.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - other: The document of the other API; nil if that API is compiled.
    private static func nameIsTaken(_ document: LoadedDocument, by other: LoadedDocument?) -> UsageError {
        let word = document.source.word
        // Only a document of the configuration is named by a file.
        let origin = other?.source.word.source.file.map { ", which the configuration \($0.file) names" } ?? ""
        let remedy = word.source.isConfiguration ? "" : "; --api NAME=FILE gives this one another name"
        return UsageError(
            "\(word.shown): there is an API \(document.apiName) already\(origin)\(remedy)", see: "list",
            from: word.source)
    }

    /// Whether a shell asks for completions of the words that follow.
    private var isCompletion: Bool { arguments.first == "__complete" }

    /// The documents of the configuration that the command needs: those whose APIs the words name, or else all of them.
    ///
    /// A configuration that can't be read has none here: ``checkConfiguration(_:)`` reports its error if it matters.
    private var neededDocuments: [ConfiguredDocument] {
        let documents = (try? context.configuration.get())?.documents ?? []
        if documents.isEmpty { return [] }
        let command = Self.command(arguments, context)
        if let command, !command.takesAPIs { return [] }
        let names = context.registry.apis.map(\.name) + documents.map(\.name) + givenNames
        let namesAnAPI = names.contains { Self.names($0, in: arguments) }
        if namesAnAPI {
            // A shell waits for completions, which must not wait for a network.
            return documents.filter { Self.names($0.name, in: arguments) && !(isCompletion && $0.source.isURL) }
        }
        // Nobody expects a network for help that is about no API.
        let isHelp = command == HelpCommand.self || arguments.isEmpty || isCompletion
        return documents.filter { !(isHelp && $0.source.isURL) }
    }

    /// The names in options such as `--api shop=shop.yaml`. A value that can't be read is reported by ``apis()``.
    private var givenNames: [String] {
        words.filter { $0.name == .api }.compactMap { try? DocumentSource($0.value).name }
    }

    /// Returns the command that the first word other than an option names; nil if no command has this name.
    private static func command(_ arguments: [String], _ context: CommandContext) -> (any Command.Type)? {
        let first = arguments.first { !$0.hasPrefix("-") && $0 != "__complete" }
        return context.commands.first { $0.name == first }
    }

    /// Returns the index of the first word that belongs to another program, as those after `call curl` do. Without such
    /// words, it is the number of words.
    ///
    /// Another word `curl`, such as the value of a parameter, is not the name of the program.
    private static func endOfOwnWords(_ arguments: [String], _ context: CommandContext) -> Int {
        var words = arguments.enumerated().map { SourcedText($1, .argument($0 + 1)) }[...]
        if words.first?.text == "__complete" { words.removeFirst() }
        guard let name = firstOperand(&words, NoOptions.table.specs),
            let command = context.commands.first(where: { $0.name == name.text }), !command.foreignPrograms.isEmpty,
            let operand = firstOperand(&words, command.specs), command.foreignPrograms.contains(operand.text)
        else { return arguments.count }
        return arguments.count - words.count
    }

    /// Returns the first of the words that is neither an option nor the value of one, and removes the words up to it.
    private static func firstOperand(
        _ words: inout ArraySlice<SourcedText>, _ options: [OptionSpec]
    ) -> SourcedText? {
        var scanner = OptionScanner(words, options: options)
        while let item = try? scanner.next() {
            guard case .positional(let word) = item else { continue }
            words = scanner.remainingWords
            return word
        }
        return nil
    }

    /// Returns whether one of the words names an API, a group around it, or one of its endpoints.
    ///
    /// For `kinto.buckets`, these are `kinto.buckets`, `kinto` and `kinto.buckets.list`.
    private static func names(_ name: String, in words: [String]) -> Bool {
        words.contains { $0 == name || $0.hasPrefix(name + ".") || name.hasPrefix($0 + ".") }
    }
}

/// The options that parameters hide: after the name of an endpoint, a word such as `--api` is the endpoint's parameter
/// if it has one of this name.
private struct HiddenOptions {
    /// The names of the endpoint's parameters that have a flag; empty as long as no endpoint is named.
    private(set) var names: Set<String> = []
    /// The index after the last option. All words before it have been looked at.
    private var end = 0

    /// Finds out whether the words before an option name an endpoint, whose parameters are then ``names``.
    ///
    /// Nothing is done if an endpoint is known already, or if there are no other words since the last option, because
    /// then the answer can't have changed.
    ///
    /// - Parameters:
    ///   - option: The option.
    ///   - arguments: The words of the command line.
    ///   - commands: The commands of the tool.
    ///   - registry: Returns the APIs whose documents stand before the option. It is only called if necessary, because
    ///     making the APIs takes time.
    mutating func read(
        before option: DocumentOption, of arguments: [String], commands: [any Command.Type],
        registry: () throws -> APIRegistry
    ) rethrows {
        let hasOtherWords = end < option.range.lowerBound
        end = option.range.upperBound
        guard names.isEmpty, hasOtherWords else { return }
        let words = arguments[..<option.range.lowerBound]
        var parser = Parser(registry: try registry(), commands: commands)
        // The words may not be a whole command line, so that the parser throws. It knows the endpoint nevertheless.
        _ = try? parser.parse(words.first == "__complete" ? Array(words.dropFirst()) : Array(words))
        let options = parser.state.call?.declaration.signature.options() ?? []
        names = Set(options.map(\.name))
    }
}

extension Command {
    /// Whether the words of the command, or its options, can be about APIs, so that documents may be needed.
    fileprivate static var takesAPIs: Bool {
        switch operands {
        case .nothing, .files, .values: false
        case .apis, .topics, .patterns, .subject, .call, .valueAndFiles: true
        }
    }

    /// Whether all words of the command are names of APIs or endpoints, so that any other word is an error.
    fileprivate static var namesAPIs: Bool {
        switch operands {
        case .apis, .patterns, .subject, .call: true
        case .nothing, .topics, .files, .values, .valueAndFiles: false
        }
    }
}
